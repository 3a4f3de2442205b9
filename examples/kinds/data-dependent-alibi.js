// Data-dependent ALiBi: what a step of distance costs, each token says itself.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const encoding = pe.create({ kind: "data-dependent-alibi", dim: 2, heads: 1 });
encoding.load({ weight: [-6, 0] }); // where feature 0 is on, the gate closes

// Five tokens [batch, positions, dim] of the layer's input; the third begins something new.
const x = { data: Float32Array.from([0, 1, 0, 1, 1, 1, 0, 1, 0, 1]), dims: [1, 5, 2] };
const logGates = encoding.logGates(x);
const bias = encoding.bias(logGates, { causal: true });
for (let i = 0; i < 5; i++)
  console.log(Array.from(bias.data.subarray(5 * i, 5 * i + i + 1), (b) => b.toFixed(2)).join(" "));
