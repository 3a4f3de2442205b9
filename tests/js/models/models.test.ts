// The catalogue of models: complete, honest, and every spec and config of it works.
import { PosencError } from "posenc";
import { models, recommend, useCases } from "posenc/models";
import { describe, expect, it } from "vitest";
import { goldenCases } from "../helpers/fixtures";
import { createAny, loosely, pe } from "../helpers/library";

const all = Object.values(models);

describe("models", () => {
  it("are many, from 2017 to today", () => {
    expect(all.length).toBeGreaterThanOrEqual(200);
    const years = all.map(({ year }) => year);
    expect(Math.min(...years)).toBe(2017);
    expect(Math.max(...years)).toBeGreaterThanOrEqual(2025);
  });

  it.each(Object.entries(models))("%s", (id, model) => {
    expect(model.id).toBe(id);
    expect(id).toMatch(/^[a-z0-9.-]+$/);
    for (const text of [model.name, model.family]) expect(text).not.toBe("");
    expect(model.source).toMatch(/^(arXiv:\d{4}\.\d{5}|[\w-]+\/[\w.-]+(: [\w/]+)?)$/);
    expect(["text", "image", "image-text", "audio"]).toContain(model.modality);
    if (model.contextLength !== null) expect(model.contextLength).toBeGreaterThan(0);
    for (const field of model.unchecked) expect(["spec", "contextLength"]).toContain(field);
    // What is not said to be unchecked was compared with something that is named.
    const isChecked =
      !model.unchecked.includes("spec") || !(model.contextLength === null || model.unchecked.length > 1);
    expect(model.checked !== undefined).toBe(isChecked);
    for (const where of model.checked ?? [])
      expect(where).toMatch(/^([\w.-]+\/[\w.-]+:[\w.+/-]+\.\w+|tests\/fixtures\/golden\/[\w./-]+\.json)$/);
    // Papers do not come out before their number.
    const [, number] = /^arXiv:(\d\d)/.exec(model.source) ?? [];
    if (number !== undefined) expect(Math.abs(2000 + Number(number) - model.year)).toBeLessThanOrEqual(1);
    expect(model.spec).toBe(model.spec);
    const encoding = loosely(createAny(model.spec));
    expect(encoding.kind).toBe(model.spec.kind);
    if (model.config === undefined) return;
    const { layerType } = model;
    const read = loosely(pe.fromConfig(model.config, layerType === undefined ? {} : { layerType }));
    expect(read.spec).toEqual(encoding.spec);
    for (const made of [encoding, read]) made.dispose();
  });

  it("are checked, but for a few", () => {
    expect(all.filter(({ unchecked }) => unchecked.length > 0).length).toBeLessThanOrEqual(20);
  });

  it("are checked against reference vectors that there are", () => {
    const own = all.flatMap(({ checked }) => checked ?? []).filter((where) => !where.includes(":"));
    expect(own.length).toBeGreaterThan(0);
    for (const where of own)
      expect(goldenCases.has(where.replace(/^tests\/fixtures\/golden\/|\.json$/g, ""))).toBe(true);
  });

  it("no two are the same", () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it("hold what the articles name", () => {
    const families = new Set(all.map(({ family }) => family));
    const named =
      "Transformer,BERT,Transformer-XL,Llama,GLM,Phi,GPT-Neo,GPT-J,BLOOM,MPT,Falcon,T5,DeBERTa,Whisper,ViT,CLIP";
    for (const family of named.split(",")) expect(families).toContain(family);
    expect(models["llama-3.1-8b"]!.spec).toEqual({
      kind: "rope-llama3",
      dim: 128,
      base: 500000,
      pairing: "half",
      factor: 8,
      originalLength: 8192,
      lowFrequencyFactor: 1,
      highFrequencyFactor: 4,
    });
  });
});

// What is said to be checked agrees with the reference vectors' own configs.
describe("reference vectors", () => {
  const pairs: [string, string, string?][] = [
    ["llama-2-7b", "llama-2-7b"],
    ["llama-3-8b", "llama-3-8b"],
    ["llama-3.2-1b", "llama-3.2-1b"],
    ["mistral-7b-v0.1", "mistral-7b-v0.1"],
    ["vicuna-7b-v1.5-16k", "vicuna-7b-v1.5-16k"],
    ["gemma-2-9b", "gemma-2-9b"],
    ["gpt-neox-20b", "gpt-neox-20b"],
    ["gpt-j-6b", "gptj-6b"],
    ["phi-2", "phi-2"],
    ["phi-3-mini-128k", "phi-3-mini-128k-long"],
    ["glm-4-9b-0414", "glm-4-9b-0414"],
    ["deepseek-v2-lite", "deepseek-v2-lite"],
    ["kimi-k2", "kimi-k2"],
    ["internlm2-7b", "internlm2-7b-above"],
    ["modernbert-base", "modernbert-base-full_attention", "full_attention"],
    ["qwen2.5-7b-instruct-yarn", "qwen2.5-7b-instruct-yarn4"],
    ["qwen2-vl-7b", "qwen2-vl-7b-mrope"],
    ["qwen3.5", "qwen3.5-mrope-interleaved"],
  ];
  it.each(pairs)("%s = %s", (id, name, layerType) => {
    const { spec } = models[id]!;
    const { config } = loosely(goldenCases.get(`rope/${name}`)).params;
    const options = { pairing: loosely(spec).pairing, ...(layerType === undefined ? {} : { layerType }) };
    expect(loosely(pe.fromConfig(config, options)).spec).toEqual(loosely(createAny(spec)).spec);
  });
});

describe("recommend", () => {
  it.each([
    ["short-text", "learned", "bert-base"],
    ["long-generation", "rope", "llama-3.1-8b"],
    ["lightweight", "alibi", "bloom"],
    ["compatibility", "sinusoidal", "transformer-base"],
    ["relative", "t5", "t5-base"],
    ["vision", "learned", "vit-base-patch16-224"],
    ["multimodal", "rope-mrope", "qwen2-vl-7b"],
  ])("%s: %s, as %s", (useCase, kind, id) => {
    const advice = recommend(useCase);
    expect(advice).toMatchObject({ useCase, kind, spec: { kind } });
    expect(advice.models).toContain(id);
    expect(advice.alternatives).not.toContain(kind);
    expect(advice.reason).not.toBe("");
  });

  it("answers every use case with what exists", () => {
    for (const useCase of useCases()) {
      const { spec, models: ids, alternatives } = recommend(useCase);
      expect(ids.length, useCase).toBeGreaterThan(0);
      for (const id of ids) expect(models).toHaveProperty([id]);
      createAny(spec);
      expect(alternatives.length).toBeGreaterThan(0);
    }
  });

  it("knows other spellings", () => {
    expect(recommend("Long Text")).toEqual(recommend("long-generation"));
    expect(recommend("light_weight").kind).toBe("alibi");
  });

  it("vision means images", () => {
    for (const id of recommend("vision").models) expect(models[id]!.modality).toBe("image");
  });

  it.each(["teleportation", "", undefined, 3, null])("refuses %j, listing what it knows", (useCase) => {
    const error = { name: "PosencError", code: "invalid-argument", field: "useCase" };
    expect(() => recommend(loosely(useCase))).toThrow(
      expect.objectContaining({ ...error, message: expect.stringContaining("long-generation") }),
    );
    expect(() => recommend(loosely(useCase))).toThrow(PosencError);
  });
});
