// The difference between two builds, as a WebAssembly module with one section, which web/src/wasm/difference.ts reads.
import { build } from "esbuild";
import { inRoot } from "./prepare.mjs";

/** Minimum lengths of a copied piece, with a jump in base and without: shorter ones are cheaper as bytes. */
const smallest = 12;
const withoutStep = 4;
const seed = 8;

function leb128(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
  return [...bytes, number];
}

/** Returns the positions of each run of `seed` bytes in `bytes`. */
function indexed(bytes) {
  const occurrences = new Map();
  for (let i = 0; i + seed <= bytes.length; i++) {
    const key = bytes.toString("latin1", i, i + seed);
    if (occurrences.has(key)) occurrences.get(key).push(i);
    else occurrences.set(key, [i]);
  }
  return occurrences;
}

/** Returns the longest piece of base that equals target from `at` on, if a jump away from `expected` pays off. */
function longest(base, occurrences, target, at, expected) {
  const lengthAt = (from) => {
    let length = 0;
    while (at + length < target.length && from + length < base.length && base[from + length] === target[at + length])
      length++;
    return length;
  };
  let found = { length: lengthAt(expected), from: expected, least: withoutStep };
  for (const from of occurrences.get(target.toString("latin1", at, at + seed)) ?? []) {
    const length = lengthAt(from);
    if (length > found.length + (found.from === expected ? smallest - withoutStep : 0))
      found = { length, from, least: smallest };
  }
  return found;
}

/** Returns the numbers and bytes that convert base to target. */
function difference(base, target) {
  const occurrences = indexed(base);
  const [numbers, fresh] = [[], []];
  let [written, next] = [0, 0];
  const emit = (at, { length, from }) => {
    const step = from - next;
    numbers.push(...leb128(at - written), ...leb128(length), ...leb128(step < 0 ? -2 * step - 1 : 2 * step));
    fresh.push(...target.subarray(written, at));
    [written, next] = [at + length, from + length];
  };
  for (let at = 0; at < target.length; at = Math.max(at + 1, written)) {
    const expected = next + at - written;
    const piece = longest(base, occurrences, target, at, expected);
    if (piece.length >= piece.least) emit(at, piece);
  }
  emit(target.length, { length: 0, from: next });
  const lengths = [base.length, target.length, numbers.length].flatMap(leb128);
  return Buffer.from([...lengths, ...numbers, ...fresh]);
}

/** Imports a module of the library, for code that both sides share. */
async function librarys(name) {
  const options = { entryPoints: [inRoot("web", "src", "wasm", `${name}.ts`)], write: false, format: "esm" };
  const { outputFiles } = await build(options);
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Returns the difference from `base` to `target`, checked with the library's reader. */
async function checkedDifference(base, target) {
  const { applyDifference } = await librarys("difference");
  const payload = difference(base, target);
  if (!target.equals(applyDifference(payload, base))) throw new Error("a build cannot be restored from its difference");
  return payload;
}

/** Returns the module that replaces `target` if `base` is available. */
export async function differenceModule(base, target) {
  const { differenceSection } = await librarys("difference");
  const payload = await checkedDifference(base, target);
  return withSection(Buffer.from([0, 97, 115, 109, 1, 0, 0, 0]), differenceSection, payload);
}

/** Returns `base` with the difference to the relaxed build inside. */
export async function withRelaxed(base, relaxed) {
  const { relaxedSection } = await librarys("difference");
  return withSection(base, relaxedSection, await checkedDifference(base, relaxed));
}

/** Adds a custom section to a module. */
function withSection(bytes, name, payload) {
  const section = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), payload]);
  return Buffer.concat([bytes, Buffer.from([0, ...leb128(section.length)]), section]);
}

/** Marks a part with the checksum of its base; without a base, it is one. */
export async function withBase(bytes, base) {
  const { baseSection } = await librarys("checksum");
  return withSection(bytes, baseSection, base?.subarray(-4) ?? Buffer.alloc(0));
}

/** Returns a module without the names of its functions. */
export async function withoutNames(bytes) {
  const { findSection } = await librarys("difference");
  const names = findSection(bytes, "name");
  if (!names) return bytes;
  const end = names.content.byteOffset - bytes.byteOffset + names.content.length;
  return Buffer.concat([bytes.subarray(0, names.start), bytes.subarray(end)]);
}

/** Adds the checksum of its bytes to a build. */
export async function withChecksum(bytes) {
  const { checksumOf, checksumSection } = await librarys("checksum");
  const whole = withSection(bytes, checksumSection, Buffer.alloc(4));
  whole.writeUInt32LE(checksumOf(whole.subarray(0, -4)), whole.length - 4);
  return whole;
}
