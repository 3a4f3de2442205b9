// <posenc-inspector>: its states, its language, and how files and properties reach it.
import { defineInspector, PosencError } from "posenc/inspector";
import type { InspectorReport, PosencInspector } from "posenc/inspector";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { element, events, freshElement, isBrowser, isShown, jsonFile, llama, newElement } from "../helpers/inspector";
import { part, removeAll, textOf, until, use } from "../helpers/inspector";
import { folderOf, transferOf, type Dropped } from "../helpers/dropped";
import { configOf } from "../helpers/onnx-audit";
import { caught } from "../helpers/refusals";

function drop(...dropped: Dropped[]): Event {
  const event = new Event("drop", { cancelable: true });
  Object.defineProperty(event, "dataTransfer", { value: transferOf(...dropped) });
  part("drop").dispatchEvent(event);
  return event;
}

const never = () => new Promise<never>(() => undefined);

it.runIf(!isBrowser)("without custom elements no name is right", async () => {
  for (const name of ["posenc-inspector-two", "Not A Name"])
    expect(await caught(() => defineInspector(name))).toMatchObject({ code: "unsupported" });
});

describe.runIf(isBrowser)("<posenc-inspector>", () => {
  beforeEach(freshElement);
  afterAll(removeAll);

  it("offers a button and an area for files until it has one", async () => {
    expect(element.state).toBe("empty");
    expect(isShown("drop")).toBe(true);
    expect(textOf("choose")).toBe("Choose files");
    expect(textOf("drop")).toContain("nothing is uploaded");
    element.file = await llama();
    await until("result");
    expect(isShown("drop")).toBe(false);
    element.file = undefined;
    await until("empty");
    expect(isShown("drop")).toBe(true);
    expect(element.report).toBeUndefined();
  });

  it.each([
    ["an ONNX file that is text", "model.onnx", "not a model", "load-failed", /must be an ONNX model, got a text/],
    ["a GGUF file that ends", "model.gguf", "GGUF", "load-failed", /GGUF/],
    ["JSON that ends", "config.json", '{"model_type": ', "load-failed", /^config.json: is not valid JSON/],
    ["a config of no model", "config.json", "{}", undefined, /./],
    ["an empty file", "empty", "", "load-failed", /./],
  ])("shows the error of %s", async (_, name, text, code, message) => {
    const error = await caught(() => element.inspect(new File([text], name)));
    expect(error).toBeInstanceOf(PosencError);
    if (code) expect(error).toMatchObject({ code });
    expect(element.state).toBe("failed");
    expect(part("error").getAttribute("role")).toBe("alert");
    expect(textOf("error")).toMatch(message);
    expect(events).toEqual([`failed ${(error as Error).message}`]);
    expect(isShown("drop")).toBe(true);
    await element.inspect(jsonFile(await configOf("llama")));
    expect(isShown("error")).toBe(false);
  });

  it("reports progress, and stops", async () => {
    const steps: number[] = [];
    const file = await llama();
    await element.inspect(file, { onProgress: ({ done, total }) => steps.push(done / total) });
    expect(steps.at(-1)).toBe(1);
    element.library = never;
    element.file = file;
    await until("reading");
    expect(textOf("status")).toBe("Reading model.onnx");
    expect(isShown("progress")).toBe(true);
    part("stop").click();
    await until("stopped");
    expect(textOf("status")).toBe("Stopped.");
    element.library = undefined;
    part("again").click();
    await until("result");
    expect(events).toEqual(["inspected model.onnx", "inspected model.onnx"]);
  });

  it("rejects with the reason of a signal, before and during the work", async () => {
    const controller = new AbortController();
    element.library = never;
    const reading = caught(async () => element.inspect(await llama(), { signal: controller.signal }));
    await until("reading");
    controller.abort(new Error("enough"));
    expect(await reading).toMatchObject({ message: "enough" });
    const next = caught(async () => element.inspect(await llama(), { signal: controller.signal }));
    expect(await next).toMatchObject({ message: "enough" });
    expect(element.state).toBe("stopped");
    expect(events).toEqual([]);
  });

  it("reads only the last of several files", async () => {
    element.library = never;
    const first = caught(async () => element.inspect(await llama()));
    await until("reading");
    element.library = undefined;
    const second = await element.inspect(jsonFile(await configOf("llama"), "second.json"));
    expect(await first).toMatchObject({ name: "AbortError" });
    expect(element.report).toBe(second);
    expect(events).toEqual(["inspected second.json"]);
  });

  it("stops when it is removed, but not when it is moved", async () => {
    element.library = never;
    element.file = await llama();
    await until("reading");
    const box = document.createElement("div");
    document.body.append(box);
    box.append(element);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(element.state).toBe("reading");
    box.remove();
    await until("stopped");
    element.library = undefined;
    document.body.append(element);
    await until("result");
    expect(events).toEqual(["inspected model.onnx"]);
  });

  it("shows components without a library that cannot be loaded, and says so", async () => {
    element.library = () => Promise.reject(new PosencError("load-failed", "source: the server returned status 404"));
    const report = await element.inspect(await llama());
    expect(report).toMatchObject({ unchecked: expect.stringContaining("404"), positions: [{ family: "rotary" }] });
    expect(textOf("result")).toContain("could not be loaded");
    expect(textOf("result")).not.toContain("No problems");
  });

  it("speaks Chinese by its own language or that of the page", async () => {
    element.lang = "zh-CN";
    await element.inspect(await llama());
    expect(textOf("choose")).toBe("选择文件");
    expect(textOf("result")).toContain("没有发现问题");
    expect(part("panel").lang).toBe("zh-CN");
    element.lang = "en";
    expect(textOf("result")).toContain("No problems were found.");
    const box = document.createElement("div");
    box.lang = "zh";
    use(newElement());
    box.append(element);
    document.body.append(box);
    expect(textOf("choose")).toBe("选择文件");
    box.remove();
  });

  it("takes properties that were set before it was defined", async () => {
    const early = document.createElement("posenc-inspector-early") as PosencInspector;
    Object.assign(early, { file: jsonFile(await configOf("llama")) });
    document.body.append(early);
    defineInspector("posenc-inspector-early");
    customElements.upgrade(early);
    use(early);
    await until("result");
    expect((element.report as InspectorReport).file).toBe("config.json");
  });

  it("takes chosen and dropped files", async () => {
    const transfer = new DataTransfer();
    transfer.items.add(jsonFile(await configOf("llama")));
    const input = element.shadowRoot!.querySelector("input")!;
    input.files = transfer.files;
    input.dispatchEvent(new Event("change"));
    await until("result");
    expect(drop(await llama()).defaultPrevented).toBe(true);
    await until("reading");
    await until("result");
    expect(element.report!.file).toBe("model.onnx");
  });

  it("takes the files of a dropped folder, and shows why it has none", async () => {
    drop(folderOf("llama", [folderOf("onnx", [await llama()]), jsonFile(await configOf("llama"))]));
    await until("result");
    expect(element.report).toMatchObject({ file: "model.onnx" });
    drop(folderOf("empty", []));
    await until("failed");
    expect(textOf("error")).toBe("the dropped folder has no files, nor have the folders in it");
    expect(events.at(-1)).toMatch(/^failed source: the dropped folder/);
    expect(isShown("drop")).toBe(true);
    drop(await llama());
    await until("result");
  });
});
