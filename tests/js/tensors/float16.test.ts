// float16: exhaustive, in every build, against the definition; and what the two calls refuse.
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { expectSameBits, expectSameObject, randomNumbers, range } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";
import { hasRelaxedSimd } from "../helpers/wasm";

const asFloat16 = (data: Uint16Array) => ({ type: "float16" as const, data, dims: [data.length] });
const float = (data: Float32Array) => ({ data, dims: [data.length] });
const bitsOf = ({ data }: { data: ArrayBufferView }) =>
  new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);

/** sign · 2^(exponent - 15) · 1.fraction, or · 2^-14 · 0.fraction. */
function valueOf(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size =
    exponent === 31
      ? fraction
        ? NaN
        : Infinity
      : exponent
        ? (1024 + fraction) * 2 ** (exponent - 25)
        : fraction * 2 ** -24;
  return bits & 0x8000 ? -size : size;
}

const all = Uint16Array.from(range(65536));
const isNumber = (bits: number) => (bits & 0x7fff) <= 0x7c00;
const numbers = all.filter(isNumber);

/** Each finite half's middle to the next one, and the floats on either side of it. */
const finite = range(0x7c00);
const middles = Float32Array.from(
  finite,
  (bits) => (valueOf(bits) + (bits === 0x7bff ? 65536 : valueOf(bits + 1))) / 2,
);
const nextTo = (data: Float32Array, step: number) =>
  new Float32Array(Uint32Array.from(new Uint32Array(data.buffer), (bits) => bits + step).buffer);

const brain = (data: Uint16Array) => ({ type: "bfloat16" as const, data, dims: [data.length] });
const isBrainNumber = (bits: number) => (bits & 0x7fff) <= 0x7f80;

const builds = ["scalar", "simd", ...(hasRelaxedSimd ? ["relaxed"] : [])] as const;

describe.each(builds)("the %s build", async (variant) => {
  const library = await init({ variant: variant as "scalar" });

  it("widens every half exactly", () => {
    expectSameBits(library.toFloat32(asFloat16(numbers)).data, Float32Array.from(numbers, valueOf));
    const rest = library.toFloat32(asFloat16(all.filter((bits) => !isNumber(bits)))).data;
    expect(rest.length).toBe(2046);
    expect(rest.every(Number.isNaN)).toBe(true);
  });

  it("brings every half back", () => {
    expect(bitsOf(library.toFloat16(library.toFloat32(asFloat16(numbers))))).toEqual(numbers);
  });

  it("rounds to the nearest, to even in the middle, with either sign", () => {
    const rounded = (data: Float32Array) => [...bitsOf(library.toFloat16(float(data)))];
    expect(rounded(middles)).toEqual(finite.map((bits) => bits + (bits & 1)));
    expect(rounded(middles.map((x) => -x))).toEqual(finite.map((bits) => 0x8000 | (bits + (bits & 1))));
    expect(rounded(nextTo(middles, -1))).toEqual(finite);
    expect(rounded(nextTo(middles, 1))).toEqual(finite.map((bits) => bits + 1));
  });

  it("knows infinity, NaN and what is too small", () => {
    const special = Float32Array.of(Infinity, -Infinity, NaN, 3.4e38, -65520, 65519.996, 1e-45, -1e-45, 0, -0);
    expect([...bitsOf(library.toFloat16(float(special)))]).toEqual([
      0x7c00, 0xfc00, 0x7e00, 0x7c00, 0xfc00, 0x7bff, 0, 0x8000, 0, 0x8000,
    ]);
  });

  it("widens every bfloat16 exactly and brings it back, of NaN the upper bits, quiet", () => {
    const floats = library.toFloat32(brain(all));
    expect(new Uint32Array(floats.data.buffer)).toEqual(Uint32Array.from(all, (bits) => bits << 16));
    expect(library.toBfloat16(floats).data).toEqual(all.map((bits) => (isBrainNumber(bits) ? bits : bits | 0x40)));
  });

  it("rounds to the nearest bfloat16, to even in the middle, with either sign", () => {
    const finiteBits = all.filter((bits) => (bits & 0x7fff) < 0x7f80);
    const rounded = (lower: number) =>
      library.toBfloat16(float(new Float32Array(Uint32Array.from(finiteBits, (bits) => (bits << 16) | lower).buffer)))
        .data;
    expect(rounded(0x7fff)).toEqual(finiteBits);
    expect(rounded(0x8000)).toEqual(finiteBits.map((bits) => bits + (bits & 1)));
    expect(rounded(0x8001)).toEqual(finiteBits.map((bits) => bits + 1));
  });

  it.each(range(10))("takes runs of any length: %i", (count) => {
    const x = randomNumbers(count, 3);
    const back = library.toFloat32(library.toFloat16(float(x))).data;
    expect(back.length).toBe(count);
    back.forEach((value, i) => expect(Math.abs(value - x[i]!)).toBeLessThanOrEqual(2 ** -13));
  });
});

describe("the calls", () => {
  const x = { data: Float32Array.of(0.1, 0.2, 0.3, 0.4), dims: [2, 2] };

  it("keep dims, own their result and leave the input", () => {
    const float16 = pe.toFloat16(x);
    expect([float16.type, float16.dims, float16.data.length]).toEqual(["float16", [2, 2], 4]);
    expect(float16.data.byteOffset).toBe(0);
    expect(pe.toFloat32(float16).dims).toEqual([2, 2]);
    expect([...x.data]).toEqual([...Float32Array.of(0.1, 0.2, 0.3, 0.4)]);
    expectSameObject(pe.toFloat32(x), x);
  });

  it("use Float16Array where there is one", () => {
    const name = "Float16Array" in globalThis ? "Float16Array" : "Uint16Array";
    const { data } = pe.toFloat16(x);
    expect(data.constructor.name).toBe(name);
    expect(pe.toFloat32({ type: "float16", data, dims: [2, 2] }).data[1]).toBe(0.199951171875);
  });

  it("read halves that begin inside a buffer", () => {
    const data = Uint16Array.of(1, 2, 0x3c00, 0xc000).subarray(2);
    expect([...pe.toFloat32(asFloat16(data)).data]).toEqual([1, -2]);
  });

  it("take a tensor in wasm memory", () => {
    const resident = pe.tensor([1, 2.5], [2]);
    expect([...bitsOf(pe.toFloat16(resident))]).toEqual([0x3c00, 0x4100]);
    resident.dispose();
  });

  it.each([
    ["float16 as text", "invalid-argument", { type: "float16", data: [1], dims: [1] }],
    ["a type it does not know", "unsupported", { type: "int8", data: new Int8Array(1), dims: [1] }],
    ["data of the wrong length", "shape-mismatch", { type: "float16", data: new Uint16Array(3), dims: [2] }],
    ["a tensor on the GPU", "unsupported", { type: "float16", location: "gpu-buffer", dims: [2] }],
    ["nothing", "invalid-argument", undefined],
  ])("refuse %s", (_, code, given) => {
    expectError(
      refusal(() => pe.toFloat32(loosely(given))),
      code,
      "x",
    );
  });

  it("go from one type of 16 bits to the other", () => {
    const float16 = asFloat16(Uint16Array.of(0x3c01, 0x3c04, 0x3c0c, 0x0001));
    const brains = pe.toBfloat16(float16);
    expect([brains.type, brains.dims, [...brains.data]]).toEqual(["bfloat16", [4], [0x3f80, 0x3f80, 0x3f82, 0x3380]]);
    expect([...bitsOf(pe.toFloat16(brains))]).toEqual([0x3c00, 0x3c00, 0x3c10, 0x0001]);
    expect([...bitsOf(pe.toFloat16(float16))]).toEqual([...float16.data]);
  });
});
