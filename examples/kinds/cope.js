// CoPE: positions are counted by content. A key that opens its gate counts for one, others for nothing.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const cope = pe.create({ kind: "cope", dim: 2, maxPosition: 8 });

// Keys 0, 3 and 6 begin sentences (feature 0): their gates open for these queries.
const k = { data: Float32Array.from([9, 0, -9, 0, -9, 0, 9, 0, -9, 0, -9, 0, 9, 0, -9, 0]), dims: [1, 1, 8, 2] };
const q = { data: new Float32Array(16).fill(1), dims: [1, 1, 8, 2] };
const positions = cope.contextPositions(q, k, { causal: true });
console.log("how many sentences ago, for the last query:");
console.log(Array.from(positions.data.slice(56), (position) => position.toFixed(2)).join(" "));
const weights = pe.attentionWeights(q, k, { encoding: cope, causal: true });
console.log("its weights:", Array.from(weights.data.slice(56), (w) => w.toFixed(3)).join(" "));
