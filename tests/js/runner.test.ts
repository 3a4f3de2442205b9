// Does the golden runner itself tell right from wrong? Each case here is a good one with a single thing changed.
import { describe, expect, it } from "vitest";
import { runCase } from "../golden/cases.mjs";
import type { CaseReport } from "../golden/cases.mjs";
import { goldenCases } from "./helpers/fixtures";
import { loosely, pe } from "./helpers/library";

const good = () => structuredClone(loosely(goldenCases.get("rope/layouts-d8-theta10000")));
const encode = (data: ArrayBufferView) =>
  btoa(String.fromCharCode(...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)));
const decode = (text: string) => new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);

function changed(change: (json: any) => void): CaseReport {
  const json = good();
  change(json);
  return runCase(pe, json);
}

function withTruth(name: string, change: (data: Float64Array) => void) {
  return changed((json) => {
    const stored = json.outputs[`${name}__truth`];
    const data = decode(stored.data_base64);
    change(data);
    stored.data_base64 = encode(data);
  });
}

describe("the golden runner", () => {
  it("passes a good case, output by output, against the truth", () => {
    const report = runCase(pe, good());
    expect(report.status).toBe("pass");
    expect(report.outputs).toHaveLength(8);
    expect(new Set(report.outputs.map((output) => output.against))).toEqual(new Set(["truth"]));
  });

  it.each(["cos", "q_half", "k_interleaved_complex"])("fails when one number of %s is off", (name) => {
    const report = withTruth(name, (data) => (data[data.length - 1]! += 1e-5));
    expect(report.status).toBe("fail");
    expect(report.outputs.filter((output) => !output.ok).map((output) => output.name)).toEqual([name]);
  });

  it("fails when a number is missing", () => {
    expect(withTruth("sin", (data) => (data[3] = NaN)).status).toBe("fail");
  });

  it("fails when the tolerance is tighter than float32", () => {
    expect(changed((json) => (json.tolerance.cos__truth = 1e-12)).status).toBe("fail");
  });

  it("fails when the inputs change", () => {
    const other = goldenCases.get("rope/layouts-d8-theta10000") as { inputs: { k: unknown } };
    expect(changed((json) => (json.params.rope_theta = 10001)).status).toBe("fail");
    expect(changed((json) => (json.inputs.q = { ...json.inputs.q, data_base64: shiftedBytes(json) })).status).toBe(
      "fail",
    );
    expect(other.inputs.k).toBeDefined();
  });

  it("fails when the shape differs though the numbers agree", () => {
    const report = changed((json) => (json.outputs.cos__truth.shape = [4, 5]));
    expect(report).toMatchObject({ status: "fail", reason: "shape [5,4] where [4,5] is expected" });
  });

  it("never passes a case with an output that nothing produces", () => {
    const report = changed((json) => {
      json.outputs.wavelength = json.outputs.cos;
      json.tolerance.wavelength = 1e-6;
    });
    expect(report).toMatchObject({ status: "unsupported", reason: "nothing produces the output wavelength" });
  });

  it("counts an output that exists only as the truth", () => {
    const report = changed((json) => {
      json.outputs.wavelength__truth = json.outputs.cos__truth;
      json.tolerance.wavelength__truth = 1e-6;
    });
    expect(report).toMatchObject({ status: "unsupported", reason: "nothing produces the output wavelength" });
  });

  it("compares with the reference where there is no truth", () => {
    const report = changed((json) => delete json.outputs.cos__truth);
    expect(report.status).toBe("pass");
    expect(report.outputs.find((output) => output.name === "cos")).toMatchObject({ against: "reference" });
  });

  it.each<[string, (json: any) => void]>([
    ["fails", (json) => (json.inputs.k.shape = [1, 1, 4, 10])],
    ["is unsupported", (json) => (json.params.shapes = "[d, t, h, b]")],
  ])("shows a wrong output though another one %s", (_, breakAnother) => {
    const report = changed((json) => {
      breakAnother(json);
      const stored = json.outputs.cos__truth;
      const data = decode(stored.data_base64);
      data[0]! += 1e-3;
      stored.data_base64 = encode(data);
    });
    expect(report.status).toBe("fail");
    expect(report.outputs).toHaveLength(8);
    expect(report.outputs.find(({ name }) => name === "cos")).toMatchObject({
      ok: false,
      error: expect.closeTo(1e-3, 5),
    });
  });

  it("shows a wrong output that stands behind one that throws", () => {
    const report = withTruth("sin", (data) => (data[1]! += 1e-3));
    const json = good();
    json.inputs.q.shape = [1, 3, 4, 10];
    json.outputs = { q_half: json.outputs.q_half, q_half__truth: json.outputs.q_half__truth, ...json.outputs };
    const sin = decode(json.outputs.sin__truth.data_base64);
    sin[1]! += 1e-3;
    json.outputs.sin__truth.data_base64 = encode(sin);
    const both = runCase(pe, json);
    const wrong = (of: CaseReport) => of.outputs.filter(({ ok }) => !ok).map(({ name }) => name);
    expect(wrong(report)).toEqual(["sin"]);
    expect(wrong(both)).toEqual(expect.arrayContaining(["q_half", "sin"]));
  });

  it("says which group it does not know", () => {
    expect(changed((json) => (json.group = "astrology"))).toMatchObject({ status: "unsupported" });
  });
});

describe("cases of other shapes", () => {
  const caseOf = (name: string) => structuredClone(loosely(goldenCases.get(name)));
  const statusOf = (json: object) => runCase(pe, json).status;

  it("T5 follows `past`, and starts at 0 where the case has none", () => {
    const json = caseOf("attention/t5bias-h2-1x33-d20-dec");
    expect(statusOf({ ...json, params: { ...json.params, past: 31 } })).toBe("fail");
    // At 0 a decoder's query sees the first key alone.
    const [, heads, keys, dim] = json.inputs.v.shape;
    const v = new Float32Array(decode(json.inputs.v.data_base64).buffer);
    const first = Float64Array.from(
      { length: heads * dim },
      (_, i) => v[Math.floor(i / dim) * keys * dim + (i % dim)]!,
    );
    const stored = { shape: [1, heads, 1, dim], dtype: "float64", data_base64: encode(first) };
    delete json.params.past;
    expect(statusOf(json)).toBe("fail");
    expect(statusOf({ ...json, outputs: { out: stored }, tolerance: { out: 1e-6 } })).toBe("pass");
  });

  it("a T5 bias without a past starts at 0, whatever the keys", () => {
    const json = caseOf("bias/t5-bias-h3-1x9-dec-past8");
    delete json.params.past_seen_tokens;
    expect(statusOf(json)).toBe("fail");
    expect(statusOf({ ...json, params: { ...json.params, past_seen_tokens: 8 } })).toBe("pass");
    // A decoder has one bucket for all keys that come later: the first.
    const table = new Float32Array(Uint8Array.from(atob(json.inputs.table.data_base64), (c) => c.charCodeAt(0)).buffer);
    const row = Float64Array.from({ length: 3 * 9 }, (_, i) => table[Math.floor(i / 9)]!);
    const stored = { shape: [1, 3, 1, 9], dtype: "float64", data_base64: encode(row) };
    expect(statusOf({ ...json, outputs: { bias: stored }, tolerance: { bias: 0 } })).toBe("pass");
  });

  it("several images, and a video, stand one after the other", () => {
    const json = caseOf("rope/qwen2-vl-vision-2d");
    const twice = ({ shape: [count, ...shape], dtype, data_base64 }: any) => ({
      shape: [2 * count, ...shape],
      dtype,
      data_base64: btoa(atob(data_base64).repeat(2)),
    });
    const all = (arrays: object) =>
      Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, twice(array)]));
    const withGrids = (grids: number[][]) => {
      const { grid_thw: _, ...inputs } = json.inputs;
      return { ...json, params: { ...json.params, grid_thw: grids }, inputs: all(inputs), outputs: all(json.outputs) };
    };
    expect(statusOf(json)).toBe("pass");
    for (const grids of [
      [[2, 4, 6]],
      [
        [1, 4, 6],
        [1, 4, 6],
      ],
    ])
      expect(statusOf(withGrids(grids))).toBe("pass");
    for (const grids of [
      [[1, 4, 12]],
      [
        [1, 4, 6],
        [1, 6, 4],
      ],
      [[1, 4, 6]],
    ])
      expect(statusOf(withGrids(grids))).toBe("fail");
  });

  it("what is said twice must agree", () => {
    const json = caseOf("attention/gqa-b1-q8-kv2-6x6-d5-causal");
    const report = runCase(pe, { ...json, params: { ...json.params, num_key_value_heads: 3 } });
    expect(report).toMatchObject({ status: "fail", reason: expect.stringMatching(/num_key_value_heads is 3/) });
    const positions = caseOf("rope/layouts-d8-theta10000");
    positions.params.positions[1] = 5;
    expect(runCase(pe, positions).reason).toMatch(/params.positions and inputs.positions differ/);
  });
});

// The inputs of the case, moved by one number.
function shiftedBytes(json: { inputs: { q: { data_base64: string } } }): string {
  const bytes = atob(json.inputs.q.data_base64);
  return btoa(bytes.slice(4) + bytes.slice(0, 4));
}

describe("a malformed case is a failure", () => {
  it.each<[string, (json: any) => void, RegExp]>([
    ["no params", (json) => delete json.params, /params is missing/],
    ["no inputs", (json) => delete json.inputs, /inputs is missing/],
    ["no outputs", (json) => (json.outputs = {}), /no outputs/],
    ["no group", (json) => delete json.group, /group is missing/],
    ["no tolerance", (json) => delete json.tolerance.cos__truth, /tolerance.cos__truth/],
    ["a tolerance that is no number", (json) => (json.tolerance.cos__truth = "1e-6"), /tolerance.cos__truth/],
    ["a negative tolerance", (json) => (json.tolerance.cos__truth = -1), /tolerance.cos__truth/],
    ["an unknown dtype", (json) => (json.inputs.q.dtype = "bfloat16"), /inputs.q: unknown dtype "bfloat16"/],
    ["too few bytes", (json) => (json.inputs.q.data_base64 = "AAAA"), /inputs.q: 3 bytes/],
    ["a shape that does not fit", (json) => (json.outputs.cos.shape = [6, 4]), /outputs.cos/],
    ["data that is not base64", (json) => (json.outputs.cos.data_base64 = "%%%"), /not base64/],
    ["an array that is a number", (json) => (json.inputs.q = 3), /inputs.q: not an array/],
  ])("%s", (_, change, reason) => {
    const report = changed(change);
    expect(report.status).toBe("fail");
    expect(report.reason).toMatch(/^malformed case: /);
    expect(report.reason).toMatch(reason);
  });

  it.each([null, 3, "case", []])("%j instead of a case", (json) => {
    expect(runCase(pe, json, "file")).toMatchObject({ name: "file", status: "fail" });
  });
});
