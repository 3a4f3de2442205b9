// The score of the same two characters, moved along a text: with positions added to them, and with queries and keys rotated.
import { linear, rmsNorm } from "../../lab/linear.ts";
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { type Reading } from "./reading.ts";
import { length, width } from "./settings.ts";
import { headWidth, ofHead } from "./terms.ts";

export interface Pair {
  /** Ids of the one that asks, and of the one that is asked. */
  query: number;
  key: number;
  distance: number;
  head: number;
}

const copies = (row: Float32Array) => Float32Array.from({ length: length * width }, (_, at) => row[at % width]);

/** Scores of row i with the row `distance` before it, for each i that has one. */
function scores(queries: Float32Array, keys: Float32Array, distance: number): Float32Array {
  return Float32Array.from({ length: length - distance }, (_, index) => {
    let sum = 0;
    for (let i = 0; i < headWidth; i += 1)
      sum += queries[(index + distance) * headWidth + i] * keys[index * headWidth + i];
    return sum / Math.sqrt(headWidth);
  });
}

/** From position `distance` on, the score at each. */
export function pairScores(pe: Posenc, { characters, positions, layer }: Reading, pair: Pair) {
  const { distance, head } = pair;
  const vector = (id: number) => copies(characters.subarray(id * width, (id + 1) * width));
  const project = (rows: Float32Array, part: "q" | "k") =>
    linear(rmsNorm(rows, layer.norm), { shape: [headWidth, width], values: ofHead(layer[part], head) });
  const added = (id: number) => vector(id).map((value, at) => value + positions[at]);
  const rotated = (rows: Float32Array) =>
    withEncoding(pe.create({ kind: "rope", dim: headWidth }), (encoding) => {
      const tensor = { data: Float32Array.from(rows), dims: [1, 1, length, headWidth] };
      encoding.apply(tensor);
      return tensor.data;
    });
  return {
    added: scores(project(added(pair.query), "q"), project(added(pair.key), "k"), distance),
    rotated: scores(rotated(project(vector(pair.query), "q")), rotated(project(vector(pair.key), "k")), distance),
  };
}
