// What encodings do that go by what a call says of each token, or by what queries and keys say of the distance, in float64.
import type { Inputs, Tensor64 } from "./gradients";
import type { Spec } from "./library";
import { mapRows, rowOf } from "./map-rows";
import { dot } from "./numbers";
import {
  around,
  plain,
  remembered,
  type Options,
  type TokenPositions,
  type Reference,
  type Referenced,
} from "./referenced";

/** What gates between two tokens let go, of the head's first set or of its second: asked for often, hence by running sums. */
function gatesBetween(gates: Tensor64): (b: number, h: number, first: number, last: number) => number {
  const [, heads, tokens] = gates.dims as [number, number, number];
  const sums = gates.data.slice();
  for (let n = 0; n < sums.length; n++) if (n % tokens > 0) sums[n]! += sums[n - 1]!;
  return (b, h, first, last) => {
    const row = (b * heads + h) * tokens;
    return sums[row + last]! - sums[row + first]!;
  };
}

function forget(inputs: Inputs, spec: Spec): Referenced {
  const between = gatesBetween(inputs["logGates"]!);
  const [heads, queries, keys] = [inputs.q!.dims[1]!, inputs.q!.dims[2]!, inputs.k!.dims[2]!];
  const bias = (b: number, h: number, i: number, j: number): number => {
    const position = i + keys - queries;
    if (j <= position) return between(b, h, j, position);
    return spec["bidirectional"] ? between(b, heads + h, position, j) : -between(b, h, position, j);
  };
  return plain(inputs, { bias });
}

function path(inputs: Inputs): Referenced {
  const { directions, strengths, logGates } = inputs;
  const between = logGates ? gatesBetween(logGates) : () => 0;
  const scores = (products: number[], b: number, h: number, i: number): number[] => {
    const { query, key, index } = around(inputs, b, h, i);
    const position = i + products.length - inputs.q!.dims[2]!;
    const row = query.slice();
    const out = [...products];
    for (let j = position; j >= 0; j--) {
      out[j] = dot(row, key(j)) + between(b, h, j, position);
      const direction = rowOf(directions!, index(j));
      const along = dot(row, direction) * strengths!.data[index(j)]!;
      for (let d = 0; d < row.length; d++) row[d]! -= along * direction[d]!;
    }
    return out;
  };
  return plain(inputs, { scores });
}

function grapeAdditive(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const { normalize = true } = spec as Options & { normalize?: boolean };
  const heads = inputs.q!.dims[1]!;
  const softplus = (x: number): number => Math.log1p(Math.exp(x));
  const rate = (directions: Tensor64 | undefined, h: number, row: Float64Array): number => {
    if (!directions || directions.data.length === 0) return 0;
    const by = rowOf(directions, h);
    const length = normalize ? Math.sqrt(dot(by, by)) : 1;
    return softplus(dot(by, row) / length / Math.sqrt(row.length));
  };
  const ofKey = remembered((b: number, h: number, j: number) => rate(inputs["u"], h, around(inputs, b, h, 0).key(j)));
  const ofQuery = remembered((b: number, h: number, i: number) => rate(inputs["v"], h, around(inputs, b, h, i).query));
  const bias = (b: number, h: number, i: number, j: number): number => {
    const slope = 2 ** ((-8 * (h + 1)) / heads) * softplus(inputs["omega"]!.data[h]!);
    return -Math.max(0, queries[i]! - keys[j]!) * slope * (ofKey(b, h, j) + ofQuery(b, h, i));
  };
  return plain(inputs, { bias });
}

function grapePath(inputs: Inputs, _: Spec, { keys }: TokenPositions): Referenced {
  const rows = inputs["gateRows"]!;
  const [, heads, tokens, width] = rows.dims as [number, number, number, number];
  const rotated = mapRows(rows, (row, _head, t) => {
    const length = Math.sqrt(dot(row, row) / width + 2 ** -23);
    const [c, s] = [Math.cos(keys[t]!), Math.sin(keys[t]!)];
    const half = width / 2;
    return row.map((x, i) => (x * c + (i < half ? row[i + half]! : -row[i - half]!) * s) / length);
  });
  const bias = (b: number, h: number, i: number, j: number): number => {
    const first = (b * heads + h) * tokens;
    const position = i + tokens - inputs.q!.dims[2]!;
    let sum = 0;
    for (let t = j + 1; t <= position; t++)
      sum -= Math.log1p(Math.exp(-dot(rowOf(rows, first + position), rowOf(rotated, first + t)) / width));
    return sum * 2 ** ((-8 * (h + 1)) / heads);
  };
  return plain(inputs, { bias });
}

function perRowAlibi(inputs: Inputs, spec: Spec): Referenced {
  const rows = inputs["gateRows"]!;
  const [, heads, tokens, width] = rows.dims as [number, number, number, number];
  const half = width / 2;
  const bias = (b: number, h: number, i: number, j: number): number => {
    const first = (b * heads + h) * tokens;
    const position = i + tokens - inputs.q!.dims[2]!;
    const own = rowOf(rows, first + position).subarray(0, half);
    let sum = 0;
    for (let t = j; t < position; t++)
      sum -= Math.log1p(Math.exp(-dot(own, rowOf(rows, first + t).subarray(half)) / Math.sqrt(half)));
    return sum * Number(spec["postLogScale"] ?? 1);
  };
  return plain(inputs, { bias });
}

/** Fractional distances count as the nearest whole one. */
function inkling(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const states = inputs["relativeStates"]!;
  const profiles = inputs["profiles"]!;
  const [heads, rows] = [states.dims[1]!, states.dims[2]!];
  const extent = Number(spec["extent"] ?? 1024);
  const bias = (b: number, h: number, i: number, j: number): number => {
    const distance = Math.floor(queries[i]! - keys[j]! + 0.5);
    if (distance < 0 || distance >= extent) return 0;
    const state = rowOf(states, (b * heads + h) * rows + i);
    return state.reduce((sum, x, c) => sum + x * profiles.data[c * extent + distance]!, 0);
  };
  return plain(inputs, { bias });
}

export const ofTokens: Record<string, Reference> = {
  forget,
  "data-dependent-alibi": forget,
  path,
  "grape-a": grapeAdditive,
  "grape-ap": grapePath,
  "per-row-alibi": perRowAlibi,
  inkling,
};
