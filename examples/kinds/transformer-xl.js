// Transformer-XL: projected sinusoids of the distance, which also reach back into a memory of older keys.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const xl = pe.create({ kind: "transformer-xl", dim: 4, heads: 2, std: 0.5 });
for (const [name, { dims }] of Object.entries(xl.parameters)) console.log(`${name}: [${dims}]`);

// Two new queries, five keys of which three are memory: the last query stands at the last key.
const tensor = (count) => ({
  data: Float32Array.from({ length: 2 * count * 4 }, (_, i) => Math.sin(i)),
  dims: [1, 2, count, 4],
});
const logits = xl.logits(tensor(2), tensor(5), { causal: true });
console.log("head 0, query 0:", Array.from(logits.data.slice(0, 5), (x) => x.toFixed(2)).join(" "));
console.log("head 0, query 1:", Array.from(logits.data.slice(5, 10), (x) => x.toFixed(2)).join(" "));
