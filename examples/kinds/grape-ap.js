// GRAPE-AP: each token between a key and the query costs the more, the less its row agrees with the query's.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const grape = pe.create({ kind: "grape-ap", heads: 1 });

// Rows of five tokens; they turn with their positions, the query's own row does not.
const gateRows = { data: Float32Array.from([9, 0, 9, 0, -9, 0, 9, 0, 9, 0]), dims: [1, 1, 5, 2] };
const bias = grape.biasOfRows(gateRows, { queries: 1 });
console.log("bias of the last query:", Array.from(bias.data, (x) => x.toFixed(4)).join(" "));

// Contents that are all alike: weights are those of the bias.
const x = (count) => ({ data: new Float32Array(2 * count).fill(1), dims: [1, 1, count, 2] });
const weights = pe.attentionWeights(x(1), x(5), { encoding: grape, gateRows });
console.log("its weights:", Array.from(weights.data, (w) => w.toFixed(3)).join(" "));
