// RoPE on a share of the pairs (Gemma): the slow pairs stand still and carry content only.
import { init } from "posenc";

const pe = await init();
const proportional = pe.create({ kind: "rope-proportional", dim: 64, rotaryDim: 16, base: 1e6 });
const frequencies = proportional.inverseFrequencies;
console.log("turning:", frequencies.filter((x) => x > 0).length, "of", frequencies.length, "pairs");

// Not the same as partial RoPE, where the first 16 features form 8 pairs of their own.
const partial = pe.create({ kind: "rope", dim: 64, rotaryDim: 16, base: 1e6 });
console.log("pair 7, share of the pairs:", frequencies[7].toExponential(3));
console.log("pair 7, partial RoPE:      ", partial.inverseFrequencies[7].toExponential(3));
