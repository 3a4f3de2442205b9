// What a run measures of one model: its loss token by token, how far each head looks, and how the model goes on.
import { logSumExp } from "../lab/linear.ts";
import { failureOf, type Failure } from "../lib/failure.ts";
import { NotADecoder, toFloat32, type Decoder, type Rows } from "./decoder.ts";

/** Of each head of each layer: the mean weight by distance [layers, heads, tokens], of the last quarter of the tokens. */
export interface Looks {
  layers: number;
  heads: number;
  tokens: number;
  weights: Float32Array;
}

export interface Side {
  /** Of each token but the first, in nats; NaN where the model did not come. */
  losses: Float32Array;
  looks?: Looks;
  /** Ids of how it goes on. */
  next: number[];
  /** How many tokens it has read. */
  read: number;
  /** Why it ended before it should have. */
  failure?: Failure;
  milliseconds: number;
}

export interface Plan {
  ids: readonly number[];
  /** How many tokens are read at once. */
  chunk: number;
  /** Rows of the shortest table: the last position that is there ends a chunk, so that the curve comes up to it. */
  rows?: number;
  /** How many tokens the model goes on for. */
  more: number;
  /** Attention weights are read. */
  looks: boolean;
  /** Ids that end a text. */
  ends: readonly number[];
}

/** A token that follows costs about as much as so many that are read together. */
const followingCost = 4;

/** Where chunks end. */
export function edgesOf({ ids, chunk, rows }: Pick<Plan, "ids" | "chunk" | "rows">): number[] {
  const edges = new Set([ids.length]);
  for (let at = chunk; at < ids.length; at += chunk) edges.add(at);
  if (rows && rows < ids.length) edges.add(rows);
  return [...edges].sort((a, b) => a - b);
}

/** The first token whose attention counts. */
export const looksFrom = (tokens: number): number => Math.floor(0.75 * tokens);

function gather(looks: Looks, layer: number, weights: Float32Array, dims: readonly number[], end: number): void {
  const [rows, keys] = [dims[dims.length - 2]!, dims[dims.length - 1]!];
  if (keys !== end) throw new Error(`attention over ${keys} keys after ${end} tokens`);
  const from = looksFrom(looks.tokens);
  const count = looks.tokens - from;
  for (let head = 0; head < looks.heads; head += 1)
    for (let row = 0; row < rows; row += 1) {
      const query = end - rows + row;
      if (query < from) continue;
      const at = (head * rows + row) * keys;
      const own = (layer * looks.heads + head) * looks.tokens;
      for (let key = 0; key <= query; key += 1) looks.weights[own + query - key]! += weights[at + key]! / count;
      for (let key = query + 1; key < keys; key += 1)
        if (weights[at + key]! > 1e-6) throw new NotADecoder(`token ${query} attends to token ${key}`);
    }
}

/** Takes the attention of a chunk; the first one tells how many heads there are. */
function take(looks: Looks | undefined, decoder: Decoder, outputs: Rows["outputs"], tokens: number): Looks {
  const layers = decoder.attentions.length;
  const { dims } = outputs[decoder.attentions[0]!]!;
  const heads = dims[dims.length - 3]!;
  const all = looks ?? { layers, heads, tokens, weights: new Float32Array(layers * heads * tokens) };
  decoder.attentions.forEach((name, layer) => {
    const output = outputs[name]!;
    gather(all, layer, toFloat32(output.data as Float32Array), output.dims, decoder.length);
  });
  return all;
}

function lossesInto(
  losses: Float32Array,
  ids: readonly number[],
  { data, width }: Rows,
  from: number,
  to: number,
): void {
  for (let at = from; at < Math.min(to, losses.length); at += 1) {
    const row = data.subarray((at - from) * width, (at - from + 1) * width);
    losses[at] = logSumExp(row) - row[ids[at + 1]!]!;
  }
}

function likeliest({ data, width }: Rows): number {
  const last = data.subarray(data.length - width);
  let best = 0;
  for (let id = 1; id < width; id += 1) if (last[id]! > last[best]!) best = id;
  return best;
}

/** onnxruntime's message: the node, and what it says of it. */
function plain({ message, ...failure }: Failure): Failure {
  const [, node, status] = /Name:'([^']*)'\s*Status Message: (?:\/\S+ )?([^]*)/.exec(message) ?? [];
  return { ...failure, message: status ? `${node}: ${status.trim()}` : message };
}

/** Reads the text and goes on; what fails on the way ends it, and what came before stays. */
export async function measure(decoder: Decoder, plan: Plan, progress: (fraction: number) => void): Promise<Side> {
  const { ids, more, ends } = plan;
  const start = performance.now();
  const side: Side = { losses: new Float32Array(ids.length - 1).fill(NaN), next: [], read: 0, milliseconds: 0 };
  const cost = ids.length + followingCost * more;
  // Where everything is read again at each step, it is read at once.
  const edges = edgesOf(decoder.readsChunks ? plan : { ...plan, chunk: ids.length });
  try {
    let rows: Rows | undefined;
    for (const [index, to] of edges.entries()) {
      const from = index ? edges[index - 1]! : 0;
      const wanted = plan.looks && to > looksFrom(ids.length) ? decoder.attentions : [];
      rows = await decoder.read(ids.slice(from, to), wanted);
      lossesInto(side.losses, ids, rows, from, to);
      if (wanted.length > 0) side.looks = take(side.looks, decoder, rows.outputs, ids.length);
      progress(to / cost);
    }
    while (side.next.length < more) {
      const next = likeliest(rows!);
      side.next.push(next);
      if (ends.includes(next)) break;
      if (side.next.length < more) rows = await decoder.read([next]);
      progress((ids.length + followingCost * side.next.length) / cost);
    }
  } catch (error) {
    if (error instanceof NotADecoder) throw error;
    side.failure = plain(failureOf(error));
    // Half of a look is none.
    if (decoder.length < ids.length) delete side.looks;
  }
  side.read = decoder.length;
  side.milliseconds = performance.now() - start;
  return side;
}
