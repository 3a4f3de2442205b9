// NEZHA: fixed sinusoids of the clipped distance join keys and values; there is nothing to learn.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const nezha = pe.create({ kind: "nezha", dim: 8, maxDistance: 3 });
console.log("rows for distances -5 … 5:", nezha.bucketOf([-5, -3, -1, 0, 1, 3, 5]).join(" "));
console.log("learned numbers:", Object.keys(nezha.parameters).length);

// Keys of zeros: what is left of the scores is what queries see in the rows of distances.
const q = { data: new Float32Array(6 * 8).fill(1), dims: [1, 1, 6, 8] };
const none = { data: new Float32Array(6 * 8), dims: [1, 1, 6, 8] };
const scores = nezha.logits(q, none);
console.log("scores of the first query:", Array.from(scores.data.slice(0, 6), (x) => x.toFixed(3)).join(" "));

// Values of zeros: the results are rows of distances alone, as attention weighs them.
const out = pe.attention(q, none, none, { encoding: nezha });
console.log("its result:", Array.from(out.data.slice(0, 4), (x) => x.toFixed(3)).join(" "));
