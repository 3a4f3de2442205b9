// Inkling: each query mixes learned profiles of the distance into a bias of its own.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
// Two profiles over four distances: near keys, and keys two or three tokens back.
const profiles = [3, 1, 0, 0, 0, 0, 2, 2];
const inkling = pe.create({ kind: "inkling", relativeDim: 2, extent: 4, profiles });

// The relative states of two queries: the first mixes only near keys, the second only far ones.
const relativeStates = { data: Float32Array.from([1, 0, 0, 1]), dims: [1, 1, 2, 2] };
const bias = inkling.relativeLogits(relativeStates, { keys: 6, causal: true });
for (const i of [0, 1]) console.log("bias:", Array.from(bias.data.subarray(6 * i, 6 * i + 6)).join(" "));

// In attention; the temperature of full layers multiplies products and bias alike.
const x = (count) => ({ data: new Float32Array(2 * count).fill(1), dims: [1, 1, count, 2] });
const weights = pe.attentionWeights(x(2), x(6), {
  encoding: inkling,
  relativeStates,
  temperature: { rule: "log", factor: 0.1, length: 4 },
  causal: true,
});
console.log("last weights:", Array.from(weights.data.subarray(6), (w) => w.toFixed(3)).join(" "));
