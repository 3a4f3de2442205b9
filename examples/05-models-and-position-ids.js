// What a published model uses, and the positions that it wants: padding, packing, images between words.
import { init } from "posenc";
import { models, recommend } from "posenc/models";

const pe = await init({ parts: ["ids", "attention", "config"] });

const { name, year, spec, contextLength } = models["llama-3.1-8b"];
const rope = pe.create(spec);
console.log(`${name} (${year}): ${rope.kind}, ${rope.pairs} pairs, up to ${contextLength} positions`);

const advice = recommend("long generation");
console.log(`long generation: ${advice.kind}, as in ${advice.models.length} models, or ${advice.alternatives[0]}`);

// Padding on the left does not move the words; packed sequences each begin with 0.
console.log("left padding", ...pe.positionIds([0, 0, 1, 1, 1]).data);
console.log("packed", ...pe.positionIds({ cuSeqlens: [0, 3, 7] }).data);

// Packed sequences do not see each other either: the last word of the second sees its own three words only.
const segments = [1, 1, 2, 2, 2];
const [q, k] = [1, 2].map((seed) => ({
  data: Float32Array.from({ length: 5 * 8 }, (_, i) => Math.sin(seed + i * 12.9898)),
  dims: [1, 1, 5, 8],
}));
const packed = pe.attentionWeights(q, k, {
  encoding: pe.create({ kind: "rope", dim: 8 }),
  causal: true,
  segments,
  at: { positions: pe.positionIds(segments, { packed: true }) }, // what they are where nothing is said
});
console.log("sees", ...Array.from(packed.data.slice(-5), (weight) => weight > 0));

// Two words, an image of 4 × 4 patches that become 2 × 2 tokens, two words: one array per axis.
const { positions, delta } = pe.mropePositionIds([{ text: 2 }, { image: [1, 4, 4] }, { text: 2 }], { mergeSize: 2 });
["time", "rows", "columns"].forEach((axis, i) => console.log(axis, ...positions.axes[i]));
console.log("the next token stands at", positions.dims[1] + delta);

// The image encoder holds its patches in blocks of 2 × 2.
const [rows, columns] = pe.gridPositionIds([4, 4], { mergeSize: 2 }).axes;
console.log("patches", ...Array.from(rows, (row, i) => `${row},${columns[i]}`).slice(0, 6));

// A checkpoint of the interleaved kind, for code that turns halves.
const [dim, features] = [8, 4];
const random = (seed) => Float32Array.from({ length: dim * features }, (_, i) => Math.sin(seed + i * 12.9898));
const project = ({ data }, t) => ({
  data: Float32Array.from({ length: dim }, (_, row) => data[row * features + (t % features)]),
  dims: [1, 1, 1, dim],
});
const score = (wq, wk, pairing) => {
  const encoding = pe.create({ kind: "rope", dim, pairing });
  const q = encoding.apply(project(wq, 1), { offset: 5 });
  const k = encoding.apply(project(wk, 2), { offset: 3 });
  return q.data.reduce((sum, x, i) => sum + x * k.data[i], 0);
};
const [wq, wk] = [1, 2].map((seed) => ({ data: random(seed), dims: [dim, features] }));
const [permutedQ, permutedK] = [wq, wk].map((weights) =>
  pe.permuteWeights(weights, { heads: 1, from: "interleaved", to: "half" }),
);
const difference = score(wq, wk, "interleaved") - score(permutedQ, permutedK, "half");
console.log("permuted weights, the other layout, same scores:", Math.abs(difference) < 1e-6);
