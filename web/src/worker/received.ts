// Results as the page gets them.
import { Copies } from "./copies.js";
import { isGivenMark, isObjectMark, marks, withParts, type ObjectMark } from "./messages.js";
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
    return withParts(value, (part) => this.decode(part));
  }
}
