// T5: a learned number for each head and bucket of distances; far distances share buckets, and scores are not scaled.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
// In a checkpoint: relative_attention_bias.weight [buckets, heads].
const weights = Float32Array.from({ length: 32 * 2 }, (_, i) => -Math.floor((i >> 1) % 16) / 4);
const t5 = pe.create({ kind: "t5", heads: 2, weights });
const keyPositions = [0, -1, -7, -8, -11, -12, -64, -5000, 1, 9];
const { data } = t5.buckets({ queries: 1, keys: keyPositions.length, offset: 0, keyPositions });
console.log("from the query", keyPositions.join(" "));
console.log("bucket        ", data.join(" "));

const x = { data: new Float32Array(2 * 5 * 4).fill(0.5), dims: [1, 2, 5, 4] };
const weightsOfLast = pe.attentionWeights(x, x, { encoding: t5, scale: 1 }).data.slice(20, 25);
console.log("weights of the last of 5 queries:", Array.from(weightsOfLast, (w) => w.toFixed(3)).join(" "));
