// Per-row ALiBi: what a step of distance costs, each query asks of the tokens on the way.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const encoding = pe.create({ kind: "per-row-alibi", dim: 2, heads: 1, gateDim: 1 });
encoding.load({ weight: [4, 0, 0, 4] }); // queries ask with feature 0, tokens answer with feature 1

// Four tokens [batch, positions, dim] of the layer's input. The last but one asks for nothing: its gates are half open.
const x = { data: Float32Array.from([0, 1, 0, -1, 0, 1, 1, 1]), dims: [1, 4, 2] };
const gateRows = encoding.gateRows(x);
const bias = encoding.biasOfRows(gateRows, { causal: true });
for (let i = 0; i < 4; i++)
  console.log(Array.from(bias.data.subarray(4 * i, 4 * i + i + 1), (b) => b.toFixed(2)).join(" "));
