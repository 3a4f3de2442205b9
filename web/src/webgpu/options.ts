// The options of calls on the GPU: those of the same calls on the CPU, and where results go. No code.
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

/** Without a device, and with one that was lost. */
export interface WebgpuOptions {
  /** "wasm": the same calls take and give tensors of the CPU then. Default: an error. */
  fallback?: "wasm";
}

/** What turns, where rows stand, and which way. */
export interface RotateOptions extends ApplyOptions {
  /** A rotary one. */
  encoding: RotaryEncoding<any>;
}

/** Where keys stand and where they are to stand, as `encoding.rerotate` takes it. */
export interface MoveOptions extends RerotateOptions {
  /** The encoding that moves them. Default: `to`, or `from`, where that is one. */
  encoding?: RotaryEncoding<any>;
}

/** What a new result holds, or where it goes. */
export interface ResultOptions<Out> {
  /** Of a new result. Default "float32". */
  type?: GpuType;
  /** A tensor on the GPU, of the dims of the result, that it is written into. */
  out?: Out;
}

/** Which rows of cosines and sines. */
export interface TableOptions<Out> extends RotaryAt, RoleOption, ResultOptions<{ cos: Out; sin: Out }> {}

/** How many queries and keys there are, where they stand, and which keys are hidden. */
export interface GpuBiasOptions<Out> extends BiasOptions, ResultOptions<Out> {
  /** Hidden keys get the lowest finite number of the type, as operators of ONNX need it, instead of -Infinity. Default false. */
  finite?: boolean;
}

/** A new grid, as `pe.resizeTable` takes it. */
export interface GpuResizeOptions<Out> extends ResizeOptions {
  /** A tensor on the GPU, of the dims of the result, that it is written into. */
  out?: Out;
}

/** Which positions of a cache stay: `ranges`, or the first `sinks` and the last `window`. */
export interface KeepOptions<Out> {
  /** Pairs [start, end), one after the other. */
  ranges?: readonly (readonly [number, number])[];
  /** The first so many. Default 0. */
  sinks?: number;
  /** The last so many. */
  window?: number;
  /** The axis of positions. Default: the last but one, of [B, H, T, D]. */
  axis?: number;
  /** A tensor on the GPU, of the dims of the result, that it is written into. */
  out?: Out;
}
