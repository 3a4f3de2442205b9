// Types of shape inference: facts about values, and the planned changes of a file.
import type { Step, Value } from "../read/flow.js";
import type { Pieces } from "../read/protobuf.js";
import type { Dim, Source } from "./sizes.js";

/** Known facts about a value. */
export interface Fact {
  /** Dims; undefined: their number is unknown too. */
  readonly dims?: readonly Dim[] | undefined;
  /** Elements of a small tensor of whole numbers with at most one dim. */
  readonly elements?: readonly (Dim | undefined)[] | undefined;
}

/** A node whose input shapes do not fit. Thrown by rules and caught by the pass. */
export class Misfit {
  constructor(
    readonly step: Step,
    readonly words: string,
  ) {}
}

/** Old and new counts of tokens, patches and pixels: each map has the new count by the old one. */
export interface ImageCounts {
  /** Rows of a table: all tokens. */
  readonly tokens: ReadonlyMap<number, number>;
  /** Tokens, and patches without the tokens before them. */
  readonly counts: ReadonlyMap<number, number>;
  /** Sides of the grid in patches, of the image in pixels: [height, width]. */
  readonly sides: ReadonlyMap<number, readonly [number, number]>;
}

/** The changes of a file: rewritten constants, and values that must change with them. */
export class Plan {
  /** New elements of integer constants, and new dims of graph inputs, by index. */
  readonly wanted = new Map<Value, Map<number, number>>();
  /** Number of changes that were added since the last run. */
  added = 0;

  constructor(
    /** Constants that were changed. */
    readonly shapes: ReadonlyMap<Value, { readonly dims: readonly number[]; readonly numbers: ArrayLike<number> }>,
    /** Dims of values that are now inputs. */
    readonly replaced: ReadonlyMap<Value, readonly (string | number)[]>,
    /** Counts of tokens and patches. */
    readonly image: ImageCounts,
  ) {}

  wantedOf({ value, index }: Source): number | undefined {
    return this.wanted.get(value)?.get(index);
  }
  /**
   * Requests a new number. Returns false if another number is requested there already, or the constant was changed
   * otherwise.
   */
  want(source: Source, number: number): boolean {
    const before = this.wantedOf(source);
    if (before !== undefined) return before === number;
    if (this.shapes.has(source.value)) return false;
    const numbers = this.wanted.get(source.value) ?? new Map<number, number>();
    this.wanted.set(source.value, numbers.set(source.index, number));
    this.added++;
    return true;
  }
}

/** The part of an inference pass that rules use. */
export interface Pass {
  readonly pieces: Pieces;
  /** The plan; undefined: the unchanged file. */
  readonly plan?: Plan | undefined;
  /** The pass over the unchanged file. */
  readonly before?: Pass | undefined;
  /** Returns the known facts about a value. */
  of(value: Value): Fact;
  /** Whether the shape of an input may differ from that in the file. */
  isTouched(step: Step): boolean;
  /** Returns all elements of a small constant of any dtype. */
  numbersOf(value: Value | undefined): readonly number[] | undefined;
  /** Returns the value that a ConstantOfShape repeats. */
  filledWith(step: Step): number | undefined;
}
