// Results as the page gets them.
import { Copies } from "./copies.js";
import { isGivenMark, isObjectMark, isPlain, marks, type ObjectMark } from "./messages.js";
import type { Remote } from "./remote.js";

export class Received {
  readonly copies = new Copies();

  constructor(
    private readonly remoteOf: (mark: ObjectMark) => Remote,
    /** The call's tensors that results are written into; undefined: their memory has moved, and results are new tensors. */
    private readonly tensors: readonly object[] | undefined,
  ) {}

  /** Returns a result. Elements of large tensors are there after `copies.finish`. */
  decode(value: unknown): unknown {
    if (isObjectMark(value)) return this.remoteOf(value);
    if (isGivenMark(value)) {
      const { [marks.given]: index, ...tensor } = value;
      const given = this.tensors?.[index] as { data: unknown } | undefined;
      if (!given) return tensor;
      this.copies.into(given.data, tensor.data);
      return given;
    }
    if (Array.isArray(value)) return value.map((item) => this.decode(item));
    if (!isPlain(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.decode(item)]));
  }
}
