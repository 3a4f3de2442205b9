// What graphs and caches must know of a rotation's frequencies.
import type { RotaryEncoding } from "../encodings/rotary.js";

/** Are the frequencies of a sequence of that length others than those of a short one? */
export function changesWithLength(encoding: RotaryEncoding<any>, length: number): boolean {
  const longest = encoding.frequenciesAt(length);
  return encoding.frequenciesAt(1).some((frequency, i) => frequency !== longest[i]);
}
