// DeBERTa: queries meet a vector of the distance, keys another one; far distances share logarithmic buckets.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const deberta = pe.create({ kind: "deberta", dim: 4, heads: 2, buckets: 8, maxDistance: 64 });
const distances = [-63, -20, -5, -4, -1, 0, 1, 4, 5, 20, 63];
console.log("key - query:", distances.join(" "));
console.log("buckets:    ", deberta.bucketOf(distances).join(" "));

const x = { data: Float32Array.from({ length: 2 * 4 * 4 }, (_, i) => Math.cos(i)), dims: [1, 2, 4, 4] };
// Attention divides by the square root of dim · 3: contents, content to position, position to content.
const weights = pe.attentionWeights(x, x, { encoding: deberta });
console.log("weights of head 0, query 0:", Array.from(weights.data.slice(0, 4), (w) => w.toFixed(3)).join(" "));
