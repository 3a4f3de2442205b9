// Cosines between random words and sinusoidal positions, counted in full.
import { withEncoding, type Posenc } from "./engine.svelte.ts";
import { randomRows } from "./products.ts";

export const kinds = ["wordPosition", "wordWord", "positionPosition"] as const;
export type CosineKind = (typeof kinds)[number];

const words = 200;
const positions = 50;

export function cosines(pe: Posenc, dim: number, kind: CosineKind): Float32Array {
  const drawn = randomRows(pe, words, dim, 1, 2);
  const table = withEncoding(pe.create({ kind: "sinusoidal", dim }), (encoding) =>
    encoding.table({ length: positions }),
  );
  const count = words + positions;
  const data = new Float32Array(count * dim);
  data.set(drawn);
  data.set(table.data, words * dim);
  const products = pe.similarity({ data, dims: [count, dim] }).data;
  const firstRow = kind === "positionPosition" ? words : 0;
  const lastRow = kind === "positionPosition" ? count : words;
  const result: number[] = [];
  for (let row = firstRow; row < lastRow; row += 1) {
    const firstColumn = kind === "wordPosition" ? words : row + 1;
    const lastColumn = kind === "wordWord" ? words : count;
    for (let column = firstColumn; column < lastColumn; column += 1) {
      const lengths = Math.sqrt(products[row * count + row] * products[column * count + column]);
      result.push(products[row * count + column] / lengths);
    }
  }
  return Float32Array.from(result);
}

export const spread = (values: Float32Array) =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

/** The angles, in degrees, that leave 2.5 % of all below and above. */
export function middleAngles(values: Float32Array): [number, number] {
  const sorted = values.slice().sort();
  const angle = (part: number) =>
    (Math.acos(Math.max(-1, Math.min(1, sorted[Math.round(part * (sorted.length - 1))]))) * 180) / Math.PI;
  return [angle(0.975), angle(0.025)];
}
