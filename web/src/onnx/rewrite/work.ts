// State shared by all parts of a rewrite.
import { PosencError } from "../../base/errors.js";
import type { Changes } from "./changes.js";
import { putInto, type Flow, type Step, type Value } from "../read/flow.js";
import type { Library } from "../options.js";
import type { SharedConstants } from "./shared-constants.js";
import type { ChangeOption } from "./unused.js";
import type { Files } from "../read/values.js";

/** A gigabyte in double precision. */
const maxElements = 134217728;

/** A table with a row for each patch of an image, after the rows of a few tokens. */
export interface NewGrid {
  readonly table: Value;
  readonly rows: number;
  readonly prefix: number;
  /** Height and width, in patches. */
  readonly grid: readonly number[];
  /** Steps that add it to the patches. */
  readonly steps: readonly Step[];
}

export class Work {
  private byLength: Map<number, Value[]> | undefined;
  /** Options that found something to change. */
  readonly used = new Set<ChangeOption>();
  /** Lengths whose constants were changed already. */
  readonly lengthened = new Set<string>();
  /** Tables of image patches with a new grid. */
  readonly grids: NewGrid[] = [];

  constructor(
    readonly changes: Changes,
    readonly flow: Flow,
    readonly files: Files,
    readonly pe: Library,
    /** New length of texts; undefined: unchanged. */
    readonly length: number | undefined,
    /** Whether positions are computed in float32 instead of 16-bit floats. */
    readonly isWide: boolean,
    /** New values of constants that several components may share. */
    readonly constants: SharedConstants,
  ) {}

  /** Version of ONNX's operators; 0: the model has none. */
  get opset(): number {
    return this.flow.model.opsets.get("") ?? 0;
  }

  /** Returns the elements of a constant that will change. Throws `unsupported` if its dtype is unknown. */
  async numbersOf({ name, constant }: Value): Promise<Float64Array> {
    const numbers = await this.files.numbers(constant!);
    if (!numbers) throw new PosencError("unsupported", `model: the values of ${name} cannot be read`, "model");
    return numbers;
  }

  /** Allocates new elements of a constant. Throws `out-of-range` if a model cannot have that many. */
  newElements({ name }: Value, count: number, option = "length"): Float64Array {
    if (count <= maxElements) return new Float64Array(count);
    throw new PosencError(
      "out-of-range",
      `${option}: ${name} would have ${count} values, more than ${maxElements}`,
      option,
    );
  }

  /** Returns the constants whose last dim is `length`. */
  constantsOf(length: number): readonly Value[] {
    if (!this.byLength) {
      this.byLength = new Map<number, Value[]>();
      for (const value of this.flow.constants) putInto(this.byLength, value.constant!.tensor.dims.at(-1) ?? 0, value);
    }
    return this.byLength.get(length) ?? [];
  }
}
