// The inputs of a shape rule: shapes and values of a node's inputs, its attributes, and new symbols.
import { PosencError } from "../../base/errors.js";
import { attributeOf, integerOf, type Step } from "../read/flow.js";
import { Misfit, type Fact, type Pass } from "./facts.js";
import { differ, fixed, inWords, isFixed, named, type Dim } from "./sizes.js";
import { Fields, type Pieces } from "../read/protobuf.js";

/** Returns the shapes and values of a node's outputs, as far as they are known. */
export type Rule = (at: At) => readonly Fact[];

/** Larger tensors of integers are not evaluated. */
export const mostElements = 64;

/** AttributeProto.s. */
const textField = 4;

export class At {
  constructor(
    readonly pass: Pass,
    readonly step: Step,
    private readonly index: number,
  ) {}

  in(index: number): Fact {
    const value = this.step.ins[index];
    return value ? this.pass.of(value) : {};
  }
  dims(index: number): readonly Dim[] | undefined {
    return this.in(index).dims;
  }
  /** Returns the dims of an input in the unchanged file. */
  oldDims(index: number): readonly Dim[] | undefined {
    const value = this.step.ins[index];
    return value && this.pass.before?.of(value).dims;
  }
  elements(index: number): readonly (Dim | undefined)[] | undefined {
    return this.in(index).elements;
  }
  has(index: number): boolean {
    return this.step.ins[index] !== undefined;
  }
  /** Returns the whole numbers of an input if all are known. */
  integers(index: number): readonly number[] | undefined {
    const elements = this.elements(index);
    const isKnown = elements?.every((one) => one && isFixed(one.size));
    return isKnown ? elements!.map((one) => one!.size.factor) : undefined;
  }

  integer(name: string, fallback: number): number {
    const number = integerOf(this.step.node, name, fallback);
    return Number.isSafeInteger(number) ? number : fallback;
  }
  list(name: string): readonly number[] | undefined {
    return attributeOf(this.step.node, name)?.ints;
  }
  /** Returns a string attribute; undefined: there is none that can be read. */
  text(name: string, pieces: Pieces): string | undefined {
    const attribute = attributeOf(this.step.node, name);
    if (!attribute) return undefined;
    try {
      for (const fields = new Fields(pieces, attribute.range); fields.advance();)
        if (fields.number === textField) return fields.text;
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
    }
    return undefined;
  }
  /** Returns a list that is an attribute of old operators and an input of new ones. */
  listOrInput(name: string, index: number): readonly number[] | undefined {
    return this.has(index) ? this.integers(index) : this.list(name);
  }

  /** Returns a new symbol for a dim. It is the same in each pass. */
  unknown(axis: number): Dim {
    return { size: named(`?${this.index}.${axis}`) };
  }
  sized(size: Dim["size"] | undefined, axis: number): Dim {
    return size ? { size } : this.unknown(axis);
  }
  fixed(number: number, axis: number): Dim {
    return Number.isSafeInteger(number) ? { size: fixed(number) } : this.unknown(axis);
  }

  fail(words: string): never {
    throw new Misfit(this.step, words);
  }
  /**
   * Merges two dims that must be equal. If they differ, the one that is written in the file is changed to the other
   * one.
   */
  merged(a: Dim, b: Dim): Dim {
    if (!differ(a.size, b.size)) return { size: isFixed(b.size) ? b.size : a.size, from: a.from ?? b.from };
    const { plan } = this.pass;
    const isFree = ({ from }: Dim): boolean => !!from && plan?.wantedOf(from) === undefined;
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const)
      if (plan && isFree(one) && isFixed(other.size) && plan.want(one.from!, other.size.factor)) return other;
    return this.fail(`cannot combine ${this.shapes()}`);
  }
  /** Formats the shapes of its inputs. */
  shapes(): string {
    const all = this.step.ins.slice(0, 4).map((value, i) => (value ? (this.dims(i) ?? undefined) : undefined));
    return all.flatMap((dims) => (dims ? [inWords(dims)] : [])).join(" with ");
  }

  /** Broadcasts two shapes as NumPy does. */
  broadcast(a: readonly Dim[] | undefined, b: readonly Dim[] | undefined): Dim[] | undefined {
    if (!a || !b) return undefined;
    const rank = Math.max(a.length, b.length);
    return Array.from({ length: rank }, (_, i) => {
      const one = a[i - rank + a.length];
      const other = b[i - rank + b.length];
      if (!one || !other) return (one ?? other)!;
      return this.spread(one, other, i);
    });
  }
  private spread(a: Dim, b: Dim, axis: number): Dim {
    if (isFixed(a.size) && a.size.factor === 1) return b;
    if (isFixed(b.size) && b.size.factor === 1) return a;
    if (isFixed(a.size) && isFixed(b.size)) return this.merged(a, b);
    // A symbol may be 1 when the model runs.
    if (isFixed(a.size)) return a;
    if (isFixed(b.size)) return b;
    if (differ(a.size, b.size)) return this.unknown(axis);
    return a.size.symbols.join() === b.size.symbols.join() ? a : this.unknown(axis);
  }

  /** Returns an axis counted from the front; undefined: there is none. */
  axis(axis: number, rank: number): number | undefined {
    const at = axis < 0 ? axis + rank : axis;
    return Number.isInteger(at) && at >= 0 && at < rank ? at : undefined;
  }

  /** Changes the number in the file from which a dim is computed. */
  follow({ from }: Dim, number: number, words: () => string): Dim {
    const { plan } = this.pass;
    if (!from || !plan?.want(from, number)) throw new Misfit(this.step, words());
    return { size: fixed(number), from };
  }
}
