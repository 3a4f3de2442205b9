// A build says what its bytes add up to: one that was changed on its way must not run. Written by web/tasks/difference.mjs.

/** The custom section at the end of each build; the last four bytes of the file are the checksum of those before them. */
export const checksumSection = "posenc.checksum";

/** FNV-1a, 32 bits: bytes that differ in one place never have the same. */
export function checksumOf(bytes: Uint8Array): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) sum = Math.imul(sum ^ bytes[i]!, 0x01000193);
  return sum >>> 0;
}

/** Is it what was built? */
export function isWhole(bytes: Uint8Array): boolean {
  const end = bytes.length - 4;
  return checksumOf(bytes.subarray(0, end)) === new DataView(bytes.buffer, bytes.byteOffset + end).getUint32(0, true);
}
