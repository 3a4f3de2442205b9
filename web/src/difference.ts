// A build told as what differs from the simd build: the three have most of their bytes in common, and one of them is enough
// to carry. Made by web/tasks/difference.mjs.

/** The custom section of a module that stands for another one. */
export const differenceSection = "posenc.difference";

/**
 * The target's bytes. The difference is a run of LEB128 numbers and bytes: length of base, length of target, then pieces of
 * (count of new bytes, these bytes, count of bytes of base, from where: a step from where the last piece ended, its sign in
 * the lowest bit). Throws: RangeError if it belongs to another base.
 */
export function applyDifference(difference: Uint8Array, base: Uint8Array): Uint8Array<ArrayBuffer> {
  let at = 0;
  const number = (): number => {
    let [value, factor, byte] = [0, 1, 128];
    for (; byte >= 128; factor *= 128) value += ((byte = difference[at++] ?? 0) & 127) * factor;
    return value;
  };
  if (number() !== base.length) throw new RangeError("the difference belongs to another build");
  const target = new Uint8Array(number());
  let from = 0;
  for (let to = 0; to < target.length && at < difference.length;) {
    const fresh = number();
    target.set(difference.subarray(at, at + fresh), to);
    [at, to] = [at + fresh, to + fresh];
    const [same, step] = [number(), number()];
    from += step % 2 ? -(step + 1) / 2 : step / 2;
    target.set(base.subarray(from, from + same), to);
    [from, to] = [from + same, to + same];
  }
  return target;
}
