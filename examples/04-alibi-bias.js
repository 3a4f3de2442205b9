// ALiBi: a bias for onnxruntime's Attention operator, and the same attention without any bias tensor at all.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const [heads, length, dim] = [4, 6, 16];
const alibi = pe.create({ kind: "alibi", heads });
console.log("slopes", Array.from(alibi.slopes).join(" "));

// [heads, queries, keys]: ready to be an additive mask.
const bias = alibi.bias({ queries: length, keys: length });
console.log("head 0, last query:", Array.from(bias.data.slice(5 * length, 6 * length)).join(" "));

const data = Float32Array.from({ length: heads * length * dim }, (_, i) => Math.sin(i * i));
const x = { data, dims: [1, heads, length, dim] };
const inside = pe.attention(x, x, x, { encoding: alibi, causal: true });
const outside = pe.attention(x, x, x, { bias, causal: true });
console.log(
  "same result:",
  inside.data.every((value, i) => value === outside.data[i]),
);
