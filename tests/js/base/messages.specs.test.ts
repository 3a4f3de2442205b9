// What newcomers write in specs, by the names of PyTorch, Transformers and papers: who reads the message alone can fix the call.
import { describe, expect, it } from "vitest";
import { createAny, loosely, pe } from "../helpers/library";
import { refusal } from "../helpers/refusals";

const messageOf = (spec: unknown): string => {
  const { code, message } = refusal(() => createAny(loosely(spec)));
  expect(code).toBe("invalid-spec");
  return message;
};

describe("fields by other names", () => {
  it.each<[object, string]>([
    [{ kind: "rope", dim: 64, theta: 1e4 }, "rope.theta: unknown field (did you mean `base`?)"],
    [{ kind: "rope", dim: 64, rope_theta: 1e4 }, "`base`"],
    [{ kind: "rope", rope_theta: 1e4 }, "`base`"],
    [{ kind: "rope", head_dim: 64 }, "`dim`, the size of one head"],
    [{ kind: "rope", hidden_size: 4096 }, "`dim`, the size of one head"],
    [{ kind: "sinusoidal", d_model: 512 }, "(did you mean `dim`?)"],
    [{ kind: "sinusoidal", embed_dim: 512 }, "`dim`"],
    [{ kind: "sinusoidal", dims: 512 }, "`dim`"],
    [{ kind: "sinusoidal-2d", dim: 64, temperature: 1e4 }, "`base`"],
    [{ kind: "alibi", num_heads: 8 }, "`heads`"],
    [{ kind: "t5", n_heads: 8 }, "`heads`"],
    [{ kind: "t5", num_attention_heads: 8 }, "`heads`"],
    [{ kind: "t5", heads: 8, num_buckets: 32 }, "`buckets`"],
    [{ kind: "t5", heads: 8, relative_attention_max_distance: 128 }, "`maxDistance`"],
    [{ kind: "shaw", dim: 64, max_relative_position: 4 }, "`maxDistance`"],
    [{ kind: "learned", dim: 64, max_len: 512 }, "`length`"],
    [{ kind: "learned", dim: 64, max_position_embeddings: 512 }, "`length`"],
    [{ kind: "learned", dim: 64, num_embeddings: 512 }, "`length`"],
    [{ kind: "learned", dim: 64, max_seq_len: 512 }, "`length`"],
    [{ kind: "rope-yarn", dim: 64, factor: 4, original_max_position_embeddings: 4096 }, "`originalLength`"],
    [{ kind: "rope-yarn", dim: 64, factor: 4, max_position_embeddings: 4096 }, "`originalLength`"],
    [{ kind: "rope-yarn", dim: 64, originalLength: 64, scaling_factor: 4 }, "`factor`"],
    [{ kind: "rope-yarn", dim: 64, originalLength: 64, factor: 4, beta_fast: 4 }, "`betaFast`"],
    [{ kind: "rope-yarn", dim: 64, originalLength: 64, factor: 4, attn_factor: 4 }, "`attentionFactor`"],
    [{ kind: "rope-llama3", dim: 64, factor: 8, low_freq_factor: 1 }, "`lowFrequencyFactor`"],
    [{ kind: "rope-longrope", dim: 64, short_factor: [1] }, "`shortFactor`"],
    [{ kind: "rope-mrope", dim: 64, mrope_section: [8, 12, 12] }, "`sections`"],
    [{ kind: "rope", dim: 64, interleaved: true }, '`pairing: "interleaved"`'],
    [{ kind: "rope", dim: 64, is_neox_style: true }, '`pairing: "half"`'],
    [{ kind: "rope", dim: 64, partial_rotary_factor: 0.5 }, "`rotaryDim`"],
    [{ kind: "rope", dim: 64, inv_freq: [1] }, "`frequencies`"],
    [{ kind: "rope", dim: 64, rotary_dim: 32 }, "`rotaryDim`"],
    [{ kind: "rope", dim: 64, bsae: 1e4 }, "`base`"],
    [{ kind: "rope", dmi: 64 }, "`dim`"],
    [{ kind: "rope", dim: 64, max_position_embeddings: 4096 }, "rope has no `length`: leave it out"],
    [{ kind: "rope", dim: 64, num_heads: 8 }, "rope has no `heads`: leave it out"],
    [{ kind: "rope", dim: 64, colour: 3 }, "rope.colour: unknown field; rope has dim, "],
    [{ kind: "rope", dim: 64, constructor: 3 }, "rope.constructor: unknown field; rope has dim, "],
    [{ kind: "rope", dim: 64, pairing: "neox" }, 'rope.pairing: must be one of "half", "interleaved"'],
    [{ kind: "rope", dim: "64" }, 'rope.dim: must be a number, got "64"'],
    [{ kind: "rope" }, "rope.dim: is required"],
  ])("%j: %s", (spec, words) => expect(messageOf(spec)).toContain(words));

  it("are told before what is missing, also where that comes first", () =>
    expect(refusal(() => createAny(loosely({ kind: "rope-yarn", head_dim: 64 }))).field).toBe("head_dim"));
});

describe("kinds by other names", () => {
  it.each<[string, string]>([
    ["RoPE", '"rope"'],
    ["rotary", '"rope"'],
    ["yarn", '"rope-yarn"'],
    ["rope_yarn", '"rope-yarn"'],
    ["ROPE-YARN", '"rope-yarn"'],
    ["rope-yarm", '"rope-yarn"'],
    ["llama3", '"rope-llama3"'],
    ["linear", '"rope-linear"'],
    ["dynamic", '"rope-dynamic"'],
    ["ntk", '"rope-ntk"'],
    ["longrope", '"rope-longrope"'],
    ["su", '"rope-longrope"'],
    ["mrope", '"rope-mrope"'],
    ["axial", '"rope-axial"'],
    ["abs", '"sinusoidal" or "learned"'],
    ["absolute", '"sinusoidal" or "learned"'],
    ["sine", '"sinusoidal"'],
    ["sincos", '"sinusoidal"'],
    ["learnable", '"learned"'],
    ["relative", '"shaw" or "t5"'],
    ["ALiBi", '"alibi"'],
    ["t5-bias", '"t5"'],
    ["relative_key", '"shaw"'],
    ["transformer_xl", '"transformer-xl"'],
    ["nope", '"none"'],
  ])("%s", (kind, meant) =>
    expect(messageOf({ kind, dim: 64 })).toContain(`unknown kind ${JSON.stringify(kind)} (did you mean ${meant}`),
  );

  it.each(["quixotic", "", "constructor", "x".repeat(1e6)])("nothing is guessed for others: %.20s", (kind) =>
    expect(messageOf({ kind })).not.toContain("did you mean"),
  );
});

describe("what is no spec", () => {
  it.each<[unknown, string]>([
    [undefined, 'must be an object such as { kind: "rope", dim: 64 }, got undefined'],
    ["rope", 'such as { kind: "rope", dim: 64 }, got "rope"'],
    [{ type: "rope", dim: 64 }, 'a spec is { kind: "rope", dim: 64 }'],
    [{ model_type: "llama", hidden_size: 4096 }, "a config.json goes to fromConfig"],
    [{ rope_type: "yarn", factor: 4 }, "a config.json goes to fromConfig"],
  ])("%j", (spec, words) => expect(messageOf(spec)).toContain(words));

  it.each<[unknown, string]>([
    ["./config.json", "JSON.parse(text)"],
    ['{ "model_type": "llama" }', "JSON.parse(text)"],
    [new URL("https://example.org/config.json"), "await (await fetch(url)).json()"],
    [new Response("{}"), "await response.json()"],
    [Promise.resolve({}), "got a Promise (await it)"],
    [[], "must be the object of a config.json, got an array"],
  ])("of a config: %s", (config, words) =>
    expect(refusal(() => pe.fromConfig(loosely(config))).message).toContain(words),
  );
});
