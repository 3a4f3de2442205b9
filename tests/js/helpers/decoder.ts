// A decoder without weights, as transformers.js runs one: what a token is decides its keys and values, where it stands turns them.
import { createRotary } from "./library";
import { randomNumbers, range } from "./numbers";
import { RuntimeTensor } from "./runtime-tensor";

type Inputs = Record<string, any>;
type Rotary = ReturnType<typeof createRotary>;

export const [heads, dim] = [2, 8];

/** As version 4 keeps it; version 3 keeps plain objects. */
export class DynamicCache {
  [name: string]: any;
  get_seq_length(): number {
    return this["past_key_values.0.key"]?.dims.at(-2) ?? 0;
  }
}

export const int64 = (rows: number[][]) =>
  new RuntimeTensor("int64", BigInt64Array.from(rows.flat(), BigInt), [rows.length, rows[0]!.length]);

/** A token's key or value in a layer, [heads, dim], before anything turns it. */
const raw = (id: number, layer: number, isKey: boolean) => randomNumbers(heads * dim, 1 + 4 * id + 2 * layer + +isKey);

/** Keys or values of tokens [B, heads, T, dim], turned for where they stand. */
export function statesOf(ids: number[][], layer: number, rope?: Rotary | null, positions?: number[]): Float32Array {
  const [batch, length] = [ids.length, ids[0]!.length];
  const data = new Float32Array(batch * heads * length * dim);
  ids.forEach((row, b) =>
    row.forEach((id, t) => {
      const own = raw(id, layer, rope !== undefined);
      for (const head of range(heads))
        data.set(own.subarray(head * dim, (head + 1) * dim), ((b * heads + head) * length + t) * dim);
    }),
  );
  if (rope) rope.apply({ data, dims: [batch, heads, length, dim] }, { positions: positions ?? range(length) });
  return data;
}

function joined(past: any, added: Float32Array, [batch, length]: [number, number]): RuntimeTensor {
  const before: number = past?.dims[2] ?? 0;
  const data = new Float32Array(batch * heads * (before + length) * dim);
  for (const row of range(batch * heads)) {
    if (past) data.set(past.data.subarray(row * before * dim, (row + 1) * before * dim), row * (before + length) * dim);
    data.set(added.subarray(row * length * dim, (row + 1) * length * dim), (row * (before + length) + before) * dim);
  }
  return new RuntimeTensor("float32", data, [batch, heads, before + length, dim]);
}

const rowsOf = ({ data, dims }: any): number[][] =>
  range(dims[0]).map((row) => Array.from(data.slice(row * dims[1], (row + 1) * dims[1]), Number));

/** `passes` has what each forward pass got: ids, where they stood, and how many columns the mask had. */
export function makeDecoder(layers: (Rotary | null)[]) {
  const passes: { ids: number[][]; positions: number[]; mask: number }[] = [];
  async function _forward(_self: unknown, { input_ids, attention_mask, position_ids, past_key_values: past }: Inputs) {
    const ids = rowsOf(input_ids);
    const [, count] = input_ids.dims;
    const mask = attention_mask.dims[1];
    const before = past?.["past_key_values.0.key"]?.dims[2] ?? 0;
    if (mask !== before + count) throw new Error(`a mask of ${mask} for ${before} + ${count} tokens`);
    const positions = position_ids ? rowsOf(position_ids)[0]! : range(count, mask - count);
    passes.push({ ids, positions, mask });
    const outputs: Inputs = {};
    layers.forEach((rope, layer) => {
      const at = [ids.length, count] as [number, number];
      const [key, value] = ["key", "value"].map((part) => past?.[`past_key_values.${layer}.${part}`]);
      outputs[`present.${layer}.key`] = joined(key, statesOf(ids, layer, rope, positions), at);
      outputs[`present.${layer}.value`] = joined(value, statesOf(ids, layer), at);
    });
    return { logits: input_ids, ...outputs };
  }
  const model = { sessions: {}, _forward };
  return { model, passes };
}

export const intoCache = (cache: Inputs, outputs: Inputs): Inputs =>
  Object.assign(
    cache,
    Object.fromEntries(
      Object.entries(outputs)
        .filter(([name]) => name.startsWith("present."))
        .map(([name, tensor]) => [name.replace("present", "past_key_values"), tensor]),
    ),
  );

/**
 * Goes on with `more` tokens, one at a time, as `generate` does: given all ids of a conversation, the cache says which are new.
 * Version 3 makes a new object each time.
 */
export async function generate(
  model: { _forward: (self: any, inputs: any) => Promise<any> },
  ids: number[][],
  more: number[][],
  { cache = new DynamicCache(), version = 4 }: { cache?: Inputs; version?: 3 | 4 } = {},
): Promise<Inputs> {
  let past: Inputs = cache;
  let attention_mask = int64(ids.map((row) => row.map(() => 1)));
  let input_ids = int64(ids.map((row) => row.slice(past["get_seq_length"]?.() ?? 0)));
  for (let step = 0; ; step++) {
    const outputs = await model._forward(model, {
      input_ids,
      attention_mask,
      past_key_values: past,
      position_ids: null,
    });
    past = intoCache(version === 4 ? past : {}, outputs);
    if (step === more[0]!.length) return past;
    input_ids = int64(more.map((row) => [row[step]!]));
    attention_mask = int64(more.map(() => Array(attention_mask.dims[1]! + 1).fill(1)));
  }
}
