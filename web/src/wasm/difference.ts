// A build stored as its difference from the simd build: the three builds share most of their bytes, and only one is
// stored whole. Made by web/tasks/difference.mjs.

/** The custom section of a module that stores the difference from another module. */
export const differenceSection = "posenc.difference";
/** The custom section of the simd build with the difference to the relaxed build: one file for most engines. */
export const relaxedSection = "posenc.relaxed";

/** Reads LEB128 numbers from `at` on. */
function numbersFrom(bytes: Uint8Array, at: number): { next(): number; at(): number } {
  const next = (): number => {
    let [value, factor, byte] = [0, 1, 128];
    for (; byte >= 128; factor *= 128) value += ((byte = bytes[at++] ?? 0) & 127) * factor;
    return value;
  };
  return { next, at: () => at };
}

/** Finds a custom section of a module, and returns its start and content. */
export function findSection(bytes: Uint8Array, name: string): { start: number; content: Uint8Array } | undefined {
  const isName = (letter: number, i: number): boolean => letter === name.charCodeAt(i);
  for (let start = 8, end; start < bytes.length; start = end) {
    const numbers = numbersFrom(bytes, start + 1);
    const size = numbers.next();
    end = numbers.at() + size;
    const text = numbers.at() + 1;
    const content = text + name.length;
    if (bytes[start] === 0 && bytes[text - 1] === name.length && bytes.subarray(text, content).every(isName))
      return { start, content: bytes.subarray(content, end) };
  }
  return undefined;
}

/**
 * Applies a difference to `base`, and returns the bytes of the target. Throws `RangeError` if it belongs to another
 * base.
 *
 * The difference is LEB128 numbers, then bytes (separately, they compress better). The numbers are the lengths of base,
 * target and of the numbers that follow, then three for each piece: how many of the bytes to copy, how many bytes of
 * base to copy after them, and from where. The last is a step from the end of the previous piece, its sign in the
 * lowest bit.
 */
export function applyDifference(difference: Uint8Array, base: Uint8Array): Uint8Array<ArrayBuffer> {
  const { next: number, at } = numbersFrom(difference, 0);
  if (number() !== base.length) throw new RangeError("the difference belongs to another build");
  const target = new Uint8Array(number());
  const end = number() + at();
  if (end > difference.length || target.length > 64 * base.length) throw new RangeError("the difference is damaged");
  for (let to = 0, from = 0, fresh = end; at() < end;) {
    const [added, same, step] = [number(), number(), number()];
    target.set(difference.subarray(fresh, fresh + added), to);
    from += step % 2 ? -(step + 1) / 2 : step / 2;
    target.set(base.subarray(from, from + same), to + added);
    [to, from, fresh] = [to + added + same, from + same, fresh + added];
  }
  return target;
}
