interface Spec {
  kind: string;
  [field: string]: unknown;
}
export const POSITIONS: number[];
export function lcg(count: number): Float32Array;
export function fnv1a64(data: ArrayBufferView): string;
/** A spec's lines of the text, by the library `pe`. */
export function digestLines(pe: unknown, spec: Spec): string[];
/** The specs that a text is about. */
export function specsIn(text: string): Spec[];
/** What to do where they lack a kind, or bits had to change. */
export const howToRenew: string;
/** The text that the library `pe` gives for these specs. */
export function digestText(pe: unknown, specs: readonly Spec[]): string;
