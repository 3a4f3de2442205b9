// What all that rewrites goes by.
import { PosencError } from "../base/errors.js";
import type { Changes } from "./changes.js";
import type { Flow, Value } from "./flow.js";
import type { Library } from "./options.js";
import type { Files } from "./values.js";

export class Work {
  private byLength: Map<number, Value[]> | undefined;

  constructor(
    readonly changes: Changes,
    readonly flow: Flow,
    readonly files: Files,
    readonly pe: Library,
    /** How long texts become; undefined: as they were. */
    readonly length: number | undefined,
    /** Is what 16 bits compute of positions to be computed in float32? */
    readonly isWide: boolean,
  ) {}

  /** The numbers of a constant that is to change. Throws: unsupported, where there are none of a type that is known. */
  async numbersOf({ name, constant }: Value): Promise<Float64Array> {
    const numbers = await this.files.numbers(constant!);
    if (!numbers) throw new PosencError("unsupported", `model: the numbers of ${name} cannot be read`, "model");
    return numbers;
  }

  /** The constants whose last dim is this. */
  constantsOf(length: number): readonly Value[] {
    if (!this.byLength) {
      this.byLength = new Map();
      for (const value of this.flow.constants) {
        const last = value.constant!.tensor.dims.at(-1) ?? 0;
        const list = this.byLength.get(last);
        if (list) list.push(value);
        else this.byLength.set(last, [value]);
      }
    }
    return this.byLength.get(length) ?? [];
  }
}
