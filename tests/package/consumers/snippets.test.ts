// What the README, the documentation and the examples show is TypeScript, too: strict, against the packed package and the
// types of the real transformers.js.
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { inRoot, installDependencies } from "../../../web/tasks/prepare.mjs";
import { install, run } from "./workspace.ts";

const posenc = (name: string): string => `import("posenc").${name}`;
const transformers = (name: string): string => `import("@huggingface/transformers").${name}`;

/** What a reader has at hand where a page begins. */
const readersOwn: Record<string, string> = {
  pe: posenc("Posenc"),
  rope: posenc("RotaryEncoding"),
  alibi: posenc("BiasEncoding"),
  ...Object.fromEntries(
    [
      "hidden",
      "x",
      "table",
      "patches",
      "gradOfHidden",
      "q",
      "k",
      "v",
      "gradOut",
      "cachedKeys",
      "nextQuery",
      "nextKey",
      "nextValue",
      "wq",
      "wk",
    ].map((name) => [name, posenc("Tensor")]),
  ),
  checkpoint: "Float32Array",
  device: "GPUDevice",
  past: "number",
  mask: "{ data: Uint8Array; dims: number[] }",
  pixelMask: "{ data: Uint8Array; dims: number[] }",
  attentionMask: "{ data: BigInt64Array; dims: number[] }",
  configJson: "Record<string, unknown>",
  gemmaConfig: "Record<string, unknown>",
  contract: "string",
  letter: "Blob",
  question: "string",
  gguf: "(url: string) => Promise<{ metadata: object }>",
  url: "string",
  attention_mask: transformers("Tensor"),
  position_ids: transformers("Tensor"),
  embeddings: transformers("Tensor"),
};

/** What a reader has at hand whom an error met. */
const atFault: Record<string, string> = {
  ...readersOwn,
  sinusoidal: posenc("SinusoidalTable"),
  learned: posenc("LearnedTable"),
  encoding: posenc("SinusoidalTable"),
  tensor: "{ type: 'float32'; dims: number[]; getData(): Promise<Float32Array> }",
  cache: posenc("KeyValueCache"),
  values: "Float32Array",
  data: "Float32Array",
  queries: "number",
  keys: "number",
  gpuKeys: 'import("posenc/webgpu").GpuTensor',
  init: `typeof ${posenc("init")}`,
  webgpu: 'typeof import("posenc/webgpu").webgpu',
  gpu: 'import("posenc/webgpu").Gpu',
  ort: "{ env: { webgpu: { device: Promise<GPUDevice> } } }",
  adapter: "GPUAdapter",
  worker: "Worker",
  config: "{ head_dim: number; rope_theta: number }",
};

/** Code as a module, which begins with those of the reader's own names that it uses and does not make. */
function moduleOf(code: string, names = readersOwn): string {
  const own = Object.entries(names).filter(
    ([name]) =>
      new RegExp(`\\b${name}\\b`).test(code) && !new RegExp(`\\b(const|import) ([{[][^=;]*)?\\b${name}\\b`).test(code),
  );
  return [...own.map(([name, type]) => `declare const ${name}: ${type};`), code, "export {};\n"].join("\n");
}

const text = (...name: string[]): string => readFileSync(inRoot(...name), "utf8");
const filesIn = (folder: string, kind: string): string[] =>
  readdirSync(inRoot(folder)).flatMap((name) => (name.endsWith(kind) ? `${folder}/${name}` : []));

function pages(): [string, string][] {
  return ["README.md", ...filesIn("web/docs", ".md")].flatMap((file): [string, string][] => {
    const blocks = [...text(file).matchAll(/^```(?:js|ts|javascript|typescript)\n([^]*?)^```$/gm)].map(
      ([, code]) => code!,
    );
    // One after the other, but for errors: each is met by itself.
    if (file.endsWith("errors.md")) return blocks.map((code, i) => [`${file}-${i}`, moduleOf(code, atFault)]);
    return blocks.length > 0 ? [[file, moduleOf(blocks.join("\n"))]] : [];
  });
}

function examples(): [string, string][] {
  const folders = ["examples", "examples/kinds", "examples/course"];
  return folders.flatMap((folder) => filesIn(folder, ".js")).map((file) => [file, text(file)]);
}

const strict = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: "es2022",
  lib: ["es2023", "dom"],
  module: "nodenext",
  types: ["node"],
  typeRoots: [inRoot("node_modules", "@types")],
};

let folder = "";
beforeAll(async () => {
  await installDependencies(inRoot("examples", "transformers"));
  folder = await install("snippets");
  const huggingFace = inRoot("examples", "transformers", "node_modules", "@huggingface");
  symlinkSync(huggingFace, join(folder, "node_modules", "@huggingface"), "junction");
}, 240_000);

it.each([
  // JavaScript has no place for the types of parameters and of what is caught.
  ["the README and the pages of the documentation", "pages", pages, { noImplicitAny: false }, 20],
  ["each example", "examples", examples, { noImplicitAny: false, useUnknownInCatchVariables: false }, 50],
] as const)(
  "%s",
  async (_, name, snippets, looser, least) => {
    const files = snippets().map(([source, code]) => {
      const file = `${name}-${source.replaceAll(/[^\w-]+/g, "-")}.ts`;
      writeFileSync(join(folder, file), code);
      return file;
    });
    expect(files.length).toBeGreaterThanOrEqual(least);
    const config = `tsconfig.${name}.json`;
    writeFileSync(join(folder, config), JSON.stringify({ compilerOptions: { ...strict, ...looser }, files }));
    // tsc tells its complaints, and fails with them.
    const output = await run(`node ${inRoot("node_modules", "typescript", "bin", "tsc")} --project ${config}`, folder);
    expect(output).toBe("");
  },
  120_000,
);
