// Reads a section of a WebAssembly module.

/** Returns a reader of the section with this number, from its first byte on: `number()` in LEB128, and `take(length)` bytes. */
export function sectionOf(bytes, wanted) {
  let at = 8;
  const number = () => {
    let [value, factor, byte] = [0, 1, 128];
    for (; byte >= 128; factor *= 128) value += ((byte = bytes[at++]) & 127) * factor;
    return value;
  };
  const take = (length) => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const [section] = take(1);
    const size = number();
    if (section === wanted) return { number, take };
    take(size);
  }
  throw new Error(`the module has no section ${wanted}`);
}
