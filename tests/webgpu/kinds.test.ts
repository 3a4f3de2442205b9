// Every rotary and bias kind on the GPU, against the core: 200 random specs of each.
import { describe, expect, it } from "vitest";
import { createBias, createRotary, loosely, ofFamily } from "../js/helpers/library";
import { copyOf } from "../js/helpers/numbers";
import { Random, randomSpecs } from "../js/helpers/random-spec";
import { device, expectSame, gpu, float16Bits, numbersOf } from "./device";
import { asFloat16, biasCall, rotationCall } from "./random-calls";

declare const __FUZZ_SEED__: number;
const count = 200;

it("runs on an adapter of WebGPU", () => {
  expect(device.limits.maxStorageBuffersPerShaderStage).toBeGreaterThan(3);
});

describe.each(ofFamily("rotary"))("$kind", (description) => {
  it("turns as the core does, float32 and float16", async () => {
    const random = new Random(__FUZZ_SEED__);
    const checks = randomSpecs(description, count, __FUZZ_SEED__).map((spec) => {
      const encoding = createRotary(spec);
      const { at, x } = rotationCall(encoding, random);
      const what = JSON.stringify([spec, at, x.dims]);
      const options = loosely({ ...at, encoding });
      const [whole, half] = [x, asFloat16(x)].map((tensor) => gpu.rotate(gpu.tensor(tensor), options));
      const expected = [encoding.apply(copyOf(x), loosely(at)), encoding.apply(asFloat16(x), loosely(at))] as const;
      encoding.dispose();
      return { what, whole: whole!, half: half!, expected };
    });
    for (const { what, whole, half, expected } of checks) {
      expectSame((await gpu.read(whole)).data, expected[0].data, `float32 ${what}`);
      expectSame(numbersOf(float16Bits(await gpu.read(half))), numbersOf(float16Bits(expected[1])), `float16 ${what}`);
      whole.dispose();
      half.dispose();
    }
    expect(checks.length).toBe(count);
  });
});

describe.each(ofFamily("bias"))("$kind", (description) => {
  it("has the bits of the core, float32 and float16", async () => {
    const random = new Random(__FUZZ_SEED__);
    const checks = randomSpecs(description, count, __FUZZ_SEED__).map((spec) => {
      const encoding = createBias(spec);
      const how = biasCall(encoding, random);
      const options = loosely(how);
      const made = [gpu.bias(encoding, options), gpu.bias(encoding, { ...options, type: "float16" })] as const;
      const expected = encoding.bias(options);
      encoding.dispose();
      return { what: JSON.stringify([spec, how]), made, expected };
    });
    for (const { what, made, expected } of checks) {
      expect(made[0].dims, what).toEqual(expected.dims);
      expectSame((await gpu.read(made[0])).data, expected.data as Float32Array, `float32 ${what}`);
      const half = numbersOf(float16Bits(await gpu.read(made[1])));
      expectSame(half, numbersOf(float16Bits(asFloat16(expected as never))), `float16 ${what}`);
      for (const tensor of made) tensor.dispose();
    }
    expect(checks.length).toBe(count);
  });
});
