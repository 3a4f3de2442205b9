// What encodings do to attention, written out in float64 as functions of their learned numbers.
import {
  debertaBucket,
  ropeFrequencies,
  ropeMagnitude,
  nezhaRow,
  shawRow,
  swinRow,
  swinV2Offset,
  t5Bucket,
} from "./formulas";
import type { Inputs, Tensor64 } from "./gradients";
import { dot } from "./numbers";
import type { Spec } from "./library";
import { pairFeatures } from "./rotation";
import { mapRows, rowOf } from "./map-rows";
import { ofTokens } from "./reference-tokens";
import { transforms } from "./reference-transforms";
import {
  around,
  plain,
  remembered,
  type Options,
  type TokenPositions,
  type Reference,
  type Referenced,
} from "./referenced";

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const clamp = (x: number, low: number, high: number): number => Math.min(Math.max(x, low), high);

function rotary(inputs: Inputs, spec: Spec, tokenPositions: TokenPositions): Referenced {
  const length = Math.floor(Math.max(...tokenPositions.queries, ...tokenPositions.keys)) + 1;
  const frequencies = inputs["frequencies"]?.data ?? ropeFrequencies(spec, length);
  const magnitude = ropeMagnitude(spec);
  const { dim, pairing = "half", scaleBase } = spec as unknown as { dim: number; pairing?: string; scaleBase?: number };
  const rotate = (x: Tensor64, positions: number[], sign: number): Tensor64 =>
    mapRows(x, (row, _, t) => {
      const out = Float64Array.from(row);
      frequencies.forEach((frequency, k) => {
        const { read, written } = pairFeatures(pairing, frequencies.length, k);
        const angle = positions[t]! * frequency;
        // xPos, about the centre 0.
        const zeta = (2 * k + 0.4 * dim) / (1.4 * dim);
        const size = magnitude * (scaleBase ? zeta ** ((sign * positions[t]!) / scaleBase) : 1);
        const [a, b] = [row[read[0]]!, row[read[1]]!];
        out[written[0]] = size * (a * Math.cos(angle) - b * Math.sin(angle));
        out[written[1]] = size * (a * Math.sin(angle) + b * Math.cos(angle));
      });
      return out;
    });
  return {
    q: rotate(inputs.q!, tokenPositions.queries, 1),
    k: rotate(inputs.k!, tokenPositions.keys, -1),
    options: {},
  };
}

function alibi(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const last = spec["form"] === "key" ? Math.max(...keys) : 0;
  const distance = (i: number, j: number) =>
    spec["form"] === undefined ? -Math.abs(queries[i]! - keys[j]!) : keys[j]! - last;
  return plain(inputs, { bias: (_b, h, i, j) => inputs["slopes"]!.data[h]! * distance(i, j) });
}

/** A table [rows, heads]; `rowOf` says which row is for which places. */
const table =
  (rowOf: (query: number, key: number, spec: Spec) => number): Reference =>
  (inputs, spec, { queries, keys }) => {
    const { data, dims } = inputs["weights"]!;
    const rows = queries.map((query) => keys.map((key) => rowOf(query, key, spec)));
    return plain(inputs, { bias: (_b, h, i, j) => data[rows[i]![j]! * dims[1]! + h]! });
  };

function kerple(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const { form = "log", bidirectional = false } = spec as Options & { form?: string; bidirectional?: boolean };
  const number = (name: string, h: number, most = Infinity): number => {
    const value = inputs[name]?.data[h] ?? 0;
    return form === "log-power" ? value : clamp(value, 0.01, most);
  };
  const away = (i: number, j: number): number => {
    const distance = queries[i]! - keys[j]!;
    return bidirectional ? Math.abs(distance) : Math.max(0, distance);
  };
  const power = (x: number, exponent: number): number => (x === 0 ? 0 : x ** exponent);
  const penalty = remembered((h: number, away: number) => {
    const d = form === "log" ? away : power(away, number("exponent", h, 2));
    const grown = form === "log" || form === "log-power" ? Math.log(1 + number("rate", h) * d) : d;
    return -number("amplitude", h) * grown;
  });
  const bias = (_b: number, h: number, i: number, j: number): number => penalty(h, away(i, j));
  if (form !== "weighted") return plain(inputs, { bias });
  const weight = remembered((h: number, away: number) =>
    Math.exp(-number("weightRate", h) * power(away, number("weightExponent", h, 2))),
  );
  const factor = (_b: number, h: number, i: number, j: number): number => weight(h, away(i, j));
  return plain(inputs, { bias, factor });
}

function fire(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const {
    length = 512,
    epsilon = 1e-6,
    bidirectional = false,
  } = spec as Options & {
    length?: number;
    epsilon?: number;
    bidirectional?: boolean;
  };
  const of = (name: string): Float64Array => inputs[name]!.data;
  const spreadOut = (y: number): number => Math.log(1 + Math.abs(of("c")[0]! * y));
  const bias = (_b: number, h: number, i: number, j: number): number => {
    const distance = queries[i]! - keys[j]!;
    const away = bidirectional ? Math.abs(distance) : Math.max(0, distance);
    const threshold = Math.abs(of("lengthFactor")[0]! * length);
    const x = spreadOut(away) / (spreadOut(Math.max(queries[i]!, threshold)) + epsilon);
    const width = of("inputBias").length;
    const hidden = of("inputWeights").map((weight, unit) => Math.max(0, weight * x + of("inputBias")[unit]!));
    return of("outputBias")[h]! + dot(of("outputWeights").subarray(h * width, (h + 1) * width), hidden);
  };
  return plain(inputs, { bias });
}

function swinV2(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const [into, start, out] = ["inputWeights", "inputBias", "outputWeights"].map((name) => inputs[name]!.data);
  const bias = (_b: number, h: number, i: number, j: number): number => {
    const [down, across] = swinV2Offset(queries[i]!, keys[j]!, spec);
    const hidden = start!.map((from, unit) =>
      Math.max(0, into![2 * unit]! * down + into![2 * unit + 1]! * across + from),
    );
    const width = hidden.length;
    return 16 * sigmoid(dot(out!.subarray(h * width, (h + 1) * width), hidden));
  };
  return plain(inputs, { bias });
}

function shaw(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const at = (i: number, j: number) => shawRow(keys[j]! - queries[i]!, spec);
  return plain(inputs, {
    scores: (products, b, h, i) => {
      const { query } = around(inputs, b, h, i);
      return products.map((product, j) => product + dot(query, rowOf(inputs["keys"]!, at(i, j))));
    },
    ...(inputs["values"] && { value: (_b, _h, i, j) => rowOf(inputs["values"]!, at(i, j)) }),
  });
}

function nezha(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const { dim, withValues = true } = spec as Options & { dim: number; withValues?: boolean };
  const row = (i: number, j: number) => nezhaRow(keys[j]! - queries[i]!, dim, spec);
  return plain(inputs, {
    scores: (products, b, h, i) => {
      const { query } = around(inputs, b, h, i);
      return products.map((product, j) => product + dot(query, row(i, j)));
    },
    ...(withValues && { value: (_b, _h, i, j) => row(i, j) }),
  });
}

function transformerXl(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const { base = 10000, clampLength = 0 } = spec as Options & Record<string, number>;
  const [rows, width] = inputs["projection"]!.dims as [number, number];
  const dim = rows / inputs["u"]!.dims[0]!;
  const limit = clampLength || Infinity;
  const projected = remembered((h: number, distance: number) => {
    const angles = Array.from({ length: width / 2 }, (_, n) => distance * base ** ((-2 * n) / width));
    const sines = [...angles.map(Math.sin), ...angles.map(Math.cos)];
    return Array.from({ length: dim }, (_, d) => dot(rowOf(inputs["projection"]!, h * dim + d), sines));
  });
  const scores = (_: number[], b: number, h: number, i: number, visible: boolean[]): number[] => {
    const { query, key } = around(inputs, b, h, i);
    const [u, v] = [rowOf(inputs["u"]!, h), rowOf(inputs["v"]!, h)];
    return visible.map((isVisible, j) => {
      let sum = 0;
      if (!isVisible) return sum;
      const [keyRow, row] = [key(j), projected(h, clamp(queries[i]! - keys[j]!, -limit, limit))];
      for (let d = 0; d < dim; d++) {
        sum += (query[d]! + u[d]!) * keyRow[d]!;
        sum += (query[d]! + v[d]!) * row[d]!;
      }
      return sum;
    });
  };
  return plain(inputs, { scores });
}

function deberta(inputs: Inputs, spec: Spec, { queries, keys }: TokenPositions): Referenced {
  const { maxDistance = 512, buckets = 0 } = spec as Options & Record<string, number>;
  const span = buckets || maxDistance;
  const bucketOf = remembered((_: number, distance: number) => debertaBucket(distance, spec));
  const bucket = (i: number, j: number): number =>
    bucketOf(0, clamp(queries[i]! - keys[j]!, -maxDistance, maxDistance));
  const scores = (products: number[], b: number, h: number, i: number): number[] => {
    const { query, key } = around(inputs, b, h, i);
    const { positionKeys, positionQueries } = inputs;
    return products.map((product, j) => {
      const row = h * 2 * span + clamp(bucket(i, j) + span, 0, 2 * span - 1);
      const met = positionKeys ? dot(query, rowOf(positionKeys, row)) : 0;
      return product + met + (positionQueries ? dot(key(j), rowOf(positionQueries, row)) : 0);
    });
  };
  return plain(inputs, { scores });
}

function cope(inputs: Inputs, spec: Spec): Referenced {
  const { scaledGates = true, scaledPosition = true } = spec as Options & Record<string, boolean>;
  const [dim, count] = inputs["embedding"]!.dims as [number, number];
  const embedding = inputs["embedding"]!.data;
  const scores = (products: number[], b: number, h: number, i: number, visible: boolean[]): number[] => {
    const { query, index } = around(inputs, b, h, i);
    const atPosition = (p: number): number => query.reduce((sum, x, d) => sum + x * embedding[d * count + p]!, 0);
    const gates = products.map((product, j) => {
      const logit = inputs["gateKeys"] ? dot(query, rowOf(inputs["gateKeys"], index(j))) : product;
      return visible[j] ? sigmoid(scaledGates ? logit / Math.sqrt(dim) : logit) : 0;
    });
    for (let j = gates.length - 2; j >= 0; j--) gates[j]! += gates[j + 1]!;
    return products.map((product, j) => {
      const countedUpTo = Math.min(gates[j]!, count - 1);
      const [low, high] = [Math.floor(countedUpTo), Math.min(Math.floor(countedUpTo) + 1, count - 1)];
      const blend = atPosition(low) * (1 - (countedUpTo - low)) + atPosition(high) * (countedUpTo - low);
      return product + blend * (scaledPosition ? 1 : Math.sqrt(dim));
    });
  };
  return plain(inputs, { scores });
}

function pope(inputs: Inputs, spec: Spec, tokenPositions: TokenPositions): Referenced {
  const { dim, base = 10000 } = spec as Options & { dim: number; base?: number };
  const rotatedDim = (spec["rotaryDim"] as number | undefined) || dim;
  const bias = inputs["bias"]!;
  const expand = (x: Tensor64, positions: number[], isKey: boolean): Tensor64 =>
    mapRows(x, (row, head, t) => {
      const pairs = Array.from({ length: rotatedDim }, (_, c) => {
        const phase = isKey ? clamp(bias.data[head * rotatedDim + c]!, -2 * Math.PI, 0) : 0;
        const angle = positions[t]! * base ** (-c / rotatedDim) + phase;
        const magnitude = Math.log1p(Math.exp(row[c]!));
        return [magnitude * Math.cos(angle), magnitude * Math.sin(angle)];
      });
      return [...pairs.flat(), ...row.subarray(rotatedDim)];
    });
  const options = { scale: 1 / Math.sqrt(dim) };
  return {
    q: expand(inputs.q!, tokenPositions.queries, false),
    k: expand(inputs.k!, tokenPositions.keys, true),
    options,
  };
}

const references: Record<string, Reference> = {
  alibi,
  t5: table((query, key, spec) => t5Bucket(key - query, spec)),
  swin: table(swinRow),
  "swin-v2": swinV2,
  kerple,
  fire,
  shaw,
  nezha,
  "transformer-xl": transformerXl,
  deberta,
  cope,
  pope,
  ...ofTokens,
  ...transforms,
};

/** q, k and options of the reference attention that stand for an encoding's. */
export const referenceOf = (inputs: Inputs, spec: Spec, tokenPositions: TokenPositions): Referenced =>
  (references[spec.kind] ?? rotary)(inputs, spec, tokenPositions);
