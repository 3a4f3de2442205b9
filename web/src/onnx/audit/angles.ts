// Errors of angles in 16-bit floats.
import { fromBfloat16Bits, fromFloat16Bits, toFloat16Bits } from "../../base/float16.js";
import { narrowing, type Buckets } from "../find/bias.js";
import { sourceConstant } from "../read/trace.js";
import type { FoundRotation } from "../find/rotary.js";
import { isNarrow } from "../read/values.js";

/** Largest error of angles, and its position. */
export interface AngleError {
  readonly type: "float16" | "bfloat16";
  /** Whether the product is computed in that dtype; otherwise only frequencies are stored in it. */
  readonly isProduct: boolean;
  readonly radians: number;
  readonly position: number;
}

const scratch = new DataView(new ArrayBuffer(4));
const roundings = {
  float16: (value: number): number => fromFloat16Bits(toFloat16Bits(value)),
  bfloat16: (value: number): number => {
    scratch.setFloat32(0, value);
    const bits = scratch.getUint32(0);
    return fromBfloat16Bits(((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff);
  },
};
const narrowTypes: Record<number, AngleError["type"]> = { 10: "float16", 16: "bfloat16" };

/** Maximum number of positions that are compared. More would not change the result. */
const mostPositions = 4096;
/** Maximum number of angles that are compared: 4096 positions of 512 pairs. */
const mostAngles = 2097152;

/** The exact frequencies of a rotation, and the errors of angles against them. */
export class Exact {
  private readonly known = new Map<string, AngleError>();
  constructor(private readonly frequencies: ArrayLike<number>) {}

  /** Compares the angles that a graph computes with exact ones at positions below `length`; undefined: they have 32 bits. */
  errorOf({ parts, type, frequencies }: FoundRotation, length: number): AngleError | undefined {
    if (parts.form !== "frequencies") return undefined;
    const product = parts.product.ins
      .map((value) => sourceConstant(value))
      .find((arrival) => arrival?.value === parts.value);
    const inProduct = narrowTypes[product?.type ?? 1] ?? narrowTypes[parts.angleType];
    const narrow = inProduct ?? (isNarrow(type) ? type : undefined);
    if (!narrow) return undefined;
    const key = `${narrow} ${inProduct} ${length}`;
    const error = this.known.get(key) ?? this.compare(frequencies, narrow, inProduct !== undefined, length);
    this.known.set(key, error);
    return error;
  }

  private compare(frequencies: Float64Array, type: AngleError["type"], isProduct: boolean, length: number): AngleError {
    const round = roundings[type];
    let radians = 0;
    let position = 0;
    const step = Math.max(1, Math.floor(length / mostPositions), Math.ceil((length * frequencies.length) / mostAngles));
    for (let t = length - 1; t > 0; t -= step)
      frequencies.forEach((frequency, k) => {
        const angle = isProduct ? round(round(t) * round(frequency)) : t * frequency;
        const error = Math.abs(angle - t * this.frequencies[k]!);
        if (error > radians) [radians, position] = [error, t];
      });
    return { type, isProduct, radians, position };
  }
}

/** Returns the distances whose bucket changes because their logarithm is computed in 16-bit floats. */
export function misplaced(
  parts: Buckets,
): { readonly type: string; readonly distances: readonly number[] } | undefined {
  const [, type] = narrowing(parts) ?? [];
  if (!type) return undefined;
  const round = roundings[type];
  const [exact, more] = [Math.round(parts.exact), Math.round(parts.more)];
  const isDeberta = parts.kind === "deberta";
  const spread = Math.log((parts.maxDistance - Number(isDeberta)) / exact);
  const last = Math.min(parts.maxDistance, mostPositions);
  const toBucket = isDeberta ? Math.ceil : Math.floor;
  const distances = [];
  for (let n = exact; n < last; n++) {
    // Runtimes compute in float32 with 16-bit constants. Values that float32 rounds to whole numbers are whole.
    const wide = Math.fround((Math.log(n / exact) / spread) * more);
    if (toBucket((Math.log(n / exact) / round(spread)) * more) !== toBucket(wide)) distances.push(n);
  }
  return distances.length > 0 ? { type, distances } : undefined;
}
