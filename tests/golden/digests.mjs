// A list of tables, rotations, biases, buckets and learned numbers of every kind, and a digest of the bits of each. All
// builds of the library, in every engine and native, must give the digests of tests/fixtures/digests.txt: same bits, not
// nearly the same numbers. tests/cpp/digests.cpp is the native twin of this file.
//
// The text has a spec in each line that begins with a brace, and below it a line for each of
//   table                table({positions}) at POSITIONS ....................... table kinds
//   table/near           table({length: 4}) ................................... table kinds
//   With several axes, axis a has POSITIONS from the a-th on, around; near is the grid [… 1, 2, 2].
//   frequencies          inverseFrequencies (float64) ......................... rotary kinds
//   cos, sin             tables({positions, role: "query"}) at positionsOf() ..... rotary kinds
//   <pairing>            apply({role: "key"}) to [1, 2, T, dim] at positionsOf() . rotary kinds, each pairing
//   <pairing>/inverse    the same with `inverse` and role: "query"
//   bias                 bias({queries: 5, keys: 9}) .......................... bias kinds
//   <parameter>          the learned numbers as they begin .................... kinds that have them
//   buckets              bucketOf(POSITIONS), int32 ........................... relative kinds
//   rows                 apply to [1, heads or 2, T, dim] at nearPlaces() ..... relative kinds that have it
// Scores of relative kinds are attention's dot products, which may differ in their last bits.
// A digest is FNV-1a of 64 bits over the little-endian bytes of the data, as 16 hexadecimal digits; for a call that is
// refused it is the code of the error.

/** Near, far, beyond float32's whole numbers, negative and fractional. */
export const POSITIONS = [
  ...[0, 1, 2, 3, 17, 63, 64, 65, 1000, 4095, 65536, 1000000, 16777217, 2147483647],
  ...[-1, -5.5, 0.25, 1234.5678],
];

const PAIRINGS = ["half", "interleaved", "interleaved-to-half"];

/** state = state * 1664525 + 1013904223 (mod 2^32), from state = 1; value = (state >>> 8) / 2^24 - 0.5, a float32. */
export function lcg(count) {
  const numbers = new Float32Array(count);
  for (let i = 0, state = 1; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    numbers[i] = (state >>> 8) / 2 ** 24 - 0.5;
  }
  return numbers;
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

function* parameterArrays({ parameters }) {
  for (const [name, { data }] of Object.entries(parameters)) yield [name, () => data];
}

function* tableArrays(encoding) {
  const { axes } = encoding;
  const positions = Array.from({ length: axes }, (_, a) => [...POSITIONS.slice(a), ...POSITIONS.slice(0, a)]);
  const near = axes > 1 ? { grid: positions.map((_, axis) => (axis < axes - 2 ? 1 : 2)) } : { length: 4 };
  yield ["table", () => encoding.table({ positions: axes > 1 ? positions : positions[0] }).data];
  yield ["table/near", () => encoding.table(near).data];
  yield* parameterArrays(encoding);
}

/** On axis a POSITIONS from the 5a-th on, the first ones behind the last; xPos' magnitudes do not reach far. */
export function positionsOf({ kind, axes }) {
  const list = kind === "xpos" ? POSITIONS.filter((position) => position < 10000) : POSITIONS;
  const axesOfPositions = Array.from({ length: axes }, (_, a) => [...list.slice(5 * a), ...list.slice(0, 5 * a)]);
  return axes > 1 ? axesOfPositions : axesOfPositions[0];
}

function* rotaryArrays(encoding, pe, spec) {
  yield ["frequencies", () => encoding.inverseFrequencies];
  const positions = positionsOf(encoding);
  const tables = () => encoding.tables({ positions, role: "query" });
  yield ["cos", () => tables().cos.data];
  yield ["sin", () => tables().sin.data];
  const count = positions.flat().length / encoding.axes;
  const x = () => ({
    type: "float32",
    data: lcg(2 * count * encoding.dim),
    dims: [1, 2, count, encoding.dim],
  });
  for (const pairing of PAIRINGS) {
    const apply = (options) => pe.create({ ...spec, pairing }).apply(x(), { positions, ...options }).data;
    yield [pairing, () => apply({ role: "key" })];
    yield [`${pairing}/inverse`, () => apply({ role: "query", inverse: true })];
  }
}

function* biasArrays(encoding) {
  yield ["bias", () => encoding.bias({ queries: 5, keys: 9 }).data];
  yield* parameterArrays(encoding);
}

function* relativeArrays(encoding) {
  yield* parameterArrays(encoding);
  yield ["buckets", () => encoding.bucketOf(POSITIONS)];
  if (encoding.constructor.name !== "TransformRelative") return;
  const positions = nearPositions(encoding);
  const { dim, heads = 0 } = encoding.spec;
  const dims = [1, heads || 2, positions[0].length, dim];
  const x = { type: "float32", data: lcg(dims.reduce((product, size) => product * size, 1)), dims };
  yield ["rows", () => encoding.apply(x, { positions }).data];
}

/** On axis a POSITIONS up to 65536 from the a-th on, around. */
function nearPositions({ spec: { axes = 1 } }) {
  const list = POSITIONS.filter((position) => position <= 65536);
  return Array.from({ length: axes }, (_, a) => [...list.slice(a), ...list.slice(0, a)]);
}

const arraysOf = { table: tableArrays, rotary: rotaryArrays, bias: biasArrays, relative: relativeArrays };

function digestOf(make) {
  try {
    return fnv1a64(make());
  } catch (error) {
    if (!error.code) throw error;
    return error.code;
  }
}

/** A spec's lines of the text. */
export function digestLines(pe, spec) {
  const encoding = pe.create(spec);
  const arrays = arraysOf[encoding.family](encoding, pe, spec);
  return [JSON.stringify(spec), ...Array.from(arrays, ([what, make]) => `${what} ${digestOf(make)}`)];
}

/** The specs that a text is about. */
export const specsIn = (text) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

/** What to do where they lack a kind, or bits had to change. */
export const howToRenew =
  "write tests/fixtures/digests.txt anew, after npm run build: POSENC_RENEW=1 npx vitest run --config " +
  "tests/js/vitest.config.ts --project node tests/js/node/fixtures.test.ts";

/** The text that the library `pe` gives for these specs. */
export const digestText = (pe, specs) => specs.flatMap((spec) => [...digestLines(pe, spec), ""]).join("\n");
