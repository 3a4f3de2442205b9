// Stores results in a tensor on the device or the CPU, new or given.
import { sizeOf } from "../base/dims.js";
import { invalid, show } from "../base/errors.js";
import type { OwnedFloat32Array } from "../base/types.js";
import { isGpuTensor } from "./arguments.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import type { Engine } from "./engine.js";
import { keyOf } from "./keys.js";
import type { Held } from "./memory.js";
import type { Mix } from "./mixing.js";
import { checkCpu, copyElements, ownCpu, wordsOf, type Converter, type CpuTensor } from "./cpu-tensors.js";
import { check, checkOut, create, resultOf, type Checked } from "./tensors.js";
import type { GpuTensor, GpuType, OwnGpuTensor } from "./types.js";

/** Writes values that the device holds into a tensor, rounded to its dtype. */
export function spread(engine: Engine, held: Held, dims: readonly number[], type: GpuType, out: unknown): GpuTensor {
  const result = resultOf(engine, out, dims, type);
  const { buffer: x, isFloat16, first, size, words } = check(engine, result, "out");
  engine.run("spread", isFloat16, { threads: words[1], first, size }, { x, numbers: held.buffer });
  return result;
}

type Tables = Record<"cos" | "sin", Pick<CpuTensor, "data" | "dims">>;

/** Cosines and sines of a rotation: computed and sent only if the device does not hold those of equal options. */
export function tableValues(
  encoding: RotaryEncoding<any>,
  options: object,
): {
  made: () => Tables;
  held: (engine: Engine, name: "cos" | "sin") => Held;
  dims: (engine: Engine | undefined) => readonly number[];
} {
  const { core, pairs } = encoding;
  encoding.handleIn(core);
  const key = keyOf(encoding, options);
  let known: Tables | undefined;
  const made = (): Tables => (known ??= encoding.tables(options as never) as unknown as Tables);
  const held = (engine: Engine, name: "cos" | "sin"): Held =>
    engine.memory.hold(encoding, key && `${name};${key}`, () => made()[name].data as OwnedFloat32Array);
  const dims = (engine: Engine | undefined): readonly number[] => {
    const length = engine && key && pairs > 0 ? held(engine, "cos").length / pairs : undefined;
    return known || length === undefined ? made().cos.dims : [length, pairs];
  };
  return { made, held, dims };
}

/** Sends a CPU tensor to the device unchanged. */
export function sent(engine: Engine, { type, data, dims }: CpuTensor): OwnGpuTensor {
  const made = create(engine, dims, type);
  engine.device.queue.writeBuffer(made.buffer, 0, wordsOf(data as Float32Array));
  return made;
}

/** Returns values of the core as a CPU tensor, rounded to the dtype. Throws `invalid-argument`, `shape-mismatch`. */
export function onCpu(pe: Converter, x: CpuTensor, type: GpuType, out: unknown): CpuTensor {
  const made = (type === "float16" && x.type !== type ? pe.toFloat16(x) : x) as CpuTensor;
  if (out === undefined) return ownCpu(made);
  checkCpu(out, "out");
  checkOutType(out.type ?? "float32", type);
  checkOut(out.dims, made.dims);
  copyElements(made.data as Float32Array, out.data as Float32Array);
  return out;
}

function checkOutType(type: GpuType, wanted: GpuType): void {
  if (type !== wanted) throw invalid("out", `must be ${wanted}, got ${type}`);
}

/** Returns rows along `axis` that are sums of the source's rows, in the source's dtype. */
export function mixed(engine: Engine, source: Checked, axis: number, mix: Mix, out: unknown): GpuTensor {
  const { rows, parts } = mix;
  const dims = [...source.dims.slice(0, axis), rows, ...source.dims.slice(axis + 1)];
  const type = source.isFloat16 ? "float16" : "float32";
  const result = resultOf(engine, out, dims, type);
  checkOutType(result.type, type);
  const { buffer: x, isFloat16, first, size, words } = check(engine, result, "out");
  if (x === source.buffer) throw invalid("out", "must be a separate buffer");
  const numbers = engine.memory.hold(engine, undefined, () => mix.weights).buffer;
  const plan = engine.memory.hold(engine, undefined, () => mix.indices).buffer;
  const inner = sizeOf(source.dims.slice(axis + 1));
  const step = source.dims[axis]!;
  engine.run(
    "combine",
    isFloat16,
    { threads: words[1], first, size, source: source.first, rows, inner, step, parts },
    { x, source: source.buffer, numbers, plan },
  );
  return result;
}

/** Returns the tensors that receive tables; undefined: none are given. Throws `invalid-argument`. */
export function tablesOut<Tensor extends CpuTensor | GpuTensor>(
  out: { cos: Tensor; sin: Tensor } | undefined,
): { cos: Tensor; sin: Tensor } | undefined {
  if (out === undefined) return undefined;
  const { cos, sin } = (out as typeof out | null) ?? {};
  if (!cos || !sin) throw invalid("out", `must be tensors { cos, sin }, got ${show(out)}`);
  const [one, other] = [spanOf(cos), spanOf(sin)];
  if (one.memory !== undefined && one.memory === other.memory && one.start < other.end && other.start < one.end)
    throw invalid("out", "must have separate memory for cos and sin, got tensors that overlap");
  return { cos, sin };
}

/** Returns the bytes of a tensor, if it is one. */
function spanOf(x: CpuTensor | GpuTensor): { memory: unknown; start: number; end: number } {
  if (isGpuTensor(x)) {
    const { buffer, offset = 0, type, dims } = x;
    const size = Array.isArray(dims) ? sizeOf(dims) : 0;
    return { memory: buffer, start: offset, end: offset + (type === "float16" ? 2 : 4) * size };
  }
  const { buffer, byteOffset = 0, byteLength = 0 } = (x.data ?? {}) as Partial<Float32Array>;
  return { memory: buffer, start: byteOffset, end: byteOffset + byteLength };
}
