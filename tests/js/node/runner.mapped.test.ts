// Does the golden runner read options that its fixtures do not have? Each fixture here has one more, and its formula.
import { describe, expect, it } from "vitest";
import { decodeArray } from "../../golden/arrays.mjs";
import { runCase } from "../../golden/cases.mjs";
import { goldenCases } from "../helpers/fixtures";
import { loosely, pe } from "../helpers/library";

const caseOf = (name: string) => structuredClone(loosely(goldenCases.get(name)));
const numbersOf = (stored: unknown): number[] => Array.from(decodeArray(stored, "array").data, Number);

const TYPES = { float32: Float32Array, float64: Float64Array, int32: Int32Array };
function stored(shape: number[], numbers: number[], dtype: keyof typeof TYPES = "float64") {
  const bytes = new Uint8Array(TYPES[dtype].from(numbers).buffer);
  return { shape, dtype, data_base64: btoa(String.fromCharCode(...bytes)) };
}

const truthOf = (json: any, name: string): number[] => numbersOf(json.outputs[`${name}__truth`] ?? json.outputs[name]);

/** The case with only these outputs, and the outputs of the fixture that `kept` names. */
function expecting(json: any, outputs: Record<string, [shape: number[], numbers: number[]]>, kept: string[] = []) {
  const all = Object.entries(outputs).map(([name, [shape, numbers]]) => [name, stored(shape, numbers)]);
  const tolerance = Object.fromEntries(Object.keys(outputs).map((name) => [name, 1e-5]));
  for (const name of kept.flatMap((one) => [one, `${one}__truth`]).filter((one) => one in json.outputs))
    all.push([name, json.outputs[name]]);
  return { ...json, outputs: Object.fromEntries(all), tolerance: { ...json.tolerance, ...tolerance } };
}

function expectPass(json: any) {
  const { status, reason, outputs } = runCase(pe, json);
  expect({ status, reason }).toEqual({ status: "pass", reason: undefined });
  expect(outputs.length).toBeGreaterThan(0);
}

/** Passes with the options of these names, and fails without them. */
function expectNeeded(json: any, ...names: string[]) {
  expectPass(json);
  const params = Object.fromEntries(Object.entries(json.params).filter(([name]) => !names.includes(name)));
  const inputs = Object.fromEntries(Object.entries(json.inputs).filter(([name]) => !names.includes(name)));
  expect(runCase(pe, { ...json, params, inputs }).status).toBe("fail");
}

/** Distances of all causal pairs, 0 for later keys. */
const distances = (count: number, rule: (i: number, j: number) => number) =>
  Array.from({ length: count * count }, (_, at) => {
    const [i, j] = [Math.floor(at / count), at % count];
    return j > i ? 0 : rule(i, j);
  });

/** q · k / √dim with halves of the first `rotaryDim` features rotated by the distance, 0 for later keys. */
function rotaryLogits(json: any, rule: (i: number, j: number) => number, rotaryDim?: number) {
  const [q, k] = [numbersOf(json.inputs.q), numbersOf(json.inputs.k)];
  const [batch, heads, count, dim] = json.inputs.q.shape;
  const [, keyHeads] = json.inputs.k.shape;
  const half = (rotaryDim ?? dim) / 2;
  const { rope_theta: base, scale = 1 / Math.sqrt(dim) } = json.params;
  const at = distances(count, rule);
  const logit = (head: number, i: number, j: number) => {
    const keyHead = Math.floor(head / (heads / keyHeads));
    const [query, key] = [(head * count + i) * dim, (keyHead * count + j) * dim];
    let sum = 0;
    for (let c = 0; c < half; c++) {
      const angle = at[i * count + j]! * base ** (-c / half);
      const [a, b, c1, d] = [q[query + c]!, q[query + half + c]!, k[key + c]!, k[key + half + c]!];
      sum += (a * c1 + b * d) * Math.cos(angle) - (b * c1 - a * d) * Math.sin(angle);
    }
    for (let c = 2 * half; c < dim; c++) sum += q[query + c]! * k[key + c]!;
    return sum * scale;
  };
  expect(batch).toBe(1);
  const numbers = Array.from({ length: heads * count * count }, (_, n) => {
    const [i, j] = [Math.floor(n / count) % count, n % count];
    return j > i ? 0 : logit(Math.floor(n / count / count), i, j);
  });
  return [json.inputs.q.shape.with(-1, count), numbers] as [number[], number[]];
}

const REROPE = "remap/rerope-h2-T24-d8-w8-logn12";
const DUAL_CHUNK = "remap/dca-h2-T24-d8-chunk6-local2";

describe("remapped distances", () => {
  const shapeOf = (json: any) => json.outputs.relative_position.shape;
  const reRope = (params: object) => {
    const json = caseOf(REROPE);
    // Long enough that no query is scaled.
    return { ...json, params: { ...json.params, training_length: 4096, ...params } };
  };
  const inWindow = (i: number, j: number) => Math.min(i - j, 8);

  it("Leaky ReRoPE: beyond the window distances grow by 1 / scaling_factor", () => {
    const json = reRope({ scaling_factor: 4 });
    const rule = (i: number, j: number) => (i - j < 8 ? i - j : 8 + (i - j - 8) / 4);
    const relative: [number[], number[]] = [shapeOf(json), distances(24, rule)];
    expectNeeded(expecting(json, { relative_position: relative, logits: rotaryLogits(json, rule) }), "scaling_factor");
  });

  it("ChunkLlama divides positions by scaling_factor", () => {
    const json = caseOf(DUAL_CHUNK);
    json.params.scaling_factor = 2.5;
    const rule = (i: number, j: number) => {
      const [chunk, other] = [Math.floor(i / 4), Math.floor(j / 4)];
      const query = chunk === other ? i % 4 : chunk === other + 1 ? Math.min((i % 4) + 4, 6) : 6;
      return (query - (j % 4)) / 2.5;
    };
    const relative: [number[], number[]] = [shapeOf(json), distances(24, rule)];
    expectNeeded(expecting(json, { relative_position: relative, logits: rotaryLogits(json, rule) }), "scaling_factor");
  });

  it.each([
    ["rotary_dim", 4],
    ["partial_rotary_factor", 0.5],
    ["rotary_pct", 0.5],
  ])("%s says how many features are rotated", (name, value) => {
    const json = reRope({ [name]: value });
    expectNeeded(expecting(json, { logits: rotaryLogits(json, inWindow, 4) }), name);
  });

  it("log_scale_base is SelfExtend's scale_base", () => {
    const json = caseOf("remap/selfextend-h2-T24-d8-g4-w8");
    delete json.params.scale_base;
    json.params.log_scale_base = 8;
    const { shape } = json.outputs.logits;
    const factor = (at: number) => Math.max(1, Math.log((Math.floor(at / 24) % 24) + 1) / Math.log(8));
    const logits = truthOf(json, "logits").map((value, at) => value * factor(at));
    expectNeeded(expecting(json, { logits: [shape, logits] }), "log_scale_base");
  });

  it.each([
    ["of keys", [1, 24], "int32"],
    ["with values that are added", [1, 1, 1, 24], "float32"],
    ["of queries and keys", [1, 1, 24, 24], "float32"],
  ] as const)("an attention_mask %s masks keys", (_, shape, dtype) => {
    const json = caseOf(REROPE);
    const isMasked = (at: number) => at % 24 < 3;
    const values = Array.from({ length: shape.reduce<number>((product, size) => product * size, 1) }, (_, at) =>
      dtype === "int32" ? Number(!isMasked(at)) : isMasked(at) ? -3.4e38 : 0,
    );
    json.inputs.attention_mask = stored([...shape], values, dtype);
    const logits = truthOf(json, "logits").map((value, at) => (isMasked(at) ? 0 : value));
    const relative = truthOf(json, "relative_position").map((value, at) => (isMasked(at) ? 0 : value));
    const outputs = { logits: [json.outputs.logits.shape, logits], relative_position: [shapeOf(json), relative] };
    expectNeeded(expecting(json, loosely(outputs), ["causal_mask"]), "attention_mask");
  });

  it("an attention_mask with other values is not mapped", () => {
    const json = caseOf(REROPE);
    json.inputs.attention_mask = stored([1, 1, 1, 24], Array(24).fill(-1), "float32");
    expect(runCase(pe, json)).toMatchObject({
      status: "unsupported",
      reason: expect.stringContaining("attention_mask"),
    });
  });
});

describe("packed sequences", () => {
  const ends = [0, 5, 12];
  const isApart = (at: number) => Math.floor(at / 12) % 12 >= 5 !== at % 12 >= 5;

  it.each([
    ["forget/fox-b1-h3-T12-d6-w4-scale0.5", "bias"],
    ["path/path-b1-h2-T12-d6-gate-chunk4", "logits"],
  ])("%s: cu_seqlens, a parameter or an input", (name, output) => {
    const json = caseOf(name);
    // The stored mask is not for packed sequences.
    delete json.inputs.mask;
    const numbers = truthOf(json, output).map((value, at) => (isApart(at) ? 0 : value));
    const packed = expecting(json, { [output]: [json.outputs[output].shape, numbers] });
    expectNeeded({ ...packed, params: { ...json.params, cu_seqlens: ends } }, "cu_seqlens");
    expectNeeded({ ...packed, inputs: { ...json.inputs, cu_seqlens: stored([3], ends, "int32") } }, "cu_seqlens");
  });
});

describe("Qwen's attention", () => {
  const QWEN = "logn/qwen-attention-h2-d8-T20-seq8-logn-ntk";

  it("c_proj.bias is added to the output", () => {
    const json = caseOf(QWEN);
    const bias = Array.from({ length: 16 }, (_, i) => i / 4);
    json.inputs["c_proj.bias"] = stored([16], bias, "float32");
    const output = truthOf(json, "output").map((value, at) => value + bias[at % 16]!);
    expectNeeded(expecting(json, { output: [json.outputs.output.shape, output] }), "c_proj.bias");
  });

  it("an attention_mask masks keys; the true length without them sets the base", () => {
    const json = caseOf(QWEN);
    const masked = (count: number) =>
      stored(
        [1, 20],
        Array.from({ length: 20 }, (_, at) => Number(at >= count)),
        "int32",
      );
    const logits = truthOf(json, "logits").map((value, at) => (at % 20 < 3 ? 0 : value));
    json.inputs.attention_mask = masked(3);
    expectNeeded(expecting(json, { logits: [json.outputs.logits.shape, logits] }), "attention_mask");
    // Of 16 tokens the base has a factor of 3.
    json.inputs.attention_mask = masked(4);
    expect(runCase(pe, json).reason).toMatch(/params.ntk_alpha is 7, the library finds 3/);
  });

  it("unequal true lengths within a batch are reported", () => {
    const json = caseOf(QWEN);
    const twice = (array: any) =>
      stored([2, ...array.shape.slice(1)], [...numbersOf(array), ...numbersOf(array)], "float32");
    json.inputs.x = twice(json.inputs.x);
    const rows = Array.from({ length: 40 }, (_, at) => Number(at >= 30 || at < 20));
    json.inputs.attention_mask = stored([2, 20], rows, "int32");
    expect(runCase(pe, json)).toMatchObject({ status: "unsupported", reason: expect.stringContaining("true_seq_len") });
  });

  it("rotary_pct rotates a part of each head", () => {
    const json = caseOf(QWEN);
    json.params = { ...json.params, rotary_pct: 0.5, use_dynamic_ntk: false, ntk_alpha: 1 };
    expect(runCase(pe, json).status).toBe("fail");
    json.params.rotary_pct = 1;
    json.params.use_dynamic_ntk = true;
    json.params.ntk_alpha = 7;
    expectPass(json);
  });
});

describe("LieRE", () => {
  it.each(["liere/liere-2d-h2-d8-gen8-perhead-3x3", "liere/liere-2d-h2-d10-gen4-larger-image"])(
    "%s: the same with its positions as an input",
    (name) => {
      const json = caseOf(name);
      const { image_size: _, model_image_size: __, patch_size: ___, ...params } = json.params;
      const positions = truthOf(json, "positions");
      const { shape } = json.outputs.positions;
      json.inputs.positions = stored(shape, positions, "float32");
      expectPass({ ...json, params });
      json.inputs.positions = stored(
        shape,
        positions.map((position) => position + 1),
        "float32",
      );
      expect(runCase(pe, { ...json, params }).status).toBe("fail");
    },
  );
});

describe("other names and defaults", () => {
  const renamed: [name: string, from: string, to: string | undefined, value?: unknown][] = [
    ["forget/fox-b1-h3-T12-d6-w4-scale0.5", "scale", "sm_scale"],
    ["path/path-b1-h2-T12-d6-gate-chunk4", "scale", "sm_scale"],
    [DUAL_CHUNK, "scale", "sm_scale"],
    ["grape/grape-m-nonctx-h2-d8-T6-shared", "log_freq_scale", "grape_log_freq_scale"],
    ["grape/grape-m-nonctx-h2-d8-T6-shared", "base", "grape_base"],
    ["grape/grape-m-ctx-h3-d4-T7-perheadphase", "ctx_omega_scale", "grape_ctx_omega_scale"],
    ["grape/grape-m-ctx-h3-d4-T7-perheadphase", "phase_per_head", "grape_ctx_per_head"],
    ["grape/grape-ap-v1-h4-d4-pktie-T6", "p_tie_mode", "p_tie_mode", "PKTie"],
    ["grape/grape-a-querykeygated-h4-d6-T8", "l2_norm", "keygated_u_l2_norm"],
    ["grape/grape-a-querykeygated-h4-d6-T8", "l2_norm", undefined],
    ["liere/liere-2d-h2-d8-gen8-perhead-3x3", "per_head", "rotary_embedding_per_head"],
    ["ddalibi/ddalibi-causal-h2-T8-d6", "causal", undefined],
    ["swin-v2/swinv2-3x4-h2", "sigmoid_scale", undefined],
    ["swin-v2/swinv2-3x4-h2", "logit_scale_max", undefined],
    ["fope/fope-h2-d16-len64-sephead", "clamp_floor_to_zero", "rope_clamp_floor_to_zero"],
    ["fope/fope-h2-d16-len64-sephead", "ignore_zero", "fourier_ignore_zero"],
  ];

  it.each(renamed)("%s: %s as %s", (name, from, to, value) => {
    const json = caseOf(name);
    const { [from]: old, ...params } = json.params;
    expect(old).toBeDefined();
    expectPass({ ...json, params: to === undefined ? params : { ...params, [to]: value ?? old } });
  });

  it.each([
    ["forget/fox-b1-h3-T12-d6-w4-scale0.5", "sm_scale", 0.75],
    ["grape/grape-m-nonctx-h2-d8-T6-shared", "grape_log_freq_scale", 4],
    ["grape/grape-m-ctx-h3-d4-T7-perheadphase", "grape_ctx_omega_scale", 4],
    ["grape/grape-m-ctx-h3-d4-T7-perheadphase", "ctx_per_head", false],
  ])("%s: another %s than that under its other name is malformed", (name, option, value) => {
    const json = caseOf(name);
    json.params[option] = value;
    const { status, reason } = runCase(pe, json);
    expect({ status, reason }).toEqual({ status: "fail", reason: expect.stringMatching(/^malformed case: params\./) });
  });
});
