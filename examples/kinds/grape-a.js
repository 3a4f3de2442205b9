// GRAPE-A: ALiBi whose slopes the keys set: some are charged for distance, others hardly.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const grape = pe.create({ kind: "grape-a", dim: 2, heads: 1 });
grape.load({ u: [1, 0] }); // keys are read by feature 0

// Six keys; that of the second token says: keep me.
const k = { data: Float32Array.from([3, 0, -8, 0, 3, 0, 3, 0, 3, 0, 3, 0]), dims: [1, 1, 6, 2] };
const q = { data: new Float32Array(2), dims: [1, 1, 1, 2] };
console.log("bias of the last query:", Array.from(grape.biasOf(q, k).data, (x) => x.toFixed(4)).join(" "));
const weights = pe.attentionWeights(q, k, { encoding: grape });
console.log("its weights:", Array.from(weights.data, (w) => w.toFixed(3)).join(" "));
