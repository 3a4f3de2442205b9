// What a config says of attention beside the encoding, passed as web/docs/configs.md says, against the models' own formulas.
import { models } from "posenc/models";
import { describe, expect, it } from "vitest";
import { referenceAttention } from "../helpers/attention";
import { createRotary, loosely, pe } from "../helpers/library";
import { copyOf, maxDifference, normalNumbers } from "../helpers/numbers";

const tensor = (dims: number[], seed: number) => ({
  type: "float32" as const,
  data: normalNumbers(
    dims.reduce((a, b) => a * b),
    seed,
  ),
  dims,
});

describe("DeepSeek-V3", () => {
  const config: Record<string, number> = loosely(models["deepseek-v3"]!.config);
  const [nope, rotated] = [config["qk_nope_head_dim"]!, config["qk_rope_head_dim"]!];
  const rope: ReturnType<typeof createRotary> = loosely(pe.fromConfig(config));
  const width = nope + rotated;
  const [q, k] = [tensor([1, 2, 7, width], 1), tensor([1, 2, 7, width], 2)];
  const v = tensor([1, 2, 7, 128], 3);
  const scale = rope.softmaxFactor / Math.sqrt(width);

  it("divides by √192, and multiplies by the square of what YaRN says", () => {
    expect([nope, rotated, rope.dim]).toEqual([128, 64, 64]);
    expect(scale).toBeCloseTo((0.1 * Math.log(40) + 1) ** 2 / Math.sqrt(192), 12);
  });

  it("attention of [nope, rope] rows is the model's, with the rest of the row turned inside or before", () => {
    const rotate = (x: typeof q) => {
      const part = (row: number) => x.data.subarray(row * width + nope, (row + 1) * width);
      const rows = x.data.length / width;
      const parts = { type: "float32" as const, data: new Float32Array(rows * rotated), dims: [1, 2, 7, rotated] };
      for (let row = 0; row < rows; row++) parts.data.set(part(row), row * rotated);
      rope.apply(parts);
      const out = copyOf(x);
      for (let row = 0; row < rows; row++)
        out.data.set(parts.data.subarray(row * rotated, (row + 1) * rotated), row * width + nope);
      return out;
    };
    const truth = referenceAttention(rotate(q), rotate(k), v, { causal: true, scale });
    const before = pe.attention(rotate(q), rotate(k), v, { causal: true, scale });
    expect(maxDifference(before.data, truth)).toBeLessThan(2e-6);
    const whole = createRotary({ ...rope.spec, dim: width, rotaryDim: rotated, rotaryStart: -1 });
    const inside = pe.attention(q, k, v, { encoding: whole, causal: true, scale });
    expect(maxDifference(inside.data, truth)).toBeLessThan(4e-6);
    const asRotated = pe.attention(rotate(q), rotate(k), v, {
      causal: true,
      scale: rope.softmaxFactor / Math.sqrt(rotated),
    });
    expect(maxDifference(asRotated.data, truth)).toBeGreaterThan(0.1);
  });
});

it("a sliding window is that many keys with the query's own, as `window` counts them", () => {
  const [q, k, v] = [tensor([1, 1, 9, 8], 1), tensor([1, 1, 9, 8], 2), tensor([1, 1, 9, 8], 3)];
  const sliding = 3;
  const visible = (_b: number, _h: number, i: number, j: number) => j <= i && j > i - sliding;
  const out = pe.attention(q, k, v, { causal: true, window: sliding });
  expect(maxDifference(out.data, referenceAttention(q, k, v, { visible }))).toBeLessThan(1e-6);
});
