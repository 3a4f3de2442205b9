// GRAPE-M: RoPE with learned frequencies, at positions or at phases that grow with what was said.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const grape = pe.create({ kind: "grape-m", dim: 8, heads: 2 });
console.log(
  "logarithms:",
  Array.from(grape.parameters.logFrequencies.data.subarray(0, 4), (x) => x.toFixed(2)).join(" "),
);

const q = { data: new Float32Array(2 * 4 * 8).fill(0.5), dims: [1, 2, 4, 8] };
const row = (scores) => [12, 13, 14, 15].map((at) => scores.data[at].toFixed(3)).join(" ");
console.log("by position:", row(grape.logits(q, q)));

// One gate for each token and head, as a linear layer makes them: the fourth token hardly moves on.
const gates = { data: Float32Array.from([2, 0, 1, 1, -9, 3, 0, 0]), dims: [1, 4, 2] };
const positions = pe.cumulativePhases(gates);
console.log("phases of head 1:", Array.from(positions.subarray(0, 4), (x) => x.toFixed(3)).join(" "));
console.log("by content:", row(grape.logits(q, q, { positions })));
