// The cache that usePositions puts before the user's, without transformers.js: what it asks, and what JSON files become. The
// real ones, and models: tests/transformers.
import { usePositions } from "posenc/transformers";
import { specFromConfig } from "posenc/config";
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { expectError, refusal } from "../helpers/refusals";
import { at, pageWith } from "../helpers/transformers-page";

type Models = Parameters<typeof usePositions>[2];
type Options = Models[string];

/** What a config.json becomes. */
async function followed(options: Options, json: object, file = "config.json", config: object = json): Promise<any> {
  const { env, match } = pageWith({ [at("config.json")]: config, [at(file)]: json });
  const undo = usePositions(env, pe, { "org/model": options });
  const changed = await match(at(file));
  undo();
  return changed;
}

const llama = {
  ...{ model_type: "llama", hidden_size: 64, num_attention_heads: 4, max_position_embeddings: 64 },
  ...{ rope_theta: 10000, rope_scaling: null, vocab_size: 160 },
};
const { rope_theta, rope_scaling, ...rest } = llama;
const modern = { ...rest, rope_parameters: { rope_type: "default", rope_theta } };
const scaled = { factor: 4, originalLength: 64 };

describe("config.json", () => {
  const rotations: NonNullable<Options["rotary"]>[] = [
    { kind: "rope", base: 5e5 },
    { kind: "rope-linear", factor: 8 },
    { kind: "rope-dynamic", ...scaled },
    { kind: "rope-yarn", ...scaled },
    { kind: "rope-yarn", ...scaled, betaFast: 16, truncate: false, attentionFactor: 1.5 },
    { kind: "rope-llama3", ...scaled, lowFrequencyFactor: 1, highFrequencyFactor: 4, base: 5e5 },
    { kind: "rope-longrope", ...scaled, shortFactor: Array(8).fill(1), longFactor: Array(8).fill(3) },
  ];
  it.each(rotations.map((rotary) => [(rotary as { kind: string }).kind, rotary]))(
    "%s is read back",
    async (_, rotary) => {
      for (const config of [llama, modern]) {
        const changed = await followed({ rotary, length: 256 }, config);
        const spec = specFromConfig(changed);
        expect(spec).toMatchObject({ base: 10000, ...loosely(rotary) });
        const encoding = pe.create(loosely({ dim: 16, base: 10000, ...loosely(rotary) }));
        // An encoding says the same as its spec.
        expect(specFromConfig(await followed({ rotary: loosely(encoding), length: 256 }, config))).toMatchObject(spec);
        encoding.dispose();
      }
    },
  );

  it("says what has a default here, and calls NTK scaling the base that it is", async () => {
    const llama3 = await followed({ rotary: { kind: "rope-llama3", ...scaled } }, llama);
    expect(llama3.rope_scaling).toMatchObject({ low_freq_factor: 1, high_freq_factor: 4 });
    const ntk = specFromConfig(await followed({ rotary: { kind: "rope-ntk", factor: 8 } }, llama));
    expect(ntk).toMatchObject({ kind: "rope", base: expect.closeTo(10000 * 8 ** (16 / 14), 6) });
  });

  it("keeps what is not about positions, and what is not changed", async () => {
    const changed = await followed({ rotary: { kind: "rope-yarn", ...scaled }, length: 256 }, llama);
    const { rope_scaling, max_position_embeddings, ...others } = changed;
    expect(max_position_embeddings).toBe(256);
    expect(rope_scaling).toEqual({ rope_type: "yarn", factor: 4, original_max_position_embeddings: 64 });
    expect(llama).toMatchObject(others);
    expect(await followed({ rotary: () => ({ kind: "rope-linear", factor: 4 }) }, llama)).toEqual(llama);
    expect(await followed({ angles: "float32" }, modern)).toEqual(modern);
  });

  it("of several layer types: each keeps its base", async () => {
    const rope_parameters = {
      sliding_attention: { rope_type: "default", rope_theta: 10000 },
      full_attention: { rope_type: "default", rope_theta: 1e6, partial_rotary_factor: 0.5 },
    };
    const changed = await followed({ rotary: { kind: "rope-linear", factor: 8 } }, { ...modern, rope_parameters });
    expect(changed.rope_parameters).toEqual({
      sliding_attention: { rope_type: "linear", factor: 8, rope_theta: 10000 },
      full_attention: { rope_type: "linear", factor: 8, rope_theta: 1e6, partial_rotary_factor: 0.5 },
    });
  });

  it("without a length: the original one, times the factor", async () => {
    const changed = await followed({ rotary: { kind: "rope-yarn", factor: 2.5, originalLength: 64 } }, llama);
    expect(changed.max_position_embeddings).toBe(160);
  });

  it("takes over another config's positions", async () => {
    const other = {
      ...llama,
      max_position_embeddings: 512,
      rope_theta: 5e5,
      rope_scaling: { rope_type: "linear", factor: 2 },
    };
    const changed = await followed({ rotary: { ...other, hidden_size: 9999 } }, llama);
    expect(changed).toEqual(other);
    expect(await followed({ rotary: llama, length: 128 }, modern)).toEqual({ ...llama, max_position_embeddings: 128 });
  });

  it("of a text inside a larger model", async () => {
    const changed = await followed({ length: 256 }, { model_type: "gemma3", text_config: llama, vision_config: {} });
    expect(changed).toEqual({
      ...{ model_type: "gemma3", vision_config: {} },
      text_config: { ...llama, max_position_embeddings: 256 },
    });
  });

  it("counts reserved rows as the model does", async () => {
    const roberta = { model_type: "roberta", hidden_size: 64, max_position_embeddings: 66, pad_token_id: 1 };
    const opt = { model_type: "opt", hidden_size: 64, max_position_embeddings: 64 };
    const gpt2 = { model_type: "gpt2", n_embd: 64, n_positions: 64, n_ctx: 64 };
    const options: Options = { length: 256, resize: "linear" };
    expect(await followed(options, roberta)).toMatchObject({ max_position_embeddings: 258 });
    expect(await followed(options, opt)).toMatchObject({ max_position_embeddings: 256 });
    expect(await followed(options, gpt2)).toMatchObject({ n_positions: 256, n_ctx: 256 });
  });

  it("of T5 and of images", async () => {
    const t5 = { model_type: "t5", relative_attention_max_distance: 128 };
    const changed = await followed({ bias: { kind: "t5", maxDistance: 512 } }, t5);
    expect(changed.relative_attention_max_distance).toBe(512);
    const vit = { model_type: "vit", image_size: 32, patch_size: 8 };
    expect((await followed({ grid: [6, 6] }, vit)).image_size).toBe(48);
    expect((await followed({ grid: [6, 9] }, vit)).image_size).toEqual([48, 72]);
    const size = { height: 32, width: 32 };
    const images = await followed(
      { grid: [6, 9] },
      { size, crop_size: size, do_resize: true },
      "preprocessor_config.json",
      vit,
    );
    expect(images).toEqual({ size: { height: 48, width: 72 }, crop_size: { height: 48, width: 72 }, do_resize: true });
  });

  it.each<[json: object, grid: number[], wanted: object]>([
    [{ size: 32 }, [6, 6], { size: 48 }],
    [{ size: 32 }, [6, 9], { size: { height: 48, width: 72 } }],
    [{ size: { shortest_edge: 32 }, crop_size: 32 }, [6, 6], { size: { shortest_edge: 48 }, crop_size: 48 }],
    [{ size: { shortest_edge: 32 } }, [6, 9], { size: { height: 48, width: 72 } }],
    [{ size: { longest_edge: 99 } }, [6, 6], { size: { longest_edge: 99 } }],
    [{ size: 32 }, [36], { size: 32 }],
  ])("sizes of images, %j on %j", async (json, grid, wanted) => {
    const vit = { model_type: "vit", image_size: 32, patch_size: 8 };
    expect(await followed({ grid }, json, "preprocessor_config.json", vit)).toEqual(wanted);
  });
});

it("the tokenizer's length follows, where it has an end", async () => {
  const follow = (json: object, options: Options = { length: 256 }) =>
    followed(options, json, "tokenizer_config.json", llama);
  expect(await follow({ model_max_length: 64, a: 1 })).toEqual({ model_max_length: 256, a: 1 });
  expect(await follow({ model_max_length: 1e30 })).toEqual({ model_max_length: 1e30 });
  expect(await follow({ a: 1 })).toEqual({ a: 1 });
  expect(await follow({ model_max_length: 64 }, { grid: [2, 2] })).toEqual({ model_max_length: 64 });
});

it("the window follows, if all layers can have it", async () => {
  const of = (type: string, more: object = {}) => ({ ...llama, model_type: type, num_hidden_layers: 2, ...more });
  expect((await followed({ window: 256 }, of("mistral"))).sliding_window).toBe(256);
  const qwen = await followed({ window: 256 }, of("qwen2", { use_sliding_window: false, max_window_layers: 28 }));
  expect(qwen).toMatchObject({ sliding_window: 256, use_sliding_window: true, max_window_layers: 0 });
  const types = { layer_types: ["sliding_attention", "full_attention"], sliding_window: 64 };
  expect(await followed({ window: 256 }, of("gemma3_text", types))).toEqual(of("gemma3_text", types));
  expect(await followed({ window: [255, 0] }, of("mistral"))).toEqual(of("mistral"));
});

it("the runtime's own config follows", async () => {
  const json = {
    model: { context_length: 64, type: "llama" },
    search: { max_length: 64, past_present_share_buffer: true },
  };
  const follow = (options: Options) => followed(options, json, "genai_config.json", llama);
  expect(await follow({ length: 256 })).toEqual({
    model: { context_length: 256, type: "llama" },
    search: { max_length: 256, past_present_share_buffer: true },
  });
  // Its parts replace the operator that can use a cache with spare rows.
  expect(await follow({ remap: { kind: "rerope", window: 32 } })).toEqual({
    model: json.model,
    search: { max_length: 64, past_present_share_buffer: false },
  });
});

describe("the cache", () => {
  const models: Models = { "org/model": { length: 256 } };

  it("keeps what it fetches, as it was, under the key that was asked for", async () => {
    const { env, held, asked, match } = pageWith({ [at("config.json", "org/model", "v%2F2")]: llama });
    usePositions(env, pe, models);
    const key = at("config.json", "org/model", "v%2F2");
    for (let time = 0; time < 2; time++) expect(await match(key)).toMatchObject({ max_position_embeddings: 256 });
    expect(asked).toEqual([key]);
    expect([...held.keys()]).toEqual([key]);
    expect(await held.get(key)!.json()).toEqual(llama);
  });

  it("asks the page's own server first, and keeps its files under their own addresses", async () => {
    const { env, held, asked, match } = pageWith(
      { "/models/org/model/config.json": llama },
      { allowLocalModels: true },
    );
    usePositions(env, pe, models);
    // As transformers.js asks: first for the place on this server.
    expect(await match("/models/org/model/config.json")).toBeUndefined();
    expect(await match(at("config.json"))).toMatchObject({ max_position_embeddings: 256 });
    expect(await match("/models/org/model/config.json")).toMatchObject({ max_position_embeddings: 256 });
    expect([asked, [...held.keys()]]).toEqual([["/models/org/model/config.json"], ["/models/org/model/config.json"]]);
  });

  it("knows models by other hosts and paths", async () => {
    const where = { remoteHost: "https://mirror.test", remotePathTemplate: "/files/{revision}/{model}/{revision}" };
    const key = "https://mirror.test/files/main/org/model/main/config.json";
    const { env, match } = pageWith({ [key]: llama }, where);
    usePositions(env, pe, models);
    expect(await match(key)).toMatchObject({ max_position_embeddings: 256 });
    expect(await match(key.replace("org/model", "org/model-2"))).toBeUndefined();
  });

  it("hands on all other files", async () => {
    const { env, held, asked, match } = pageWith({});
    usePositions(env, pe, models);
    const others = [at("tokenizer.json"), at("config.json", "org/other"), "https://cdn.test/ort.wasm"];
    for (const key of others) {
      expect(await match(key)).toBeUndefined();
      await env.customCache.put(key, Response.json(key));
      expect(await match(key)).toBe(key);
    }
    expect([asked, [...held.keys()]]).toEqual([[], others]);
    expect(await env.customCache.delete(others[0])).toBe(true);
    expect(held.size).toBe(2);
  });

  it("needs no cache that works, nor one at all", async () => {
    const broken = () => {
      throw new Error("no access");
    };
    for (const customCache of [{ match: broken, put: broken }, null]) {
      const useCustomCache = customCache !== null;
      const { env, match } = pageWith({ [at("config.json")]: llama }, { customCache, useCustomCache });
      const undo = usePositions(env, pe, models);
      expect(await match(at("config.json"))).toMatchObject({ max_position_embeddings: 256 });
      undo();
      expect(env).toMatchObject({ customCache, useCustomCache });
    }
  });

  it("has nothing where there is nothing, and says so where a server fails", async () => {
    const { env, asked, match } = pageWith({ [at("tokenizer_config.json")]: 503 });
    usePositions(env, pe, models);
    expect(await match(at("config.json"))).toBeUndefined();
    expect(await match(at("onnx/model.onnx"))).toBeUndefined();
    expect(asked).toEqual([at("config.json"), at("onnx/model.onnx")]);
    const response = await env.customCache.match(at("tokenizer_config.json"));
    const failure = { code: "load-failed", message: expect.stringContaining("the server returned status 503") };
    await expect(response.arrayBuffer()).rejects.toMatchObject(failure);
    await expect(response.body.getReader().read()).rejects.toMatchObject(failure);
    env.allowRemoteModels = false;
    expect(await match(at("tokenizer_config.json"))).toBeUndefined();
  });

  it("goes, and leaves what was there", () => {
    for (const useCustomCache of [true, false]) {
      const { env, cache } = pageWith({}, { useCustomCache });
      const before = { ...env };
      {
        using undo = usePositions(env, pe, models);
        expect(env).toMatchObject({ useCustomCache: true });
        expect(env.customCache).not.toBe(cache);
        expect(undo).toBeTypeOf("function");
      }
      expect(env).toEqual(before);
      expect(env.customCache).toBe(cache);
    }
  });
});

describe("refuses", () => {
  const { env } = pageWith({});
  const refused = (models: unknown, given: unknown = env, library: unknown = pe) =>
    refusal(() => usePositions(loosely(given), loosely(library), loosely(models)));
  it.each<[string, () => Error, RegExp]>([
    [
      "no env",
      () => refused({}, {}),
      /^env: must be `env` of @huggingface\/transformers 3 or 4, got Object without customCache$/,
    ],
    ["nothing", () => refused({}, null), /^env: must be .*, got null without customCache$/],
    ["another env", () => refused({}, { ...env, remoteHost: 3 }), /^env: .* without remoteHost$/],
    ["no library", () => refused({}, env, {}), /^pe: must come from init\(\), got Object/],
    ["no models", () => refused({}), /^models: must name a model$/],
    [
      "a list",
      () => refused(["org/model"]),
      /^models: must be \{ "org\/model": \{ rotary, length, … \} \}, got an array/,
    ],
    ["no options", () => refused({ "org/model": null }), /^models\["org\/model"\]: must be an object.*, got null/],
    ["empty options", () => refused({ "org/model": {} }), /^models\["org\/model"\]: must name a change/],
    [
      "a typing slip",
      () => refused({ "org/model": { lenght: 8 } }),
      /^lenght: unknown option \(did you mean `length`\?\)/,
    ],
    ["a wrong length", () => refused({ "org/model": { length: 0.5 } }), /^length: must be a whole number/],
    ["a wrong mode", () => refused({ "org/model": { resize: "cubic", length: 9 } }), /^resize: must be/],
  ])("%s", (_, work, message) => {
    const error = work();
    expectError(error, "invalid-argument");
    expect(error.message).toMatch(message);
    expect(env.useCustomCache).toBe(true);
  });
});
