// How far it is until a pair of the encoding comes round again.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { short } from "../../lib/format.ts";

/** For each pair: the number of positions in one full turn, from the turn that one step makes. */
export function wavelengths(pe: Posenc, dim: number, base: number): Float64Array {
  const turns = withEncoding(pe.create({ kind: "sinusoidal", dim, base }), (encoding) => encoding.shift(1).data);
  return Float64Array.from({ length: dim / 2 }, (_, pair) => {
    const [cosine, sine] = [turns[pair * 4], Math.abs(turns[pair * 4 + 1])];
    return (2 * Math.PI) / Math.atan2(sine, cosine);
  });
}

export const wavelengthText = (list: Float64Array, column: number) => short(list[column >> 1] ?? NaN);
