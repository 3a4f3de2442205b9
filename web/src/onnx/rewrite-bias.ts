// Other biases in a model's constants.
import { PosencError, invalid, show } from "../base/errors.js";
import type { Spec } from "../base/specs.gen.js";
import type { BiasParts, FoundBias } from "./bias.js";
import type { Changes } from "./changes.js";
import type { Step, Value } from "./flow.js";
import type { BiasChoice, Library } from "./options.js";
import { backward, forward, formOps, scalarOf } from "./trace.js";
import type { Files } from "./values.js";

type Buckets = Extract<BiasParts, { form: "buckets" }>;
type Slopes = Extract<BiasParts, { value: Value }>;

export async function rewriteBias(
  changes: Changes,
  choice: BiasChoice | undefined,
  { parts, heads, spec }: FoundBias,
  pe: Library,
  files: Files,
  length: number | undefined,
): Promise<void> {
  const kind = parts.form === "buckets" ? parts.kind : "alibi";
  if (choice && choice.kind !== kind)
    throw new PosencError("unsupported", `bias: the model's graph computes ${kind}, not ${choice.kind}`, "bias");
  const keys = parts.form === "baked-slopes" && length !== undefined && length > parts.keys ? length : undefined;
  if (!choice && keys === undefined) return;
  if (parts.form === "buckets") return rewriteBuckets(changes, parts, choice as { maxDistance?: number });
  const full = { ...spec, heads, ...choice } as Spec;
  const { slopes } = pe.create(full) as { slopes: ArrayLike<number> };
  await rewriteSlopes(changes, parts, Array.from(slopes), files, keys);
}

function rewriteBuckets(changes: Changes, parts: Buckets, { maxDistance }: { maxDistance?: number }): void {
  if (!Number.isInteger(maxDistance) || Number(maxDistance) <= parts.exact + 1)
    throw invalid("maxDistance", `must be a whole number above ${parts.exact + 1}, got ${show(maxDistance)}`);
  const farthest = Number(maxDistance) - (parts.kind === "deberta" ? 1 : 0);
  const spread = Math.log(farthest / parts.exact);
  changes.setNumbers(
    parts.spread,
    [parts.isInverse ? 1 / spread : spread],
    `distances up to ${maxDistance} have buckets now`,
  );
}

async function rewriteSlopes(
  changes: Changes,
  { value, form, keys }: Slopes,
  slopes: readonly number[],
  files: Files,
  length: number | undefined,
): Promise<void> {
  const old = (await files.numbers(value.constant!))!;
  const what = `slopes are ${slopes.map((slope) => slope.toPrecision(4)).join(", ")} now`;
  if (form === "slopes") {
    const sign = Math.sign(old[0]!);
    return changes.setNumbers(
      value,
      slopes.map((slope) => sign * slope),
      what,
    );
  }
  const count = length ?? keys;
  const numbers = new Float64Array(slopes.length * count);
  slopes.forEach((slope, h) => {
    const last = old[(h + 1) * keys - 1]!;
    const sign = Math.sign(last - old[h * keys]!);
    for (let j = 0; j < count; j++) numbers[h * count + j] = last + sign * slope * (j - (count - 1));
  });
  const dims = value.constant!.tensor.dims.map((dim) => (dim === keys ? count : dim));
  changes.setNumbers(value, numbers, `${what}, for ${count} keys`, { dims });
  if (count !== keys) await rewriteLengths(changes, value, keys, count, files);
}

/** Where slices of a baked bias begin is counted from its length, which is a number of the graph, too. */
async function rewriteLengths(
  changes: Changes,
  table: Value,
  keys: number,
  count: number,
  files: Files,
): Promise<void> {
  const slices: Step[] = [];
  forward([table], (step) => {
    if (step.op === "Slice") slices.push(step);
    return step.op !== "Slice" && !formOps.has(step.op);
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
      changes.setNumbers(value, [count], `the bias has ${count} keys now`);
}
