// Scores of a sentence whose positions are added, and of one whose positions are set beside the words.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { largestDifference, randomRows } from "../../lib/products.ts";
import { rowsOf, wordRows, zeros, type Rows } from "./vectors.ts";

export const headWidth = 64;
export const weightKinds = ["same", "own", "apart"] as const;
export type WeightKind = (typeof weightKinds)[number];

export interface JoinSettings {
  weights: WeightKind;
  dim: number;
  extra: number;
}

/** [a | b], row by row. */
function beside(a: Float32Array, b: Float32Array, widthA: number, widthB: number): Rows {
  const result = zeros(a.length / widthA, widthA + widthB);
  for (let row = 0; row < result.dims[0]; row += 1) {
    result.data.set(a.subarray(row * widthA, (row + 1) * widthA), row * (widthA + widthB));
    result.data.set(b.subarray(row * widthB, (row + 1) * widthB), row * (widthA + widthB) + widthA);
  }
  return result;
}

/** Only one half of a query's numbers is made from this part: the other rows of its matrix are zero. */
function halved(matrix: Float32Array, half: "upper" | "lower"): Float32Array {
  const middle = matrix.length / 2;
  return matrix.map((value, index) => (index < middle === (half === "upper") ? value : 0));
}

/** One projection for the words and one for the positions, for queries (seed 2) or keys (seed 3). */
function matrices(pe: Posenc, { weights, dim }: JoinSettings, extra: number, seed: number) {
  const word = randomRows(pe, headWidth, dim, 1 / Math.sqrt(dim), seed);
  const own = weights === "same" ? word : randomRows(pe, headWidth, extra, 1 / Math.sqrt(extra), seed + 10);
  const joined =
    weights === "apart"
      ? beside(halved(word, "upper"), halved(own, "lower"), dim, extra)
      : beside(word, own, dim, extra);
  return { added: rowsOf(word, dim), joined };
}

export function join(pe: Posenc, words: string[], settings: JoinSettings) {
  const { dim, weights } = settings;
  const extra = weights === "same" ? dim : settings.extra;
  const length = words.length;
  const x = wordRows(pe, words, dim, 1);
  const query = matrices(pe, settings, extra, 2);
  const key = matrices(pe, settings, extra, 3);
  const sums = withEncoding(pe.create({ kind: "sinusoidal", dim }), (encoding) =>
    encoding.addTo(rowsOf(x.data.slice(), dim)),
  );
  const placed = withEncoding(pe.create({ kind: "sinusoidal", dim: extra }), (encoding) => ({
    rows: encoding.concatTo(x),
    table: encoding.table({ length }).data,
  }));
  const width = dim + extra;
  const added = pe.scoreTerms(sums, zeros(length, dim), query.added, key.added).contentContent.data;
  const joined = pe.scoreTerms(placed.rows, zeros(length, width), query.joined, key.joined).contentContent.data;
  // Words and positions in places of their own, so that the library can tell the terms apart.
  const parts = pe.scoreTerms(
    beside(x.data, new Float32Array(length * extra), dim, extra),
    beside(new Float32Array(length * dim), placed.table, dim, extra),
    query.joined,
    key.joined,
  );
  const cross = [parts.contentPosition.data, parts.positionContent.data].map((data) => Math.max(...data.map(Math.abs)));
  return { added, joined, extra, width, difference: largestDifference(added, joined), cross: Math.max(...cross) };
}
