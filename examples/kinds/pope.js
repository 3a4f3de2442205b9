// PoPE: contents say how strongly features match, positions at which angle; the two do not mix as they do in RoPE.
import { init } from "posenc";

const pe = await init({ parts: ["relative"] });
const pope = pe.create({ kind: "pope", dim: 8, heads: 1 });
const q = { data: new Float32Array(8).fill(0.3), dims: [1, 1, 1, 8] };
const k = { data: new Float32Array(8 * 8).fill(-0.2), dims: [1, 1, 8, 8] };
console.log("scores of the last query:", Array.from(pope.logits(q, k).data, (x) => x.toFixed(3)).join(" "));

// The widened rows (cos, sin of each feature), for attention elsewhere.
const wideQuery = pope.expand(q, { role: "query", offset: 7 });
const wideKeys = pope.expand(k, { role: "key" });
console.log(`rows of ${wideKeys.dims[3]} features, ${wideQuery.dims[3]} for the query`);
const score = wideQuery.data.reduce((sum, x, i) => sum + x * wideKeys.data[i], 0);
console.log("the first of these scores again:", score.toFixed(3));
