// Encodings that can be trained to find a place: what they make of positions, and how the error comes back to them.
import type { AttentionBackwardOptions, AttentionGradients, Encoding, LearnedTable, Tensor, TensorLike } from "posenc";
import type { Posenc } from "./engine.svelte.ts";

export interface Learner {
  encoding: Encoding;
  /** Queries, keys and options of an attention over texts of `length` words. */
  ask(length: number, texts: number): { q: TensorLike; k: TensorLike; options: Omit<AttentionBackwardOptions, "out"> };
  /** Hands the gradients of that attention to the encoding. */
  learn(gradients: AttentionGradients, length: number, texts: number): void;
  /** A copy of the learned numbers. */
  weights(): Float32Array;
}

/** Every text of a batch gets the same rows. */
function repeated(rows: Float32Array, texts: number): Float32Array {
  const all = new Float32Array(rows.length * texts);
  for (let text = 0; text < texts; text += 1) all.set(rows, text * rows.length);
  return all;
}

/** The first half of each row, or the second. */
export function halfRows(rows: Float32Array, dim: number, half: 0 | 1): Float32Array {
  const width = dim / 2;
  const count = rows.length / dim;
  const taken = new Float32Array(count * width);
  for (let row = 0; row < count; row += 1) {
    const from = row * dim + half * width;
    taken.set(rows.subarray(from, from + width), row * width);
  }
  return taken;
}

/** Undoes `halfRows`: what belongs to the first halves and what belongs to the second ones, as whole rows again. */
function wholeRows(first: Tensor, second: Tensor, dim: number): Float32Array {
  const width = dim / 2;
  const rows = new Float32Array(first.data.length * 2);
  for (let row = 0; row * dim < rows.length; row += 1) {
    const from = row * width;
    rows.set(first.data.subarray(from, from + width), row * dim);
    rows.set(second.data.subarray(from, from + width), row * dim + width);
  }
  return rows;
}

/** Queries and keys of a table's rows: the first half of a row asks, the second half is asked. */
export function asking(rows: Float32Array, dim: number, texts = 1): { q: TensorLike; k: TensorLike } {
  const dims = [texts, 1, rows.length / dim, dim / 2];
  const [q, k] = ([0, 1] as const).map((half) => ({ data: repeated(halfRows(rows, dim, half), texts), dims }));
  return { q, k };
}

/** A learned table whose rows have two halves. */
export function tableLearner(encoding: LearnedTable): Learner {
  const { dim } = encoding;
  return {
    encoding,
    ask: (length, texts) => ({ ...asking(encoding.table({ length }).data, dim, texts), options: {} }),
    learn({ q, k }, length, texts) {
      encoding.backward({ data: wholeRows(q, k, dim), dims: [texts, length, dim] });
    },
    weights: () => encoding.weights.data.slice(),
  };
}

/** The width of a head where all words ask the same question. */
export const questionWidth = 8;

/**
 * An encoding that sees distances inside attention: all words ask the same and none answers, so that distances alone
 * decide. Attention adds the gradient to the encoding by itself.
 */
export function distanceLearner(pe: Posenc, spec: Parameters<Posenc["create"]>[0], parameter: string): Learner {
  const encoding = pe.create(spec);
  return {
    encoding,
    ask(length, texts) {
      const dims = [texts, 1, length, questionWidth];
      const size = texts * length * questionWidth;
      const q = { data: new Float32Array(size).fill(1), dims };
      return { q, k: { data: new Float32Array(size), dims }, options: { encoding } };
    },
    learn() {},
    weights: () => encoding.parameters[parameter].data.slice(),
  };
}
