// Windows of attention in the file itself; tests/transformers runs such models.
import { describe, expect, it } from "vitest";
import { float, microsoft, node } from "../../../examples/transformers/models/onnx.js";
import { apart, dims, heads, length, modelOfForm, together } from "../helpers/attention-forms";
import { loosely, pe } from "../helpers/library";
import { besides, fixtureBytes, openModel } from "../helpers/onnx-models";
import { attributes, bytes, graphOf, integer, join, node as encoded } from "../helpers/onnx-proto";
import type { Finding, OnnxModel, RewriteOptions } from "posenc/onnx";

const opened = async (name: string) => openModel(await fixtureBytes(name), { externalData: await besides(name) });
const rewritten = async (model: OnnxModel, options: RewriteOptions) =>
  openModel(await (await model.rewrite(pe, options)).bytes(), {
    externalData: await besides("mobius-llama/model.onnx"),
  });
const configOf = async (name: string) => JSON.parse(new TextDecoder().decode(await configBytes(name)));
const configs = import.meta.glob<string>("../../fixtures/onnx/*/config.json", { query: "?raw", import: "default" });
const configBytes = async (name: string) =>
  new TextEncoder().encode(await configs[`../../fixtures/onnx/${name.split("/")[0]}/config.json`]!());
const aboutWindows = (findings: Finding[]) => findings.filter(({ code }) => code.startsWith("window"));

describe("a fix puts a lost window back", () => {
  const mistral = { model_type: "mistral", sliding_window: 32 };
  it.each<[string, string, object, RegExp]>([
    ["no window", "llama/model.onnx", mistral, /^layers 0-1: .* 32 tokens, the graph none/],
    ["no window, standard Attention", "mobius-llama/model.onnx", mistral, /^layers 0-1: /],
    ["no window, GroupQueryAttention", "genai-llama-fp16/model.onnx", mistral, /^layers 0-1: /],
    ["a wider window", "gemma3/model.onnx", { sliding_window: 16 }, /^layers 0, 2: .*compare with 32/],
  ])("%s", async (_, name, changes, message) => {
    const model = await opened(name);
    const config = { ...(await configOf(name)), ...changes };
    const [finding, ...others] = aboutWindows(model.audit(pe, config));
    expect([finding!.severity, finding!.code, others]).toEqual(["error", "window-lost", []]);
    expect(finding!.message).toMatch(message);
    const changed = await openModel(await (await model.rewrite(pe, finding!.rewrite!)).bytes(), {
      externalData: await besides(name),
    });
    expect(aboutWindows(changed.audit(pe, config))).toEqual([]);
  });
  it("another size of fused attention", async () => {
    const config = { ...(await configOf("genai-llama-fp16/model.onnx")), ...mistral };
    const externalData = await besides("genai-llama-fp16/model.onnx");
    const wrong = await (await opened("genai-llama-fp16/model.onnx")).rewrite(pe, { window: 16 });
    const model = await openModel(await wrong.bytes(), { externalData });
    const [finding] = aboutWindows(model.audit(pe, config));
    expect(finding!.code).toBe("window-size");
    const changed = await openModel(await (await model.rewrite(pe, finding!.rewrite!)).bytes(), { externalData });
    expect(aboutWindows(changed.audit(pe, config))).toEqual([]);
  });
});

describe("no window", () => {
  const bounded = async (window: RewriteOptions["window"]) => {
    const changed = await (await opened("genai-llama-fp16/model.onnx")).rewrite(pe, { window });
    return openModel(await changed.bytes(), { externalData: await besides("genai-llama-fp16/model.onnx") });
  };
  it("replaces the window of fused attention", async () => {
    const { changes } = await (await bounded(16)).rewrite(pe, { window: Infinity });
    expect(changes.map(({ what }) => what)).toEqual(Array(2).fill("attends to all keys now"));
    const config = { ...(await configOf("genai-llama-fp16/model.onnx")), model_type: "mistral", sliding_window: 16 };
    config.layer_types = ["full_attention", "sliding_attention"];
    const model = await bounded(16);
    const [finding] = aboutWindows(model.audit(pe, config));
    expect(finding!.message).toMatch(/layer 0: a window of 16 tokens, but the config has none/);
    const fixed = await openModel(await (await model.rewrite(pe, finding!.rewrite!)).bytes(), {
      externalData: await besides("genai-llama-fp16/model.onnx"),
    });
    expect(aboutWindows(fixed.audit(pe, config))).toEqual([]);
  });
  it("cannot be had of a mask", async () => {
    expect((await (await opened("llama/model.onnx")).rewrite(pe, { window: Infinity })).changes).toEqual([]);
    await expect((await opened("gemma3/model.onnx")).rewrite(pe, { window: Infinity })).rejects.toThrow(
      /layer 0 compares positions with 32, which may be a narrower window/,
    );
  });
});

it("layers share a mask, whatever the order of nodes in the file", async () => {
  const nodes = [
    node("Transpose", "k", "kt", { perm: [0, 1, 3, 2] }),
    ...["q", "x"].flatMap((from, i) => [
      node("MatMul", `${from} kt`, `raw.${i}`),
      node("Softmax", `raw.${i}`, `weights.${i}`, { axis: -1 }),
      node("MatMul", `weights.${i} v`, i ? "y" : "x"),
    ]),
  ];
  for (const order of [nodes, nodes.toReversed()]) {
    const model = await openModel(modelOfForm({ nodes: order, inputs: apart, y: dims }) as never);
    const changed = await model.rewrite(pe, { window: 3 });
    expect(changed.changes.map(({ name }) => name)).toEqual(["raw.0", "raw.1"]);
    await openModel((await changed.bytes()) as never);
  }
});

describe("changes", () => {
  it("name each layer, and what is there already", async () => {
    const model = await opened("gemma3/model.onnx");
    const { changes } = await model.rewrite(pe, { window: 32 });
    expect(changes.map(({ what }) => what.replace(/^attends only to keys at a distance below /, ""))).toEqual([
      "32 already",
      "32 already",
      "32 now",
    ]);
    const again = await (await rewritten(model, { window: 32 })).rewrite(pe, { window: 32 });
    expect(again.changes.every(({ what }) => what.endsWith("already"))).toBe(true);
  });
  it("are those of a function, by layer", async () => {
    const seen: number[] = [];
    const window = (layer: number) => void seen.push(layer);
    const { changes, unused } = await (await opened("gemma3/model.onnx")).rewrite(pe, { window });
    expect([seen, changes, unused]).toEqual([[0, 1, 2], [], []]);
  });
  it("share one mask", async () => {
    const model = await opened("llama/model.onnx");
    const of = async (window: RewriteOptions["window"]) => (await model.rewrite(pe, { window })).size;
    const [one, two, different] = [
      await of((layer) => (layer === 0 ? 8 : undefined)),
      await of(8),
      await of((layer) => 8 + layer),
    ];
    const plain = (await model.rewrite(pe, { window: () => undefined })).size;
    expect(two - one).toBeLessThan((one - plain) / 3);
    expect(different - two).toBeGreaterThan((one - plain) / 3);
  });
});

describe("a window that cannot be added says why", () => {
  const scores = [node("Transpose", "k", "kt", { perm: [0, 1, 3, 2] }), node("MatMul", "q kt", "raw")];
  const weighted = (from: string) => [node("Softmax", from, "weights", { axis: -1 }), node("MatMul", "weights v", "y")];
  const refusal = async (nodes: object[], inputs: any = apart, y: readonly number[] = dims, constants: object = {}) =>
    (await openModel(modelOfForm({ nodes, inputs, y, constants }))).rewrite(pe, { window: 4 });
  it("an operator without a mask", async () => {
    const nodes = [microsoft("SparseAttention", "q k v", "y", { num_heads: heads })];
    await expect(refusal(nodes, together, together.q.dims)).rejects.toThrow(
      /^window: SparseAttention "y" has no window; export .* eager/,
    );
  });
  it("keys in a buffer of fixed length", async () => {
    const nodes = [
      node("ScatterND", "k at k", "written"),
      node("Transpose", "written", "kt", { perm: [0, 1, 3, 2] }),
      node("MatMul", "q kt", "raw"),
      ...weighted("raw"),
    ];
    const at = { data: BigInt64Array.from(Array(length).fill(0n)), dims: [length, 1] };
    await expect(refusal(nodes, apart, dims, { at })).rejects.toThrow(
      /^window: layer 0 keeps keys in a buffer of fixed length \(ScatterND\)/,
    );
  });
  it("scores of several products", async () => {
    const nodes = [...scores, node("MatMul", "k kt", "more"), node("Concat", "raw more", "all", { axis: -1 })];
    await expect(refusal([...nodes, ...weighted("all")])).rejects.toThrow(/^window: layer 0: Softmax "weights" has no/);
  });
  it("a narrower window that is there", async () => {
    const nodes = [
      ...scores,
      node("Less", "distance size", "near"),
      node("Where", "near raw hidden", "masked"),
      ...weighted("masked"),
    ];
    const constants = { ...{ distance: float([1], []), size: float([9], []) }, hidden: float([-1e30], []) };
    const model = await openModel(modelOfForm({ nodes, inputs: apart, constants }));
    await expect(model.rewrite(pe, { window: 64 })).rejects.toThrow(
      /^window: layer 0 compares positions with 9, which may be a narrower window; it cannot be replaced/,
    );
    expect((await model.rewrite(pe, { window: 9 })).changes[0]!.what).toMatch(/already$/);
    expect((await model.rewrite(pe, { window: 4 })).changes[0]!.what).toMatch(/now$/);
  });
  it("an old operator set", async () => {
    const nodes = [
      encoded("MatMul", "q k", "raw"),
      encoded("Softmax", "raw", "weights", attributes.integer("axis", -1)),
      encoded("MatMul", "weights v", "y"),
    ];
    const old = bytes(8, join(bytes(1, ""), integer(2, 10)));
    const model = await openModel(join(integer(1, 8), old, bytes(7, graphOf({ nodes, inputs: ["q", "k", "v"] }))));
    await expect(model.rewrite(pe, { window: 4 })).rejects.toThrow(/^window: needs operator set 11, the model has 10/);
  });
  it("a config with other layers", async () => {
    const config = { ...(await configOf("llama/model.onnx")), model_type: "mistral", num_hidden_layers: 3 };
    await expect((await opened("llama/model.onnx")).rewrite(pe, { window: config })).rejects.toThrow(
      /^window: the graph has 2 layers with attention, the config 3/,
    );
  });
  it.each([0, -1, 1.5, "8", [1], [1, 2, 3], [1, -1], null, NaN, 2 ** 31, {}])("%s", async (window) => {
    const model = await opened("llama/model.onnx");
    for (const given of [window, () => window])
      await expect(model.rewrite(pe, loosely({ window: given }))).rejects.toMatchObject({
        ...{ name: "PosencError", code: "invalid-argument", field: "window" },
      });
  });
});
