// What users read, as its tests see it: the code of a page, run as it stands, and what its comments promise.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";

export const text = (...name: string[]): string => readFileSync(inRoot(...name), "utf8");

export const blocksOf = (markdown: string, language = "js"): string[] =>
  [...markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, code]) => code!);

/** Arguments of Node for programs that get the library as a page does, in parts: they must name those that they use. */
export const mainEntry = ["--import", new URL("main-entry.mjs", import.meta.url).href];

/** Bytes of these files of dist/ as servers send them. */
export const gzipped = (...files: string[]): number =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(inRoot("dist", file)), { level: 9 }).length, 0);

/** The rows of the table under a heading, or of the page's only one. */
export function rowsOf(markdown: string, heading?: string): string[][] {
  const section = heading === undefined ? markdown : markdown.split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return [...section.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split(" | ")).slice(1);
}

/** What a reader has at hand where the guide begins. Names of sizes are those of its comments. */
export const readersOwn = `
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

export interface Evaluated {
  promise: string;
  /** Of the value; or of what it has, by name. */
  dims?: number[];
  members: Record<string, number[] | null>;
}

/** Runs a block; `evaluated` are the values of its lines that end with a comment. Results of `//` on assignments are not. */
export function run(code: string, before: string): { printed: string; evaluated: Evaluated[] } {
  const recorder = `
    const told = [];
    const dimsOf = (value) => (value?.dims ? [...value.dims] : null);
    const tell = (promise, value) => told.push({ promise, dims: dimsOf(value) ?? undefined,
      members: Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, dimsOf(one)])) });`;
  const recording = code.replaceAll(
    /^(?!const |import |await )(\w.*); +\/\/ (.*)$/gm,
    (_, call, promise) => `tell(${JSON.stringify(promise)}, ${call});`,
  );
  const imports = /^import [^;]*;$/gm;
  const module = [...(recording.match(imports) ?? []), recorder, before, recording.replaceAll(imports, "")];
  const output = execFileSync(
    process.execPath,
    ["--input-type=module", "--eval", [...module, "\nconsole.log(JSON.stringify(told));"].join("\n")],
    { cwd: inRoot(), encoding: "utf8" },
  );
  const lines = output.trimEnd().split("\n");
  return { printed: lines.slice(0, -1).join("\n"), evaluated: JSON.parse(lines.at(-1)!) };
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
export function expectShapes(evaluated: Evaluated[], sizes: Record<string, number>): number {
  return evaluated.filter(({ promise, dims, members }) => {
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
