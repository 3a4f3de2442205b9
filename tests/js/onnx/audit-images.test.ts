// Encoders of images against their configs: Swin's, whose stages differ, and SAM's, whose config describes three parts.
import { describe, expect, it } from "vitest";
import { openModel } from "../helpers/onnx-models";
import { floats, modelOf, node, raw, tensor } from "../helpers/onnx-proto";
import { pe } from "../helpers/library";

const [heads, height, width] = [2, 2, 3];
const index = Array.from({ length: (height * width) ** 2 }, (_, at) => {
  const [i, j] = [Math.floor(at / (height * width)), at % (height * width)];
  const [down, right] = [Math.floor(i / width) - Math.floor(j / width), (i % width) - (j % width)];
  return (down + height - 1) * (2 * width - 1) + right + width - 1;
});
const rows = (2 * height - 1) * (2 * width - 1);
const windowed = modelOf({
  inputs: ["q", "k", "v"],
  nodes: [
    node("Gather", "table index", "picked"),
    node("Reshape", "picked shape", "square"),
    node("Transpose", "square", "bias"),
    node("MatMul", "q k", "scores"),
    node("Add", "scores bias", "biased"),
    node("Softmax", "biased", "weights"),
    node("MatMul", "weights v", "y"),
  ],
  constants: [
    floats(
      "table",
      [rows, heads],
      Array.from({ length: rows * heads }, (_, i) => Math.sin(7 * i)),
    ),
    tensor("index", 7, [index.length], raw(BigInt64Array.from(index, BigInt))),
    tensor("shape", 7, [3], raw(BigInt64Array.from([height * width, height * width, heads], BigInt))),
  ],
});
const swin = { model_type: "swin", embed_dim: 96, image_size: 224, patch_size: 4, window_size: [height, width] };
const auditOf = async (model: Uint8Array, config: object) =>
  (await openModel(model)).audit(pe, config).map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
const isFault = (finding: string) => !finding.startsWith("note");

describe("Swin's config", () => {
  it.each([
    ["of as many layers", { depths: [1], num_heads: [2] }],
    ["of more layers: any stage will do", { depths: [2, 2, 6, 2], num_heads: [3, 2, 12, 24] }],
  ])("%s fits", async (_, stages) => {
    expect((await auditOf(windowed, { ...swin, ...stages })).filter(isFault)).toEqual([]);
  });
  it.each([
    [{ depths: [1], num_heads: [4] }, /window.* 2 × 3 positions and 2 heads, 2 × 3 .* and 4 heads in the config/],
    [{ depths: [1, 1], num_heads: [4, 8] }, /4 heads or 2 × 3 positions and 8 heads in the config/],
    [{ depths: [1], num_heads: [2], window_size: 7 }, /7 × 7 positions/],
  ])("%o does not", async (stages, message) => {
    const [first, ...others] = (await auditOf(windowed, { ...swin, ...stages })).filter(isFault);
    expect(first).toMatch(/^error buckets: layer 0: /);
    expect(first).toMatch(message);
    expect(others).toEqual([]);
  });
  it.each([
    { depths: [1e9, 1], num_heads: [2, 2] },
    { depths: ["1"], num_heads: [2] },
    { depths: [-1], num_heads: [2] },
    { depths: [1, 1], num_heads: [2] },
  ])("with %o is a note at most", async (stages) => {
    const findings = await auditOf(windowed, { ...swin, ...stages });
    expect(findings.filter(isFault)).toEqual([]);
  });
});

describe("SAM's config", () => {
  const vision_config = {
    hidden_size: 16,
    num_hidden_layers: 2,
    num_attention_heads: 4,
    image_size: 64,
    patch_size: 16,
  };
  const sam = { model_type: "sam", vision_config, mask_decoder_config: {} };
  const encoder = modelOf({
    inputs: ["x"],
    nodes: [node("Add", "x table", "y")],
    constants: [floats("table", [1, 16, 16], Array(256).fill(0.5))],
  });
  it.each([
    ["whose prompts have no width", {}],
    ["whose prompts have a width", { hidden_size: 32 }],
  ])("%s is compared with its image encoder", async (_, prompt_encoder_config) => {
    expect(await auditOf(encoder, { ...sam, prompt_encoder_config })).toEqual([
      expect.stringMatching(/^note rows: The table has 16 rows/),
    ]);
    const larger = { ...sam, prompt_encoder_config, vision_config: { ...vision_config, image_size: 128 } };
    expect(await auditOf(encoder, larger)).toEqual([
      expect.stringMatching(/^error rows: The table has 16 rows, .* 64/),
    ]);
  });
});
