// What an audit says of rotations that somebody wrote wrong.
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { codes, configOf, llama3, loud, fixed, open, yarn, type Json } from "../helpers/onnx-audit";
import { fixtureBytes, openModel, type OnnxModel } from "../helpers/onnx-models";
import { fromFloat16Bits, toFloat16Bits } from "../../../web/src/base/float16";

describe("rotations that were written wrong", () => {
  const written = async (name: string, rotary: { kind: "rope-llama3" } & Json, length?: number): Promise<OnnxModel> => {
    const changed = await (await open(name)).rewrite(pe, { rotary, ...(length && { length }) });
    return openModel(await changed.bytes(), { externalData: changed.externalData });
  };
  it("says from which original length they were scaled", async () => {
    const config = { ...(await configOf("llama/model.onnx")), max_position_embeddings: 512, rope_scaling: llama3 };
    const model = await written("llama-v437/model.onnx", { kind: "rope-llama3", factor: 8, originalLength: 512 }, 512);
    const [finding, ...others] = loud(model.audit(pe, config));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ severity: "error", code: "original-length" });
    expect(finding!.message).toMatch(
      /original length 512, the config has .* original length 64: pairs rotate up to 7\.67 times too fast/,
    );
    expect(await fixed(model, finding!, config)).toEqual([]);
  });
  it("says where dynamic NTK was fixed", async () => {
    const changed = await (
      await open("llama/model.onnx")
    ).rewrite(pe, {
      rotary: { kind: "rope-dynamic", factor: 4, originalLength: 64 } as never,
      length: 100,
    });
    const model = await openModel(await changed.bytes());
    const config = { ...(await configOf("llama/model.onnx")), rope_scaling: { type: "dynamic", factor: 4 } };
    const [finding] = model.audit(pe, config);
    expect(finding).toMatchObject({ severity: "warning", code: "frozen-scaling" });
    expect(finding!.message).toContain("texts of 100 tokens");
  });
  it("says what cosines and sines are multiplied by", async () => {
    const changed = await (
      await open("llama/model.onnx")
    ).rewrite(pe, {
      rotary: { kind: "rope-yarn", factor: 4, originalLength: 64, attentionFactor: 1 } as never,
    });
    const model = await openModel(await changed.bytes());
    const config = { ...(await configOf("llama/model.onnx")), ...yarn };
    const [finding] = model.audit(pe, config);
    expect(finding).toMatchObject({ severity: "error", code: "attention-factor" });
    expect(await fixed(model, finding!, config)).toEqual([]);
  });
});

it("says of a table whose angles were computed in float16 that it is off", async () => {
  const bytes = (await fixtureBytes("llama-v437/model.onnx")).slice();
  const view = new DataView(bytes.buffer);
  const throughFloat16 = (value: number): number => fromFloat16Bits(toFloat16Bits(value));
  const frequencies = Array.from({ length: 16 }, (_, k) => 10000 ** (-(k % 8) / 8));
  for (const sinusoid of [Math.cos, Math.sin]) {
    const isRow = (at: number): boolean =>
      frequencies.every((frequency, k) => Math.abs(view.getFloat32(at + 4 * k, true) - sinusoid(frequency)) < 1e-6);
    const first = Array.from({ length: bytes.length - 64 * 64 }, (_, at) => at).find(isRow)!;
    for (let t = 1; t < 64; t++)
      frequencies.forEach((frequency, k) =>
        view.setFloat32(
          first + (t - 1) * 64 + 4 * k,
          sinusoid(throughFloat16(throughFloat16(t) * throughFloat16(frequency))),
          true,
        ),
      );
  }
  const model = await openModel(bytes);
  expect(codes(model.audit(pe))).toEqual(["error table-error"]);
  const config = await configOf("llama-v437");
  const findings = loud(model.audit(pe, config));
  expect(codes(findings)).toEqual(["error table-error", "error frequencies"]);
  expect(findings[0]!.message).toMatch(/^layers 0-1: .*errors up to 0\.0/);
  expect(findings[1]!.message).toMatch(/frequencies differ by up to 0\.0\d+ %/);
  expect(await fixed(model, findings[0]!, config)).toEqual([]);
});
