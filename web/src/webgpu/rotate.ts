// Rotates queries and keys on the GPU, in place.
import { PosencError } from "../base/errors.js";
import type { OwnedUint32Array } from "../base/types.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import type { Engine } from "./engine.js";
import { keyOf } from "./keys.js";
import { multipliers, pairsOf, type Pairs, type Rotate, type RotationOptions } from "./rotation.js";
import type { Checked } from "./tensors.js";

/** A call of the core, and the direction of its rotation. */
export interface RotationCall {
  encoding: RotaryEncoding<any>;
  options: RotationOptions;
  way: "forward" | "backward" | "again";
  rotate: Rotate;
}

/** Rotates x in one pass. */
export function rotateOnGpu(engine: Engine, x: Checked, { encoding, options, way, rotate }: RotationCall): void {
  const { dims, first, size, words, isFloat16 } = x;
  if (dims.length !== 4)
    throw new PosencError(
      "shape-mismatch",
      `x: must have 4 dims, [batch, heads, positions, dim], got [${dims.join(", ")}]`,
      "x",
    );
  encoding.handleIn(encoding.core);
  const isHeadsFirst = options.layout !== "bthd";
  const [heads, positions] = (isHeadsFirst ? [dims[1], dims[2]] : [dims[2], dims[1]]) as [number, number];
  const pairs = pairsOf(encoding, way);
  const count = pairs.to.length;
  const key = keyOf(encoding, { ...options, way, dims });
  const { buffer: numbers, length } = engine.memory.hold(encoding, key, () =>
    multipliers(x, isHeadsFirst, pairs, { options, rotate }),
  );
  const parameters = {
    first,
    size,
    width: encoding.dim,
    rows: positions,
    inner: isHeadsFirst ? 1 : heads,
    batch: heads * positions,
    step: length > 2 * positions * count ? positions : 0,
    pairs: count,
  };
  if (size === 0 || count === 0) return;
  const units = unitsOf(pairs, isFloat16 && (encoding.dim % 2 || first % 2 ? "odd" : "words"));
  const shape = `${way} ${isFloat16} ${first % 2} `;
  if (units) {
    const plan = engine.memory.hold(encoding, `units ${shape}`, () => Uint32Array.from(units.flat()));
    const threads = (size / encoding.dim) * units.length;
    engine.run(
      "rotate",
      isFloat16,
      { ...parameters, threads, units: units.length },
      { x: x.buffer, numbers, plan: plan.buffer },
    );
    return;
  }
  const plan = engine.memory.hold(encoding, `features ${way}`, () => featuresOf(pairs, encoding.dim));
  const source = engine.memory.scratch(4 * words[1]);
  const from = isFloat16 ? first % 2 : 0;
  engine.run(
    "carry",
    isFloat16,
    { ...parameters, threads: words[1], source: from },
    { x: x.buffer, source, numbers, plan: plan.buffer },
    words,
  );
}

type Unit = readonly [i: number, j: number, pair: number];

/**
 * Returns the features that one thread rotates in place: a pair, or for float16 the pairs that fill words. undefined if
 * pairs move or share words with others.
 */
function unitsOf({ from, to }: Pairs, float16Units: "words" | "odd" | false): Unit[] | undefined {
  if (from.some(([i, j], k) => i !== to[k]![0] || j !== to[k]![1])) return undefined;
  if (!float16Units) return from.map(([i, j], k) => [i, j, k]);
  const units: Unit[] = [];
  for (let k = 0; k < from.length; k++) {
    const [i, j] = from[k]!;
    const next = from[k + 1];
    const neighbours = j === i + 1;
    if (float16Units === "odd" || i % 2 || (!neighbours && (j % 2 || next?.[0] !== i + 1 || next[1] !== j + 1)))
      return undefined;
    units.push([i, j, k]);
    if (!neighbours) k++;
  }
  return units;
}

/**
 * Returns the plan of each feature, [dim, 4]: 0 unchanged, 1 first or 2 second of a pair; the two source features; the
 * pair.
 */
function featuresOf({ from, to }: Pairs, dim: number): OwnedUint32Array {
  const plan = new Uint32Array(4 * dim);
  to.forEach((pair, k) => pair.forEach((feature, which) => plan.set([1 + which, ...from[k]!, k], 4 * feature)));
  return plan;
}
