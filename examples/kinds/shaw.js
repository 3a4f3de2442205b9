// Shaw's relative positions: a learned vector for each distance, clipped on both sides, joins keys and values.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const shaw = pe.create({ kind: "shaw", dim: 4, maxLeft: 2, maxRight: 1 });
console.log("rows of its tables for distances -3 … 3:", shaw.bucketOf([-3, -2, -1, 0, 1, 2, 3]).join(" "));

// Trained numbers come in by name: here the vector of "one to the left" is made strong.
const keys = new Float32Array(4 * 4);
keys.fill(2, 1 * 4, 2 * 4);
shaw.load({ keys, values: new Float32Array(4 * 4) });
const x = { data: new Float32Array(5 * 4).fill(0.5), dims: [1, 1, 5, 4] };
console.log("logits of the last query:", shaw.logits(x, x).data.slice(20).join(" "));
const weights = pe.attentionWeights(x, x, { encoding: shaw, causal: true });
console.log("its weights:", Array.from(weights.data.slice(20), (w) => w.toFixed(3)).join(" "));
