// Checksums of a file's parts: they find damage, not forgery.

/** Returns a checksum of bytes. Each step is a bijection of the sum and of the word: it changes with any single word. */
export function checksumOf(bytes: Uint8Array): number {
  let sum = 0x9e3779b9 ^ bytes.length;
  const step = (word: number): void => {
    sum ^= word;
    sum = Math.imul((sum << 13) | (sum >>> 19), 0x85ebca6b);
    sum ^= sum >>> 15;
  };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = bytes.length >> 2;
  for (let i = 0; i < words; i++) step(view.getUint32(4 * i, true));
  let last = 0;
  for (let i = 4 * words; i < bytes.length; i++) last = (last << 8) | bytes[i]!;
  step(last);
  return sum >>> 0;
}
