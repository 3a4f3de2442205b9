// Checksums of a file's parts: they find damage, not forgery.

/** Returns a checksum of bytes. Each step is a bijection of the sum and of the word: it changes with any single word. */
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
