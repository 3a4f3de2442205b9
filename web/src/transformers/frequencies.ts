// What graphs and caches must know of a rotation's frequencies.
import type { RotaryEncoding } from "../encodings/rotary.js";

/** Whether the frequencies for a sequence of this length differ from those for a short one. */
export function changesWithLength(encoding: RotaryEncoding<any>, length: number): boolean {
  const longest = encoding.frequenciesAt(length);
  return encoding.frequenciesAt(1).some((frequency, i) => frequency !== longest[i]);
}
