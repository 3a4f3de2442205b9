// ALiBi: the farther the key, the lower its score, at a slope of its own for each head.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const alibi = pe.create({ kind: "alibi", heads: 4 });
console.log("slopes:", alibi.slopes.join(" "));
console.log("head 0, the last of 6 queries:", alibi.bias({ queries: 1, keys: 6 }).data.slice(0, 6).join(" "));

// Attention adds it without ever making the [heads, queries, keys] tensor.
const x = { data: new Float32Array(4 * 6 * 16).fill(0.5), dims: [1, 4, 6, 16] };
const weights = pe.attentionWeights(x, x, { encoding: alibi, causal: true });
console.log("its weights:", Array.from(weights.data.slice(30, 36), (w) => w.toFixed(3)).join(" "));
