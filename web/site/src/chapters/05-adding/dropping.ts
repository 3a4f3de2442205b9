// Words plus positions with dropout, averaged over draws with seeds that follow each other.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { randomRows } from "../../lib/products.ts";
import { rowsOf } from "./vectors.ts";

export interface DropSettings {
  rate: number;
  seed: number;
  draws: number;
  training: boolean;
}

export const rows = 12;
export const dim = 48;

export function drop(pe: Posenc, { rate, seed, draws, training }: DropSettings) {
  const words = randomRows(pe, rows, dim, 0.5, 9);
  return withEncoding(pe.create({ kind: "sinusoidal", dim }), (encoding) => {
    const plain = encoding.addTo(rowsOf(words.slice(), dim)).data;
    const mean = new Float32Array(rows * dim);
    let last = plain;
    for (let draw = 0; draw < draws; draw += 1) {
      const options = { dropout: rate, seed: seed + draw, training };
      last = encoding.addTo(rowsOf(words.slice(), dim), options).data;
      for (let index = 0; index < mean.length; index += 1) mean[index] += last[index] / draws;
    }
    const error = mean.reduce((sum, value, index) => sum + Math.abs(value - plain[index]), 0) / mean.length;
    return { plain, mean, error, zeros: last.filter((value) => value === 0).length };
  });
}
