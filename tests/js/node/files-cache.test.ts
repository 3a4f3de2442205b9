// The folder in which transformers.js keeps files, behind usePositions, and models that mean harm: nothing is read, written
// or removed outside of it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usePositions } from "posenc/transformers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { external, floats, frequencies, modelOf, rotation, tensor } from "../helpers/onnx-proto";
import { at, pageWith } from "../helpers/transformers-page";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "posenc-cache-"));
  mkdirSync(join(home, "a/b/cache"), { recursive: true });
  for (const path of ["victim", "a/victim", "a/b/victim"]) writeFileSync(join(home, path), "untouched");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const filesBelow = (): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .sort();

/** As in Node, with transformers.js' own cache of files. */
function inNode(files: Record<string, unknown> = {}) {
  const where = { cacheDir: join(home, "a/b/cache"), useFSCache: true, useCustomCache: false, customCache: null };
  const page = pageWith(files, { ...where, version: "4.3.1" });
  usePositions(page.env, pe, { "org/model": { rotary: { kind: "rope-linear", factor: 4 } } });
  return page.env.customCache;
}

const refusedKeys: unknown[] = [
  ...["../victim", "../../victim", "/../victim", "x/../../victim", "..", ".", "", "/", "x/", "x/.", "./"],
  ...[
    "%2e%2e/victim",
    "%2E%2e/victim",
    "..%2fvictim",
    "%2e%2e%2fvictim",
    "..\\victim",
    "x\\..\\..\\victim",
    "..%5cvictim",
  ],
  ...["%zz/%2e%2e/victim", "victim\0", "victim%00", "a\nb", "a%0ab", "a".repeat(10_000)],
  ...[at("../../../../../victim"), at("%2e%2e/%2e%2e/%2e%2e/%2e%2e/victim"), at("..\\..\\..\\..\\victim")],
  ...[
    at("x", "org/other", "..%2F..%2F.."),
    at("x", "org/other", "%252e%252e%252f%252e%252e"),
    at("victim", "..", ".."),
  ],
  ...[at("victim", "../.."), at(""), at(".."), "https://elsewhere.test/../../../../victim"],
  ...[1, null, {}, [], new URL("https://hub.test/x"), Symbol("x")],
];

it.each(refusedKeys.map((key) => [key]))("%j is no file of the cache", async (key) => {
  const cache = inNode();
  const before = filesBelow();
  const error = { name: "PosencError", code: "invalid-argument", message: expect.stringMatching(/^key: must /) };
  await expect(cache.put(key, new Response("harm"))).rejects.toMatchObject(error);
  await expect(cache.match(key)).rejects.toMatchObject(error);
  await expect(cache.delete(key)).rejects.toMatchObject(error);
  expect(filesBelow()).toEqual(before);
  expect(readFileSync(join(home, "a/b/victim"), "utf8")).toBe("untouched");
});

it.each([
  [at("onnx/model.onnx_data", "org/other"), "org/other/onnx/model.onnx_data"],
  [at("tokenizer.json", "org/other", "refs%2Fpr%2F1"), "org/other/refs/pr/1/tokenizer.json"],
  [at("a..b/c...json", "org/other"), "org/other/a..b/c...json"],
  [at("100%.json", "org/other"), "org/other/100%.json"],
  ["/etc/passwd", "etc/passwd"],
  ["C:\\x", "C:\\x"],
])("%s is %s in it", async (key, file) => {
  const cache = inNode();
  await cache.put(key, new Response("content"));
  expect(readFileSync(join(home, "a/b/cache", file), "utf8")).toBe("content");
  expect(await cache.delete(key)).toBe(true);
});

it.each([
  ["3.8.1", false],
  ["4.0.0", true],
  ["10.2.0", true],
])("version %s of transformers.js, with a cache that returns paths, gets paths: %s", async (version, byPath) => {
  const path = join(home, "a/victim");
  const page = pageWith({}, { version, customCache: { match: async () => path } });
  usePositions(page.env, pe, { "org/model": { rotary: { kind: "rope-linear", factor: 4 } } });
  const found = await page.env.customCache.match(at("onnx/model.onnx_data"));
  expect(byPath ? found : await found.text()).toBe(byPath ? path : "untouched");
});

describe("put", () => {
  it.each([null, undefined, {}, "text", new Uint8Array(3)])("%j is no response", async (response) => {
    await expect(inNode().put("x.json", response)).rejects.toMatchObject({
      code: "invalid-argument",
      message: expect.stringMatching(/^response: must be an unread Response/),
    });
  });
  it("leaves nothing of what fails on its way, and keeps what is empty", async () => {
    const cache = inNode();
    const before = filesBelow();
    const read = new Response("x");
    await read.text();
    await expect(cache.put("x.json", read)).rejects.toMatchObject({ code: "invalid-argument" });
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("lost")) });
    await expect(cache.put("x.json", new Response(body))).rejects.toThrow("lost");
    expect(filesBelow()).toEqual(before);
    await cache.put("empty.json", new Response());
    expect(readFileSync(join(home, "a/b/cache/empty.json"), "utf8")).toBe("");
  });
});

describe("a model that means harm", () => {
  const modelWith = (location: string): Uint8Array =>
    modelOf({
      nodes: rotation,
      constants: [
        floats("inv", [4], frequencies),
        tensor("w", 1, [4], external({ location, offset: "0", length: "16" })),
      ],
      inputs: ["position_ids", "x"],
    });
  const served = (location: string, more: Record<string, unknown> = {}) =>
    inNode({ [at("onnx/model.onnx")]: modelWith(location), ...more });

  it.each(["model.onnx", "./model.onnx", "MODEL.onnx", ".//model.onnx", "model.onnx/w"])(
    "names itself as its external data: %s",
    async (location) => {
      const more = location === "model.onnx" ? {} : { [at(`onnx/${location}`)]: new Uint8Array(16) };
      const cache = served(location, more);
      const response = await cache.match(at("onnx/model.onnx"));
      await expect(response.arrayBuffer()).rejects.toMatchObject({
        code: "unsupported",
        message: "models: onnx/model.onnx names itself as its external data",
      });
    },
  );
  it.each(["../victim", "/etc/passwd", "..\\victim", "C:\\victim", "%2e%2e/%2e%2e/victim", "w\0", "w\n", "", "."])(
    "names %j",
    async (location) => {
      const before = filesBelow();
      const response = await served(location).match(at("onnx/model.onnx"));
      // Weights that are not there are onnxruntime's to miss.
      expect(response).toBeTypeOf("string");
      expect(readdirSync(join(response, ".."))).toEqual(["model.onnx"]);
      expect(filesBelow()).toEqual([...before, "a/b/cache/org/model/onnx/model.onnx"].sort());
    },
  );
  it.each<[string, unknown]>([
    ["null", null],
    ["a list", []],
    ["a number", new TextEncoder().encode("3")],
    ["a text", "model_type"],
    ["no JSON", new TextEncoder().encode("<html>")],
    ["nested", new TextEncoder().encode(`{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`)],
  ])("has a config.json that is %s", async (_, content) => {
    const response = await inNode({ [at("config.json")]: content }).match(at("config.json"));
    await expect(response.arrayBuffer()).rejects.toMatchObject({
      code: "load-failed",
      message: expect.stringMatching(
        /^config\.json of org\/model (is not valid JSON|must be a JSON object|is nested too)/,
      ),
    });
  });
});

it("names of models are checked", () => {
  const { env } = pageWith({});
  const use = (models: object) => () => usePositions(env, pe, models as never);
  const length = { length: 256 };
  for (const name of ["", "/", "a\0b", "org/model\n", "\x7f", "\u009b", "x".repeat(1_000_000)])
    expect(use({ [name]: length })).toThrow(/^models\["[^]{0,200}"\]: must be a name of 1 to 4096 characters/);
  expect(use({ "org/model": length, "org/model/": length })).toThrow(/^models: must name each model once/);
  for (const given of [1, true, "env", Symbol("env"), 1n, () => {}, undefined])
    expect(() => usePositions(given as never, pe, { "org/model": length })).toThrow(/^env: must be `env` of/);
  expect(() => usePositions(Object.freeze({ ...env }), pe, { "org/model": length })).toThrow(/^env: cannot be frozen/);
  expect(existsSync(join(home, "a/b/victim"))).toBe(true);
});
