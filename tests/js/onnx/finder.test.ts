// What exported models say of their positions: as their graphs were read by hand.
import { describe, expect, it } from "vitest";
import { besides, fixtureBytes, modelFiles, openModel } from "../helpers/onnx-models";

const rope = { kind: "rope", dim: 16, base: 10000 };
const rotary = { family: "rotary", dim: 16, pairing: "half", type: "float32", attentionFactor: 1 };
const computed = { ...rotary, form: "frequencies", layers: [0, 1], spec: rope };
const tabled = { ...rotary, form: "tables", rows: 64, maxLength: 64, layers: [0, 1], spec: rope };
const cached = { ...tabled, form: "cache" };
const learned = (length: number, more: object = {}) => ({
  ...{ family: "table", form: "gathered", layers: [0, 1], rows: length, maxLength: length, dim: 64, type: "float32" },
  spec: { kind: "learned", length, dim: 64 },
  ...more,
});
/** sqrt(1 + ln 4 / ln 64) */
const longFactor = 1.1547005;
const withoutRule = ({ spec, ...component }: typeof cached) => ({
  ...component,
  attentionFactor: expect.closeTo(longFactor, 5),
});

const expected: Record<string, object[]> = {
  "bloom/model.onnx": [
    { family: "bias", form: "slopes", heads: 4, layers: [0, 1], type: "float32", spec: { kind: "alibi", heads: 4 } },
  ],
  "deberta/model.onnx": [
    { family: "relative", form: "buckets", layers: [0, 1], type: "float32", buckets: 32, maxDistance: 128 },
  ],
  "gemma3/model.onnx": [
    { ...computed, layers: [1], spec: { ...rope, base: 1000000 } },
    { ...computed, layers: [0, 2] },
  ],
  "genai-llama-fp16/model.onnx": [{ ...cached, type: "float16" }],
  "genai-phi3-longrope/model.onnx": [withoutRule({ ...cached, rows: 256, maxLength: 256 }), withoutRule(cached)],
  "gpt2-tjs/model_quantized.onnx": [learned(64, { type: "uint8" })],
  "gptj/model.onnx": [{ ...tabled, pairing: "interleaved", spec: { ...rope, pairing: "interleaved" } }],
  "llama/model.onnx": [computed],
  "llama-ext/model.onnx": [computed],
  "llama-tjs/model_fp16.onnx": [{ ...computed, type: "float16" }],
  "llama-v437/model.onnx": [tabled],
  "mobius-llama/model.onnx": [cached],
  "phi3-longrope/model.onnx": [
    { ...rotary, form: "frequencies", layers: [0, 1], attentionFactor: expect.closeTo(longFactor, 5) },
  ],
  "roberta/model.onnx": [learned(64, { rows: 66, spec: { kind: "learned", length: 66, dim: 64, start: 2 } })],
  "t5/encoder_model.onnx": [
    {
      ...{ family: "bias", form: "buckets", heads: 4, layers: [0, 1], rows: 16, type: "float32" },
      spec: { kind: "t5", heads: 4, buckets: 16, maxDistance: 48, bidirectional: true },
    },
  ],
  "vit-tjs/model.onnx": [learned(17, { form: "added" })],
};

const open = async (name: string) => openModel(await fixtureBytes(name), { externalData: await besides(name) });

it("each model is in the table", () => expect(Object.keys(expected).sort()).toEqual([...modelFiles].sort()));

describe.each(Object.entries(expected))("%s", (name, wanted) => {
  it("has the positions that its graph has", async () => {
    const { positions } = await open(name);
    const plain = positions.map(({ where, frequencies, error, ...component }) => component);
    expect(plain).toEqual(wanted);
  });

  it("says which tensors, that are in the file", async () => {
    const { positions } = await open(name);
    const file = new TextDecoder("latin1").decode(await fixtureBytes(name));
    for (const { where, family } of positions) {
      expect(where.tensors.length).toBeGreaterThan(0);
      for (const tensor of where.tensors) expect(file.includes(tensor), `${family}: ${tensor}`).toBe(true);
    }
  });
});

/** Largest error of the values as they are stored: rounding, and of tables the sums of angles, too. */
const rounding: Record<string, number> = { float32: 4e-6, float16: 1e-3 };

const rotating = Object.keys(expected).filter((name) => "pairing" in expected[name]![0]!);

it.each(rotating)("%s is as near to its rule as its type allows", async (name) => {
  for (const { spec, error, type, frequencies, dim } of (await open(name)).positions) {
    if (error !== undefined) expect(error).toBeLessThan(rounding[type]!);
    if (frequencies) expect(frequencies).toHaveLength(dim! / 2);
    if (spec?.kind !== "rope") continue;
    frequencies!.forEach((frequency, k) =>
      expect(Math.abs(frequency / spec.base! ** ((-2 * k) / dim!) - 1)).toBeLessThan(rounding[type]!),
    );
  }
});

it("LongRoPE's tables are those of its short and its long factors", async () => {
  const { positions } = await open("genai-phi3-longrope/model.onnx");
  const plain = (k: number) => 10000 ** (-k / 8);
  const [long, short] = positions.map(({ frequencies }) => Array.from(frequencies!, (f, k) => plain(k) / f));
  const nearly = (factors: number[]) => factors.map((factor) => expect.closeTo(factor, 3));
  expect(short).toEqual(nearly([1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35]));
  expect(long).toEqual(nearly([1, 1.3, 1.9, 2.6, 3.4, 4.2, 5.1, 6]));
});
