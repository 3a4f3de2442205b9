// RoPE attention over the words of a text file: which word does each word attend to, and does their order matter?
// The text is the beginning of Lewis Carroll's "Alice's Adventures in Wonderland" (1865).
import { readFileSync } from "node:fs";
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const text = readFileSync(new URL("sample-text.txt", import.meta.url), "utf8");
const words = text.toLowerCase().match(/[\p{L}’']+/gu) ?? [];
const dim = 64;
const scale = 0.75;

// Equal words get equal vectors: numbers drawn from a hash of their letters.
function vectorOf(word) {
  let state = [...word].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0), 16777619), 2166136261);
  const next = () => ((state = Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 8) / 2 ** 24 - 0.5;
  return Float32Array.from({ length: dim }, next);
}

function tensorOf(list) {
  const data = new Float32Array(list.length * dim);
  list.forEach((word, i) => data.set(vectorOf(word), i * dim));
  return { data, dims: [1, 1, list.length, dim] };
}

const rope = pe.create({ kind: "rope", dim });
const x = tensorOf(words);
const weights = pe.attentionWeights(x, x, { encoding: rope, causal: true, scale });
console.log(`${words.length} words of ${readFileSync(new URL("sample-text.txt", import.meta.url)).length} bytes`);

// For the last few words: where in the text do they look, apart from themselves?
for (let i = words.length - 5; i < words.length; i++) {
  const row = weights.data.slice(i * words.length, i * words.length + i);
  const best = row.indexOf(Math.max(...row));
  console.log(`${words[i].padEnd(10)} -> ${words[best]} (${i - best} words back, weight ${row[best].toFixed(4)})`);
}

// The same words in another order: without positions the last output does not change, with RoPE it does.
const outputOfLast = (list, encoding) => {
  const t = tensorOf(list);
  return pe.attention(t, t, t, { ...(encoding && { encoding }), scale }).data.slice(-dim);
};
const swapped = [words[1], words[0], ...words.slice(2)];
const difference = (encoding) => {
  const [a, b] = [outputOfLast(words, encoding), outputOfLast(swapped, encoding)];
  return Math.max(...a.map((value, i) => Math.abs(value - b[i])));
};
console.log("without positions order matters:", difference(undefined) > 1e-6, "· with RoPE:", difference(rope) > 1e-6);
