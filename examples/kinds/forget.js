// Forgetting attention: each token closes a gate a little on all that came before it.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const forget = pe.create({ kind: "forget", heads: 1 });

// Six tokens; the fourth lets go of nearly all before it, the others of little.
const logits = { data: Float32Array.from([4, 4, 4, -3, 4, 4]), dims: [1, 1, 6] };
const logGates = forget.logGates(logits);
const bias = forget.bias(logGates, { queries: 1 });
console.log("what the last query's scores lose:", Array.from(bias.data, (x) => x.toFixed(2)).join(" "));

// All contents are alike: the weights are those of the gates.
const x = (count) => ({ data: new Float32Array(2 * count).fill(1), dims: [1, 1, count, 2] });
const weights = pe.attentionWeights(x(1), x(6), { encoding: forget, logGates });
console.log("its weights:", Array.from(weights.data, (w) => w.toFixed(3)).join(" "));
