// The rotation, written out feature by feature.
import { sizeOf } from "./numbers";
import type { PlainTensor } from "./numbers";

type Pair = readonly [number, number];

/** Where pair k is read and written. */
export function pairFeatures(pairing: string, pairs: number, k: number): { read: Pair; written: Pair } {
  const halves: Pair = [k, k + pairs];
  const neighbours: Pair = [2 * k, 2 * k + 1];
  return {
    read: pairing === "half" ? halves : neighbours,
    written: pairing === "interleaved" ? neighbours : halves,
  };
}

/** x [batch, heads, positions, dim] turned by cos and sin [positions, pairs], in float64. */
export function rotateByTables(
  x: PlainTensor,
  tables: { cos: ArrayLike<number>; sin: ArrayLike<number> },
  pairing: string,
): Float64Array {
  const [, , positions, dim] = x.dims as [number, number, number, number];
  const pairs = tables.cos.length / positions;
  const out = Float64Array.from(x.data);
  for (let token = 0; token < sizeOf(x.dims) / dim; token++) {
    const t = token % positions;
    for (let k = 0; k < pairs; k++) {
      const { read, written } = pairFeatures(pairing, pairs, k);
      const [a, b] = read.map((feature) => x.data[token * dim + feature]!) as [number, number];
      const [c, s] = [tables.cos[t * pairs + k]!, tables.sin[t * pairs + k]!];
      out[token * dim + written[0]] = a * c - b * s;
      out[token * dim + written[1]] = a * s + b * c;
    }
  }
  return out;
}
