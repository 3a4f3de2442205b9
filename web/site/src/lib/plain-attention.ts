// Attention in plain JavaScript, for a figure that opens a page and does not wait for the part of the library that attends.
import { alibiHeads, type Method, type Outcome } from "./attention.ts";
import { dots } from "./dots.ts";
import { withEncoding, type Posenc } from "./engine.svelte.ts";
import { vectorLength, wordVectors } from "./words.ts";

/** Each row of `scores` as weights that add up to 1. */
export function softmax(scores: ArrayLike<number>, columns: number): Float32Array {
  const weights = new Float32Array(scores.length);
  for (let start = 0; start < scores.length; start += columns) {
    let highest = -Infinity;
    for (let at = start; at < start + columns; at += 1) highest = Math.max(highest, scores[at]);
    let sum = 0;
    for (let at = start; at < start + columns; at += 1) sum += Math.exp(scores[at] - highest);
    for (let at = start; at < start + columns; at += 1) weights[at] = Math.exp(scores[at] - highest) / sum;
  }
  return weights;
}

/** The rows of `values` [rows, vectorLength], weighed and added up: `weights` is [outputs, rows]. */
function weighed(weights: Float32Array, values: Float32Array): Float32Array {
  const rows = values.length / vectorLength;
  const columns = values.map((_, at) => values[(at % rows) * vectorLength + Math.floor(at / rows)]);
  return dots(weights, columns, rows);
}

/** The mean of all rows. */
export function meanRow(rows: Float32Array): Float32Array {
  const count = rows.length / vectorLength;
  return weighed(new Float32Array(count).fill(1 / count), rows);
}

/** What `attend` gives for words from position 0 on, without a mask; of ALiBi the first head. The positions are the library's. */
export function attendPlainly(pe: Posenc, words: string[], method: Method): Outcome {
  const count = words.length;
  const rows = () => ({ data: wordVectors(words), dims: [1, 1, count, vectorLength] });
  const values = rows();
  const asked = method === "rope" ? rows() : values;
  let bias = new Float32Array(count * count);
  if (method === "sinusoidal") withEncoding(pe.create({ kind: method, dim: vectorLength }), (one) => one.addTo(values));
  else if (method === "rope") withEncoding(pe.create({ kind: method, dim: vectorLength }), (one) => one.apply(asked));
  else if (method === "alibi")
    bias = withEncoding(pe.create({ kind: method, heads: alibiHeads }), (one) =>
      one.bias({ queries: count, keys: count }).data.slice(0, count * count),
    );
  const scores = dots(asked.data, asked.data, vectorLength);
  const weights = softmax(
    scores.map((score, at) => score / Math.sqrt(vectorLength) + bias[at]),
    count,
  );
  return { weights, outputs: weighed(weights, values.data) };
}
