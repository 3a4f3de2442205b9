// Attention weights as outputs of a rewritten model, in the file itself; tests/transformers runs such models.
import { describe, expect, it } from "vitest";
import { microsoft, node } from "../../../examples/transformers/models/onnx.js";
import { attentionForms, heads, modelOfForm, together } from "../helpers/attention-forms";
import { pe } from "../helpers/library";
import { openModel } from "../helpers/onnx-models";

describe("weights are named with their dims, whichever operator computes them", () => {
  it.each(Object.entries(attentionForms))("%s", async (_, form) => {
    const changed = await (await openModel(modelOfForm(form))).rewrite(pe, { attention: true });
    const said = changed.changes.map((one) => `${one.name} ${one.what}`);
    expect(said).toEqual(["attentions.0 has a layer's attention weights [batch, heads, queries, keys]"]);
  });
});

describe("what cannot be told says why", () => {
  const refusal = async (nodes: object[]) => {
    const model = await openModel(modelOfForm({ nodes, inputs: together, y: together.q.dims }));
    return model.rewrite(pe, { attention: true });
  };
  it("no attention at all", async () => {
    await expect(refusal([node("Add", "q k", "y")])).rejects.toThrow(/no softmax of this graph/);
  });
  it("a cache of the window alone", async () => {
    const attributes = { num_heads: heads, kv_num_heads: heads, sliding_window_cache: 1 };
    const nodes = [microsoft("GroupQueryAttention", "q k v", "y", attributes)];
    await expect(refusal(nodes)).rejects.toThrow(/GroupQueryAttention "y" keeps only the keys of its window/);
  });
  it("fused attention without such an output", async () => {
    const nodes = [microsoft("Attention", "q k v", "y", { num_heads: heads })];
    await expect(refusal(nodes)).rejects.toThrow(/Attention "y" does not output its weights; export .* eager/);
  });
});
