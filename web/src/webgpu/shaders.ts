// The kernels, in WGSL. Angles are never computed here: cosines and sines come from the core, kernels multiply and add.
// Buffers are 32-bit words, one float32 or two float16, which integer operations convert: no device needs shader-f16.

/** Fields of the uniform `p`, in their order. */
export const fields = [
  "threads",
  "first",
  "size",
  "source",
  "width",
  "rows",
  "inner",
  "batch",
  "step",
  "units",
  "pairs",
  "parts",
] as const;
export type Parameters = Partial<Record<(typeof fields)[number], number>>;

const header = `override half: bool;
struct Parameters { ${fields.map((name) => `${name}: u32`).join(", ")} }
@group(0) @binding(0) var<uniform> p: Parameters;
@group(0) @binding(1) var<storage, read_write> x: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;
@group(0) @binding(3) var<storage, read> numbers: array<f32>;
@group(0) @binding(4) var<storage, read> plan: array<u32>;

fn wide(h: u32) -> f32 {
  let sign = (h & 0x8000u) << 16u;
  let rest = h & 0x7fffu;
  if (rest >= 0x7c00u) { return bitcast<f32>(sign | 0x7f800000u | ((rest & 0x3ffu) << 13u)); }
  if (rest < 0x400u) { return bitcast<f32>(sign | bitcast<u32>(f32(rest) * 5.9604644775390625e-8)); }
  return bitcast<f32>(sign | ((rest << 13u) + 0x38000000u));
}
fn narrow(value: f32) -> u32 {
  let bits = bitcast<u32>(value);
  let sign = (bits >> 16u) & 0x8000u;
  let rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) { return sign | 0x7e00u; }
  if (rest >= 0x477ff000u) { return sign | 0x7c00u; }
  if (rest >= 0x38800000u) { return sign | ((rest - 0x38000000u + 0xfffu + ((rest >> 13u) & 1u)) >> 13u); }
  let exponent = rest >> 23u;
  if (exponent < 102u) { return sign; }
  let shift = 126u - exponent;
  let whole = (rest & 0x7fffffu) | 0x800000u;
  let cut = whole >> shift;
  return sign | (cut + u32((whole & ((1u << shift) - 1u)) + (cut & 1u) > (1u << (shift - 1u))));
}
fn half_of(word: u32, i: u32) -> f32 { return wide((word >> ((i & 1u) * 16u)) & 0xffffu); }
fn own(i: u32) -> f32 {
  if (half) { return half_of(x[i >> 1u], i); }
  return bitcast<f32>(x[i]);
}
fn other(i: u32) -> f32 {
  if (half) { return half_of(source[i >> 1u], i); }
  return bitcast<f32>(source[i]);
}
fn rotated(v: vec2<f32>, at: u32) -> vec2<f32> {
  let c = numbers[at];
  let s = numbers[at + 1u];
  return vec2(v.x * c - v.y * s, v.x * s + v.y * c);
}
// Index of the first multiplier of a head vector.
fn multipliers(row: u32) -> u32 { return 2u * p.pairs * ((row / p.inner) % p.rows + (row / p.batch) * p.step); }
`;

const entry = (name: string, body: string): string => `
@compute @workgroup_size(64)
fn ${name}(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32) {
  let id = (group.y * groups.x + group.x) * 64u + lane;
  if (id >= p.threads) { return; }
  ${body}
}
`;

/**
 * Returns a kernel with one thread per written word. Other contents of the word stay unchanged. `e` is the index of the
 * element.
 */
const written = (name: string, value: string): string =>
  `
fn ${name}_value(e: u32) -> f32 {
  ${value}
}
${entry(
  name,
  `if (!half) {
    x[p.first + id] = bitcast<u32>(${name}_value(id));
    return;
  }
  let at = (p.first >> 1u) + id;
  var word = x[at];
  for (var k = 0u; k < 2u; k++) {
    let e = 2u * at + k - p.first;
    if (e < p.size) { word = insertBits(word, narrow(${name}_value(e)), 16u * k, 16u); }
  }
  x[at] = word;`,
)}`;

const kernels = {
  // In place, one thread per pair; for float16 per word, or per two words with two pairs.
  rotate: entry(
    "rotate",
    `let unit = 3u * (id % p.units);
  let row = id / p.units;
  let begin = p.first + row * p.width;
  let i = begin + plan[unit];
  let j = begin + plan[unit + 1u];
  let at = multipliers(row) + 2u * plan[unit + 2u];
  if (!half) {
    let v = rotated(vec2(bitcast<f32>(x[i]), bitcast<f32>(x[j])), at);
    x[i] = bitcast<u32>(v.x);
    x[j] = bitcast<u32>(v.y);
    return;
  }
  let a = x[i >> 1u];
  if (j == i + 1u) {
    let v = rotated(vec2(half_of(a, 0u), half_of(a, 1u)), at);
    x[i >> 1u] = narrow(v.x) | (narrow(v.y) << 16u);
    return;
  }
  let b = x[j >> 1u];
  let v = rotated(vec2(half_of(a, 0u), half_of(b, 0u)), at);
  let w = rotated(vec2(half_of(a, 1u), half_of(b, 1u)), at + 2u);
  x[i >> 1u] = narrow(v.x) | (narrow(w.x) << 16u);
  x[j >> 1u] = narrow(v.y) | (narrow(w.y) << 16u);`,
  ),
  // The same from a copy, for pairs that move or share words with others.
  carry: written(
    "carry",
    `let row = e / p.width;
  let f = 4u * (e % p.width);
  if (plan[f] == 0u) { return other(p.source + e); }
  let begin = p.source + row * p.width;
  let v = rotated(vec2(other(begin + plan[f + 1u]), other(begin + plan[f + 2u])), multipliers(row) + 2u * plan[f + 3u]);
  return select(v.y, v.x, plan[f] == 1u);`,
  ),
  add: written("add", "return own(p.first + e) + numbers[e % p.width];"),
  // Copies values, or expands values per distance to all queries and keys.
  spread: written(
    "spread",
    `if (p.width == 0u) { return numbers[e]; }
  let query = (e / p.width) % p.rows;
  return numbers[(e / (p.width * p.rows)) * p.step + e % p.width + p.rows - 1u - query];`,
  ),
  // Each row is a weighted sum of rows of the source.
  combine: written(
    "combine",
    `let row = (e / p.inner) % p.rows;
  let begin = (e / (p.inner * p.rows)) * p.step;
  let first = row * p.parts;
  var sum = numbers[first] * other(p.source + (begin + plan[first]) * p.inner + e % p.inner);
  for (var n = first + 1u; n < first + p.parts; n++) {
    sum += numbers[n] * other(p.source + (begin + plan[n]) * p.inner + e % p.inner);
  }
  return sum;`,
  ),
};

export type Kernel = keyof typeof kernels;

/** Returns the text of these kernels; by default, of all. */
export const shader = (...names: Kernel[]): string =>
  header + (names.length ? names.map((name) => kernels[name]) : Object.values(kernels)).join("");
