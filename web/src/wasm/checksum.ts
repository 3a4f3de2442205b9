// The checksum of a build: a damaged build must not run. Written by web/tasks/difference.mjs.

/**
 * The custom section at the end of each build; the last four bytes of the file are the checksum of the bytes before
 * them.
 */
export const checksumSection = "posenc.checksum";

/** The custom section of a part: the last four bytes of its base. In a base it is empty. */
export const baseSection = "posenc.base";

/**
 * Computes FNV-1a over 32-bit words, then over the remaining bytes. A single changed word always changes the checksum.
 */
export function checksumOf(bytes: Uint8Array): number {
  // A copy: words must be aligned, `bytes` need not be.
  const words = new Uint32Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 2);
  let sum = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) sum = Math.imul(sum ^ words[i]!, 0x01000193);
  for (let i = 4 * words.length; i < bytes.length; i++) sum = Math.imul(sum ^ bytes[i]!, 0x01000193);
  return sum >>> 0;
}

/** Whether the bytes have the checksum of the build. */
export function isWhole(bytes: Uint8Array): boolean {
  const end = bytes.length - 4;
  return checksumOf(bytes.subarray(0, end)) === new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
}
