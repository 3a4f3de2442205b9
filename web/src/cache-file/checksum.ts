// Checksums of a file's parts: they find damage, not forgery.
import { Operation } from "../base/calls.gen.js";
import { coreOf } from "./elements.js";

/** Returns the checksum of some bytes. */
export type Checksum = (bytes: Uint8Array) => number;

/**
 * Returns a checksum of bytes. Each step is a bijection of the sum and of the word: it changes with any single word. The core
 * has the same.
 */
export function checksumOf(bytes: Uint8Array): number {
  const count = bytes.length >> 2;
  const last = new Uint8Array(4);
  last.set(bytes.subarray(4 * count));
  // Words must be aligned; all engines store them little-endian.
  const { buffer, byteOffset } = bytes.byteOffset % 4 ? bytes.slice() : bytes;
  const words = new Uint32Array(buffer, byteOffset, count);
  let sum = 0x9e3779b9 ^ bytes.length;
  for (let i = 0; i <= count; i++) {
    sum ^= i < count ? words[i]! : last[0]! | (last[1]! << 8) | (last[2]! << 16);
    sum = Math.imul((sum << 13) | (sum >>> 19), 0x85ebca6b);
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}

/** Returns the same, computed by the core: a page that has just loaded runs JavaScript of such loops a hundred times slower. */
export function checksumIn(pe: object): Checksum {
  const core = coreOf(pe);
  if (!core) return checksumOf;
  return (bytes) =>
    core.withScratch(() => {
      const address = core.borrow(bytes.length);
      const out = core.borrow(8);
      core.bytes(address, bytes.length).set(bytes);
      core.call(Operation.checksum, { address, length: bytes.length }, out);
      return core.doubles(out, 1)[0]!;
    });
}
