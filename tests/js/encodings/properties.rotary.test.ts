// Is it that family? What every rotation must do, for every kind, pair layout and rotated part.
import { describe, expect, it } from "vitest";
import { ropeMagnitude } from "../helpers/formulas";
import { createRotary, exampleSpec, loosely, ofFamily, pe } from "../helpers/library";
import type { Spec } from "../helpers/library";
import {
  copyOf,
  dot,
  expectSameBits,
  expectSameObject,
  largest,
  maxDifference,
  norm,
  randomTensor,
  range,
  row,
  swapMiddle,
} from "../helpers/numbers";
import type { PlainTensor } from "../helpers/numbers";
import { pairFeatures, rotateByTables } from "../helpers/rotation";

/** Frequencies that depend on the length of the call, so that a longer table may differ from a shorter one. */
const DEPENDS_ON_THE_LENGTH = new Map([
  ["rope-dynamic", "its base grows with the sequence"],
  ["rope-qwen", "its base grows when the sequence becomes twice as long"],
  ["rope-longrope", "sequences beyond originalLength use other divisors"],
]);

/** Kinds that do not turn by one position, or not by that alone: rotary.axes.test.ts and rotary.xpos.test.ts. */
const OTHERS = new Set(["rope-axial", "xpos"]);
const kinds = ofFamily("rotary").filter(({ kind }) => !OTHERS.has(kind));

/** Sections must sum to the pairs. */
const sectionsOf = (kind: string, rotaryDim: number) =>
  kind === "rope-mrope" ? { sections: rotaryDim === 10 ? [2, 2, 1] : [4, 4, 4] } : {};

const PAIRINGS = ["half", "interleaved", "interleaved-to-half"] as const;
const DIM = 24;
// Longer than the 16 positions that a kernel takes at a time.
const POSITIONS = range(19);

const specs: [string, Spec][] = kinds.flatMap((description) =>
  PAIRINGS.flatMap((pairing) =>
    [0, 10].map((rotaryDim): [string, Spec] => [
      `${description.kind} ${pairing} ${rotaryDim || "whole"}`,
      exampleSpec(description, { dim: DIM, rotaryDim, pairing, base: 500, ...sectionsOf(description.kind, rotaryDim) }),
    ]),
  ),
);

const applied = (spec: Spec, x: PlainTensor, options: object) => createRotary(spec).apply(copyOf(x), options);

describe.each(specs)("%s", (_, spec) => {
  const encoding = createRotary(spec);
  const width = 2 * encoding.pairs;
  const factor = ropeMagnitude(spec);
  const x = randomTensor([2, 3, POSITIONS.length, DIM], 7);
  const at = { positions: POSITIONS };
  const rotated = encoding.apply(copyOf(x), at);

  it("turns in place and returns its argument", () => {
    const q = copyOf(x);
    expectSameObject(encoding.apply(q, at), q);
    expect(maxDifference(q.data, x.data)).toBeGreaterThan(0.1);
  });

  it("is the rotation by its own tables", () => {
    const { cos, sin } = encoding.tables(at);
    expect(cos.dims).toEqual([POSITIONS.length, encoding.pairs]);
    const expected = rotateByTables(x, { cos: cos.data, sin: sin.data }, spec.pairing as string);
    expect(maxDifference(rotated.data, expected)).toBeLessThan(1.5e-7 * factor);
  });

  it("keeps norms, times the attention factor, and leaves the other features alone", () => {
    for (let index = 0; index < rotated.data.length / DIM; index++) {
      const before = row(x, index);
      const after = row(rotated, index);
      expect(norm(after.subarray(0, width)) / norm(before.subarray(0, width))).toBeCloseTo(factor, 6);
      expectSameBits(after.subarray(width), before.subarray(width), "features that do not turn");
    }
    const { cos, sin } = encoding.tables(at);
    cos.data.forEach((c, index) => expect(Math.hypot(c, sin.data[index]!)).toBeCloseTo(factor, 6));
  });

  it("is the attention factor times the identity at position 0", () => {
    const one = randomTensor([1, 2, 1, DIM], 8);
    const result = encoding.apply(copyOf(one), { positions: [0] });
    for (let head = 0; head < 2; head++) {
      const before = row(one, head);
      const after = row(result, head);
      for (let k = 0; k < encoding.pairs; k++) {
        const { read, written } = pairFeatures(spec.pairing as string, encoding.pairs, k);
        for (const side of [0, 1] as const) {
          expect(after[written[side]]).toBeCloseTo(before[read[side]]! * factor, 6);
        }
      }
    }
  });

  it("gives scores that depend on the distance only", () => {
    const [q, k] = [randomTensor([1, 1, 1, DIM], 9), randomTensor([1, 1, 1, DIM], 10)];
    const sequenceLength = 9000;
    const score = (m: number, n: number) =>
      dot(
        applied(spec, q, { positions: [m], sequenceLength }).data,
        applied(spec, k, { positions: [n], sequenceLength }).data,
      );
    const scale = norm(q.data) * norm(k.data) * factor * factor;
    for (const [m, n] of [
      [5, 2],
      [2, 5],
      [7.25, -3],
    ] as const) {
      for (const shift of [1, 40.5, 4000]) {
        expect(Math.abs(score(m + shift, n + shift) - score(m, n)) / scale).toBeLessThan(5e-7);
      }
    }
    expect(Math.abs(score(5, 2) - score(5, 3)) / scale).toBeGreaterThan(1e-4);
  });

  it("gives the same bits for the same position, however it is asked for", () => {
    const { cos, sin } = encoding.tables({ length: POSITIONS.length });
    const given = encoding.tables(at);
    expectSameBits(given.cos.data, cos.data, "cos");
    expectSameBits(given.sin.data, sin.data, "sin");
    const sequenceLength = POSITIONS.length;
    const later = encoding.tables({ length: 4, offset: 15, sequenceLength });
    expectSameBits(later.cos.data, cos.data.subarray(15 * encoding.pairs), "offset");
    expectSameBits(encoding.apply(copyOf(x)).data, rotated.data, "no positions");
    expectSameBits(
      encoding.apply(copyOf(x), { positions: [...POSITIONS, ...POSITIONS] }).data,
      rotated.data,
      "per row",
    );
    for (const t of [0, 3, 16, 18]) {
      const single = { type: "float32" as const, data: Float32Array.from(row(x, t)), dims: [1, 1, 1, DIM] };
      expectSameBits(encoding.apply(single, { offset: t, sequenceLength }).data, row(rotated, t), `token ${t}`);
    }
  });

  it("reads positions per batch row", () => {
    const positions = [...POSITIONS, ...POSITIONS.map((position) => 2 * position + 1)];
    const result = encoding.apply(copyOf(x), { positions, sequenceLength: 100 });
    const half = x.data.length / 2;
    const rowOf = (batch: number) => ({
      ...x,
      data: x.data.slice(batch * half, (batch + 1) * half),
      dims: [1, 3, 19, DIM],
    });
    for (const batch of [0, 1]) {
      const own = positions.slice(batch * 19, (batch + 1) * 19);
      const single = encoding.apply(rowOf(batch), { positions: own, sequenceLength: 100 });
      expectSameBits(result.data.subarray(batch * half, (batch + 1) * half), single.data, `batch row ${batch}`);
    }
  });

  it("is undone by `inverse`", () => {
    const back = encoding.apply(copyOf(rotated), { ...at, inverse: true });
    expect(maxDifference(back.data, x.data) / largest(x.data)).toBeLessThan(6e-7);
  });

  it("has `transpose` as its adjoint: <apply(x), g> = <x, apply(g, transpose)>", () => {
    const g = randomTensor(x.dims, 11);
    const back = encoding.apply(copyOf(g), { ...at, transpose: true });
    const scale = norm(x.data) * norm(g.data) * factor;
    expect(Math.abs(dot(rotated.data, g.data) - dot(x.data, back.data)) / scale).toBeLessThan(1e-7);
    expect(maxDifference(back.data, g.data)).toBeGreaterThan(0.1);
  });

  it("moves cached keys: rerotate(from → to) is apply(to)", () => {
    const to = POSITIONS.map((position) => position + 3.5);
    const sequenceLength = 64;
    const start = encoding.apply(copyOf(x), { ...at, sequenceLength });
    const moved = encoding.rerotate(copyOf(start), { from: POSITIONS, to, sequenceLength });
    const direct = encoding.apply(copyOf(x), { positions: to, sequenceLength });
    expect(maxDifference(moved.data, direct.data) / largest(direct.data)).toBeLessThan(6e-7);
  });

  it("gives the same in both layouts", () => {
    const swapped = encoding.apply(swapMiddle(x), { ...at, layout: "bthd" });
    expect(swapped.dims).toEqual([2, POSITIONS.length, 3, DIM]);
    expectSameBits(swapMiddle(swapped).data, rotated.data);
  });

  it("gives the same to a tensor in wasm memory", () => {
    using inside = pe.tensor(x.data, x.dims);
    expectSameObject(encoding.apply(inside, at), inside);
    expectSameBits(inside.data, rotated.data);
  });

  it.skipIf(DEPENDS_ON_THE_LENGTH.has(spec.kind))("extends a shorter table without changing it", () => {
    const [short, long] = [encoding.tables({ length: 5 }), encoding.tables({ length: 70_000 })];
    expectSameBits(short.cos.data, long.cos.data.subarray(0, short.cos.data.length));
    expectSameBits(short.sin.data, long.sin.data.subarray(0, short.sin.data.length));
  });
});

describe("pair layouts", () => {
  it.each(kinds.map((description) => [description.kind, description] as const))(
    "%s: half and interleaved are one rotation of permuted features",
    (_, description) => {
      const shape = { dim: DIM, rotaryDim: 10, ...sectionsOf(description.kind, 10) };
      const spec = (pairing: string) => exampleSpec(description, { ...shape, pairing });
      const { pairs } = createRotary(spec("half"));
      const x = randomTensor([1, 2, 5, DIM], 12);
      const toHalf = (tensor: PlainTensor) => permuted(tensor, pairs);
      const expected = createRotary(spec("half")).apply(toHalf(x));
      const interleaved = createRotary(spec("interleaved")).apply(copyOf(x)) as PlainTensor;
      expectSameBits(toHalf(interleaved).data, expected.data, "interleaved");
      expectSameBits(createRotary(spec("interleaved-to-half")).apply(copyOf(x)).data, expected.data, "to half");
    },
  );
});

// [a0 b0 a1 b1 …] → [a0 a1 … b0 b1 …]
function permuted(tensor: PlainTensor, pairs: number): PlainTensor {
  const out = copyOf(tensor);
  for (let start = 0; start < out.data.length; start += DIM)
    for (let k = 0; k < pairs; k++)
      for (const side of [0, 1]) out.data[start + k + side * pairs] = tensor.data[start + 2 * k + side]!;
  return out;
}

describe("the kinds that depend on the length", () => {
  it.each([...DEPENDS_ON_THE_LENGTH.keys()])("%s really does", (kind) => {
    const description = ofFamily("rotary").find((entry) => entry.kind === kind)!;
    const encoding = createRotary(exampleSpec(description));
    const original = Number(loosely(encoding.spec).originalLength);
    expect([...encoding.frequenciesAt(original)]).toEqual([...encoding.frequenciesAt(1)]);
    expect([...encoding.frequenciesAt(original + 1)]).not.toEqual([...encoding.frequenciesAt(1)]);
    expect([...encoding.inverseFrequencies]).toEqual([...encoding.frequenciesAt(1)]);
  });

  it.each(ofFamily("rotary").map((entry) => [entry.kind, entry] as const))("%s: frequencies", (kind, description) => {
    const encoding = createRotary(exampleSpec(description));
    expect(encoding.inverseFrequencies).toBeInstanceOf(Float64Array);
    expect(encoding.inverseFrequencies).toHaveLength(encoding.pairs);
    if (DEPENDS_ON_THE_LENGTH.has(kind)) return;
    expect([...encoding.frequenciesAt(1e6)]).toEqual([...encoding.inverseFrequencies]);
  });
});
