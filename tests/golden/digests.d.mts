export const POSITIONS: number[];
export function lcg(count: number): Float32Array;
export function fnv1a64(data: ArrayBufferView): string;
/** `{ "<kind>/<what>": digest }` of the library `pe`. */
export function digests(pe: unknown): Record<string, string>;
