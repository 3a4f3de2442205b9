// Whether frequencies depend on the length, for graphs and caches.
import type { RotaryEncoding } from "../encodings/rotary.js";

/** Whether the frequencies for a sequence of this length differ from those for a short one. */
export function changesWithLength(encoding: RotaryEncoding<any>, length: number): boolean {
  const longest = encoding.frequenciesAt(length);
  return encoding.frequenciesAt(1).some((frequency, i) => frequency !== longest[i]);
}
