// What learned maps of places do to rows, written out in float64 as functions of their learned numbers.
import type { Inputs, Tensor64 } from "./gradients";
import type { Spec } from "./library";
import { mapRows } from "./map-rows";
import { range } from "./numbers";
import { remembered, type TokenPositions, type Reference } from "./referenced";

type Matrix = number[][];
/** x, as a function of its head among those that have numbers of their own, and of its place. */
type RowMap = (row: number[], head: number, position: number[]) => number[];
type MapOf = (inputs: Inputs, spec: Spec) => RowMap;

const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0]!.map((_, j) => row.reduce((sum, x, k) => sum + x * b[k]![j]!, 0)));
const times = (matrix: Matrix, x: number[]): number[] =>
  matrix.map((row) => row.reduce((sum, value, j) => sum + value * x[j]!, 0));
const identity = (size: number): Matrix => range(size).map((i) => range(size).map((j) => Number(i === j)));

/** By the series itself, of a matrix that is halved until it is small. */
function exponential(a: Matrix): Matrix {
  const scaled = a.map((row) => row.map((x) => x / 1024));
  let [term, sum] = [identity(a.length), identity(a.length)];
  for (let k = 1; k <= 12; k++) {
    term = product(term, scaled).map((row) => row.map((x) => x / k));
    sum = sum.map((row, i) => row.map((x, j) => x + term[i]![j]!));
  }
  for (let n = 0; n < 10; n++) sum = product(sum, sum);
  return sum;
}

function rotatePair(row: number[], a: number, b: number, cosine: number, sine: number): void {
  const [x, y] = [row[a]!, row[b]!];
  row[a] = x * cosine - y * sine;
  row[b] = x * sine + y * cosine;
}

/** Pairs among the first 2 · pairs features turn by angles. */
function rotatePairs(row: number[], pairs: number, pairing: string, angle: (k: number) => number): number[] {
  const out = [...row];
  for (const k of range(pairs)) {
    const [a, b] = pairing === "half" ? [k, k + pairs] : [2 * k, 2 * k + 1];
    rotatePair(out, a, b, Math.cos(angle(k)), Math.sin(angle(k)));
  }
  return out;
}

/** A number of frequencies [axes, heads, pairs] times a place. */
const mixedAngle =
  ({ data, dims }: Tensor64, head: number, position: number[]) =>
  (k: number): number =>
    position.reduce((sum, at, axis) => sum + at * data[(axis * dims[1]! + head) * dims[2]! + k]!, 0);

const ropeMixed: MapOf = (inputs, spec) => (row, head, position) => {
  const frequencies = inputs["frequencies"]!;
  const order = (spec["axisOrder"] as number[] | undefined) ?? range(position.length);
  const at = order.map((axis) => position[axis]!);
  const { pairing = "interleaved" } = spec as unknown as { pairing?: string };
  return rotatePairs(row, frequencies.dims[2]!, pairing, mixedAngle(frequencies, head, at));
};

const grapeM: MapOf = (inputs, spec) => (row, head, position) => {
  const { data, dims } = inputs["logFrequencies"]!;
  const { logScale = 1, pairing = "half" } = spec as unknown as { logScale?: number; pairing?: string };
  const angle = (k: number) => -position[0]! * Math.exp(data[head * dims[1]! + k]! / logScale);
  return rotatePairs(row, dims[1]!, pairing, angle);
};

const fope: MapOf = (inputs, spec) => (row, head, position) => {
  const {
    dim,
    length,
    base = 10000,
    floor,
  } = spec as unknown as Record<"dim" | "length" | "base", number> & {
    floor?: string;
  };
  const least = (2 * Math.PI) / length;
  const frequencies = range(dim / 2)
    .map((i) => base ** ((-2 * i) / dim))
    .map((frequency) => (frequency >= least ? frequency : { zero: 0, clamp: least, keep: frequency }[floor ?? ""]))
    .filter((frequency) => frequency !== undefined);
  const [, inputDim, outputDim] = inputs["cosine"]!.dims as [number, number, number];
  const mixed = (sinusoid: (x: number) => number, { data }: Tensor64, o: number) =>
    frequencies.reduce(
      (sum, frequency, i) => sum + sinusoid(position[0]! * frequency) * data[(head * inputDim + i) * outputDim + o]!,
      0,
    );
  const out = [...row];
  for (const o of range(dim / 2)) {
    const inside = o < outputDim;
    const cosine = inside ? mixed(Math.cos, inputs["cosine"]!, o) : ((spec["cosinePad"] as number) ?? 1);
    const sine = inside ? mixed(Math.sin, inputs["sine"] ?? inputs["cosine"]!, o) : ((spec["sinePad"] as number) ?? 0);
    rotatePair(out, o, o + dim / 2, cosine, sine);
  }
  return out;
};

const skew = (size: number, at: (i: number, j: number) => number): Matrix =>
  range(size).map((i) => range(size).map((j) => (i < j ? at(i, j) : i > j ? -at(j, i) : 0)));

const liere: MapOf = (inputs, spec) => {
  const { data, dims } = inputs["generators"]!;
  const [axes, all, size] = dims as [number, number, number];
  const { dim, heads = 0 } = spec as unknown as { dim: number; heads?: number };
  const blocks = Math.floor(dim / size);
  const matrixOf = remembered((position: number[], block: number) => {
    const matrix = skew(size, (i, j) =>
      range(axes).reduce((sum, axis) => sum + position[axis]! * data[((axis * all + block) * size + i) * size + j]!, 0),
    );
    return exponential(matrix);
  });
  return (row, head, position) => {
    const out = [...row];
    for (const block of range(blocks)) {
      const part = row.slice(block * size, (block + 1) * size);
      const matrix = matrixOf(position, (heads ? head * blocks : 0) + block);
      times(matrix, part).forEach((x, i) => (out[block * size + i] = x));
    }
    return out;
  };
};

/** a⁻¹ b by elimination; a is I + S, whose pivots are never 0. */
function solved(a: Matrix, b: Matrix): Matrix {
  const rows = a.map((row, i) => [...row, ...b[i]!]);
  rows.forEach((row, k) => {
    const pivot = row[k]!;
    row.forEach((x, j) => (row[j] = x / pivot));
    rows.forEach((other, i) => {
      if (i === k) return;
      const factor = other[k]!;
      other.forEach((x, j) => (other[j] = x - factor * row[j]!));
    });
  });
  return rows.map((row) => row.slice(a.length));
}

const cayley: MapOf = (inputs, spec) => {
  const { data, dims } = inputs["generators"]!;
  const size = dims.at(-1)!;
  const mapOf = remembered((head: number) => {
    const s = skew(size, (i, j) => data[(head * size + i) * size + j]!);
    const plus = (sign: number) => s.map((line, i) => line.map((x, j) => Number(i === j) + sign * x));
    return solved(plus(1), plus(-1));
  });
  const { pairing = "interleaved" } = spec as unknown as { pairing?: string };
  return (row, head, position) => {
    const mapped = times(mapOf(head), row);
    return rotatePairs(mapped, size / 2, pairing, mixedAngle(inputs["frequencies"]!, head, position));
  };
};

const circulant: MapOf = (inputs) => {
  const { data, dims } = inputs["coefficients"]!;
  const size = dims.at(-1)!;
  const matrixOf = remembered((position: number[], head: number) => {
    const c = (n: number) =>
      position.reduce((sum, at, axis) => sum + at * data[(axis * dims[1]! + head) * size + ((n + size) % size)]!, 0);
    return exponential(range(size).map((i) => range(size).map((j) => c(i - j) - c(j - i))));
  });
  return (row, head, position) => times(matrixOf(position, head), row);
};

const string: MapOf = (inputs, spec) => (spec["form"] === "circulant" ? circulant : cayley)(inputs, spec);

/** Queries and keys, each head with the numbers of its group's. */
const byRows =
  (mapOf: MapOf): Reference =>
  (inputs, spec, { queries, keys, axes }: TokenPositions) => {
    const map = mapOf(inputs, spec);
    const own = (spec["heads"] as number | undefined) ?? 0;
    const transform = (x: Tensor64, positions: number[][]): Tensor64 =>
      mapRows(x, (row, head, t) =>
        map(
          Array.from(row),
          own ? Math.floor((head * own) / x.dims[1]!) : 0,
          positions.map((axis) => axis[t]!),
        ),
      );
    return {
      q: transform(inputs["q"]!, axes?.queries ?? [queries]),
      k: transform(inputs["k"]!, axes?.keys ?? [keys]),
      options: {},
    };
  };

export const transforms: Record<string, Reference> = {
  "rope-mixed": byRows(ropeMixed),
  "grape-m": byRows(grapeM),
  fope: byRows(fope),
  liere: byRows(liere),
  string: byRows(string),
};
