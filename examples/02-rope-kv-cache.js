// Generates token by token: queries and keys are rotated at their place behind the KV cache.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const [heads, dim, cached] = [8, 64, 1000];
const rope = pe.create({ kind: "rope", dim, base: 500000 });

const random = (count, seed) => Float32Array.from({ length: count }, (_, i) => Math.sin(seed + i * 12.9898));
const step = (seed) => ({ data: random(heads * dim, seed), dims: [1, heads, 1, dim] });

// The prompt fills the cache at once; each new token stands right behind it.
const keys = { data: random(heads * (cached + 1) * dim, 1), dims: [1, heads, cached + 1, dim] };
const values = { data: random(heads * (cached + 1) * dim, 2), dims: [1, heads, cached + 1, dim] };
rope.apply(keys);

const query = step(3);
rope.apply(query, { offset: cached });
const next = pe.attention(query, keys, values, { causal: true });
console.log("next token", next.dims.join(" × "));

// Context shift: the first 200 tokens are dropped, the rest moves down by 200 in one pass.
const kept = { data: random(heads * 800 * dim, 4), dims: [1, heads, 800, dim] };
const fresh = { data: kept.data.slice(), dims: kept.dims };
rope.apply(kept, { offset: 200 });
rope.rerotate(kept, { from: 200, to: 0 });
rope.apply(fresh);
const same = kept.data.every((x, i) => Math.abs(x - fresh.data[i]) < 2e-6);
console.log("moved as if they had always stood there:", same);
