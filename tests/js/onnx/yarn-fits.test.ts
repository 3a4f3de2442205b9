// Several original lengths give the same YaRN: a graph does not tell them apart, and says so.
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { fixtureBytes, openModel } from "../helpers/onnx-models";

const written = async (originalLength: number, kind: "rope-yarn" | "rope-llama3" = "rope-yarn") => {
  const model = await openModel(await fixtureBytes("llama/model.onnx"));
  const changed = await model.rewrite(pe, { rotary: loosely({ kind, factor: 4, originalLength }) });
  return openModel(await changed.bytes());
};
const configWith = (original: number) => ({
  ...{ model_type: "llama", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, rope_theta: 10000 },
  max_position_embeddings: original * 4,
  rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: original },
});

describe("YaRN of a small head", () => {
  it.each([768, 1000, 1024, 1536])("written with original length %i", async (originalLength) => {
    const model = await written(originalLength);
    const [component] = model.positions;
    expect(component!.spec).toMatchObject({ kind: "rope-yarn", factor: 4, originalLength: 1024 });
    expect(component!.fits).toEqual({ originalLength: [768, 1024, 1536] });
    for (const length of [originalLength, 768, 1024, 1536]) expect(model.audit(pe, configWith(length))).toEqual([]);
    expect(model.audit(pe, configWith(4096))).toEqual([expect.objectContaining({ code: "original-length" })]);
  });
  it("has the same frequencies for all that fit", async () => {
    const [component] = (await written(1024)).positions;
    for (const length of component!.fits!.originalLength) {
      const [other] = (await written(length)).positions;
      expect(other!.frequencies).toEqual(component!.frequencies);
    }
  });
});

it("Llama 3's scaling is that of one length", async () => {
  const [component] = (await written(96, "rope-llama3")).positions;
  expect(component!.spec).toMatchObject({ kind: "rope-llama3", originalLength: 96 });
  expect(component!.fits).toBeUndefined();
});
