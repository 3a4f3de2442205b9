// ALiBi as a constant [heads, tokens, tokens] that is cut to the length of a text and added to scores.
import { matchSlopes, type FoundBias } from "./bias.js";
import type { Flow, Value } from "../read/flow.js";
import { combinationOf } from "./combination.js";
import { usersOf } from "../read/trace.js";
import { isFloat, typeOf, type Files } from "../read/values.js";

const tolerance = 2e-3;
const mostHeads = 256;

/** Heads and tokens of a constant [heads, tokens, tokens], whose other dims are 1. */
function sizesOf({ constant }: Value): readonly [heads: number, tokens: number] | undefined {
  const [heads = 0, tokens = 0, columns, ...more] = constant!.tensor.dims.filter((dim) => dim !== 1);
  const isSquare = tokens === columns && more.length === 0 && tokens > 2 && heads > 1 && heads <= mostHeads;
  return isSquare && isFloat(typeOf(constant!.tensor)) ? [heads, tokens] : undefined;
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= tolerance * Math.max(Math.abs(b), 1e-6);

/** Returns the slope of each head, if its last row is -slope · |i - j| and its first value is 0. */
async function slopesOf(value: Value, heads: number, tokens: number, files: Files): Promise<number[] | undefined> {
  const slopes: number[] = [];
  for (let head = 0; head < heads; head++) {
    const first = await files.numbers(value.constant!, head * tokens * tokens, tokens);
    const last = await files.numbers(value.constant!, (head + 1) * tokens * tokens - tokens, tokens);
    if (!first || !last) return undefined;
    const slope = last[tokens - 1]! - last[tokens - 2]!;
    const isStraight = (row: Float64Array, at: number): boolean =>
      row.every((number, j) => isNear(number, -slope * Math.abs(at - j)));
    // Above the diagonal, a causal mask may have other values.
    if (!(slope > 0) || !isStraight(last, tokens - 1) || Math.abs(first[0]!) > tolerance) return undefined;
    slopes.push(slope);
  }
  return slopes;
}

export async function* bakedAlibi(flow: Flow, files: Files): AsyncGenerator<FoundBias> {
  for (const value of flow.constants) {
    const [heads, tokens] = sizesOf(value) ?? [];
    if (heads === undefined || tokens === undefined) continue;
    const steps = usersOf(value, ["Slice", "Add"]);
    const slopes =
      steps.length > 0 && combinationOf([value]) === "sum" ? await slopesOf(value, heads, tokens, files) : undefined;
    const constant = value.constant!;
    const type = typeOf(constant.tensor)!;
    const match = slopes && matchSlopes(slopes, type);
    if (!match) continue;
    yield {
      family: "bias",
      form: "baked-slopes",
      type,
      heads,
      rows: tokens,
      ...match,
      constants: [constant],
      steps,
      users: steps.flatMap(({ outs }) => outs),
      parts: { form: "baked-matrix", value, tokens },
    };
  }
}
