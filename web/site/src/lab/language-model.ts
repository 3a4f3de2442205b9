// The forward pass of the small language models: Llama's layers of width 128. All that depends on positions is asked of
// the library: rows that are added, or attention with an encoding, a window, other distances.
import type { Posenc } from "../lib/engine.svelte.ts";
import { addInto, linear, rmsNorm } from "./linear.ts";
import type { Placement } from "./positions.ts";
import { readSafetensors, type Weight } from "./safetensors.ts";

const heads = 4;
const layers = 4;
const rowsAtOnce = 256;

/** silu(gate) * up */
function gated(gate: Float32Array, up: Float32Array): Float32Array {
  return gate.map((value, i) => (value / (1 + Math.exp(-value))) * up[i]);
}

/** How little the model expected one of the characters: -ln of its probability, in nats. */
function surprise(logits: Float32Array, id: number): number {
  let most = -Infinity;
  for (const value of logits) most = Math.max(most, value);
  let sum = 0;
  for (const value of logits) sum += Math.exp(value - most);
  return most + Math.log(sum) - logits[id];
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
  ): Float32Array {
    const x = this.embedded(ids, placement);
    for (let layer = 0; layer < layers; layer += 1) {
      this.layer(pe, x, layer, placement);
      progress?.((layer + 1) / (layers + 1));
    }
    return rmsNorm(x, this.weight("norm"));
  }

  /** Logits [rows, characters of the vocabulary] of hidden states. */
  logits(hidden: Float32Array): Float32Array {
    return linear(hidden, this.weight("embed_tokens"));
  }

  /** The loss of each character but the first: how little it was expected after those before it. NaN: not in the vocabulary. */
  losses(
    pe: Posenc,
    ids: ArrayLike<number>,
    placement: Placement,
    progress?: (fraction: number) => void,
  ): Float32Array {
    const hidden = this.hidden(pe, ids, placement, progress);
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

  private layer(pe: Posenc, x: Float32Array, layer: number, { attention }: Placement): void {
    const weight = (name: string) => this.weight(`layers.${layer}.${name}`);
    const normed = rmsNorm(x, weight("input_layernorm"));
    const length = x.length / weight("input_layernorm").values.length;
    const [q, k, v] = ["q", "k", "v"].map((name) => {
      const data = linear(normed, weight(`self_attn.${name}_proj`));
      return { data, dims: [1, length, heads, data.length / length / heads] };
    });
    const seen = pe.attention(q, k, v, { ...attention, causal: true, layout: "bthd" });
    addInto(x, linear(seen.data as Float32Array, weight("self_attn.o_proj")));
    const middle = rmsNorm(x, weight("post_attention_layernorm"));
    const wide = gated(linear(middle, weight("mlp.gate_proj")), linear(middle, weight("mlp.up_proj")));
    addInto(x, linear(wide, weight("mlp.down_proj")));
  }
}

/** The id of characters that the vocabulary does not have. */
export const unknown = 1;
