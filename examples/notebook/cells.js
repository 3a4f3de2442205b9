// The cells: each works without the others. They can call pe, print(…values) and draw(matrix, label).
export const cells = [
  {
    title: "A sinusoidal table",
    note: "Each position has a row of sines and cosines, from fast to slow frequencies.",
    code: `const table = pe.create({ kind: "sinusoidal", dim: 64 }).table({ length: 48 });
draw(table, "PE(position)");`,
  },
  {
    title: "Similarity of rows",
    note: "The dot product of two rows depends only on their distance.",
    code: `const table = pe.create({ kind: "sinusoidal", dim: 64 }).table({ length: 48 });
const { data } = pe.similarity(table);
draw({ data, dims: [48, 48] }, "PE(m) · PE(n)");
print("3 · 5 is", data[3 * 48 + 5], "and 30 · 32 is", data[30 * 48 + 32]);`,
  },
  {
    title: "The shift operator",
    note: "One matrix moves every row by three positions: PE(m + 3) = T PE(m).",
    code: `const sinusoidal = pe.create({ kind: "sinusoidal", dim: 8 });
const { data: table } = sinusoidal.table({ length: 16 });
const { data: shift, dims } = sinusoidal.shift(3);
print("blocks of the matrix:", dims.join(" × "));
for (const m of [0, 2, 12]) {
  const moved = shift[0] * table[8 * m] + shift[1] * table[8 * m + 1];
  print("T PE(" + m + ")", moved, "PE(" + (m + 3) + ")", table[8 * (m + 3)]);
}`,
  },
  {
    title: "RoPE rotates",
    note: "A rotation by its position changes the direction of a vector, never its length.",
    code: `const rope = pe.create({ kind: "rope", dim: 4 });
const x = { data: Float32Array.from({ length: 16 }, (_, i) => Number(i % 4 === 0)), dims: [1, 1, 4, 4] };
const { data } = rope.apply(x);
for (let position = 0; position < 4; position++) {
  const row = data.slice(4 * position, 4 * position + 4);
  const shown = Array.from(row, (value) => value.toFixed(2)).join(" ");
  print("position", position, "vector", shown, "length", Math.hypot(...row));
}`,
  },
  {
    title: "RoPE's scores by distance",
    note: "For equal vectors, the mean of the cosines: it falls, but not evenly.",
    code: `const rope = pe.create({ kind: "rope", dim: 64 });
const { data } = pe.distanceProfile(rope, { maxDistance: 1000 });
for (const distance of [0, 1, 10, 100, 1000])
  print(distance, "█".repeat(Math.round(20 * data[distance])), data[distance]);`,
  },
  {
    title: "Longer texts with YaRN",
    note: "Slow pairs are divided by the factor, fast pairs stay as they were trained.",
    code: `const settings = { dim: 16, base: 10000 };
const rope = pe.create({ kind: "rope", ...settings });
const yarn = pe.create({ kind: "rope-yarn", ...settings, factor: 4, originalLength: 256 });
const scaled = yarn.inverseFrequencies;
rope.inverseFrequencies.forEach((frequency, pair) => print("pair", pair, "divided by", frequency / scaled[pair]));
print("attention factor", yarn.attentionFactor);`,
  },
  {
    title: "ALiBi",
    note: "Each head subtracts its slope times the distance from the scores.",
    code: `const alibi = pe.create({ kind: "alibi", heads: 4 });
print("slopes", alibi.slopes.join(" "));
const bias = alibi.bias({ queries: 24, keys: 24 });
draw(bias, "head 0");`,
  },
  {
    title: "Attention without order",
    note: "Without positions the last query does not notice that two words were swapped.",
    code: `const word = (seed) => Array.from({ length: 16 }, (_, i) => Math.sin(seed * (i + 1)));
const tensor = (...seeds) => ({ data: Float32Array.from(seeds.flatMap(word)), dims: [1, 1, seeds.length, 16] });
const last = (x) => Array.from(pe.attention(x, x, x).data.slice(-4), (v) => v.toFixed(4)).join(" ");
print("dog bites man:", last(tensor(1, 2, 3)));
print("bites dog man:", last(tensor(2, 1, 3)));`,
  },
  {
    title: "Attention with order",
    note: "The same with RoPE: the results differ.",
    code: `const encoding = pe.create({ kind: "rope", dim: 16 });
const word = (seed) => Array.from({ length: 16 }, (_, i) => Math.sin(seed * (i + 1)));
const tensor = (...seeds) => ({ data: Float32Array.from(seeds.flatMap(word)), dims: [1, 1, seeds.length, 16] });
const last = (x) => Array.from(pe.attention(x, x, x, { encoding }).data.slice(-4), (v) => v.toFixed(4)).join(" ");
print("dog bites man:", last(tensor(1, 2, 3)));
print("bites dog man:", last(tensor(2, 1, 3)));`,
  },
  {
    title: "Weights of a published model's encoding",
    note: "From a config.json: Llama 3.1 with equal tokens. Nearer tokens get more attention.",
    code: `const llama = pe.fromConfig({
  model_type: "llama", hidden_size: 512, num_attention_heads: 4, rope_theta: 500000,
  rope_scaling: { rope_type: "llama3", factor: 8, low_freq_factor: 1, high_freq_factor: 4,
    original_max_position_embeddings: 8192 },
});
const x = { data: new Float32Array(24 * 128).fill(0.5), dims: [1, 1, 24, 128] };
const weights = pe.attentionWeights(x, x, { encoding: llama, causal: true });
draw(weights, llama.spec.kind);
print("the last token attends to itself by", weights.data.at(-1), "and to the first one by", weights.data.at(-24));`,
  },
];
