// Arguments that no call of the core checks. Neither readOptions nor base/arrays: their parts would become those of posenc/ids, too.
import { PosencError, invalid, show } from "../base/errors.js";
import type { GpuTensor, GpuType } from "./types.js";

/** Returns the kind of a value from any window or vm: "Float32Array", "Object" … */
export const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Whether the value is an array or a typed array. */
export const isArrayLike = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && kindOf(value) !== "DataView");

/** Returns options as an object; undefined: no options. Throws `invalid-argument`. */
export function optionsOf<Options extends object>(given: Options | undefined, example: string): Options {
  if (given === undefined) return {} as Options;
  if (kindOf(given) !== "Object") throw invalid("options", `must be an object such as ${example}, got ${show(given)}`);
  return given;
}

/** Throws `invalid-argument` if unknown options are left. */
export function rejectUnknown(left: object, known: string): void {
  for (const name of Object.keys(left)) throw invalid(name, `unknown option; known are ${known}`);
}

export function checkType(type: unknown, field: string): asserts type is GpuType {
  if (type !== "float32" && type !== "float16")
    throw new PosencError("unsupported", `${field}: must be float32 or float16, got ${show(type)}`, field);
}

export const isGpuTensor = (x: unknown): x is GpuTensor =>
  typeof (x as GpuTensor | null)?.buffer?.destroy === "function";

/** Throws for tensors that are not on the CPU: runtimes throw other errors if their `data` is read. */
export function checkOnCpu(x: object, field: string): void {
  const { location } = x as { location?: unknown };
  const isElsewhere = typeof location === "string" && location !== "cpu" && location !== "cpu-pinned";
  if (!isElsewhere && !isGpuTensor(x)) return;
  const got = isElsewhere ? show(location) : "a tensor on the GPU";
  throw invalid(field, `must be a tensor of the CPU, got ${got}; fromOrt(x) passes tensors of onnxruntime on the GPU`);
}

/**
 * Returns the dtype of a result: that of `out` if it is given. Throws `unsupported`, and `invalid-argument` if both are
 * given and differ.
 */
export function resultType(type: unknown, out: { readonly type?: unknown } | undefined): GpuType {
  if (type !== undefined) checkType(type, "type");
  const ofOut = out?.type ?? "float32";
  if (type !== undefined && out !== undefined && type !== ofOut)
    throw invalid("type", `must be the type of out, ${show(ofOut)}, got ${show(type)}`);
  return type ?? (ofOut as GpuType);
}
