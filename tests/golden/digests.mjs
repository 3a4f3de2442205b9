// A fixed list of tables, rotations, biases, buckets and learned numbers of every kind, and a digest of the bits of each. All builds of the
// library, in every engine and native, must give the same digests: same bits, not nearly the same numbers.
//
// For every kind of describe(), with each required field at its `example`:
//   <kind>/table                table({positions}) at POSITIONS ...................... table kinds
//   <kind>/table/near           table({length: 4}) .................................. table kinds
//   With several axes, axis a has POSITIONS from the a-th on, around; near is the grid [… 1, 2, 2].
//   <kind>/frequencies          inverseFrequencies (float64) ........................ rotary kinds
//   <kind>/cos, <kind>/sin      tables({positions, role: "query"}) at placesOf() .... rotary kinds
//   <kind>/<pairing>            apply({role: "key"}) to [1, 2, T, dim] at placesOf() . rotary kinds, each pairing
//   <kind>/<pairing>/inverse    the same with `inverse` and role: "query"
//   <kind>/bias                 bias({queries: 5, keys: 9}) ......................... bias kinds
//   <kind>/<parameter>          the learned numbers as they begin ................... kinds that have them
//   <kind>/buckets              bucketOf(POSITIONS), int32 .......................... relative kinds that have buckets
// Scores of relative kinds are attention's dot products, which may differ in their last bits.
// one-hot, binary and learned take counted positions only: they get table/near and no table.
// A digest is FNV-1a of 64 bits over the little-endian bytes of the data, as 16 hexadecimal digits.

/** Near, far, beyond float32's whole numbers, negative and fractional. */
export const POSITIONS = [
  ...[0, 1, 2, 3, 17, 63, 64, 65, 1000, 4095, 65536, 1000000, 16777217, 2147483647],
  ...[-1, -5.5, 0.25, 1234.5678],
];

const WHOLE_POSITIONS_ONLY = new Set(["one-hot", "binary", "learned"]);
const BUCKETED = new Set(["shaw", "deberta"]);
const PAIRINGS = ["half", "interleaved", "interleaved-to-half"];

/** state = state * 1664525 + 1013904223 (mod 2^32), from state = 1; value = (state >>> 8) / 2^24 - 0.5, a float32. */
export function lcg(count) {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24 - 0.5;
  });
}

/** FNV-1a: hash = (hash xor byte) * 0x100000001b3 (mod 2^64), from 0xcbf29ce484222325. */
export function fnv1a64(data) {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  // The product in two 32-bit halves: 0x100000001b3 = 2^40 + 0x1b3.
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of bytes) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    const carry = Math.floor(product / 2 ** 32);
    high = (Math.imul(high, 0x1b3) + carry + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}

const exampleOf = ({ kind, fields }) => ({
  kind,
  ...Object.fromEntries(fields.filter((field) => field.required).map((field) => [field.name, field.example])),
});

function* parameterArrays({ parameters }) {
  for (const [name, { data }] of Object.entries(parameters)) yield [name, data];
}

function* tableArrays(encoding, kind) {
  const { axes } = encoding;
  const positions = Array.from({ length: axes }, (_, a) => [...POSITIONS.slice(a), ...POSITIONS.slice(0, a)]);
  const near = axes > 1 ? { grid: positions.map((_, axis) => (axis < axes - 2 ? 1 : 2)) } : { length: 4 };
  if (!WHOLE_POSITIONS_ONLY.has(kind)) yield ["table", encoding.table({ positions }).data];
  yield ["table/near", encoding.table(near).data];
  yield* parameterArrays(encoding);
}

/** On axis a POSITIONS from the 5a-th on, the first ones behind the last; xPos' magnitudes do not reach far. */
export function placesOf({ kind, axes }) {
  const list = kind === "xpos" ? POSITIONS.filter((position) => position < 10000) : POSITIONS;
  return Array.from({ length: axes }, (_, a) => [...list.slice(5 * a), ...list.slice(0, 5 * a)]);
}

function* rotaryArrays(pe, spec) {
  const encoding = pe.create(spec);
  yield ["frequencies", encoding.inverseFrequencies];
  const positions = placesOf(encoding);
  const { cos, sin } = encoding.tables({ positions, role: "query" });
  yield ["cos", cos.data];
  yield ["sin", sin.data];
  const count = positions[0].length;
  const dims = [1, 2, count, encoding.dim];
  for (const pairing of PAIRINGS) {
    const paired = pe.create({ ...spec, pairing });
    const x = () => ({ type: "float32", data: lcg(2 * count * encoding.dim), dims });
    yield [pairing, paired.apply(x(), { positions, role: "key" }).data];
    yield [`${pairing}/inverse`, paired.apply(x(), { positions, role: "query", inverse: true }).data];
  }
}

function* biasArrays(encoding) {
  yield ["bias", encoding.bias({ queries: 5, keys: 9 }).data];
  yield* parameterArrays(encoding);
}

function* relativeArrays(encoding) {
  yield* parameterArrays(encoding);
  if (BUCKETED.has(encoding.kind)) yield ["buckets", encoding.bucketOf(POSITIONS)];
}

function arraysOf(pe, description) {
  const spec = exampleOf(description);
  if (description.family === "table") return tableArrays(pe.create(spec), description.kind);
  if (description.family === "rotary") return rotaryArrays(pe, spec);
  if (description.family === "bias") return biasArrays(pe.create(spec));
  if (description.family === "relative") return relativeArrays(pe.create(spec));
  return [];
}

/** `{ "<kind>/<what>": digest }` of the library `pe`. */
export function digests(pe) {
  const found = {};
  for (const description of pe.describe()) {
    for (const [what, data] of arraysOf(pe, description)) found[`${description.kind}/${what}`] = fnv1a64(data);
  }
  return found;
}
