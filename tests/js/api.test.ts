// Does every other call do what it says? Dropout, joining, ids, insight.
import { describe, expect, it } from "vitest";
import { alibiSlopes } from "./helpers/formulas";
import { createBias, createRotary, createTable, pe } from "./helpers/library";
import {
  copyOf,
  dot,
  expectSameBits,
  expectSameObject,
  maxDifference,
  randomTensor,
  range,
  row,
} from "./helpers/numbers";

const table = createTable({ kind: "sinusoidal", dim: 16 });

describe("addTo with dropout", () => {
  const size = [8, 64, 16];
  const total = 8 * 64 * 16;
  const run = (options: object) => table.addTo(randomTensor(size, 61), options).data;
  const plain = run({});

  it.each([0.1, 0.5, 0.9])("drops a share of %f and scales the others", (dropout) => {
    const data = run({ dropout, seed: 3 });
    const dropped = data.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
    // Four standard deviations of a fair draw.
    const spread = 4 * Math.sqrt(total * dropout * (1 - dropout));
    expect(Math.abs(dropped - total * dropout)).toBeLessThan(spread);
    data.forEach((value, index) => {
      if (value !== 0) expect(value / plain[index]!).toBeCloseTo(1 / (1 - dropout), 5);
    });
  });

  it("drops the same elements for the same seed, others for another", () => {
    expectSameBits(run({ dropout: 0.5, seed: 3 }), run({ dropout: 0.5, seed: 3 }));
    expect([...run({ dropout: 0.5, seed: 4 })]).not.toEqual([...run({ dropout: 0.5, seed: 3 })]);
    expectSameBits(run({ dropout: 0.5 }), run({ dropout: 0.5, seed: 0 }));
  });

  it("drops no pattern along rows or columns", () => {
    const data = run({ dropout: 0.5, seed: 9 });
    for (const stride of [1, 2, 16, 1024]) {
      let same = 0;
      for (let index = stride; index < total; index++) {
        if ((data[index] === 0) === (data[index - stride] === 0)) same++;
      }
      expect(Math.abs(same / (total - stride) - 0.5), `stride ${stride}`).toBeLessThan(0.03);
    }
  });

  it("does nothing when off", () => {
    expectSameBits(run({ dropout: 0 }), plain);
    expectSameBits(run({ dropout: 0.5, training: false }), plain);
  });

  it("drops the same in wasm memory", () => {
    const x = randomTensor(size, 61);
    using inside = pe.tensor(x.data, x.dims);
    table.addTo(inside, { dropout: 0.5, seed: 3 });
    expectSameBits(inside.data, run({ dropout: 0.5, seed: 3 }));
  });
});

describe("addTo and concatTo", () => {
  const x = randomTensor([2, 5, 16], 62);

  it("start at the offset", () => {
    const rows = table.table({ length: 5, offset: 7 }).data;
    const added = table.addTo(copyOf(x), { offset: 7 }).data;
    expectSameBits(
      added,
      x.data.map((value, index) => Math.fround(value + rows[index % rows.length]!)),
    );
    const joined = table.concatTo(x, { offset: 7 });
    for (let t = 0; t < 10; t++)
      expectSameBits(row(joined, t).subarray(16), rows.slice((t % 5) * 16, (t % 5) * 16 + 16));
  });

  it("take fractions and negatives", () => {
    const positions = [0.5, -3, 1e6, 2, 2];
    expectSameBits(
      table.addTo(copyOf({ ...x, data: new Float32Array(160) }), { positions }).data.subarray(0, 80),
      table.table({ positions }).data.map((value) => value + 0),
    );
  });

  it("take any number of leading axes", () => {
    const flat = table.addTo(copyOf({ data: x.data, dims: [10, 16] }), { positions: [...range(5), ...range(5)] });
    const deep = table.addTo(copyOf({ data: x.data, dims: [1, 2, 1, 5, 16] }));
    expect(deep.dims).toEqual([1, 2, 1, 5, 16]);
    expectSameBits(deep.data, flat.data);
  });
});

describe("rerotate", () => {
  const k = randomTensor([1, 2, 4, 16], 63);

  it("moves keys from one encoding to another", () => {
    const plain = createRotary({ kind: "rope", dim: 16 });
    const yarn = createRotary({ kind: "rope-yarn", dim: 16, factor: 8, originalLength: 32 });
    const cached = plain.apply(copyOf(k), { offset: 9 });
    const moved = yarn.rerotate(cached, { from: plain, to: yarn, offset: 9 });
    expectSameObject(moved, cached);
    expect(maxDifference(moved.data, yarn.apply(copyOf(k), { offset: 9 }).data)).toBeLessThan(6e-7);
  });

  it("goes by the sequence length that it is told", () => {
    const dynamic = createRotary({ kind: "rope-dynamic", dim: 16, factor: 2, originalLength: 32 });
    const sequenceLength = 400;
    const cached = dynamic.apply(copyOf(k), { sequenceLength });
    const moved = dynamic.rerotate(cached, { from: range(4), to: range(4, 20), sequenceLength });
    const direct = dynamic.apply(copyOf(k), { offset: 20, sequenceLength });
    expect(maxDifference(moved.data, direct.data)).toBeLessThan(6e-7);
  });

  it("crosses the length where LongRoPE changes its divisors", () => {
    const spec = { kind: "rope-longrope", dim: 16, shortFactor: [1.1], longFactor: [6], originalLength: 32, factor: 8 };
    const longrope = createRotary(spec);
    const cached = longrope.apply(copyOf(k), { sequenceLength: 32 });
    const crossing = { from: longrope, to: longrope, fromSequenceLength: 32, sequenceLength: 33 };
    const moved = longrope.rerotate(copyOf(cached), crossing);
    expect(maxDifference(moved.data, longrope.apply(copyOf(k), { sequenceLength: 33 }).data)).toBeLessThan(6e-7);
    expect(maxDifference(moved.data, cached.data)).toBeGreaterThan(0.01);
  });

  it("takes the first position as a number", () => {
    const rope = createRotary({ kind: "rope", dim: 16 });
    const moved = rope.rerotate(rope.apply(copyOf(k), { offset: 100 }), { from: 100, to: 60 });
    expect(maxDifference(moved.data, rope.apply(copyOf(k), { offset: 60 }).data)).toBeLessThan(6e-7);
  });

  it("does not move what stays", () => {
    const rope = createRotary({ kind: "rope", dim: 16 });
    const cached = rope.apply(copyOf(k));
    expectSameBits(rope.rerotate(copyOf(cached), { from: range(4), to: range(4) }).data, cached.data);
  });
});

describe("positionIds", () => {
  const ids = (mask: unknown, options?: object) => Array.from(pe.positionIds(mask as never, options).data, Number);

  it("counts the real tokens of each row, whichever side the padding is on", () => {
    const mask = { data: [0, 0, 1, 1, 1, 1, 1, 1, 0, 0], dims: [2, 5] };
    const result = pe.positionIds(mask);
    expect(result).toMatchObject({ type: "int32", dims: [2, 5] });
    expect(result.data).toBeInstanceOf(Int32Array);
    expect(ids(mask)).toEqual([0, 0, 0, 1, 2, 0, 1, 2, 0, 0]);
    expect(
      ids([
        [0, 0, 1, 1, 1],
        [1, 1, 1, 0, 0],
      ]),
    ).toEqual(ids(mask));
  });

  it("gives padding what it is told", () => {
    expect(ids([[0, 1, 1, 0]], { padding: 1 })).toEqual([1, 0, 1, 1]);
    expect(ids([[0, 1]], { padding: -1 })).toEqual([-1, 0]);
  });

  it("gives only the columns after the cache", () => {
    const result = pe.positionIds(
      [
        [0, 1, 1, 1, 1],
        [1, 1, 1, 1, 1],
      ],
      { pastLength: 3 },
    );
    expect(result.dims).toEqual([2, 2]);
    expect([...result.data]).toEqual([2, 3, 3, 4]);
    expect(pe.positionIds([[1, 1]], { pastLength: 2 }).dims).toEqual([1, 0]);
  });

  it("reads and writes int64", () => {
    const mask = { data: BigInt64Array.from([0n, 1n, 1n]), dims: [1, 3] };
    expect(ids(mask)).toEqual([0, 0, 1]);
    const result = pe.positionIds(mask, { type: "int64" });
    expect(result).toMatchObject({ type: "int64", dims: [1, 3] });
    expect(result.data).toEqual(BigInt64Array.from([0n, 0n, 1n]));
  });

  it("feeds apply as it is", () => {
    const rope = createRotary({ kind: "rope", dim: 8 });
    const q = randomTensor([2, 1, 3, 8], 64);
    const { data: positions } = pe.positionIds(
      [
        [0, 1, 1],
        [1, 1, 1],
      ],
      { type: "int64" },
    );
    const rotated = rope.apply(copyOf(q), { positions });
    expectSameBits(rotated.data.subarray(24), rope.apply({ data: q.data.slice(24), dims: [1, 1, 3, 8] }).data);
    expectSameBits(row(rotated, 2), rope.apply({ data: row(q, 2).slice(), dims: [1, 1, 1, 8] }, { offset: 1 }).data);
  });
});

describe("similarity", () => {
  it("is every dot product of two rows", () => {
    const rows = table.table({ length: 9 });
    const similar = pe.similarity(rows);
    expect(similar.dims).toEqual([9, 9]);
    for (let i = 0; i < 9; i++)
      for (let j = 0; j < 9; j++) expect(similar.data[i * 9 + j]).toBeCloseTo(dot(row(rows, i), row(rows, j)), 5);
    const out = randomTensor([9, 9]);
    expectSameObject(pe.similarity(rows, { out }), out);
    expectSameBits(out.data, similar.data);
  });
});

describe("distanceProfile", () => {
  it.each([
    ["sinusoidal", table],
    ["rope", createRotary({ kind: "rope", dim: 16 })],
    ["rope-yarn", createRotary({ kind: "rope-yarn", dim: 16, factor: 4, originalLength: 64 })],
  ])("of %s falls from its largest value at distance 0", (_, encoding) => {
    const profile = pe.distanceProfile(encoding, { maxDistance: 40 });
    expect(profile.dims).toEqual([41]);
    expect(Math.max(...profile.data)).toBe(profile.data[0]);
    expect(profile.data[0]).toBeGreaterThan(0);
  });

  it("of a sinusoid is the dot product of its rows", () => {
    const profile = pe.distanceProfile(table, { maxDistance: 5 });
    const rows = table.table({ length: 6 });
    const ratio = profile.data[0]! / dot(row(rows, 0), row(rows, 0));
    for (let d = 0; d <= 5; d++) expect(profile.data[d]).toBeCloseTo(ratio * dot(row(rows, 0), row(rows, d)), 5);
  });

  it("of a bias has a line for each head", () => {
    const alibi = createBias({ kind: "alibi", heads: 4 });
    const profile = pe.distanceProfile(alibi, { maxDistance: 3 });
    expect(profile.dims).toEqual([4, 4]);
    alibiSlopes({ kind: "alibi", heads: 4 }).forEach((slope, h) => {
      for (let d = 0; d <= 3; d++) expect(profile.data[h * 4 + d]).toBeCloseTo(-slope * d, 6);
    });
  });
});

describe("scoreTerms", () => {
  const [length, dim, inner] = [5, 16, 6];
  const [x, e] = [randomTensor([length, dim], 65), table.table({ length })];
  const [wq, wk] = [randomTensor([inner, dim], 66), randomTensor([inner, dim], 67)];
  const terms = pe.scoreTerms(x, e, wq, wk);

  // (wq left) · (wk right), in float64
  function score(left: Float32Array, right: Float32Array): number {
    const project = (vector: Float32Array, weights: Float32Array) =>
      range(inner).map((c) => vector.reduce((sum, value, r) => sum + value * weights[c * dim + r]!, 0));
    return dot(project(left, wq.data), project(right, wk.data));
  }

  it.each([
    ["contentContent", x, x],
    ["contentPosition", x, e],
    ["positionContent", e, x],
    ["positionPosition", e, e],
  ] as const)("%s", (name, left, right) => {
    expect(terms[name].dims).toEqual([length, length]);
    for (let i = 0; i < length; i++)
      for (let j = 0; j < length; j++)
        expect(terms[name].data[i * length + j]).toBeCloseTo(score(row(left, i), row(right, j)), 5);
  });

  it("sums to the score of x + e", () => {
    const sum = { dims: [length, dim], data: x.data.map((value, index) => value + e.data[index]!) };
    for (let i = 0; i < length; i++)
      for (let j = 0; j < length; j++) {
        const total = Object.values(terms).reduce((all, term) => all + term.data[i * length + j]!, 0);
        expect(total).toBeCloseTo(score(row(sum, i), row(sum, j)), 5);
      }
  });
});
