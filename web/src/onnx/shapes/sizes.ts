// Sizes of dims: a number times symbols.
import type { Value } from "../read/flow.js";

/** A product: `factor` times the symbols, which are sorted. Without symbols it is a fixed number. */
export interface Size {
  readonly factor: number;
  readonly symbols: readonly string[];
}

/** The element of an integer constant, or the dim of a graph input, from which a size comes. */
export interface Source {
  readonly value: Value;
  readonly index: number;
}

/** A size, and its source in the file, if there is one. */
export interface Dim {
  readonly size: Size;
  readonly from?: Source | undefined;
}

/** Longer products are unknown. */
const mostSymbols = 8;

export const fixed = (factor: number): Size => ({ factor, symbols: [] });
export const named = (symbol: string): Size => ({ factor: 1, symbols: [symbol] });
export const isFixed = ({ symbols }: Size): boolean => symbols.length === 0;
/** Returns the number of a fixed dim. */
export const numberOf = (dim: Dim | undefined): number | undefined =>
  dim && isFixed(dim.size) ? dim.size.factor : undefined;

const sameSymbols = (a: Size, b: Size): boolean =>
  a.symbols.length === b.symbols.length && a.symbols.every((symbol, i) => symbol === b.symbols[i]);
export const isSame = (a: Size, b: Size): boolean => a.factor === b.factor && sameSymbols(a, b);
/** Whether sizes differ for all values of their symbols. */
export const differ = (a: Size, b: Size): boolean => a.factor !== b.factor && sameSymbols(a, b);

/** Returns the product; undefined: it is too long or too large. */
export function times(a: Size | undefined, b: Size | undefined): Size | undefined {
  if (!a || !b) return undefined;
  const factor = a.factor * b.factor;
  const symbols = [...a.symbols, ...b.symbols];
  if (!Number.isSafeInteger(factor) || symbols.length > mostSymbols) return undefined;
  return { factor, symbols: b.symbols.length === 0 ? a.symbols : symbols.sort() };
}

export const productOf = (sizes: readonly Size[]): Size | undefined => sizes.reduce<Size | undefined>(times, fixed(1));

/** Returns the quotient; undefined: not divisible, or unknown. */
export function over(a: Size | undefined, b: Size | undefined): Size | undefined {
  if (!a || !b || b.factor === 0 || a.factor % b.factor !== 0) return undefined;
  const symbols = [...a.symbols];
  for (const symbol of b.symbols) {
    const at = symbols.indexOf(symbol);
    if (at < 0) return undefined;
    symbols.splice(at, 1);
  }
  return { factor: a.factor / b.factor, symbols };
}

/** Whether all sizes of two lists are the same. */
export const sameSizes = (a: readonly (Dim | undefined)[], b: readonly (Dim | undefined)[]): boolean =>
  a.length === b.length && a.every((dim, i) => dim === b[i] || (!!dim && !!b[i] && isSame(dim.size, b[i].size)));

/** Formats dims: "[1, 197, 64]"; a symbol without a name is "?". */
export function inWords(dims: readonly (Dim | undefined)[]): string {
  const word = (dim: Dim | undefined): string => {
    if (!dim) return "?";
    const { factor, symbols } = dim.size;
    if (symbols.some((symbol) => symbol.startsWith("?"))) return "?";
    return [...(factor === 1 && symbols.length > 0 ? [] : [factor]), ...symbols].join("·");
  };
  return `[${dims.map(word).join(", ")}]`;
}

/** Dims of one shape that have the same product as dims of another. */
export interface Group {
  readonly ins: number[];
  readonly outs: number[];
  /** Whether their products are known to be equal. */
  readonly isClosed: boolean;
}

/** Groups the dims of a Reshape's input and output that correspond, from left to right. */
export function aligned(ins: readonly Size[], outs: readonly Size[]): Group[] {
  const groups: Group[] = [];
  for (let i = 0, j = 0; i < ins.length && j < outs.length;) {
    const group = { ins: [i], outs: [j], isClosed: true };
    let a: Size | undefined = ins[i++];
    let b: Size | undefined = outs[j++];
    while (a && b && !isSame(a, b)) {
      if (i < ins.length && over(b, a)) a = times(a, ins[(group.ins.push(i), i++)]);
      else if (j < outs.length && over(a, b)) b = times(b, outs[(group.outs.push(j), j++)]);
      else a = undefined;
    }
    group.isClosed = a !== undefined && b !== undefined;
    groups.push(group);
    const isLast = !group.isClosed || i === ins.length || j === outs.length;
    if (!isLast) continue;
    for (; i < ins.length; i++) group.ins.push(i);
    for (; j < outs.length; j++) group.outs.push(j);
  }
  return groups;
}
