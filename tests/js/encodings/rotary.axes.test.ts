// Rotations over several axes: the same angles as plain RoPE, in other places.
import { describe, expect, it } from "vitest";
import { createRotary, loosely, ofFamily, exampleSpec, pe } from "../helpers/library";
import type { Spec } from "../helpers/library";
import { exactCosSin } from "../helpers/exact";
import { copyOf, dot, expectSameBits, maxDifference, norm, randomTensor, range, row } from "../helpers/numbers";
import { rotateByTables } from "../helpers/rotation";

const mrope = { kind: "rope-mrope", dim: 24, base: 500, sections: [3, 5, 4] };
const coordinates = [range(19), range(19).map((i) => (i * 7) % 5), range(19).map((i) => 1000 - i)];
const tokens = coordinates[0]!.length;

const axial: [string, Spec][] = [
  ["Qwen-VL vision", { kind: "rope-axial", dim: 24 }],
  ["Pixtral", { kind: "rope-axial", dim: 24, form: "strided" }],
  ["SAM 2", { kind: "rope-axial", dim: 24, axisOrder: [1, 0], pairing: "interleaved" }],
  ["Gemma 4", { kind: "rope-axial", dim: 24, separateAxes: true }],
  ["ChatGLM", { kind: "rope-axial", dim: 24, separateAxes: true, float16Frequencies: true }],
  ["DINOv3", { kind: "rope-axial", dim: 24, base: 100, coordinates: "centres", scale: 2 * Math.PI }],
  ["Flux", { kind: "rope-axial", dim: 24, axes: 3, axisDims: [4, 10, 10], pairing: "interleaved" }],
  ["passing through", { kind: "rope-axial", dim: 24, axes: 3, axisDims: [4, 6, 8], rotaryStart: 3 }],
  ["pixel", { kind: "rope-axial", dim: 24, form: "pixel", coordinates: "endpoints", rotaryDim: 16, rotaryStart: -1 }],
];

/** Where the rotated part of a head begins, and how wide it is. */
function partOf(spec: Spec, pairs: number): [number, number] {
  const start = (spec.rotaryStart as number | undefined) ?? 0;
  return [start < 0 ? 24 - 2 * pairs : start, 2 * pairs];
}

const kinds: [string, Spec][] = [
  ["M-RoPE", mrope],
  ["M-RoPE, text", { ...mrope, interleavedSections: true, sections: [4, 4, 4] }],
  ...axial,
];

describe.each(kinds)("%s", (name, spec) => {
  const encoding = createRotary(spec);
  const { axes, pairs } = encoding;
  const positions = coordinates.slice(0, axes);
  const x = randomTensor([2, 3, tokens, 24], 7);
  const rotated = encoding.apply(copyOf(x), { positions });

  it("turns by the angles it tells, axis by axis", () => {
    const { cos, sin } = encoding.tables({ positions });
    const angles = encoding.angles({ positions });
    expect(cos.dims).toEqual([tokens, pairs]);
    cos.data.forEach((c, i) => {
      expect(Math.abs(c - Math.cos(angles[i]!))).toBeLessThan(7e-8);
      expect(Math.abs(sin.data[i]! - Math.sin(angles[i]!))).toBeLessThan(7e-8);
    });
    if (!spec.separateAxes) {
      const [start, width] = partOf(spec, pairs);
      const part = (tensor: { data: Float32Array }) => {
        const data = new Float32Array((tensor.data.length / 24) * width);
        for (let i = 0; i < tensor.data.length / 24; i++)
          data.set(row({ ...x, ...tensor }, i).subarray(start, start + width), i * width);
        return { type: "float32" as const, data, dims: [2, 3, tokens, width] };
      };
      const expected = rotateByTables(part(x), { cos: cos.data, sin: sin.data }, String(spec.pairing ?? "half"));
      expect(maxDifference(part(rotated).data, expected)).toBeLessThan(3e-7);
    }
  });

  it("keeps norms and leaves the other features alone", () => {
    const [start, width] = partOf(spec, pairs);
    for (let i = 0; i < x.data.length / 24; i++) {
      const [before, after] = [row(x, i), row(rotated, i)];
      expect(norm(after.subarray(start, start + width))).toBeCloseTo(norm(before.subarray(start, start + width)), 5);
      expectSameBits(after.subarray(0, start), before.subarray(0, start), "before");
      expectSameBits(after.subarray(start + width), before.subarray(start + width), "behind");
    }
  });

  it("is undone by inverse and has transpose as its adjoint", () => {
    const back = encoding.apply(copyOf(rotated), { positions, inverse: true });
    expect(maxDifference(back.data, x.data)).toBeLessThan(1e-6);
    const g = randomTensor(x.dims, 11);
    const adjoint = encoding.apply(copyOf(g), { positions, transpose: true });
    expect(Math.abs(dot(rotated.data, g.data) - dot(x.data, adjoint.data))).toBeLessThan(1e-4);
  });

  it("gives scores that depend on the distance along each axis", () => {
    const [q, k] = [randomTensor([1, 1, 1, 24], 9), randomTensor([1, 1, 1, 24], 10)];
    const grid = spec.coordinates ? Array.from({ length: axes }, () => 64) : undefined;
    const at = (cell: number[]) => ({ positions: cell.slice(0, axes).map((p) => [p]), ...(grid && { grid }) });
    const score = (m: number[], n: number[]) =>
      dot(encoding.apply(copyOf(q), at(m)).data, encoding.apply(copyOf(k), at(n)).data);
    const near = score([5, 2, 9], [1, 3, 4]);
    expect(Math.abs(score([25, 3, 9.5], [21, 4, 4.5]) - near)).toBeLessThan(5e-6);
    expect(Math.abs(score([6, 2, 9], [1, 3, 4]) - near)).toBeGreaterThan(1e-4);
  });

  it("gives the same to tensors in wasm memory, in both layouts, per batch row, again and again", () => {
    for (let repeat = 0; repeat < 2; repeat++) {
      using inside = pe.tensor(x.data, x.dims);
      encoding.apply(inside, { positions });
      expectSameBits(inside.data, rotated.data, "resident");
    }
    const each = positions.map((axis) => [...axis, ...axis]);
    expectSameBits(encoding.apply(copyOf(x), { positions: each }).data, rotated.data, "per row");
    // Longer than a piece of an ordinary array.
    const many = Array.from({ length: axes }, (_, axis) => range(700).map((i) => (i * (axis + 3)) % 11));
    const long = randomTensor([1, 9, 700, 24], 3);
    using resident = pe.tensor(long.data, long.dims);
    expectSameBits(
      encoding.apply(copyOf(long), { positions: many }).data,
      encoding.apply(resident, { positions: many }).data,
      "pieces",
    );
  });

  it("moves keys from places to places", () => {
    const to = positions.map((axis, a) => axis.map((cell) => (cell % 3) + a));
    const moved = encoding.rerotate(copyOf(rotated), { from: positions, to });
    expect(maxDifference(moved.data, encoding.apply(copyOf(x), { positions: to }).data)).toBeLessThan(4e-6);
  });

  it("turns inside attention as before it", () => {
    const at = { positions };
    const q = randomTensor([1, 3, tokens, 24], 21);
    const k = randomTensor([1, 1, tokens, 24], 22);
    const inside = pe.attentionWeights(copyOf(q), copyOf(k), { encoding, at, causal: true });
    const before = pe.attentionWeights(encoding.apply(copyOf(q), at), encoding.apply(copyOf(k), at), { causal: true });
    expect(maxDifference(inside.data, before.data)).toBeLessThan(1e-6);
    const last = { ...q, data: q.data.slice(-24), dims: [1, 1, 1, 24] };
    const decoded = pe.attentionWeights(last, copyOf(k), { encoding, at, causal: true });
    expect(maxDifference(decoded.data, inside.data.slice(-tokens))).toBeLessThan(1e-6);
  });

  it("refuses places with another number of axes", () => {
    const q = copyOf(x);
    const wrong = [
      positions.slice(1),
      [...positions, range(tokens)],
      ...(name.startsWith("M-RoPE") ? [] : [range(tokens)]),
    ];
    for (const given of wrong) {
      expect(
        () => encoding.apply(q, { positions: loosely(given.length === 1 ? given[0] : given) }),
        `${given.length}`,
      ).toThrow(/positions: must have \d ax/);
    }
    expectSameBits(q.data, x.data);
  });
});

describe("M-RoPE", () => {
  it("is as exact as one axis, far out too", () => {
    const far = [[2_147_483_647], [1_000_000], [123_456_789]];
    const { cos, sin } = createRotary({ kind: "rope-mrope", dim: 128, base: 1e6, sections: [16, 24, 24] }).tables({
      positions: far,
    });
    for (let k = 0; k < 64; k++) {
      const exact = exactCosSin(far[k < 16 ? 0 : k < 40 ? 1 : 2]![0]!, 1e6, k, 128);
      expect(Math.abs(cos.data[k]! - exact.cos)).toBeLessThan(1.3e-7);
      expect(Math.abs(sin.data[k]! - exact.sin)).toBeLessThan(1.3e-7);
    }
  });

  it("is plain RoPE for text, however that is said", () => {
    const x = randomTensor([1, 2, tokens, 24], 5);
    const [text, rope] = [createRotary(mrope), createRotary({ kind: "rope", dim: 24, base: 500 })];
    const expected = rope.apply(copyOf(x), { offset: 4 }).data;
    const positions = range(tokens, 4);
    expectSameBits(text.apply(copyOf(x), { offset: 4 }).data, expected, "offset");
    expectSameBits(text.apply(copyOf(x), { positions }).data, expected, "one list");
    expectSameBits(
      text.apply(copyOf(x), { positions: [positions, positions, positions] }).data,
      expected,
      "three lists",
    );
  });

  it.each(
    ofFamily("rotary").filter(
      ({ kind, fields }) => kind !== "rope-mrope" && fields.some(({ name }) => name === "sections"),
    ),
  )("composes with $kind", (description) => {
    const spec = exampleSpec(description);
    const sections = [12, 12, 8];
    const [plain, split] = [createRotary(spec), createRotary({ ...spec, sections })];
    expect([...split.inverseFrequencies]).toEqual([...plain.inverseFrequencies]);
    const sequenceLength = 4096;
    const { cos } = split.tables({ positions: [[7], [9], [11]], sequenceLength });
    [7, 9, 11].forEach((position, axis) => {
      const single = plain.tables({ positions: [position], sequenceLength }).cos.data;
      const from = [0, 12, 24][axis]!;
      expectSameBits(cos.data.slice(from, from + sections[axis]!), single.slice(from, from + sections[axis]!));
    });
  });

  it("goes by its farthest axis where the length counts", () => {
    const spec = {
      kind: "rope-longrope",
      dim: 8,
      shortFactor: [1],
      longFactor: [9],
      originalLength: 100,
      sections: [2, 1, 1],
    };
    const longrope = createRotary(spec);
    const cosines = (t: number) => [...longrope.tables({ positions: [[1], [1], [t]] }).cos.data.slice(0, 2)];
    expect(cosines(99)).toEqual([
      ...createRotary({ kind: "rope", dim: 8 })
        .tables({ positions: [1] })
        .cos.data.slice(0, 2),
    ]);
    expect(cosines(100)).not.toEqual(cosines(99));
  });
});

describe("axial RoPE", () => {
  it("takes a grid, and knows its size beside positions", () => {
    const encoding = createRotary({ kind: "rope-axial", dim: 8, coordinates: "centres" });
    const angles = encoding.angles({ grid: [2, 4] });
    expect(angles[0]).toBe(-0.5);
    expect([...angles].filter((_, i) => i % 4 === 2).slice(0, 4)).toEqual([-0.75, -0.25, 0.25, 0.75]);
    expect([...encoding.angles({ grid: [2, 4], positions: [[1], [2]] })].filter((_, i) => i % 2 === 0)).toEqual([
      0.5, 0.25,
    ]);
    const x = randomTensor([1, 1, 8, 8], 3);
    const listed = encoding.apply(copyOf(x), {
      positions: [
        [0, 0, 0, 0, 1, 1, 1, 1],
        [0, 1, 2, 3, 0, 1, 2, 3],
      ],
    });
    expectSameBits(encoding.apply(copyOf(x), { grid: [2, 4] }).data, listed.data);
    expect(() => encoding.apply(copyOf(x))).toThrow(/positions: must have 2 axes/);
    expect(() => encoding.apply(copyOf(x), { grid: [3, 4] })).toThrow(/grid/);
  });

  it("lets Llama 4's class token alone", () => {
    const encoding = createRotary({ kind: "rope-axial", dim: 8, axisOrder: [1, 0], start: 1, pairing: "interleaved" });
    const x = randomTensor([1, 2, 3, 8], 5);
    const rotated = encoding.apply(copyOf(x), {
      positions: [
        [0, 0, -1],
        [0, 1, -1],
      ],
    });
    expectSameBits(row(rotated, 2), row(x, 2));
    expect(maxDifference(row(rotated, 0), row(x, 0))).toBeGreaterThan(0.1);
    // x first, counted from 1
    expect([...encoding.angles({ positions: [[4], [9]] })].filter((_, i) => i % 2 === 0)).toEqual([10, 5]);
  });

  it("has a profile along all axes together", () => {
    const profile = pe.distanceProfile(createRotary({ kind: "rope-axial", dim: 64 }), { maxDistance: 20 });
    const rope = pe.distanceProfile(createRotary({ kind: "rope", dim: 32 }), { maxDistance: 20 });
    expect(maxDifference(profile.data, rope.data)).toBeLessThan(1e-6);
  });
});
