// The forward pass of the small language models: Llama's layers of width 128. All that depends on positions is asked of
// the library: rows that are added, or attention with an encoding, a window, other distances.
import type { KeyValueCache } from "posenc";
import type { Posenc } from "../lib/engine.svelte.ts";
import { addInto, linear, logSumExp, rmsNorm } from "./linear.ts";
import type { Placement } from "./positions.ts";
import { readSafetensors, type Weight } from "./safetensors.ts";

export const heads = 4;
export const layers = 4;
const rowsAtOnce = 256;

/** silu(gate) * up */
function gated(gate: Float32Array, up: Float32Array): Float32Array {
  return gate.map((value, i) => (value / (1 + Math.exp(-value))) * up[i]);
}

/** How little the model expected one of the characters: -ln of its probability, in nats. */
function surprise(logits: Float32Array, id: number): number {
  return logSumExp(logits) - logits[id];
}

type Attention = Placement["attention"];

/** A head that is looked at, and perhaps attends in a way of its own. */
export interface Look {
  layer: number;
  head: number;
  /** Instead of the placement's. */
  attention?: Attention;
  /** Takes its weights [queries, keys]. */
  take?: (weights: Float32Array) => void;
}

interface Heads {
  data: Float32Array;
  /** [1, characters, heads, width of a head] */
  dims: number[];
}

/** What each query of a layer takes from the values. */
type Attend = (layer: number, q: Heads, k: Heads, v: Heads) => Float32Array;

/** One head of many, copied. */
function oneHead({ data, dims: [, length, count, dim] }: Heads, head: number): Heads {
  const own = new Float32Array(length * dim);
  for (let i = 0; i < length; i += 1)
    own.set(data.subarray((i * count + head) * dim, (i * count + head + 1) * dim), i * dim);
  return { data: own, dims: [1, length, 1, dim] };
}

export class LanguageModel {
  private readonly weights: Map<string, Weight>;

  constructor(file: ArrayBuffer) {
    this.weights = readSafetensors(file);
  }

  weight(name: string): Weight {
    const found = this.weights.get(`model.${name}.weight`);
    if (!found) throw new Error(`the file has no weights "${name}"`);
    return found;
  }

  /** The last hidden states [characters, width], normalised. */
  hidden(
    pe: Posenc,
    ids: ArrayLike<number>,
    placement: Placement,
    progress?: (fraction: number) => void,
    look?: Look,
  ): Float32Array {
    const { attention } = placement;
    const attend: Attend = (layer, q, k, v) => {
      const seen = pe.attention(q, k, v, { ...attention, ...layout }).data as Float32Array;
      if (look?.layer === layer) lookAt(pe, look, [q, k, v], attention, seen);
      return seen;
    };
    return this.throughLayers(ids, placement, attend, progress);
  }

  /**
   * The hidden states of characters that follow those in the caches, one cache for each layer; they are in the caches afterwards.
   * @param placement without rows that are added: these would have to know how many characters came before
   */
  hiddenAfter(caches: readonly KeyValueCache[], ids: ArrayLike<number>, placement: Placement): Float32Array {
    const { at: _, ...attention } = placement.attention;
    return this.throughLayers(
      ids,
      placement,
      (layer, q, k, v) => caches[layer].append(k, v).attend(q, attention).data as Float32Array,
    );
  }

  /** Logits [rows, characters of the vocabulary] of hidden states. */
  logits(hidden: Float32Array): Float32Array {
    return linear(hidden, this.weight("embed_tokens"));
  }

  /**
   * The loss of each character but the first: how little it was expected after those before it. NaN: not in the vocabulary.
   * @param placement of all characters but the last one, which is not read
   */
  losses(
    pe: Posenc,
    ids: ArrayLike<number>,
    placement: Placement,
    progress?: (fraction: number) => void,
  ): Float32Array {
    const hidden = this.hidden(pe, Array.from(ids).slice(0, -1), placement, progress);
    const width = this.weight("norm").values.length;
    const losses = new Float32Array(ids.length - 1);
    for (let start = 0; start < losses.length; start += rowsAtOnce) {
      const end = Math.min(losses.length, start + rowsAtOnce);
      const logits = this.logits(hidden.subarray(start * width, end * width));
      const size = logits.length / (end - start);
      for (let row = start; row < end; row += 1) {
        const next = ids[row + 1];
        const own = logits.subarray((row - start) * size, (row - start + 1) * size);
        losses[row] = next === unknown ? NaN : surprise(own, next);
      }
    }
    return losses;
  }

  private embedded(ids: ArrayLike<number>, { embeddingScale, rows }: Placement): Float32Array {
    const { shape, values } = this.weight("embed_tokens");
    const width = shape[1];
    const x = new Float32Array(ids.length * width);
    for (let i = 0; i < ids.length; i += 1)
      for (let j = 0; j < width; j += 1) x[i * width + j] = values[ids[i] * width + j] * embeddingScale;
    if (rows) addInto(x, rows);
    return x;
  }

  private throughLayers(
    ids: ArrayLike<number>,
    placement: Placement,
    attend: Attend,
    progress?: (fraction: number) => void,
  ): Float32Array {
    const x = this.embedded(ids, placement);
    for (let layer = 0; layer < layers; layer += 1) {
      this.layer(x, layer, attend);
      progress?.((layer + 1) / (layers + 1));
    }
    return rmsNorm(x, this.weight("norm"));
  }

  private layer(x: Float32Array, layer: number, attend: Attend): void {
    const weight = (name: string) => this.weight(`layers.${layer}.${name}`);
    const normed = rmsNorm(x, weight("input_layernorm"));
    const length = normed.length / weight("input_layernorm").values.length;
    const [q, k, v] = ["q", "k", "v"].map((name): Heads => {
      const data = linear(normed, weight(`self_attn.${name}_proj`));
      return { data, dims: [1, length, heads, data.length / length / heads] };
    });
    addInto(x, linear(attend(layer, q, k, v), weight("self_attn.o_proj")));
    const middle = rmsNorm(x, weight("post_attention_layernorm"));
    const wide = gated(linear(middle, weight("mlp.gate_proj")), linear(middle, weight("mlp.up_proj")));
    addInto(x, linear(wide, weight("mlp.down_proj")));
  }
}

const layout = { causal: true, layout: "bthd" } as const;

/** Shows a head's weights; where it attends in its own way, its output takes the place of the other in `seen`. */
function lookAt(pe: Posenc, look: Look, [q, k, v]: Heads[], attention: Attention, seen: Float32Array): void {
  const [, length, count, dim] = q.dims;
  if (!look.attention) {
    const weights = pe.attentionWeights(q, k, { ...attention, ...layout }).data as Float32Array;
    look.take?.(weights.slice(look.head * length * length, (look.head + 1) * length * length));
    return;
  }
  const [ownQ, ownK, ownV] = [q, k, v].map((all) => oneHead(all, look.head));
  const options = { ...look.attention, ...layout };
  look.take?.(Float32Array.from(pe.attentionWeights(ownQ, ownK, options).data));
  const own = pe.attention(ownQ, ownK, ownV, options).data as Float32Array;
  for (let i = 0; i < length; i += 1) seen.set(own.subarray(i * dim, (i + 1) * dim), (i * count + look.head) * dim);
}

/** The id of characters that the vocabulary does not have. */
export const unknown = 1;
