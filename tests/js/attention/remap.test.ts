// Remapped distances: layouts, grouped heads and tiles against float64; what is refused. All rules and windows natively.
import type { AttentionOptions, Remap } from "posenc";
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { maxDifference, randomTensor } from "../helpers/numbers";

const dim = 8;
const frequencies = [0, 1, 2, 3].map((pair) => 10000 ** (-pair / 4));
const rope = pe.create({ kind: "rope", dim });

/** Where a query and a key are turned to. */
function remapped(remap: Remap, p: number, j: number): [number, number] {
  if (remap.kind === "self-extend")
    return p - j < remap.window
      ? [p, j]
      : [Math.floor(p / remap.group) + remap.window - remap.window / remap.group, Math.floor(j / remap.group)];
  if (remap.kind === "rerope")
    return Math.abs(p - j) < remap.window ? [p, j] : [remap.window + (remap.leak ?? 0) * (p - j - remap.window), 0];
  const length = remap.chunk - remap.local;
  const chunks = Math.floor(p / length) - Math.floor(j / length);
  const before = chunks === 1 ? (p % length) + length : 2 * length - 1;
  return [chunks <= 0 ? p % length : Math.min(before, remap.chunk), j % length];
}

function rotated(row: ArrayLike<number>, position: number): number[] {
  const out = Array.from(row);
  frequencies.forEach((frequency, pair) => {
    const [c, s] = [Math.cos(position * frequency), Math.sin(position * frequency)];
    const [a, b] = [row[pair]!, row[pair + 4]!];
    [out[pair], out[pair + 4]] = [a * c - b * s, a * s + b * c];
  });
  return out;
}

/** Causal weights of [1, heads, positions, dim], in float64. */
function expected(q: { data: Float32Array }, k: { data: Float32Array }, sizes: number[], remap: Remap): number[] {
  const [heads, keyHeads, positions] = sizes as [number, number, number];
  const row = (x: { data: Float32Array }, head: number, t: number) =>
    x.data.subarray((head * positions + t) * dim, (head * positions + t + 1) * dim);
  const all: number[] = [];
  for (let h = 0; h < heads; h++)
    for (let i = 0; i < positions; i++) {
      const scores = Array.from({ length: positions }, (_, j) => {
        const [at, of] = remapped(remap, i, j);
        const query = rotated(row(q, h, i), at);
        const key = rotated(row(k, Math.floor((h * keyHeads) / heads), j), of);
        const product = query.reduce((sum, x, d) => sum + x * key[d]!, 0);
        return j > i ? -Infinity : (product / Math.sqrt(dim)) * Math.max(1, Math.log(i + 1) / Math.log(20));
      });
      const top = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - top));
      const total = powers.reduce((sum, power) => sum + power);
      all.push(...powers.map((power) => power / total));
    }
  return all;
}

const remaps: Remap[] = [
  { kind: "self-extend", group: 3, window: 7 },
  { kind: "self-extend", group: 8, window: 64 },
  { kind: "rerope", window: 5 },
  { kind: "rerope", window: 9, leak: 1 / 4 },
  { kind: "dual-chunk", chunk: 9, local: 4 },
  { kind: "dual-chunk", chunk: 70, local: 6 },
];

describe("attention over remapped distances", () => {
  it.each(remaps)("%j: weights, result and gradients in both layouts", (remap) => {
    const [heads, keyHeads, positions] = [4, 2, 150];
    const q = randomTensor([1, heads, positions, dim], 1);
    const [k, v] = [2, 3].map((seed) => randomTensor([1, keyHeads, positions, dim], seed)) as [typeof q, typeof q];
    const options: AttentionOptions = {
      ...{ encoding: rope, causal: true, remap },
      temperature: { rule: "log-n", length: 20 },
    };
    const weights = pe.attentionWeights(q, k, options);
    const wanted = expected(q, k, [heads, keyHeads, positions], remap);
    expect(maxDifference(weights.data, wanted)).toBeLessThan(2e-6);

    const swap = ({ data, dims: [b, h, t, d] }: { data: Float32Array; dims: readonly number[] }) => {
      const out = new Float32Array(data.length);
      for (let x = 0; x < h!; x++)
        for (let y = 0; y < t!; y++)
          out.set(data.subarray((x * t! + y) * d!, (x * t! + y + 1) * d!), (y * h! + x) * d!);
      return { data: out, dims: [b!, t!, h!, d!] };
    };
    const out = pe.attention(q, k, v, options);
    const other = pe.attention(swap(q), swap(k), swap(v), { ...options, layout: "bthd" });
    expect(maxDifference(swap(other).data, out.data)).toBeLessThan(1e-6);

    // A token at a time, whose keys are loaded row by row.
    const last = { data: q.data.slice((positions - 1) * dim, positions * dim), dims: [1, 1, 1, dim] };
    const own = { data: k.data.slice(0, positions * dim), dims: [1, 1, positions, dim] };
    const one = pe.attentionWeights(last, own, options).data;
    expect(maxDifference(one, wanted.slice((positions - 1) * positions, positions * positions))).toBeLessThan(2e-6);
  });

  it("plain distances where nothing is far: SelfExtend of short texts, ReRoPE that leaks all", () => {
    const [q, k, v] = [1, 2, 3].map((seed) => randomTensor([1, 2, 40, dim], seed)) as [never, never, never];
    const plain = pe.attention(q, k, v, { encoding: rope, causal: true }).data;
    for (const remap of [
      { kind: "self-extend", group: 4, window: 40 },
      { kind: "rerope", window: 3, leak: 1 },
      { kind: "dual-chunk", chunk: 60, local: 20 },
    ] as const)
      expect(maxDifference(pe.attention(q, k, v, { encoding: rope, causal: true, remap }).data, plain)).toBeLessThan(
        1e-6,
      );
  });

  it.each<[remap: object | null, message: RegExp, encoding?: object]>([
    [null, /^remap: must be an object, got null/],
    [{}, /^remap\.kind: must be "self-extend" or "rerope" or "dual-chunk"/],
    [{ kind: "yarn" }, /^remap\.kind: must be/],
    [{ kind: "self-extend", window: 4 }, /^remap\.group: is missing/],
    [{ kind: "rerope", window: "4" }, /^remap\.window: must be a number/],
    [{ kind: "rerope", window: 4, chunk: 3 }, /^remap\.chunk: without effect: rerope has no chunk/],
    [{ kind: "rerope", windw: 4 }, /windw: unknown option \(did you mean `window`\?\)/],
    [{ kind: "rerope", window: 0 }, /^remap: window must be a whole number ≥ 1, got 0/],
    [{ kind: "self-extend", group: 1.5, window: 4 }, /^remap: group must be a whole number ≥ 1, got 1.5/],
    [{ kind: "rerope", window: 4, leak: 2 }, /^remap: leak must be from 0 to 1, got 2/],
    [{ kind: "dual-chunk", chunk: 4, local: 4 }, /^remap: chunk must be a whole number > local, got 4/],
    [{ kind: "dual-chunk", chunk: 4, local: 1, trained: 0 }, /^remap\.trained: must be a whole number ≥ 1/],
    [{ kind: "rerope", window: 4 }, /^remap: requires a rotary encoding/, pe.create({ kind: "alibi", heads: 1 })],
    [{ kind: "rerope", window: 4 }, /^remap: cannot be used with position-dependent/, pe.create({ kind: "xpos", dim })],
  ])("%j is refused", (remap, message, encoding = rope) => {
    const x = randomTensor([1, 1, 2, dim], 1);
    expect(() => pe.attention(x, x, x, loosely({ encoding, remap }))).toThrow(message);
  });
});

describe("LogN", () => {
  it("multiplies from the trained length on", () => {
    const factors = pe.queryTemperature({ length: 40, temperature: { rule: "log-n", length: 12 } }).data;
    const wanted = Array.from({ length: 40 }, (_, p) => Math.max(1, Math.log(p + 1) / Math.log(12)));
    expect(maxDifference(factors, wanted)).toBeLessThan(1e-7);
  });
  it.each<[object, RegExp]>([
    [{ rule: "log-n" }, /^temperature\.length: is missing/],
    [{ rule: "log-n", length: 1 }, /^temperature: must have finite values and a length > 1/],
    [{ rule: "log-n", length: 9, factor: 1 }, /^temperature\.factor: without effect/],
    [{ rule: "log", length: 9 }, /^temperature\.factor: is missing/],
    [{ rule: "ln", length: 9 }, /^temperature\.rule: must be "steps" or "log-n" or "log"/],
    [{ length: 9 }, /^temperature\.factor: is missing/],
  ])("%j is refused", (temperature, message) => {
    expect(() => pe.queryTemperature(loosely({ length: 2, temperature }))).toThrow(message);
  });
});
