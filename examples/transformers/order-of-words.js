// Does a sentence vector know the order of the words? The same code in Node (1-order-of-words.js) and in a page.
import { addPositional } from "posenc/transformers";

/** How alike two vectors are: 1 = they point the same way. */
export function likeness(a, b) {
  const dot = (x, y) => x.reduce((sum, value, i) => sum + value * y[i], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/**
 * Attention pooling: one query looks at all words of a sentence and takes most of what it looks at most. With an encoding,
 * words know where they stand, and the query can look for the beginning.
 */
async function attentionPooled(pe, extractor, sentence, query, encoding) {
  const words = await extractor(sentence);
  const input = encoding ? addPositional(words, encoding) : words;
  const [batch, length, dim] = words.dims;
  const asHead = ({ data }) => ({ data, dims: [batch, 1, length, dim] });
  return pe.attention(query, asHead(input), asHead(words), { scale: 1 }).data;
}

/** [what was tried, how alike the two sentences are] */
export async function compareOrders(pe, extractor, sentences) {
  const meanPooled = await Promise.all(sentences.map((text) => extractor(text, { pooling: "mean" })));
  const dim = meanPooled[0].dims.at(-1);
  const sinusoidal = pe.create({ kind: "sinusoidal", dim });
  const query = { data: sinusoidal.table({ length: 1 }).data, dims: [1, 1, 1, dim] };
  const pooled = (encoding) =>
    Promise.all(sentences.map((text) => attentionPooled(pe, extractor, text, query, encoding)));
  return [
    ["transformers.js' mean pooling", likeness(...meanPooled.map(({ data }) => data))],
    ["attention pooling", likeness(...(await pooled()))],
    ["posenc's positions, then attention pooling", likeness(...(await pooled(sinusoidal)))],
  ];
}
