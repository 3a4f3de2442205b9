// The options of calls on the GPU: those of the same calls on the CPU, and type and target of results. No code.
import type {
  ApplyOptions,
  BiasOptions,
  RerotateOptions,
  ResizeOptions,
  RoleOption,
  RotaryAt,
} from "../base/call-options.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import type { GpuType } from "./types.js";

/** Options of `webgpu`. */
export interface WebgpuOptions {
  /** "wasm": calls take and return CPU tensors if there is no device or it was lost. Default: an error. */
  fallback?: "wasm";
}

/** Options of `rotate`: the encoding, and the options of its `apply`. */
export interface RotateOptions extends ApplyOptions {
  /** The encoding, of the family "rotary". */
  encoding: RotaryEncoding<any>;
}

/** Options of `rerotate`: `from` and `to`, as `rerotate` of a rotary encoding takes them. */
export interface MoveOptions extends RerotateOptions {
  /** Encoding that rotates the keys. Default: `to`, or else `from`, if that is an encoding. */
  encoding?: RotaryEncoding<any>;
}

/** Type of a new result, or the tensor that receives it. */
export interface ResultOptions<Out> {
  /** Type of a new result. Default: the type of `out`, else "float32". */
  type?: GpuType;
  /** Receives the result: a tensor on the GPU with the dims of the result. Default: a new tensor. */
  out?: Out;
}

/** Options of `tables`: positions, role, and the results. */
export interface TableOptions<Out> extends RotaryAt, RoleOption, ResultOptions<{ cos: Out; sin: Out }> {}

/** Options of `bias`: number of queries and keys, positions, masks, and the result. */
export interface GpuBiasOptions<Out> extends BiasOptions, ResultOptions<Out> {
  /** Masked keys get the lowest finite number of the type, as operators of ONNX need it, instead of -Infinity. Default false. */
  finite?: boolean;
}

/** Options of `resize`: the options of `pe.resizeTable`, and the result. */
export interface GpuResizeOptions<Out> extends ResizeOptions {
  /** Receives the result: a tensor on the GPU with the dims of the result. Default: a new tensor. */
  out?: Out;
}

/** Options of `keep`: `ranges` of positions, or the first `sinks` and the last `window`. */
export interface KeepOptions<Out> {
  /** Pairs [start, end) of positions, concatenated in this order. */
  ranges?: readonly (readonly [number, number])[];
  /** Number of first positions to keep. Default 0. */
  sinks?: number;
  /** Number of last positions to keep. */
  window?: number;
  /** The axis of positions. Default: the last but one, T of [B, H, T, D]. */
  axis?: number;
  /** Receives the result: a tensor on the GPU with the dims of the result. Default: a new tensor. */
  out?: Out;
}
