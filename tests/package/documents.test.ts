// The pages of web/docs as a stranger reads them: the code of a page runs, one block after the other, its comments tell the
// shapes that come out, and what a page counts or names is there.
import { readFileSync, readdirSync } from "node:fs";
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { withImports } from "../../web/tasks/distributed.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { blocksOf, expectShapes, gzipped, readersOwn, rowsOf, run, text } from "./documents.ts";
import { isWhole } from "./whole";

const page = (name: string): string => text("web", "docs", `${name}.md`);
const codeOf = (name: string): string => blocksOf(page(name)).join("\n");
const library = `import { init } from "posenc"; const pe = await init();`;

/** In place of transformers.js, whose pipelines tests/transformers runs: its class, and a model whose graph takes tables. */
const standIn = `
export class Tensor {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
}
const config = { model_type: "llama", hidden_size: 256, num_attention_heads: 4, max_position_embeddings: 4096 };
const session = { inputNames: ["input_ids", "position_ids", "cos", "sin"], inputMetadata: [] };
export const pipeline = async () => ({ model: { config, sessions: { model: session }, _forward() {} } });`;
const standInUrl = `data:text/javascript,${encodeURIComponent(standIn)}`;
const beforeTransformers = `
const [B, T, D] = [2, 4, 384];
const hidden = new Tensor("float32", new Float32Array(B * T * D), [B, T, D]);
const attention_mask = new Tensor("int64", BigInt64Array.from([0, 1, 1, 1, 1, 1, 1, 1], BigInt), [B, T]);
const position_ids = new Tensor("int64", BigInt64Array.from([0, 0, 1, 2, 0, 1, 2, 3], BigInt), [B, T]);
const mask = attention_mask;
const embeddings = new Tensor("float32", new Float32Array(197 * 768), [1, 197, 768]);`;

describe("the code of the pages", () => {
  it("is all run", () => {
    const pages = readdirSync(inRoot("web", "docs")).filter((name) => name.endsWith(".md"));
    const withCode = pages.filter((name) => blocksOf(text("web", "docs", name)).length > 0);
    expect(withCode.sort()).toEqual([
      "add-positions.md",
      "attention.md",
      "configs.md",
      "first-steps.md",
      "float16.md",
      "generating.md",
      "guide.md",
      "home.md",
      "models-and-explain.md",
      "position-ids.md",
      "remap.md",
      "rotate.md",
      "test-your-engine.md",
      "train.md",
      "transformers.md",
      "webgpu.md",
    ]);
  });

  it("first steps print what the page shows", () => {
    const shown = blocksOf(page("first-steps"), "text");
    expect(shown.length).toBe(4);
    expect(`${run(codeOf("first-steps"), "").printed}\n`).toBe(shown.join(""));
  });

  it("how-to guides: their names", () => {
    const { evaluated } = run(codeOf("guide"), "");
    expect(expectShapes(evaluated, { B: 2, H: 12, T: 5, D: 128 })).toBe(3);
  });

  const sizes = { B: 2, H: 12, T: 5, Tq: 5, Tk: 5, D: 512 };
  const runGuide = (name: string) => run(codeOf(name), `${library}${readersOwn}`);

  it.each([
    ["add-positions", 10, 11],
    ["rotate", 14, 14],
    ["attention", 13, 13],
    ["remap", 2, 2],
    ["float16", 5, 5],
    ["train", 5, 7],
    ["position-ids", 10, 12],
  ])("%s", (name, shapes, lines) => {
    const { evaluated } = runGuide(name);
    expect(expectShapes(evaluated, sizes)).toBeGreaterThanOrEqual(shapes);
    expect(evaluated.length).toBeGreaterThanOrEqual(lines);
  });

  it("position-ids: the ids in its comments", () => {
    const code = codeOf("position-ids");
    const shown = [...code.matchAll(/^(pe\..*\)); \/\/ \[[^\]]*\]: (\d.*)$/gm)];
    expect(shown.length).toBeGreaterThanOrEqual(5);
    const calls = shown.map(([, call]) => `console.log(...${call}.data);`);
    const { printed } = run([code, ...calls].join("\n"), `${library}${readersOwn}`);
    expect(printed.split("\n")).toEqual(shown.map(([, , ids]) => ids!.match(/\d+/g)!.join(" ")));
  });

  it("models-and-explain", () => {
    const { evaluated } = runGuide("models-and-explain");
    expect(expectShapes(evaluated, sizes)).toBeGreaterThanOrEqual(4);
    expect(evaluated.length).toBeGreaterThanOrEqual(8);
    const { promise } = evaluated.find(({ promise }) => promise.startsWith("also .config"))!;
    const also = [...promise.matchAll(/\.(\w+)/g)].map(([, name]) => name!);
    expect(also.length).toBe(5);
    const source = 'import { models } from "posenc/models"; console.log(Object.keys(models["llama-3.1-8b"]).join());';
    const { printed } = run(source, "");
    for (const name of also) expect(printed.split(",")).toContain(name);
  });

  it("generating", () => {
    const { evaluated } = run(
      codeOf("generating"),
      `${library}
      const tensor = (positions) => pe.tensor([1, 2, positions, 64]);
      const [q, k, v] = [7, 7, 7].map(tensor);
      const [nextQuery, nextKey, nextValue] = [1, 1, 1].map(tensor);`,
    );
    expect(expectShapes(evaluated, { B: 1, H: 2, T: 7, D: 64 })).toBeGreaterThanOrEqual(2);
  });

  it("configs", () => {
    const { evaluated } = run(
      codeOf("configs"),
      `${library}${readersOwn}
      const gemmaConfig = { model_type: "gemma3_text", hidden_size: 1152, num_attention_heads: 4, num_hidden_layers: 26,
        head_dim: 128, sliding_window: 512, rope_theta: 1e6, rope_local_base_freq: 1e4 };
      const url = "", gguf = async () => ({ metadata: { "general.architecture": "llama",
        "llama.embedding_length": 2048, "llama.attention.head_count": 16, "llama.rope.freq_base": 5e5 } });`,
    );
    const sizes = { B: 2, H: 12, T: 5, D: 128 };
    expect(expectShapes(evaluated, sizes)).toBe(1);
    const { printed } = run(
      'import { layerSpecs } from "posenc/config"; const [one] = layerSpecs({ model_type: "gemma3_text", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 6, sliding_window: 512 }); console.log(one.spec.base, one.window);',
      "",
    );
    expect(printed).toBe("10000 512");
  });

  it("WebGPU, where there is none", () => {
    const { evaluated } = run(codeOf("webgpu"), "const device = undefined;");
    expect(expectShapes(evaluated, {})).toBeGreaterThanOrEqual(7);
  });

  it("transformers.js", () => {
    const code = codeOf("transformers");
    const block = code.replace('"@huggingface/transformers"', JSON.stringify(standInUrl));
    expect(block).not.toBe(code);
    const [start, rest] = block.split(/(?<=await init\([^\n]*\);\n)/) as [string, string];
    const { evaluated } = run(
      `${start}${beforeTransformers}\nconst rope = pe.create({ kind: "rope", dim: 64 });
      const alibi = pe.create({ kind: "alibi", heads: 12 });\n${rest}`,
      "",
    );
    const sizes = { B: 2, T: 4, D: 64, pairs: 32, heads: 12, queries: 4, keys: 4 };
    expect(expectShapes(evaluated, sizes)).toBe(3);
  });
});

it("the code of the documentation's start page", () => {
  const [block, ...others] = blocksOf(text("web", "docs", "home.md"));
  expect(others).toEqual([]);
  expect(run(`${block}console.log(rope.kind);`, "").printed).toBe("rope");
});

describe("what the pages count and name", () => {
  it("the quick start in C++, and CMake's options", () => {
    const programs = blocksOf(page("native"), "cpp");
    expect(programs).toEqual(["quickstart.cpp", "training.cpp"].map((name) => text("examples", name)));
    const options = [
      ...text("CMakeLists.txt").matchAll(/^(?:option|set)\((POSENC_\w+) (?:".*CACHE|.*(?:ON|OFF|LEVEL}?)\))/gm),
    ];
    const names = options.map(([, name]) => name).filter((name) => name !== "POSENC_FUZZERS");
    const listed = rowsOf(page("native")).map(([name]) => name!.replaceAll("`", ""));
    expect(listed.sort()).toEqual(names.sort());
  });
  it.runIf(isWhole)("the download, to a twentieth", () => {
    const files = ["posenc.simd.wasm", ...withImports("index.js")];
    const bytes = gzipped(...files);
    const [, listed] = /\| download, gzip \| (\d+) KB \|/.exec(page("accuracy"))!;
    expect(Math.abs(bytes / 1024 / Number(listed) - 1)).toBeLessThan(0.05);
  });
  it.runIf(isWhole)("the parts of the library, and their sizes to half a KB", () => {
    const [, table] = /### Parts\n[^]*?\n\|---.*\n((?:\|.*\n)+)/.exec(page("environments"))!;
    const rows = [...table!.matchAll(/^\| `(\w+)` \| (.*) \| (\d+) KB \| (?:(\d+) KB )?\|$/gm)];
    expect(rows.map(([, part]) => part)).toEqual([
      "attention",
      "relative",
      "training",
      "cache",
      "resize",
      "config",
      "ids",
    ]);
    for (const [, part, , code, wasm] of rows) {
      expect(Math.abs(gzipped(`shared-part-${part}.js`) / 1024 - Number(code)), part).toBeLessThan(0.6);
      if (wasm) expect(Math.abs(gzipped(`posenc.${part}.wasm`) / 1024 - Number(wasm)), part).toBeLessThan(0.6);
    }
  });
  it("fields that there are, for images and videos of libraries", async () => {
    const { create } = await init().then((pe) => ({ create: (spec: object) => pe.create(spec as never) }));
    const rows = rowsOf(page("images")).map((cells) => cells.join(" | "));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const kind = /fourier/.test(row) ? "fourier" : /temporalDim/.test(row) ? "sinusoidal-3d" : "sinusoidal-2d";
      const pairs = [...row.matchAll(/`([^`]*: [^`]*)`/g)].map(([, fields]) => fields);
      const dim = /includeInput/.test(row) ? 63 : 64;
      const spec = new Function(
        ...["dim", "temporalScale", "interpolation_scale", "resolution"],
        `return { kind: "${kind}", dim, ${pairs.join(", ")} };`,
      )(dim, 0.25, 2, 8);
      expect(create(spec), row).toMatchObject({ spec });
    }
  });
  it("the code that the main entry and posenc/inline share", () => {
    const inline = withImports("inline.js");
    const bytesOf = (names: string[]) =>
      names.reduce((sum, name) => sum + readFileSync(inRoot("dist", name)).length, 0);
    const own = withImports("index.js").filter((name) => !inline.includes(name));
    expect(bytesOf(own)).toBeLessThan(bytesOf(withImports("index.js")) / 50);
  });
});
