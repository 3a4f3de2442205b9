// Models that are damaged at random, in ways that files are: bytes, lengths, pieces that are missing, doubled or mixed up.
import { varint } from "./onnx-proto";

/** A small linear congruential generator, as in numbers.ts, of whole numbers below `count`. */
export function randomFrom(seed: number): (count: number) => number {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(((state >>> 4) / 2 ** 28) * count);
  };
}

/** Where a message's fields have their tags and lengths, at any depth that looks like one. */
export function offsetsOf(file: Uint8Array, start = 0, end = file.length, depth = 0, out: number[] = []): number[] {
  if (out.length > 20000) return out;
  const own: number[] = [];
  let at = start;
  const number = () => {
    for (let value = 0, factor = 1; at < end && factor < 2 ** 50; factor *= 128) {
      const byte = file[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    return NaN;
  };
  const inside: [number, number][] = [];
  while (at < end) {
    own.push(at);
    const tag = number();
    const type = tag % 8;
    own.push(at);
    if (!(tag >= 8 && tag < 256) || ![0, 1, 2, 5].includes(type)) return out;
    const length = type === 2 ? number() : type === 1 ? 8 : type === 5 ? 4 : (number(), 0);
    if (!(at + length <= end)) return out;
    if (type === 2 && length > 1 && length < 1e5 + (depth < 1 ? 1e9 : 0)) inside.push([at, at + length]);
    at += length;
  }
  out.push(...own);
  if (depth < 8) for (const [from, to] of inside) offsetsOf(file, from, to, depth + 1, out);
  return out;
}

const odd = [0, 1, 2, 3, 4, 7, 127, 128, 255, 65535, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53, -1, -(2 ** 31)];

function splice(file: Uint8Array, at: number, remove: number, insert: ArrayLike<number>) {
  const end = Math.min(file.length, at + remove);
  const out = new Uint8Array(file.length - (end - at) + insert.length);
  out.set(file.subarray(0, at));
  out.set(insert, at);
  out.set(file.subarray(end), at + insert.length);
  return out;
}

/** One to four damages; most of them where the structure is. */
export function mutated(file: Uint8Array<ArrayBuffer>, offsets: readonly number[], random: (count: number) => number) {
  let out = file.slice();
  for (let left = 1 + random(4); left > 0; left--) {
    const offset = () => (offsets.length && random(4) ? offsets[random(offsets.length)]! : random(out.length || 1));
    const at = Math.min(offset(), Math.max(0, out.length - 1));
    switch (random(8)) {
      case 0:
        out[at]! ^= 1 << random(8);
        break;
      case 1:
        out[at] = random(256);
        break;
      case 2:
        out = splice(out, at, 1, varint(odd[random(odd.length)]!));
        break;
      case 3:
        out = splice(out, at, 0, varint(odd[random(odd.length)]!));
        break;
      case 4:
        out = splice(out, at, 1 + random(64), []);
        break;
      case 5:
        // What stands at one place once more at another.
        out = splice(out, at, 0, out.slice(offset(), offset() + random(200)));
        break;
      case 6: {
        // One value, or one name, for another.
        const from = offset();
        out.copyWithin(at, from, from + 1 + random(24));
        break;
      }
      default:
        if (random(8) === 0) out = out.slice(0, at);
        else out[Math.min(out.length - 1, at + 1)] = random(40);
    }
  }
  return out;
}
