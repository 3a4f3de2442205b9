// <posenc-inspector>: in browsers an element that reads models and configs; elsewhere an import without effect.
import { defineInspector, PosencError } from "posenc/inspector";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { llamaGguf } from "../helpers/gguf";
import { element, events, freshElement, isBrowser, isShown, jsonFile, llama, modelFile } from "../helpers/inspector";
import { part, removeAll, textOf, until } from "../helpers/inspector";
import { configOf } from "../helpers/onnx-audit";
import { besides } from "../helpers/onnx-models";
import { caught } from "../helpers/refusals";

it.runIf(!isBrowser)("without custom elements the import has no effect, and a call names the reason", async () => {
  const error = await caught(() => defineInspector());
  expect(error).toBeInstanceOf(PosencError);
  expect(error).toMatchObject({ code: "unsupported", message: expect.stringMatching(/customElements is missing/) });
});

describe.runIf(isBrowser)("what <posenc-inspector> reads", () => {
  beforeEach(freshElement);
  afterAll(removeAll);

  it("is registered once per name", async () => {
    expect(defineInspector()).toBe(defineInspector());
    expect(element).toBeInstanceOf(defineInspector());
    const other = defineInspector("posenc-inspector-two");
    expect(new other().state).toBe("empty");
    customElements.get("posenc-other") ?? customElements.define("posenc-other", class extends HTMLElement {});
    for (const name of ["posenc-other", "Not A Name"])
      expect(await caught(() => defineInspector(name))).toMatchObject({ code: "invalid-argument", field: "name" });
  });

  it("shows the components of an ONNX model", async () => {
    const report = await element.inspect(await llama());
    expect(report).toMatchObject({ format: "onnx", file: "model.onnx", findings: [] });
    expect(report).toMatchObject({
      positions: [{ family: "rotary", layers: [0, 1], spec: { kind: "rope", dim: 16 } }],
    });
    expect(element.report).toBe(report);
    expect(structuredClone(report)).toEqual(report);
    expect(events).toEqual(["inspected model.onnx"]);
    expect(textOf("table")).toContain("rope, dim 16, base 10000, pairing half");
    expect(textOf("result")).toContain("No problems were found.");
    expect(textOf("result")).toContain("Add the model's config.json");
  });

  it("compares the model with the config.json among the files", async () => {
    const config = { ...(await configOf("llama")), rope_theta: 500000 };
    const tokenizer = jsonFile({}, "tokenizer.json");
    element.file = [tokenizer, jsonFile(config), await modelFile("llama/model.onnx", "small model.onnx")];
    await until("result");
    const { findings } = element.report!;
    expect(findings).toMatchObject([{ severity: "error", code: "base", component: 1, fix: "base" }]);
    expect(element.report).toMatchObject({ config: "config.json", cache: { tokens: 64, type: "float16" } });
    expect(textOf("finding")).toContain("Error base (component 1)");
    expect(textOf("command")).toBe("npx posenc rewrite 'small model.onnx' --fix base -o fixed.onnx");
  });

  it("takes the config as an argument, too: an object, a file or an address", async () => {
    const config = { ...(await configOf("llama")), rope_theta: 500000 };
    const address = `data:application/json,${encodeURIComponent(JSON.stringify(config))}`;
    for (const given of [config, jsonFile(config), address, new URL(address)]) {
      const { findings } = await element.inspect(await llama(), { config: given });
      expect(findings.map(({ code }) => code)).toEqual(["base"]);
    }
  });

  it("finds external data among the files, and names what is missing", async () => {
    const [model, config] = [await modelFile("llama-ext/model.onnx"), jsonFile(await configOf("llama-ext"))];
    const data = Object.entries(await besides("llama-ext/model.onnx")).map(([name, bytes]) => new File([bytes], name));
    expect(data.length).toBeGreaterThan(0);
    const whole = await element.inspect([model, config, ...data]);
    expect(whole).toMatchObject({ format: "onnx", externalData: data.map(({ name }) => name) });
    expect("missing" in whole).toBe(false);
    const partial = await caught(() => element.inspect([model, config]));
    const missing =
      partial === undefined ? (element.report as { missing?: string[] }).missing!.join() : String(partial);
    expect(missing).toContain(data[0]!.name);
  });

  it("shows the layers of a config.json, with explanations", async () => {
    const report = await element.inspect(jsonFile(await configOf("gemma3")));
    expect(report).toMatchObject({
      format: "config",
      layers: [
        { type: "sliding_attention", layers: [0, 2], window: 32, spec: { kind: "rope", base: 10000 } },
        { type: "full_attention", layers: [1], spec: { kind: "rope", base: 1000000 } },
      ],
    });
    expect(report.explanations).toHaveLength(2);
    expect(textOf("explanation")).toContain("Rotary position embedding");
    const headings = [...part("table").querySelectorAll("th")];
    expect(headings.map((one) => one.textContent)).toEqual(["Layers", "Kind of layer", "Encoding", "Attends to"]);
    expect(headings.every((one) => one.scope === "col")).toBe(true);
    expect(textOf("table")).toContain("window of 32");
  });

  it("reads configs of other families, of unknown types and without a number of layers", async () => {
    const t5 = await element.inspect(jsonFile(await configOf("t5")));
    expect(t5).toMatchObject({ format: "config", layers: [{ spec: { kind: "t5" } }, { spec: { kind: "t5" } }] });
    const plain = { hidden_size: 64, num_attention_heads: 4, rope_theta: 20000 };
    const unknown = await element.inspect(jsonFile({ ...plain, model_type: "novel", num_hidden_layers: 2 }));
    expect(unknown.findings).toMatchObject([{ severity: "note", code: "config-assumed" }]);
    const uncounted = await element.inspect(jsonFile({ ...plain, model_type: "llama" }, "anything.json"));
    expect(uncounted).toMatchObject({ layers: [{ layers: [], spec: { kind: "rope", base: 20000 } }] });
  });

  it("reads the header of a GGUF file", async () => {
    const report = await element.inspect(new Blob([llamaGguf() as Uint8Array<ArrayBuffer>]));
    expect(report).toMatchObject({ format: "gguf", file: "file", version: 3, positions: [{ spec: { base: 500000 } }] });
    expect(report.explanations![0]).toContain("Rotary position embedding");
    expect(textOf("result")).toContain("llama.rope.freq_base");
  });

  it("reads addresses", async () => {
    const config = JSON.stringify(await configOf("llama"));
    const address = URL.createObjectURL(new Blob([config]));
    element.src = address;
    await until("result");
    expect(element.getAttribute("src")).toBe(address);
    expect(element.report).toMatchObject({ format: "config", file: "file" });
    URL.revokeObjectURL(address);
    element.src = "/there/is/no such file.gguf?x";
    await until("failed");
    expect(textOf("status")).toContain("no such file.gguf cannot be read");
  });

  it("rejects what is not a file, and several models at once", async () => {
    const models = [await llama(), await modelFile("llama/model.onnx", "other.onnx")];
    for (const given of [undefined, 7, {}, ["model.onnx"], [], models])
      expect(await caught(() => element.inspect(given as never))).toMatchObject({ code: "invalid-argument" });
    expect(textOf("error")).toContain("must have one model, got 2 (model.onnx, other.onnx)");
    expect(await caught(() => element.inspect(models[0]!, { signal: 1 as never }))).toMatchObject({ field: "signal" });
  });

  it("shows names as text, never as HTML", async () => {
    const evil = "<img src=x onerror=alert(1)>.json";
    const config = { ...(await configOf("llama")), model_type: "<script>alert(1)</script>" };
    await element.inspect(jsonFile(config, evil));
    const root = element.shadowRoot!;
    expect(textOf("title")).toBe(evil);
    expect(root.querySelectorAll("img, script").length).toBe(0);
    expect(root.querySelectorAll("[style], style").length).toBe(0);
    await caught(() => element.inspect(new File(["x"], "<img>.onnx")));
    expect(textOf("status")).toBe("<img>.onnx cannot be read.");
  });
});
