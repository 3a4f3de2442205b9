// The values of a rotation for the GPU: the core rotates pairs (1, 0), and the results are the exact multipliers of a
// call, including its magnitude, direction and rules.
import type { ApplyOptions, RerotateOptions } from "../base/call-options.js";
import { sizeOf } from "../base/dims.js";
import type { OwnedFloat32Array } from "../base/types.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import { zeros } from "./cpu-tensors.js";
import type { Checked } from "./tensors.js";

/** A call of the core that rotates a tensor in place, [B, 1, T, dim] in the layout of the call. */
export type Rotate = (x: { data: Float32Array; dims: number[] }) => unknown;
export type RotationOptions = ApplyOptions | RerotateOptions;

/** Features from which each pair is read, and to which it is written; one after the other, [pairs] each. */
export interface Pairs {
  from: readonly (readonly [number, number])[];
  to: readonly (readonly [number, number])[];
}

interface Layout {
  dim: number;
  rotaryStart?: number;
  pairing?: string;
  separateAxes?: boolean;
  axes?: number;
  axisDims?: readonly number[] | null;
}

/** Returns the pairs of features: in each slice, halves or neighbours form pairs. */
export function pairsOf({ spec, pairs, dim }: RotaryEncoding<any>, how: "forward" | "backward" | "again"): Pairs {
  const { rotaryStart = 0, pairing, separateAxes, axes = 1, axisDims } = spec as unknown as Layout;
  const slices = separateAxes
    ? axisDims?.length
      ? axisDims.map((width) => width / 2)
      : new Array<number>(axes).fill(pairs / axes)
    : [pairs];
  const pairsFor = (isHalfPairing: boolean): [number, number][] => {
    let start = rotaryStart < 0 ? dim - 2 * pairs : rotaryStart;
    return slices.flatMap((count) => {
      const first = start;
      start += 2 * count;
      return Array.from({ length: count }, (_, k): [number, number] =>
        isHalfPairing ? [first + k, first + count + k] : [first + 2 * k, first + 2 * k + 1],
      );
    });
  };
  const moves = pairing === "interleaved-to-half";
  const isHalfPairing = pairing === "half" || (moves && how !== "forward");
  return {
    from: pairsFor(isHalfPairing),
    to: pairsFor(moves && how === "backward" ? false : pairing !== "interleaved"),
  };
}

/**
 * Returns the cosine and sine of each position and pair, [rows, pairs, 2]. Rows are the positions, once or for each
 * batch element.
 */
export function multipliers(
  x: Checked,
  isHeadsFirst: boolean,
  { from, to }: Pairs,
  { options, rotate }: { options: RotationOptions; rotate: Rotate },
): OwnedFloat32Array {
  const [batch = 0, second = 0, third = 0, dim = 0] = x.dims;
  const positions = isHeadsFirst ? third : second;
  const rows = rowsFor(options, batch, positions);
  const data = zeros(Float32Array, rows * positions * dim);
  if (dim > 0)
    for (let row = 0; row < data.length; row += dim)
      for (const [i] of from) if (row + i < data.length) data[row + i] = 1;
  rotate({ data, dims: isHeadsFirst ? [rows, 1, positions, dim] : [rows, positions, 1, dim] });
  const out = new Float32Array((data.length / (dim || 1)) * 2 * to.length);
  let at = 0;
  for (let row = 0; row < data.length; row += dim)
    for (const [i, j] of to) {
      out[at++] = data[row + i]!;
      out[at++] = data[row + j]!;
    }
  return out;
}

/** Returns the number of positions per axis that options give one by one; undefined if they give none. */
function positionCountIn(given: unknown): number | undefined {
  if (given === null || typeof given !== "object") return undefined;
  const { positions, dims, length, 0: first } = given as Record<string, any>;
  if (positions !== undefined) return positionCountIn(positions);
  // [T], [B, T] or [axes, B, T].
  if (Array.isArray(dims)) return sizeOf(dims.slice(-2) as number[]);
  return typeof first === "object" ? first?.length : length;
}

/** Returns the number of batch elements to compute: 1 if all share their positions, otherwise all. */
export const rowsFor = (options: object, batch: number, count: number): number => {
  const { positions, from, to } = options as Record<string, unknown>;
  const shared = [positions, from, to].every((given) => (positionCountIn(given) ?? count) === count);
  return shared ? Math.min(batch, 1) : batch;
};
