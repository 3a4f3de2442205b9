// Rewrites biases in a model's constants.
import { PosencError, invalid, show } from "../../base/errors.js";
import type { Spec } from "../../base/specs.gen.js";
import { narrowing, type BiasParts, type Buckets, type FoundBias } from "../find/bias.js";
import type { Changes } from "./changes.js";
import type { Step, Value } from "../read/flow.js";
import type { BiasChoice, Library } from "../options.js";
import { backward, carries, forward, formOps, scalarOf } from "../read/trace.js";
import type { Work } from "./work.js";

type Slopes = Extract<BiasParts, { form: "slopes" | "baked-slopes" }>;
type Matrix = Extract<BiasParts, { form: "baked-matrix" }>;

export async function rewriteBias(work: Work, found: FoundBias, choice: BiasChoice | undefined): Promise<void> {
  const { parts, heads, spec } = found;
  const { pe, length } = work;
  const kind = parts.form === "buckets" ? parts.kind : parts.form === "windowed" ? "swin" : "alibi";
  if (choice) work.used.add("bias");
  if (choice && choice.kind !== kind)
    throw new PosencError("unsupported", `bias: the model's graph computes ${kind}, not ${choice.kind}`, "bias");
  if (parts.form === "windowed") return;
  if (parts.form === "buckets")
    return rewriteBuckets(work, found, parts, choice as { maxDistance?: number } | undefined);
  const isBaked = parts.form !== "slopes";
  if (isBaked) work.used.add("length");
  const keys = parts.form === "baked-slopes" && length !== undefined && length > parts.keys ? length : undefined;
  const tokens = parts.form === "baked-matrix" ? (length ?? parts.tokens) : undefined;
  if (!choice && keys === undefined && (tokens === undefined || tokens === (parts as Matrix).tokens)) return;
  const slopes = slopesOf(pe, { ...spec, heads } as Alibi, choice as Partial<Alibi> | undefined);
  if (parts.form === "baked-matrix") await rewriteMatrix(work, found, parts, slopes, tokens!);
  else await rewriteSlopes(work, found, parts, slopes, keys);
}

type Alibi = Extract<Spec, { kind: "alibi" }>;

/** Returns the new slopes. Slopes by another maxBias keep the factor that the graph multiplies all slopes by. */
function slopesOf(pe: Library, { slopes: had, ...spec }: Alibi, choice: Partial<Alibi> = {}): number[] {
  const of = (one: object): number[] => Array.from((pe.create(one as Spec) as { slopes: ArrayLike<number> }).slopes);
  const isByRule = choice.slopes === undefined && choice.maxBias !== undefined;
  if (!had || !isByRule) return of({ ...spec, ...(had && { slopes: had }), ...choice });
  const factor = of({ ...spec, slopes: had })[0]! / of(spec)[0]!;
  return of({ ...spec, ...choice }).map((slope) => factor * slope);
}

/** Rewrites a bias [heads, tokens, tokens]. Beyond the diagonal it keeps the values of a causal mask. */
async function rewriteMatrix(
  work: Work,
  found: FoundBias,
  { value, tokens: had }: Matrix,
  slopes: readonly number[],
  tokens: number,
): Promise<void> {
  const old = await work.numbersOf(value);
  const numbers = work.newElements(value, slopes.length * tokens * tokens);
  slopes.forEach((slope, head) => {
    // Bias of the next key: equal to the previous key's, 0, or a mask's.
    const ahead = old[head * had * had + 1]!;
    const isSymmetric = Math.abs(ahead - old[head * had * had + had]!) <= 1e-6 * Math.abs(ahead);
    for (let i = 0; i < tokens; i++)
      for (let j = 0; j < tokens; j++)
        numbers[(head * tokens + i) * tokens + j] = j <= i || isSymmetric ? -slope * Math.abs(i - j) : ahead;
  });
  const dims = value.constant!.tensor.dims.map((dim, i, all) => (i >= all.length - 2 ? tokens : dim));
  const shown = slopes.map((slope) => slope.toPrecision(4)).join(", ");
  const what = `slopes are ${shown} now, for ${tokens} tokens`;
  work.constants.choose([found], value, { key: `${shown} ${tokens}`, numbers, what, option: "bias", dims });
}

function rewriteBuckets(
  { changes, constants, isWide, used }: Work,
  found: FoundBias,
  parts: Buckets,
  choice: { readonly maxDistance?: number } | undefined,
): void {
  const { exact, kind, isInverse } = parts;
  if (choice && (!Number.isInteger(choice.maxDistance) || Number(choice.maxDistance) <= exact + 1))
    throw invalid("maxDistance", `must be a whole number above ${exact + 1}, got ${show(choice.maxDistance)}`);
  const farthest = choice ? Number(choice.maxDistance) : parts.maxDistance;
  const spread = Math.log((farthest - (kind === "deberta" ? 1 : 0)) / Math.round(exact));
  const number = isInverse ? 1 / spread : spread;
  const what = `distances up to ${farthest} have buckets now`;
  if (isWide && widenBuckets(changes, parts, number)) {
    used.add("angles");
    changes.record(parts.spread.name, `${what}, computed in float32`);
  } else if (choice)
    constants.choose([found], parts.spread, { key: String(number), numbers: [number], what, option: "bias" });
}

/**
 * Computes buckets in float32. In 16-bit floats, distances at the ends of buckets fall into a neighbouring one. Returns
 * whether that was needed.
 */
function widenBuckets(changes: Changes, parts: Buckets, spread: number): boolean {
  const { chain, exact, more } = parts;
  const [first, , divide, multiply] = chain;
  const [cast, type] = narrowing(parts) ?? [];
  if (!cast || cast.outs[0]!.users.length !== 1) return false;
  const last = multiply.outs[0]!.users.length === 1 ? multiply.outs[0]!.users[0]! : multiply;
  if (last.op !== "Ceil" && last.op !== "Cast") return false;
  changes.castTo(cast, "float32", "is float32 now: 16-bit logarithms are imprecise");
  const operand = (step: Step, number: number): void =>
    changes.setOperand(step, scalarOf(step.ins[1]) ? 1 : 0, "float32", number);
  operand(first, first.op === "Div" ? Math.round(exact) : 1 / Math.round(exact));
  operand(divide, spread);
  operand(multiply, multiply.op === "Mul" ? Math.round(more) : 1 / Math.round(more));
  if (last.op === "Ceil") changes.insertAfter(last, [{ op: "Cast", to: type! }], `is ${type} again`);
  return true;
}

/** Rewrites slopes. `length`: new number of keys of a baked bias; undefined: unchanged. */
async function rewriteSlopes(
  work: Work,
  found: FoundBias,
  { value, form, keys }: Slopes,
  slopes: readonly number[],
  length: number | undefined,
): Promise<void> {
  const { constants } = work;
  const old = await work.numbersOf(value);
  const option = length === undefined ? "bias" : "length";
  const key = [length, ...slopes].join();
  const what = `slopes are ${slopes.map((slope) => slope.toPrecision(4)).join(", ")} now`;
  if (form === "slopes") {
    const sign = Math.sign(old[0]!);
    const numbers = slopes.map((slope) => sign * slope);
    return constants.choose([found], value, { key, numbers, what, option });
  }
  const count = length ?? keys;
  const numbers = work.newElements(value, slopes.length * count);
  slopes.forEach((slope, h) => {
    const last = old[(h + 1) * keys - 1]!;
    const sign = Math.sign(last - old[h * keys]!);
    for (let j = 0; j < count; j++) numbers[h * count + j] = last + sign * slope * (j - (count - 1));
  });
  const dims = value.constant!.tensor.dims.map((dim) => (dim === keys ? count : dim));
  constants.choose([found], value, { key, numbers, what: `${what}, for ${count} keys`, option, dims });
  if (count !== keys) await rewriteLengths(work, value, keys, count);
}

/** Updates the length of a baked bias, which is also a constant of the graph: starts of slices are computed from it. */
async function rewriteLengths({ changes, files }: Work, table: Value, keys: number, count: number): Promise<void> {
  const slices: Step[] = [];
  forward([table], (step, by) => {
    const isSlice = step.op === "Slice" && step.ins[0] === by;
    if (isSlice) slices.push(step);
    return !isSlice && !carries(formOps, step, by);
  });
  const scalars = new Set<Value>();
  for (const slice of slices)
    for (const bound of slice.ins.slice(1, 3))
      backward(bound, (value) => {
        if (scalarOf(value) && value.constant) scalars.add(value);
        return value.maker?.op === "Shape" || value.maker?.op === "MatMul";
      });
  for (const value of scalars)
    if ((await files.numbers(value.constant!))?.[0] === keys)
      changes.setElements(value, [count], `the bias has ${count} keys now`);
}
