// Where results go: a tensor of the device or of the CPU, new or given.
import { sizeOf } from "../base/dims.js";
import { invalid } from "../base/errors.js";
import type { OwnedFloat32Array } from "../base/types.js";
import type { Engine } from "./engine.js";
import type { Mix } from "./mixing.js";
import { ownCpu, wordsOf, type Converter, type CpuTensor } from "./numbers.js";
import { check, checkOut, create, resultOf, type Checked } from "./tensors.js";
import type { GpuTensor, GpuType, OwnGpuTensor } from "./types.js";

/** Numbers of the core on the device, rounded there. */
export function spread(engine: Engine, numbers: CpuTensor, type: GpuType, out: unknown): GpuTensor {
  const result = resultOf(engine, out, numbers.dims, type);
  const { buffer: x, isHalf, first, size, words } = check(engine, result, "out");
  const held = engine.memory.hold(engine, undefined, () => numbers.data as OwnedFloat32Array);
  engine.run("spread", isHalf, { threads: words[1], first, size }, { x, numbers: held.buffer });
  return result;
}

/** A tensor of the CPU, as it is, on the device. */
export function sent(engine: Engine, { type, data, dims }: CpuTensor): OwnGpuTensor {
  const made = create(engine, dims, type);
  engine.device.queue.writeBuffer(made.buffer, 0, wordsOf(data as Float32Array));
  return made;
}

export function onCpu(pe: Converter, x: CpuTensor, type: GpuType, out: unknown): CpuTensor {
  const made = (type === "float16" && x.type !== type ? pe.toFloat16(x) : x) as CpuTensor;
  if (out === undefined) return ownCpu(made);
  const { data, dims } = out as CpuTensor;
  checkOut(dims, made.dims);
  (data as Float32Array).set(made.data as Float32Array);
  return out as CpuTensor;
}

/** Rows of `axis` made of rows of the source, in a tensor of its type. */
export function mixed(engine: Engine, source: Checked, axis: number, mix: Mix, out: unknown): GpuTensor {
  const { rows, parts } = mix;
  const dims = [...source.dims.slice(0, axis), rows, ...source.dims.slice(axis + 1)];
  const result = resultOf(engine, out, dims, source.isHalf ? "float16" : "float32");
  const { buffer: x, isHalf, first, size, words } = check(engine, result, "out");
  if (x === source.buffer) throw invalid("out", "must be a buffer of its own");
  const numbers = engine.memory.hold(engine, undefined, () => mix.weights).buffer;
  const plan = engine.memory.hold(engine, undefined, () => mix.indices).buffer;
  const inner = sizeOf(source.dims.slice(axis + 1));
  const step = source.dims[axis]!;
  engine.run(
    "combine",
    isHalf,
    { threads: words[1], first, size, source: source.first, rows, inner, step, parts },
    { x, source: source.buffer, numbers, plan },
  );
  return result;
}
