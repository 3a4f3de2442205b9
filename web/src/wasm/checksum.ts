// A build says what its bytes add up to: one that was changed on its way must not run. Written by web/tasks/difference.mjs.

/** The custom section at the end of each build; the last four bytes of the file are the checksum of those before them. */
export const checksumSection = "posenc.checksum";

/** FNV-1a over words of 32 bits, then the bytes left over: what differs in one place never has the same. */
export function checksumOf(bytes: Uint8Array): number {
  // A copy: bytes may begin anywhere, words may not.
  const words = new Uint32Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 2);
  let sum = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) sum = Math.imul(sum ^ words[i]!, 0x01000193);
  for (let i = 4 * words.length; i < bytes.length; i++) sum = Math.imul(sum ^ bytes[i]!, 0x01000193);
  return sum >>> 0;
}

/** Is it what was built? */
export function isWhole(bytes: Uint8Array): boolean {
  const end = bytes.length - 4;
  return checksumOf(bytes.subarray(0, end)) === new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
}
