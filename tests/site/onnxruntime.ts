// onnxruntime-node, and what it computes of decoders in one pass: the measure for the page's curves.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";

export interface Reference {
  vocabulary: { vocab: Record<string, number> };
}

// Installed with the examples.
const load = createRequire(new URL("../../examples/transformers/package.json", import.meta.url));
const ort = load("onnxruntime-node") as typeof import("onnxruntime-common");

type Session = import("onnxruntime-common").InferenceSession;
type Numbers = ArrayLike<number>;

export const sessionOf = (model: Uint8Array, data?: string): Promise<Session> =>
  ort.InferenceSession.create(model, {
    logSeverityLevel: 4,
    ...(data && { externalData: [{ path: basename(data), data: readFileSync(data) }] }),
  });

function half(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : (2 ** -14 * fraction) / 1024);
}

/** All outputs for a text, with an empty past. */
async function outputsOf(session: Session, ids: readonly number[]) {
  const int64 = (list: readonly number[]) =>
    new ort.Tensor("int64", BigInt64Array.from(list, BigInt), [1, list.length]);
  const feeds = session.inputMetadata.map((input) => {
    if (!input.isTensor) throw new Error(input.name);
    if (input.name === "input_ids") return [input.name, int64(ids)];
    if (input.name === "attention_mask") return [input.name, int64(ids.map(() => 1))];
    if (input.name === "position_ids") return [input.name, int64(ids.map((_, index) => index))];
    const dims = input.shape.map((dim, index) => (typeof dim === "number" && dim > 0 ? dim : index === 0 ? 1 : 0));
    const none = input.type === "float16" ? new Uint16Array(0) : new Float32Array(0);
    return [input.name, new ort.Tensor(input.type as "float32", none as Float32Array, dims)];
  });
  return session.run(Object.fromEntries(feeds) as Record<string, InstanceType<typeof ort.Tensor>>);
}

async function logitsOf(session: Session, ids: readonly number[]) {
  const { logits } = await outputsOf(session, ids);
  const data = logits!.data as Numbers;
  const values = data instanceof Uint16Array ? Array.from(data, half) : Array.from(data, Number);
  const width = logits!.dims[2]!;
  return ids.map((_, row) => values.slice(row * width, (row + 1) * width));
}

/** -ln of the probability of each token but the first. */
export async function lossesOf(session: Session, ids: readonly number[]): Promise<number[]> {
  const rows = await logitsOf(session, ids);
  return rows.slice(0, -1).map((row, at) => {
    const top = Math.max(...row);
    return Math.log(row.reduce((sum, logit) => sum + Math.exp(logit - top), 0)) + top - row[ids[at + 1]!]!;
  });
}

/** The share of the attention of the first head of the first layer within each distance, of the queries from `from` on. */
export async function sharesOf(session: Session, ids: readonly number[], from: number): Promise<number[]> {
  const outputs = await outputsOf(session, ids);
  const weights = outputs["decoder_attentions.0"]!.data as Numbers;
  const count = ids.length;
  return ids.map((_, distance) => {
    let sum = 0;
    for (let query = from; query < count; query += 1)
      for (let key = Math.max(0, query - distance); key <= query; key += 1) sum += weights[query * count + key]!;
    return sum / (count - from);
  });
}

/** The likeliest tokens, one after the other; all is read again at each. */
export async function greedy(session: Session, ids: readonly number[], count: number): Promise<number[]> {
  const all = [...ids];
  while (all.length < ids.length + count) {
    const last = (await logitsOf(session, all)).at(-1)!;
    all.push(last.indexOf(Math.max(...last)));
  }
  return all.slice(ids.length);
}
