// Does the golden runner itself tell right from wrong? Each case here is a good one with a single thing changed.
import { describe, expect, it } from "vitest";
import { runCase } from "../golden/cases.mjs";
import type { CaseReport } from "../golden/cases.mjs";
import { goldenCases } from "./helpers/fixtures";
import { loosely, pe } from "./helpers/library";

const good = () => structuredClone(loosely(goldenCases.get("rope/layouts-d8-theta10000")));
const encode = (data: Float64Array) =>
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

  it("says which group it does not know", () => {
    expect(changed((json) => (json.group = "astrology"))).toMatchObject({ status: "unsupported" });
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
