// What all that rewrites goes by.
import { PosencError } from "../../base/errors.js";
import type { Changes } from "./changes.js";
import { putInto, type Flow, type Step, type Value } from "../read/flow.js";
import type { Library } from "../options.js";
import type { SharedConstants } from "./shared-constants.js";
import type { ChangeOption } from "./unused.js";
import type { Files } from "../read/values.js";

/** A gigabyte in double precision. */
const mostNumbers = 134217728;

/** A table that has a row for each patch of an image, behind those of a few tokens. */
export interface NewGrid {
  readonly table: Value;
  readonly rows: number;
  readonly prefix: number;
  /** Height and width, in patches. */
  readonly grid: readonly number[];
  /** What adds it to the patches. */
  readonly steps: readonly Step[];
}

export class Work {
  private byLength: Map<number, Value[]> | undefined;
  /** Options that found something to change. */
  readonly used = new Set<ChangeOption>();
  /** Lengths whose constants were changed already. */
  readonly lengthened = new Set<string>();
  /** Tables of images' patches that have other grids now. */
  readonly grids: NewGrid[] = [];

  constructor(
    readonly changes: Changes,
    readonly flow: Flow,
    readonly files: Files,
    readonly pe: Library,
    /** How long texts become; undefined: as they were. */
    readonly length: number | undefined,
    /** Is what 16 bits compute of positions to be computed in float32? */
    readonly isWide: boolean,
    /** New values of constants that several components may share. */
    readonly constants: SharedConstants,
  ) {}

  /** The numbers of a constant that is to change. Throws: unsupported, where there are none of a type that is known. */
  async numbersOf({ name, constant }: Value): Promise<Float64Array> {
    const numbers = await this.files.numbers(constant!);
    if (!numbers) throw new PosencError("unsupported", `model: the numbers of ${name} cannot be read`, "model");
    return numbers;
  }

  /** Allocates new values of a constant. Throws: out-of-range for more values than a model can have. */
  roomFor({ name }: Value, count: number): Float64Array {
    if (count <= mostNumbers) return new Float64Array(count);
    throw new PosencError(
      "out-of-range",
      `length: ${name} would have ${count} values, more than ${mostNumbers}`,
      "length",
    );
  }

  /** The constants whose last dim is this. */
  constantsOf(length: number): readonly Value[] {
    if (!this.byLength) {
      this.byLength = new Map<number, Value[]>();
      for (const value of this.flow.constants) putInto(this.byLength, value.constant!.tensor.dims.at(-1) ?? 0, value);
    }
    return this.byLength.get(length) ?? [];
  }
}
