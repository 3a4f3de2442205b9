// The README (and the start page of the API documentation) as a stranger reads it: its code runs, one block after the
// other, its comments tell the shapes that come out, and what it counts or names is there.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { withImports } from "../../web/tasks/distributed.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";

const text = (...name: string[]): string => readFileSync(inRoot(...name), "utf8");
const readme = text("README.md");
const blocksOf = (markdown: string) => [...markdown.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code]) => code!);

const library = `import { init } from "posenc"; const pe = await init();`;

/** What a reader has at hand where the block of all calls begins. Names of sizes are those of its comments. */
const readersOwn = `
const zeros = (...dims) => ({ type: "float32", data: new Float32Array(dims.reduce((a, b) => a * b)), dims });
const [B, H, T, D] = [2, 12, 5, 512];
const [hidden, x, table] = [zeros(B, T, D), zeros(T, D), zeros(T, D)];
const patches = zeros(B, 197, 768), gradOfHidden = zeros(B, T, 768);
const checkpoint = new Float32Array(197 * 768).fill(0.5);
const [q, k, v, gradOut, cachedKeys] = Array.from({ length: 5 }, () => zeros(B, H, T, 128));
const past = 1000;
const mask = { data: new Uint8Array(T * T).fill(1), dims: [T, T] };
const attentionMask = { data: BigInt64Array.from([0, 0, 1, 1, 1, 1, 1, 1, 1, 1], BigInt), dims: [B, T] };
const pixelMask = { data: new Uint8Array(B * 4 * 6).fill(1), dims: [B, 4, 6] };
const [wq, wk] = [zeros(2048, D), zeros(2048, D)];
const configJson = { model_type: "llama", hidden_size: 4096, num_attention_heads: 32, rope_theta: 5e5,
  rope_scaling: { rope_type: "yarn", factor: 4, original_max_position_embeddings: 8192 } };`;

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

interface Told {
  promise: string;
  /** Of the value; or of what it has, by name. */
  dims?: number[];
  members: Record<string, number[] | null>;
}

/** Runs a block; `told` are the values of its lines that end with a comment. Results of `//` on assignments are not. */
function run(code: string, before: string): { printed: string; told: Told[] } {
  const tell = `
    const told = [];
    const dimsOf = (value) => (value?.dims ? [...value.dims] : null);
    const tell = (promise, value) => told.push({ promise, dims: dimsOf(value) ?? undefined,
      members: Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, dimsOf(one)])) });`;
  const telling = code.replaceAll(
    /^(?!const |import |await )(\w.*); +\/\/ (.*)$/gm,
    (_, call, promise) => `tell(${JSON.stringify(promise)}, ${call});`,
  );
  const imports = /^import [^;]*;$/gm;
  const module = [...(telling.match(imports) ?? []), tell, before, telling.replaceAll(imports, "")];
  const output = execFileSync(
    process.execPath,
    ["--input-type=module", "--eval", [...module, "\nconsole.log(JSON.stringify(told));"].join("\n")],
    { cwd: inRoot(), encoding: "utf8" },
  );
  const lines = output.trimEnd().split("\n");
  return { printed: lines.slice(0, -1).join("\n"), told: JSON.parse(lines.at(-1)!) };
}

/** `[..., T, D + 512]` against dims: names are sizes, and dots any dims before. */
function expectDims(dims: number[] | null | undefined, promise: string, sizes: Record<string, number>): void {
  const words = promise.split(",").map((word) => word.trim());
  const sizeOf = (word: string) =>
    word.split(" + ").reduce((sum, term) => sum + (/^\d+$/.test(term) ? Number(term) : sizes[term]!), 0);
  const known = words.filter((word) => word !== "...").map(sizeOf);
  expect(words[0] === "..." ? dims?.slice(-known.length) : dims, promise).toEqual(known);
}

/** Holds values against `{ names } [dims]`, where a comment begins with either; how many did. */
function expectTold(told: Told[], sizes: Record<string, number>): number {
  return told.filter(({ promise, dims, members }) => {
    const [, names, shape] = /^(?:\{ ([^}]*) \})? ?(?:\[([^\]]*)\])?/.exec(promise)!;
    const listed = names?.split(", ") ?? [];
    const must = listed.filter((name) => !name.endsWith("?"));
    if (names) expect(Object.keys(members), promise).toEqual(expect.arrayContaining(must));
    const others = Object.keys(members).filter((name) => !listed.includes(name) && !listed.includes(`${name}?`));
    if (names) expect(others, promise).toEqual([]);
    if (shape && names) for (const name of must) expectDims(members[name], shape, sizes);
    else if (shape) expectDims(dims, shape, sizes);
    return names ?? shape;
  }).length;
}

const blocks = blocksOf(readme);

describe("the code of the README", () => {
  it("is all run", () => expect(blocks.length).toBe(4));

  it("the quick start, which is an example, too", () => {
    expect(blocks[0]).toBe(text("examples", "00-quick-start.js"));
    expect(run(blocks[0]!, "").printed).toMatch(/^(relaxed|simd) Float32Array/);
  });

  it("what one can do with encodings", () => {
    const { told } = run(blocks[1]!, `${library}${readersOwn}`);
    const sizes = { B: 2, H: 12, T: 5, Tq: 5, Tk: 5, D: 512 };
    expect(expectTold(told, sizes)).toBeGreaterThanOrEqual(7);
    expect(told.length).toBeGreaterThan(25);
  });

  it("published models", () => {
    const { told } = run(blocks[2]!, library);
    expect(expectTold(told, {})).toBe(1);
    const also = [...told[0]!.promise.matchAll(/\.(\w+)/g)].map(([, name]) => name!);
    expect(also.length).toBe(4);
    const source = 'import { models } from "posenc/models"; console.log(Object.keys(models["llama-3.1-8b"]).join());';
    const { printed } = run(source, "");
    for (const name of also) expect(printed.split(",")).toContain(name);
  });

  it("transformers.js", () => {
    const block = blocks[3]!.replace('"@huggingface/transformers"', JSON.stringify(standInUrl));
    expect(block).not.toBe(blocks[3]);
    const [start, rest] = block.split(/(?<=await init\(\);\n)/) as [string, string];
    const { told } = run(
      `${start}${beforeTransformers}\nconst rope = pe.create({ kind: "rope", dim: 64 });
      const alibi = pe.create({ kind: "alibi", heads: 12 });\n${rest}`,
      "",
    );
    const sizes = { B: 2, T: 4, D: 64, pairs: 32, heads: 12, queries: 4, keys: 4 };
    expect(expectTold(told, sizes)).toBe(3);
  });
});

it("the code of the documentation's start page", () => {
  const [block, ...others] = blocksOf(text("web", "docs", "home.md"));
  expect(others).toEqual([]);
  expect(run(`${block}console.log(rope.kind);`, "").printed).toBe("rope");
});

describe("what the README counts and names", () => {
  const rows = (heading: string) => {
    const [, section] = readme.split(`\n## ${heading}\n`);
    const cells = section!.split("\n## ")[0]!.matchAll(/^\| (.*) \|$/gm);
    return [...cells].map(([, row]) => row!.split(" | ")).slice(1);
  };

  it("the commands of package.json, and the version of Node that it asks for", () => {
    const { scripts, engines } = JSON.parse(text("package.json"));
    const told = rows("Commands").map(([command]) => /npm (?:run )?(\w+)/.exec(command!)![1]);
    expect(told.sort()).toEqual(Object.keys(scripts).sort());
    for (const [, version] of readme.matchAll(/Node ≥ ([\d.]*\d)/g)) expect(engines.node).toBe(`>=${version}`);
  });
  it("the CMake that the project asks for", () => {
    const [, version] = /cmake_minimum_required\(VERSION ([\d.]+)/.exec(text("CMakeLists.txt"))!;
    expect(readme).toContain(`CMake ≥ ${version},`);
  });
  it("folders, and all kinds of tests", () => {
    const folders = rows("Where everything is");
    for (const [name] of folders) expect(existsSync(inRoot(name!.replaceAll("`", ""))), name).toBe(true);
    const [, tests] = folders.at(-1)!;
    const here = readdirSync(inRoot("tests"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect([...tests!.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort()).toEqual(
      here.map(({ name }) => name).sort(),
    );
  });
  it("as many chapters as there are", () => {
    const chapters = readdirSync(inRoot("web", "site", "src", "chapters")).filter((name) =>
      existsSync(inRoot("web", "site", "src", "chapters", name, "Chapter.svelte")),
    );
    expect(readme).toMatch(/in\s+thirteen\s+chapters/);
    expect(chapters.length).toBe(13);
  });
  it("the download, to a twentieth", () => {
    const files = ["posenc.simd.wasm", ...withImports("index.js")];
    const bytes = files.reduce(
      (sum, name) => sum + gzipSync(readFileSync(inRoot("dist", name)), { level: 9 }).length,
      0,
    );
    const [, told] = /\| download, gzip \| (\d+) KB \|/.exec(readme)!;
    expect(Math.abs(bytes / 1024 / Number(told) - 1)).toBeLessThan(0.05);
  });
  it("fields that there are, for images and videos of libraries", async () => {
    const { create } = await init().then((pe) => ({ create: (spec: object) => pe.create(spec as never) }));
    const [, table] = readme.split("\n| library | fields |\n|---|---|\n");
    const rows = table!.split("\n\n")[0]!.split("\n");
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
