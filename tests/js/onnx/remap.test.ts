// Remapped distances in the file itself; tests/transformers runs such models.
import { describe, expect, it } from "vitest";
import { float, int64, microsoft, node, onnxModel } from "../../../examples/transformers/models/onnx.js";
import { apart, attentionForms, dims, heads, modelOfForm, together } from "../helpers/attention-forms";
import { loosely, pe } from "../helpers/library";
import { besides, fixtureBytes, openModel } from "../helpers/onnx-models";
import { plainForm, rotatingModel } from "../helpers/rotating-forms";
import type { RewriteOptions } from "posenc/onnx";

const opened = async (name: string) => openModel(await fixtureBytes(name), { externalData: await besides(name) });
const selfExtend = { kind: "self-extend", group: 4, window: 8 } as const;
const whatOf = async (name: string, options: RewriteOptions) => {
  const { changes } = await (await opened(name)).rewrite(pe, options);
  return changes.map(({ what }) => what);
};

describe("changes", () => {
  it("name the rule, and operators that are replaced", async () => {
    const remap = selfExtend;
    expect(await whatOf("llama/model.onnx", { remap })).toEqual(Array(2).fill("has distances by self-extend now"));
    expect(await whatOf("genai-llama-fp16/model.onnx", { remap })).toEqual(
      Array(2).fill("has distances by self-extend now; GroupQueryAttention is replaced by its parts"),
    );
    expect(await whatOf("gemma3/model.onnx", { temperature: { rule: "log-n", length: 64 } })).toEqual(
      Array(3).fill("has a temperature by position now"),
    );
  });
  it("are those of a function, by layer", async () => {
    const remap = (layer: number) => (layer === 1 ? selfExtend : undefined);
    expect(await whatOf("gemma3/model.onnx", { remap })).toHaveLength(1);
    expect(await whatOf("gemma3/model.onnx", { remap: () => undefined })).toEqual([]);
  });
  it("are those of a config", async () => {
    const config = {
      ...{ model_type: "qwen2", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2 },
      ...{ max_position_embeddings: 4096, rope_theta: 10000 },
      dual_chunk_attention_config: { chunk_size: 32, local_size: 8, original_max_position_embeddings: 64 },
    };
    expect(await whatOf("llama/model.onnx", { remap: config })).toEqual(
      Array(2).fill("has distances by dual-chunk now"),
    );
  });
  it("can follow each other, and a window", async () => {
    const first = await (await opened("genai-llama-fp16/model.onnx")).rewrite(pe, { remap: selfExtend });
    const externalData = await besides("genai-llama-fp16/model.onnx");
    const second = await openModel(await first.bytes(), { externalData });
    expect(second.positions.map(({ form }) => form)).toEqual(["cache", "remapped"]);
    const { changes } = await second.rewrite(pe, { window: 16, attention: true });
    expect(changes.map(({ what }) => what.slice(0, 12))).toEqual(
      Array(4)
        .fill("")
        .map((_, i) => ["attends only", "has a layer'"][i >> 1]),
    );
  });
});

describe("a file with remapped distances", () => {
  const remapped = async (name: string, remap: RewriteOptions["remap"] = selfExtend) =>
    openModel(await (await (await opened(name)).rewrite(pe, { remap })).bytes());
  it.each(["llama/model.onnx", "gemma3/model.onnx", "gptj/model.onnx"])("%s says so", async (name) => {
    for (const rule of [selfExtend, { kind: "dual-chunk", chunk: 32, local: 8 } as const]) {
      const model = await remapped(name, rule);
      const layers = [...new Set((await opened(name)).positions.flatMap((one) => one.layers))].sort();
      expect(model.positions.at(-1)).toMatchObject({ family: "rotary", form: "remapped", changeable: false, layers });
      expect(model.audit(pe).map(({ code }) => code)).not.toContain("unexplained");
      const [note] = model.audit(pe).filter(({ code }) => code === "not-changeable");
      expect(note!.message).toMatch(/distances of far tokens are remapped/);
    }
  });
  it.each<[string, RewriteOptions]>([
    ["rotary", { rotary: { kind: "rope", base: 500000 } }],
    ["tables", { tables: "inputs" }],
    ["remap", { remap: selfExtend }],
    ["temperature", { temperature: { rule: "log-n", length: 64 } }],
  ])("keeps its rotation: %s", async (option, options) => {
    await expect((await remapped("llama/model.onnx")).rewrite(pe, options)).rejects.toMatchObject({
      ...{ name: "PosencError", code: "unsupported", field: option },
      message: expect.stringMatching(
        /the distances of this graph are remapped; rewrite the file that it was made from/,
      ),
    });
  });
});

describe("a rule that cannot be written says why", () => {
  const refusal = async (model: Uint8Array, options: RewriteOptions) =>
    (await openModel(model as never)).rewrite(pe, options);
  it("attention without a rotation", async () => {
    const model = modelOfForm(attentionForms["a softmax"]!);
    await expect(refusal(model, { remap: selfExtend })).rejects.toThrow(/^remap: no layer rotates queries and keys/);
  });
  it("fused attention that hides more than its parts", async () => {
    const inputs = { ...together, more: { ...together.q, dims: [heads] } };
    const attributes = { num_heads: heads, kv_num_heads: heads };
    const nodes = [microsoft("GroupQueryAttention", "q k v - - - - - - - - more", "y", attributes)];
    const model = modelOfForm({ nodes, inputs, y: together.q.dims });
    await expect(refusal(model, { temperature: { factor: 1, length: 4 } })).rejects.toThrow(
      /^temperature: layer 0: GroupQueryAttention "y" has an input 11, more, which its parts cannot express/,
    );
  });
  it.each([
    [0, "- k v", {}],
    [2, "q k", {}],
    [7, "q k v - - - - - cos", { do_rotary: 1 }],
    [8, "q k v - - - - cos", { do_rotary: 1 }],
  ])("fused attention without its input %i", async (missing, names, rotary) => {
    const table = { data: new Float32Array(8), dims: [4, 2] };
    const inputs = { ...together, cos: table };
    const attributes = { num_heads: heads, kv_num_heads: heads, ...rotary };
    const model = modelOfForm({
      nodes: [microsoft("GroupQueryAttention", names, "y", attributes)],
      ...{ inputs, y: together.q.dims },
    });
    const error = refusal(model, { temperature: { factor: 1, length: 4 } });
    await expect(error).rejects.toThrow(new RegExp(`^temperature: .*GroupQueryAttention "y" has no input ${missing}`));
  });
  it("an operator that has no parts", async () => {
    const nodes = [microsoft("SparseAttention", "q k v", "y", { num_heads: heads })];
    const model = modelOfForm({ nodes, inputs: together, y: together.q.dims });
    await expect(refusal(model, { temperature: { factor: 1, length: 4 } })).rejects.toThrow(
      /SparseAttention "y" cannot be replaced by its parts; export .* eager/,
    );
  });
  it("fused attention whose tables are inputs", async () => {
    const externalData = await besides("genai-llama-fp16/model.onnx");
    const given = await (await opened("genai-llama-fp16/model.onnx")).rewrite(pe, { tables: "inputs" });
    const model = await openModel(await given.bytes(), { externalData });
    await expect(model.rewrite(pe, { temperature: { factor: 1, length: 4 } })).rejects.toThrow(
      /^temperature: layer 0: GroupQueryAttention rotates by tables that posenc does not know/,
    );
  });
  it("features that change after the rotation", async () => {
    const nodes = [
      node("Transpose", "k", "kt", { perm: [0, 1, 3, 2] }),
      node("Cos", "q", "cos"),
      node("MatMul", "q kt", "raw"),
      node("Softmax", "raw", "weights", { axis: -1 }),
      node("MatMul", "weights v", "y"),
    ];
    const model = modelOfForm({ nodes, inputs: apart, y: dims, constants: { unused: float([1], []) } });
    await expect(refusal(model, { remap: selfExtend })).rejects.toThrow(/no layer rotates/);
  });
  it("a layer without rotation, before the positions of the others", async () => {
    const width = dims[3]! / 2;
    const table = (of: (angle: number) => number) =>
      float(
        Array.from({ length: 64 * width }, (_, i) => of(Math.floor(i / width) * 10000 ** (-(i % width) / width))),
        [64, width],
      );
    const attention = (q: string, k: string, to: string) => [
      node("Transpose", k, `${to}.kt`, { perm: [0, 1, 3, 2] }),
      node("MatMul", `${q} ${to}.kt`, `${to}.raw`),
      node("Softmax", `${to}.raw`, `${to}.weights`, { axis: -1 }),
      node("MatMul", `${to}.weights v`, to),
    ];
    const nodes = [
      ...attention("q", "k", "x"),
      node("Add", "position_ids zero", "ids"),
      ...["x", "k"].map((x) => microsoft("RotaryEmbedding", `${x} ids cos sin`, `${x}.r`)),
      ...attention("x.r", "k.r", "y"),
    ];
    const model = onnxModel({
      inputs: {
        ...Object.fromEntries(Object.entries(apart).map(([name, { dims }]) => [name, { type: "float32", dims }])),
        position_ids: { type: "int64", dims: [dims[0], dims[2]] },
      },
      constants: { zero: int64([0]), cos: table(Math.cos), sin: table(Math.sin) },
      outputs: { y: dims },
      nodes,
    });
    const temperature = { factor: 1, length: 4 };
    await expect(refusal(model, { temperature })).rejects.toThrow(
      /^temperature: layer 0: it has no rotation, and other layers' positions come after it \(Add "ids"\); choose layers/,
    );
    const second =
      <T>(rule: T) =>
      (layer: number) =>
        layer === 1 ? rule : undefined;
    for (const options of [{ remap: selfExtend }, { remap: selfExtend, temperature: second(temperature) }]) {
      const changed = await refusal(model, options);
      expect(changed.changes).toHaveLength(1);
      await openModel((await changed.bytes()) as never);
    }
  });
  it("positions of several axes, and of several tables", async () => {
    const phi = await opened("genai-phi3-longrope/model.onnx");
    await expect(phi.rewrite(pe, { remap: selfExtend })).rejects.toThrow(
      /^remap: layer 0: the graph chooses between several rotations/,
    );
  });
  it.each(["rotary", "tables"])("together with %s", async (other) => {
    const options = { remap: selfExtend, [other]: other === "tables" ? "inputs" : { kind: "rope", base: 500000 } };
    await expect(refusal(rotatingModel(plainForm), loosely(options))).rejects.toThrow(
      /^remap: cannot be combined with rotary or tables; change the rotation first/,
    );
  });
  it.each([{ window: 8 }, { attention: true }])("fused attention together with %o", async (other) => {
    const model = await opened("genai-llama-fp16/model.onnx");
    await expect(model.rewrite(pe, { remap: selfExtend, ...other })).rejects.toThrow(
      /^remap: layer 0: GroupQueryAttention is replaced by its parts: set `(window|attention)` in a rewrite of the result/,
    );
  });
  it.each<[object, RegExp]>([
    [{ kind: "self-extend", group: 0, window: 8 }, /^remap: group must be a whole number ≥ 1, got 0/],
    [{ kind: "self-extend", group: 4 }, /remap.window: is missing/],
    [{ kind: "self-extend", group: 4, window: 1.5 }, /^remap: window must be a whole number ≥ 1, got 1.5/],
    [{ kind: "rerope", window: 8, leak: 2 }, /^remap: leak must be from 0 to 1, got 2/],
    [{ kind: "dual-chunk", chunk: 4, local: 4 }, /^remap: chunk must be a whole number > local, got 4/],
    [{ kind: "dual-chunk", chunk: 4, local: -1 }, /^remap: local must be a whole number ≥ 0, got -1/],
    [{ kind: "yarn" }, /remap.kind/],
    [{ kind: "rerope", window: 8, group: 2 }, /remap.group: .*rerope has no group/],
  ])("%o", async (remap, message) => {
    const model = await opened("llama/model.onnx");
    for (const given of [remap, () => remap])
      await expect(model.rewrite(pe, loosely({ remap: given }))).rejects.toThrow(message);
  });
  it.each<[unknown, RegExp]>([
    [{ factor: 1 }, /temperature.length: is missing/],
    [{ rule: "log-n", length: 4, factor: 1 }, /temperature.factor: .*log-n has no factor/],
    [{ factor: 1, length: 0 }, /^temperature: must have finite values and a length > 0/],
    [{ rule: "log-n", length: 1 }, /^temperature: must have finite values and a length > 1/],
    [null, /^temperature: must be/],
  ])("a temperature %o", async (temperature, message) => {
    const model = await opened("llama/model.onnx");
    await expect(model.rewrite(pe, loosely({ temperature }))).rejects.toThrow(message);
  });
});
