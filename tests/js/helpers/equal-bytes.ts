// Equal typed arrays are found in one pass over their bytes; vitest goes through them key by key.

/** Whether two arrays of one type are equal; undefined if their bytes differ: vitest then compares, and shows, elements. */
export function equalBytes(a: unknown, b: unknown): true | undefined {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.byteLength !== b.byteLength) return undefined;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return undefined;
  const [left, right] = [a, b].map((view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return left!.every((byte, i) => byte === right![i]) || undefined;
}
