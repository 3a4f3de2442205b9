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
  // All engines store words little-endian. The last one has the bytes that are left, or none.
  const words = new Uint32Array((bytes.length >> 2) + 1);
  new Uint8Array(words.buffer).set(bytes);
  const { imul } = Math;
  let sum = 0x9e3779b9 ^ bytes.length;
  for (let i = 0; i < words.length; i++) {
    sum ^= words[i]!;
    sum = imul((sum << 13) | (sum >>> 19), 0x85ebca6b);
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
