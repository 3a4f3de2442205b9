// Attention weights that a rewrite adds as outputs: they are what posenc computes of the same queries and keys, the model's
// own outputs stay; and what transformers.js makes of them.
import { AutoModelForCausalLM, AutoTokenizer, env } from "@huggingface/transformers";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { withRotaryTables } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { writeModels } from "../../examples/transformers/models/files.js";
import { float, node, onnxModel } from "../../examples/transformers/models/onnx.js";
import { recaller } from "../../examples/transformers/models/recaller.js";
import {
  apart,
  attentionForms,
  batch,
  dim,
  dims,
  float32,
  k,
  length,
  modelOfForm,
  q,
} from "../js/helpers/attention-forms";
import { maxDifference, randomTensor } from "../js/helpers/numbers";
import { bytes, graphAttribute, graphOf, join, node as encoded } from "../js/helpers/onnx-proto";
import { feedsOf, models } from "./onnx-models";
import { runtimes, tensorOf } from "./runtimes";

const pe = await init();
const wanted = pe.attentionWeights(q as never, k as never, { causal: true });
const sessionOf = (ort: any, model: Uint8Array, externalData: object[] = []) =>
  ort.InferenceSession.create(model, {
    graphOptimizationLevel: "basic",
    logSeverityLevel: 4,
    externalData,
    executionProviders: [ort === runtimes[1]![1] ? "wasm" : "cpu"],
  });
async function withWeights(model: Uint8Array, externalData: Record<string, Uint8Array> = {}) {
  const changed = await (await openModel(model, { externalData })).rewrite(pe, { attention: true });
  expect(changed.changes.length).toBeGreaterThan(0);
  return changed.bytes();
}

describe.each(runtimes)("%s", (_, ort) => {
  const run = async (model: Uint8Array, feeds: Record<string, unknown>) => {
    const session = await sessionOf(ort, model);
    try {
      return await session.run(feeds);
    } finally {
      await session.release();
    }
  };

  it.each(Object.entries(attentionForms))("%s", async (__, form) => {
    const feeds = Object.fromEntries(
      Object.entries(form.inputs).map(([name, numbers]) => [name, tensorOf(ort, numbers)]),
    );
    const source = modelOfForm(form);
    const result = await run(await withWeights(source), feeds);
    const [name] = Object.keys(result).filter((one) => one !== "y");
    expect(name).toBe("attentions.0");
    expect(result[name!].dims).toEqual(wanted.dims);
    expect(maxDifference(result[name!].data, wanted.data)).toBeLessThan(1e-6);
    expect(maxDifference(result.y.data, (await run(source, feeds)).y.data)).toBeLessThan(1e-6);
  });

  it("of a decoder in one file with its encoder: names tell which layer attends to which tokens", async () => {
    const tokens = { x: [batch, 7, dim], z: [batch, length, dim] };
    const layer = (name: string, from: string, to: string) => [
      node("MatMul", `${from} wq`, `${name}.q`),
      node("MatMul", `${to} wk`, `${name}.k`),
      node("Add", `${name}.k place`, `${name}.placed`),
      node("Transpose", `${name}.placed`, `${name}.kt`, { perm: [0, 2, 1] }),
      node("MatMul", `${name}.q ${name}.kt`, `${name}.raw`),
      node("Softmax", `${name}.raw`, `${name}.weights`, { axis: -1 }),
      node("MatMul", `${to} wv`, `${name}.v`),
      node("MatMul", `${name}.weights ${name}.v`, `${name}.out`),
      node("Add", `${from} ${name}.out`, `${name}.y`),
    ];
    const weight = (seed: number) => float(randomTensor([dim, dim], seed).data, [dim, dim]);
    const model = onnxModel({
      inputs: { x: float32(tokens.x), z: float32(tokens.z) },
      constants: { wq: weight(5), wk: weight(6), wv: weight(7), place: float(randomTensor([dim], 8).data, [dim]) },
      outputs: { "d.y": tokens.z },
      nodes: [
        ...layer("a", "x", "x"),
        ...layer("b", "z", "z"),
        ...layer("c", "b.y", "a.y"),
        ...layer("e", "a.y", "a.y"),
        ...layer("f", "c.y", "c.y"),
        ...layer("d", "f.y", "e.y"),
      ],
    });
    const feeds = Object.fromEntries(
      Object.entries(tokens).map(([name, all]) => [name, tensorOf(ort, { ...randomTensor(all, 4), dims: all })]),
    );
    const result = await run(await withWeights(model), feeds);
    const shapes = Object.fromEntries(Object.entries<any>(result).map(([name, one]) => [name, [...one.dims]]));
    expect(shapes).toEqual({
      "d.y": tokens.z,
      "encoder_attentions.0": [batch, 7, 7],
      "encoder_attentions.1": [batch, 7, 7],
      "decoder_attentions.0": [batch, length, length],
      "decoder_attentions.1": [batch, length, length],
      "cross_attentions.0": [batch, length, 7],
      "cross_attentions.1": [batch, length, 7],
    });
  });

  it("of both branches of an If", async () => {
    const info = (name: string, type: number, all: readonly number[]) =>
      join(
        bytes(1, name),
        bytes(2, bytes(1, join([8, type], bytes(2, join(...all.map((one) => bytes(1, [8, one]))))))),
      );
    // The second looks the other way: what comes out tells which one ran.
    const branch = (name: string, from: string, to: string) =>
      join(
        graphOf({
          nodes: [
            encoded("MatMul", `${from} ${to}`, `${name}.raw`),
            encoded("Softmax", `${name}.raw`, `${name}.weights`),
            encoded("MatMul", `${name}.weights v`, `${name}.y`),
          ],
        }),
        bytes(12, info(`${name}.y`, 1, dims)),
      );
    const choice = encoded(
      "If",
      "which",
      "y",
      graphAttribute("then_branch", branch("a", "q", "kt")),
      graphAttribute("else_branch", branch("b", "minus", "kt")),
    );
    const permuted = join(bytes(1, "perm"), ...[0, 1, 3, 2].map((one) => Uint8Array.of(64, one)), [160, 1, 7]);
    const main = join(
      graphOf({ nodes: [encoded("Transpose", "k", "kt", permuted), encoded("Neg", "q", "minus"), choice] }),
      ...["q", "k", "v"].map((name) => bytes(11, info(name, 1, dims))),
      bytes(11, info("which", 9, [1])),
      bytes(12, info("y", 1, dims)),
    );
    const model = join([8, 8], bytes(8, [16, 18]), bytes(7, main));
    const rewritten = await withWeights(model);
    for (const [which, sign] of [
      [1, 1],
      [0, -1],
    ] as const) {
      const given = { data: q.data.map((x: number) => sign * dim ** 0.5 * x), dims };
      const result = await run(rewritten, {
        ...Object.fromEntries(Object.entries(apart).map(([name, numbers]) => [name, tensorOf(ort, numbers)])),
        which: new ort.Tensor("bool", Uint8Array.of(which), [1]),
      });
      const mine = pe.attentionWeights(given as never, k as never, {});
      expect(maxDifference(result["attentions.0"].data, mine.data)).toBeLessThan(1e-6);
    }
  });
});

describe.each(models.map((model) => [model.name, model] as const))("%s", (_, model) => {
  it("tells the weights of all layers and computes all else as before", async () => {
    const [, ort] = runtimes[0]!;
    const source = readFileSync(model.file);
    const external = Object.entries(model.externalData).map(([path, data]) => ({ path, data }));
    const [before, after] = await Promise.all(
      [source, await withWeights(source, model.externalData)].map((one) => sessionOf(ort, one, external)),
    );
    const feeds = feedsOf(ort, before, model, model.truth.cases[0]!);
    const [plain, withOutputs] = [await before.run(feeds), await after.run(feeds)];
    const config = JSON.parse(readFileSync(model.file.replace(/[^/]*$/, "config.json"), "utf8"));
    const added = after.outputNames.filter((name: string) => !before.outputNames.includes(name));
    const layers = config.num_hidden_layers ?? config.n_layer ?? config.num_layers;
    // A decoder that also looks at an encoder has two a layer.
    const both = /(^|\/)decoder/.test(model.name) && config.is_encoder_decoder ? 2 : 1;
    expect(added).toHaveLength(layers * both);
    for (const name of before.outputNames)
      expect(maxDifference(withOutputs[name].data, plain[name].data)).toBeLessThan(1e-5);
    const isHalf = plain[before.outputNames[0]].type === "float16";
    for (const name of added) {
      const { type, data, dims: shape } = withOutputs[name];
      expect([type, shape[1]]).toEqual(["float32", config.num_attention_heads ?? config.n_head ?? config.num_heads]);
      const [rows, keys] = [shape.at(-2), shape.at(-1)];
      for (let row = 0; row < data.length; row += keys) {
        const sum = data.subarray(row, row + keys).reduce((all: number, one: number) => all + one, 0);
        expect(Math.abs(sum - 1)).toBeLessThan(isHalf ? 2e-3 : 1e-5);
      }
      // Who has a past sees nothing of the future.
      if (!/^(cross_)?attentions/.test(name))
        for (let i = 0; i < data.length; i++)
          if (i % keys > Math.floor(i / keys) % rows) expect(data[i]).toBeLessThan(1e-6);
    }
    await Promise.all([before.release(), after.release()]);
  });
});

it("transformers.js gathers them in generate, and a forward pass has them by name", async () => {
  const folder = mkdtempSync(joinPath(tmpdir(), "posenc-attention-"));
  try {
    env.allowRemoteModels = false;
    env.localModelPath = writeModels(folder);
    const file = joinPath(folder, "recaller/onnx/model.onnx");
    writeFileSync(file, await withWeights(readFileSync(file)));
    const model: any = await AutoModelForCausalLM.from_pretrained("recaller", { dtype: "fp32" });
    const tokenizer: any = await AutoTokenizer.from_pretrained("recaller");
    const rope = pe.create({ kind: "rope", dim: 8, base: 100 });
    const undo = withRotaryTables(model, rope);
    const inputs = tokenizer("remember gold hum colour");
    const outputs = await model(inputs);
    const layers = recaller.config.num_hidden_layers;
    const tokens = inputs.input_ids.dims[1];
    for (let layer = 0; layer < layers; layer++)
      expect(outputs[`decoder_attentions.${layer}`].dims.slice(-2)).toEqual([tokens, tokens]);
    const generated = await model.generate({
      ...inputs,
      max_new_tokens: 2,
      return_dict_in_generate: true,
      output_attentions: true,
    });
    undo();
    // A list for each step, with a tensor for each layer; later steps have one query, and all keys.
    expect(generated.decoder_attentions.map((step: any[]) => step.map((one) => one.dims.slice(-2)))).toEqual([
      Array(layers).fill([tokens, tokens]),
      Array(layers).fill([1, tokens + 1]),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
