// What configs say of layers and windows, and what follows for a graph.
import { describe, expect, it } from "vitest";
import { auditBuckets, auditRotatingLayers, auditWindows } from "../../../web/src/onnx/audit/others";
import { layerSpecs, type LayerSpec } from "posenc/config";
import { pe } from "../helpers/library";
import { attends } from "../../../web/src/config/attends";
import { readFacts } from "../../../web/src/onnx/audit/config-facts";
import type { PositionalComponent, Finding } from "../../../web/src/onnx";

type Json = Record<string, unknown>;
const heads = { hidden_size: 64, num_attention_heads: 4, head_dim: 16, rope_theta: 10000 };
const codes = (findings: readonly Finding[]): string[] => findings.map(({ severity, code }) => `${severity} ${code}`);

it("tells DeBERTa's distances apart", () => {
  const component = { layers: [0, 1], buckets: 8, maxDistance: 64 } as unknown as PositionalComponent;
  const spec = { kind: "deberta", dim: 16, heads: 4, buckets: 8, maxDistance: 64 } as const;
  expect(auditBuckets(component, spec)).toEqual([]);
  const [finding] = auditBuckets(component, { ...spec, maxDistance: 512 });
  expect(finding).toMatchObject({
    severity: "error",
    code: "buckets",
    rewrite: { bias: { kind: "deberta", maxDistance: 512 } },
  });
  expect(auditBuckets(component, { ...spec, buckets: 16 })[0]!.rewrite).toBeUndefined();
});

describe("layers that turn", () => {
  const rotating = (layers: number[]): PositionalComponent[] => [{ layers } as unknown as PositionalComponent];
  const model = { num_hidden_layers: 8, max_position_embeddings: 64, ...heads };
  it.each<[what: string, config: Json, expected: number[] | undefined]>([
    ["SmolLM 3", { model_type: "smollm3" }, [0, 1, 2, 4, 5, 6]],
    ["Llama 4", { model_type: "llama4_text", no_rope_layers: [1, 1, 0, 0, 1, 1, 0, 0] }, [0, 1, 4, 5]],
    ["Cohere 2", { model_type: "cohere2", sliding_window: 8 }, [0, 1, 2, 4, 5, 6]],
    ["Cohere 2, every third", { model_type: "cohere2", sliding_window_pattern: 3 }, [0, 1, 3, 4, 6, 7]],
    [
      "Cohere 2 of experts",
      { model_type: "cohere2_moe", sliding_window: 8, sliding_window_pattern: 3, first_k_dense_replace: 2 },
      [0, 1, 2, 3, 5, 6],
    ],
    ["K-EXAONE", { model_type: "exaone_moe", sliding_window: 8, sliding_window_pattern: 4 }, [0, 1, 2, 4, 5, 6]],
    ["Llama", { model_type: "llama" }, undefined],
  ])("%s", (_, config, expected) => {
    const facts = readFacts(pe, { ...model, ...config });
    expect(facts.rotatingLayers).toEqual(expected);
    const should = expected ?? [0, 1, 2, 3, 4, 5, 6, 7];
    expect(auditRotatingLayers(rotating(should), facts)).toEqual([]);
    expect(codes(auditRotatingLayers(rotating(should.slice(1)), facts))).toEqual(["error layer-not-rotated"]);
  });
  it.each<[what: string, config: Json, expected: object | undefined]>([
    [
      "Mistral",
      { model_type: "mistral", sliding_window: 32 },
      { size: 32, layers: [0, 1, 2, 3, 4, 5, 6, 7], isSure: true },
    ],
    [
      "Qwen 2",
      { model_type: "qwen2", use_sliding_window: true, sliding_window: 32, max_window_layers: 6 },
      { size: 32, layers: [6, 7], isSure: true },
    ],
    ["Gemma 2", { model_type: "gemma2", sliding_window: 32 }, { size: 32, layers: [0, 2, 4, 6], isSure: true }],
    [
      "ModernBERT",
      { model_type: "modernbert", local_attention: 32 },
      { size: 16, layers: [1, 2, 4, 5, 7], isSure: true },
    ],
    [
      "another",
      { model_type: "new", sliding_window: 32 },
      { size: 32, layers: [0, 1, 2, 3, 4, 5, 6, 7], isSure: false },
    ],
    ["Qwen 2 without", { model_type: "qwen2", sliding_window: 32 }, undefined],
  ])("windows of %s", (_, config, expected) => {
    expect(readFacts(pe, { ...model, ...config }).windows).toEqual(expected ? [expected] : []);
  });
});

it("asks the model's code where windows begin", () => {
  // Qwen2Config's max_window_layers is 28 unless the config has another.
  const config = { ...heads, num_hidden_layers: 32, sliding_window: 32, use_sliding_window: true, model_type: "qwen2" };
  expect(readFacts(pe, config).windows).toEqual([{ size: 32, layers: [28, 29, 30, 31], isSure: true }]);
});

it.each([0, -1, 1.5, Infinity, 1e15, "64"])("takes no length of %s", (length) => {
  const facts = readFacts(pe, {
    max_position_embeddings: length,
    rope_scaling: { original_max_position_embeddings: length },
  });
  expect([facts.maxLength, facts.originalLength]).toEqual([undefined, undefined]);
});

const [records] = Object.values(
  import.meta.glob<{ type: string; config: Json }[]>("../../fixtures/rotary-types.json", {
    eager: true,
    import: "default",
  }),
);

const readable = (config: object): LayerSpec[] => {
  try {
    return layerSpecs(config);
  } catch {
    return [];
  }
};

it.each(records!.map(({ type }) => type))("says of %s what layerSpecs says", (type) => {
  const config = {
    max_position_embeddings: 2 ** 20,
    ...heads,
    num_hidden_layers: 12,
    sliding_window: 64,
    model_type: type,
  };
  const facts = readFacts(pe, config);
  const all = readable(config);
  const layers = all.filter(({ part, type: kind }) => part === all[0]!.part && attends(kind));
  if (layers.length === 0) return expect(facts.layers).toBeUndefined();
  expect(facts.types).toEqual(layers.map(({ type: kind }) => kind));
  const still = layers.flatMap(({ spec }, layer) => (spec ? [] : [layer]));
  expect(facts.rotatingLayers ?? layers.map((_, layer) => layer)).toEqual(
    layers.flatMap((_, layer) => (still.includes(layer) ? [] : [layer])),
  );
  const local = layers.flatMap(({ window }, layer) => (window === undefined ? [] : [layer]));
  expect(facts.windows.flatMap((window) => window.layers)).toEqual(local);
});

describe("windows of fused attention", () => {
  const facts = readFacts(pe, {
    ...heads,
    model_type: "gemma2",
    num_hidden_layers: 4,
    sliding_window: 32,
    max_position_embeddings: 64,
  });
  const windows = (size: number, layers: number[]) =>
    layers.map((layer) => ({ form: "attribute", size, layers: [layer] }) as const);
  it.each<[what: string, size: number, layers: number[], expected: string[]]>([
    ["as the config says", 32, [0, 2], []],
    ["counted without the token itself", 31, [0, 2], []],
    ["in one layer only", 32, [0], ["error window-lost"]],
    ["in all layers", 32, [0, 1, 2, 3], ["error window-size"]],
    ["of another size", 16, [0, 2], ["error window-size"]],
  ])("%s", (_, size, layers, expected) => {
    expect(codes(auditWindows(windows(size, layers), facts, true, {}))).toEqual(expected);
  });
});
