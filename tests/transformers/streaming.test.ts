// The example that writes without end says what a model says whose keys are turned from scratch for every character.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { AutoModelForCausalLM, AutoTokenizer, Tensor, env, random } from "@huggingface/transformers";
import { expect, it } from "vitest";
import { writeModels } from "../../examples/transformers/models/files.js";

const folder = fileURLToPath(new URL("../../examples/transformers/", import.meta.url));
const [layers, heads, dim, sinks, window, characters] = [4, 4, 32, 4, 252, 5000];
const names = Array.from({ length: layers }, (_, layer) => [`${layer}.key`, `${layer}.value`]).flat();
/** Each [heads · dim], as the projection made it. */
type Rows = Float64Array[];

/** Cosines and sines of every place in the cache, by pairs. */
const angles = Array.from({ length: (sinks + window) * (dim / 2) }, (_, i) => {
  const k = i % (dim / 2);
  return ((i - k) / (dim / 2)) * 10000 ** ((-2 * k) / dim);
});
const [cosines, sines] = [Math.cos, Math.sin].map((of) => Float64Array.from(angles, of));

/** Each head's halves by the angles of a position, times `direction`. */
function rotated(row: Float64Array, position: number, direction: number): Float64Array {
  const out = new Float64Array(row.length);
  for (let head = 0; head < heads; head++)
    for (let k = 0; k < dim / 2; k++) {
      const [a, b, at] = [head * dim + k, head * dim + k + dim / 2, position * (dim / 2) + k];
      const [cos, sin] = [cosines![at]!, direction * sines![at]!];
      out[a] = row[a]! * cos - row[b]! * sin;
      out[b] = row[a]! * sin + row[b]! * cos;
    }
  return out;
}

function pack(rows: Rows, isKey: boolean): Tensor {
  const data = new Float32Array(rows.length * heads * dim);
  rows.forEach((row, t) => {
    const now = isKey ? rotated(row, t, 1) : row;
    for (let head = 0; head < heads; head++)
      data.set(now.subarray(head * dim, (head + 1) * dim), (head * rows.length + t) * dim);
  });
  return new Tensor("float32", data, [1, heads, rows.length, dim]);
}

function unpack({ data, dims }: Tensor, t: number, isKey: boolean): Float64Array {
  const row = Float64Array.from({ length: heads * dim }, (_, i) => {
    const [head, feature] = [Math.floor(i / dim), i % dim];
    return (data as Float32Array)[(head * dims[2]! + t) * dim + feature]!;
  });
  return isKey ? rotated(row, t, -1) : row;
}

/** An id by its probability, as transformers.js draws it: the likeliest first. */
function drawn(logits: Float32Array, temperature: number, number: number): number {
  const order = Array.from(logits.keys()).sort((a, b) => logits[b]! - logits[a]!);
  const weights = order.map((id) => Math.exp((logits[id]! - logits[order[0]!]!) / temperature));
  let rest = number * weights.reduce((sum, weight) => sum + weight, 0);
  return order[weights.findIndex((weight) => (rest -= weight) < 0)]!;
}

async function fromScratch(prompt: string): Promise<string> {
  env.allowRemoteModels = false;
  env.localModelPath = writeModels();
  const tokenizer = await AutoTokenizer.from_pretrained("bible");
  const model = await AutoModelForCausalLM.from_pretrained("bible", { dtype: "fp16" });
  const int64 = (list: number[]): Tensor => new Tensor("int64", BigInt64Array.from(list, BigInt), [1, list.length]);
  const kept: Rows[] = names.map(() => []);
  const numbers = new random.Random(7);
  const text: number[] = [];
  let ids = Array.from(tokenizer(prompt).input_ids.data as BigInt64Array, Number);
  while (text.length < characters) {
    const past = kept[0]!.length;
    const { logits, ...present } = await model.forward({
      input_ids: int64(ids),
      attention_mask: int64(Array.from({ length: past + ids.length }, () => 1)),
      position_ids: int64(ids.map((_, i) => past + i)),
      past_key_values: Object.fromEntries(
        names.map((name, i) => [`past_key_values.${name}`, pack(kept[i]!, i % 2 === 0)]),
      ),
    });
    names.forEach((name, i) => {
      for (let t = past; t < past + ids.length; t++) kept[i]!.push(unpack(present[`present.${name}`], t, i % 2 === 0));
      while (kept[i]!.length > sinks + window - 1) kept[i]!.splice(sinks, 1);
    });
    ids = [drawn(logits.data.slice(-logits.dims[2]), 0.8, numbers.random())];
    text.push(ids[0]!);
  }
  return tokenizer.decode(text);
}

it("5,000 characters, as from scratch, with a cache that does not grow", async () => {
  const output = execFileSync(process.execPath, ["9-streaming.js"], { cwd: folder, encoding: "utf8" }).trimEnd();
  const last = output.lastIndexOf("\n");
  const [text, log] = [output.slice(0, last), output.slice(last + 1)];
  // Those of the beginning, too; the last one has not been read.
  expect(log).toBe("256 of 5017 characters are in the cache");
  expect(text.trim()).toBe((await fromScratch("1 In the beginning")).trim());
  expect(new Set(text.match(/\b[a-z]{4,}\b/g)).size).toBeGreaterThan(150);
}, 600_000);
