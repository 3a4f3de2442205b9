// DeepSeek's MLA (arXiv:2405.04434, section 2.1): a token's cache is one latent vector and one rotated key for all heads. With
// the weights of keys and values absorbed into queries and results, attention runs over that cache as it is.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const [heads, tokens, latent, plain, rotated, valueDim] = [4, 12, 32, 16, 8, 16];
// DeepSeek's features pair with their neighbours.
const rope = pe.create({ kind: "rope", dim: rotated, pairing: "interleaved" });

let seed = 1;
const random = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b) }, () => Math.sin(seed++ * 12.9898)),
  dims,
});
/** rows [n, k] of the one times columns [m, k] of the other: [n, m] */
const times = (a, b, k) =>
  Float32Array.from({ length: (a.length / k) * (b.length / k) }, (_, at) => {
    const [i, j] = [Math.floor(at / (b.length / k)), at % (b.length / k)];
    let sum = 0;
    for (let c = 0; c < k; c++) sum += a[i * k + c] * b[j * k + c];
    return sum;
  });
const head = (x, h) => x.data.subarray((h * x.data.length) / heads, ((h + 1) * x.data.length) / heads);
const columns = (m, rows) =>
  Float32Array.from(m, (_, at) => m[(at % rows) * (m.length / rows) + Math.floor(at / rows)]);
const joined = (rows, ...parts) => {
  const widths = parts.map((part) => part.length / rows);
  const row = (t) => parts.flatMap((part, i) => [...part.subarray(t * widths[i], (t + 1) * widths[i])]);
  return Float32Array.from(Array.from({ length: rows }, (_, t) => row(t)).flat());
};

// Of the layer: keys and values are made of the latent vector, positions stand in features of their own.
const toKeys = random(heads, plain, latent);
const toValues = random(heads, valueDim, latent);
const q = random(1, heads, tokens, plain);
const qRotated = rope.apply(random(1, heads, tokens, rotated));
const cache = random(tokens, latent);
const kRotated = rope.apply(random(1, 1, tokens, rotated));
const options = { causal: true, scale: 1 / Math.sqrt(plain + rotated) };
const each = (make) => Float32Array.from(Array.from({ length: heads }, (_, h) => [...make(h)]).flat());

// As trained: a key and a value for each head.
const queries = each((h) => joined(tokens, head(q, h), head(qRotated, h)));
const keys = each((h) => joined(tokens, times(cache.data, head(toKeys, h), latent), kRotated.data));
const values = each((h) => times(cache.data, head(toValues, h), latent));
const shape = (h, dim) => [1, h, tokens, dim];
const asTrained = pe.attention(
  { data: queries, dims: shape(heads, plain + rotated) },
  { data: keys, dims: shape(heads, plain + rotated) },
  { data: values, dims: shape(heads, valueDim) },
  options,
);

// Absorbed: queries of latent width meet the cache; all heads share its one row as key and as value.
const wide = each((h) => joined(tokens, times(head(q, h), columns(head(toKeys, h), plain), plain), head(qRotated, h)));
const absorbed = pe.attention(
  { data: wide, dims: shape(heads, latent + rotated) },
  { data: joined(tokens, cache.data, kRotated.data), dims: shape(1, latent + rotated) },
  { data: cache.data, dims: shape(1, latent) },
  options,
);
const results = each((h) => times(head(absorbed, h), head(toValues, h), latent));

const apart = Math.max(...results.map((x, i) => Math.abs(x - asTrained.data[i])));
console.log("numbers a token in the cache:", latent + rotated, "instead of", heads * (plain + rotated + valueDim));
console.log("the same results:", apart < 2e-5);
