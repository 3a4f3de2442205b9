// `npx posenc` as users have it: from the packed package, installed where nothing else is.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { rewriteOptions } from "../../web/src/onnx/rewrite/read-options.ts";
import { ggufOf, llamaGguf, typed } from "../js/helpers/gguf.ts";

const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
const fixture = (...path: string[]): string => inRoot("tests", "fixtures", "onnx", ...path);
const pe = await init();

/** A folder with a space in its name. */
let home: string;
beforeAll(() => {
  home = join(mkdtempSync(join(tmpdir(), "posenc cli ")), "my project");
  mkdirSync(home);
  const quiet = { cwd: home, stdio: "ignore" as const, shell: process.platform === "win32" };
  execFileSync("npm", ["pack", "--loglevel=error", "--ignore-scripts", "--pack-destination", home], {
    ...quiet,
    cwd: inRoot(),
  });
  writeFileSync(join(home, "package.json"), '{ "private": true }');
  const tarball = join(home, `posenc-${version}.tgz`);
  execFileSync("npm", ["install", "--offline", "--no-package-lock", "--no-audit", "--no-fund", tarball], quiet);
});
afterAll(() => rmSync(join(home, ".."), { recursive: true, force: true }));

/** Where a test writes. */
const folders = { next: 0 };
function folder(): string {
  const path = join(home, `folder ${folders.next++}`);
  mkdirSync(path);
  return path;
}

interface Outcome {
  status: number | null;
  out: string;
  said: string;
}

function posenc(...words: string[]): Outcome {
  const program = join(home, "node_modules", ".bin", "posenc");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: home, encoding: "utf8" });
  return { status, out: stdout, said: stderr };
}

const inspected = (...words: string[]): { status: number | null; files: any[] } => {
  const { status, out } = posenc("inspect", "--json", ...words);
  return { status, files: JSON.parse(out).files };
};

/** A checkout of the hub: config.json above, models in the folder onnx. */
function checkout(): string {
  const path = folder();
  mkdirSync(join(path, "onnx"));
  copyFileSync(fixture("llama", "config.json"), join(path, "config.json"));
  writeFileSync(join(path, "tokenizer.json"), "{}");
  copyFileSync(fixture("llama", "model.onnx"), join(path, "onnx", "model.onnx"));
  copyFileSync(fixture("llama-tjs", "model_fp16.onnx"), join(path, "onnx", "model_fp16.onnx"));
  return path;
}

describe("the program", () => {
  it("is found by npx, and tells its version", () => {
    const shell = process.platform === "win32";
    const told = execFileSync("npx", ["--offline", "--no-install", "posenc", "--version"], {
      cwd: home,
      encoding: "utf8",
      shell,
    });
    expect(told.trim()).toBe(version);
  });
  it("tells of all its options", () => {
    const { status, out } = posenc("--help");
    expect(status).toBe(0);
    expect(posenc("rewrite", "model.onnx", "-h").out).toBe(out);
    const page = readFileSync(inRoot("web", "docs", "onnx.md"), "utf8").split("\n## Command line\n")[1]!;
    const namesIn = (text: string): Set<string> =>
      new Set([...text.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map(([, name]) => name!));
    for (const command of ["inspect", "rewrite"]) {
      const listed = namesIn(posenc(command, "--x").said.split("known are")[1]!.split("\n")[0]!);
      expect(listed.size).toBeGreaterThan(4);
      for (const name of listed) expect(namesIn(out), name).toContain(name);
      const isTold = (name: string) =>
        namesIn(page).has(name) || ["help", "out", "progress", "align-corners"].includes(name);
      for (const name of listed) expect(isTold(name), name).toBe(true);
    }
  });
  it("has an option for all that a rewrite takes", () => {
    const { out } = posenc("--help");
    const names = Object.keys(rewriteOptions).filter((name) => name !== "rotary" && name !== "partial");
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(out).toMatch(new RegExp(`^ +--${name}\\b`, "m"));
  });
  it("prints what the documentation shows", () => {
    const [, , , told] = readFileSync(inRoot("web", "docs", "onnx.md"), "utf8").split("```text\n");
    const bible = join(folder(), "bible");
    cpSync(inRoot("examples", "transformers", "models", "bible"), bible, { recursive: true });
    expect(posenc("inspect", bible).out.replaceAll(bible, "bible")).toBe(told!.split("```")[0]);
  });
  it.each<[string[], RegExp]>([
    [[], /inspect or rewrite/],
    [["inspct"], /inspct: there are the commands/],
    [["inspect"], /name a model/],
    [["inspect", "nowhere.onnx"], /nowhere\.onnx: there is no such file or folder/],
    [["inspect", "."], /has no \.onnx or \.gguf file/],
    [["inspect", "x.onnx", "--jsn"], /did you mean `--json`/],
    [["inspect", "x.onnx", "--json=yes"], /--json takes no value/],
    [["inspect", "x.onnx", "--config", "nowhere.json"], /--config: cannot read nowhere\.json \(ENOENT\)/],
    [["inspect", "x.onnx", "--config", "package.json", "--no-config"], /exclude each other/],
    [["rewrite", "LLAMA", "--yarn", "4"], /-o names the file/],
    [["rewrite", "LLAMA", "-o", "x.onnx"], /nothing to change; give --yarn 4/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn"], /--yarn needs a value/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "four"], /--yarn: must be a number above 0, got "four"/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "4", "--yarn", "8"], /--yarn is given twice/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "4", "--linear", "4"], /exclude each other/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "4", "--length", "1.5"], /--length: must be a whole number/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--ntk", "4", "--original-length", "64"], /belongs to --dynamic, --yarn/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--grid", "16"], /such as 16x16, got "16"/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--spec", "{kind"], /--spec: is no JSON .*; give '\{"kind"/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--resize", "cubic"], /one of nearest, linear, bicubic/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "4", "--carrier", "2"], /numbers from 1 to 1/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--mend", "rows"], /there is no rows in this model: nothing/],
    [["rewrite", "LLAMA", "LLAMA", "-o", "x.onnx"], /takes one model/],
  ])("%o is a wrong call", (words, sentence) => {
    const model = fixture("llama", "model.onnx");
    const { status, out, said } = posenc(...words.map((word) => (word === "LLAMA" ? model : word)));
    expect(said).toMatch(sentence);
    expect(said).not.toMatch(/\n {4}at /);
    expect([status, out]).toEqual([2, ""]);
  });
});

describe("inspect", () => {
  it("lists what it finds, in columns", () => {
    const { status, out } = posenc("inspect", fixture("gemma3"));
    expect(status).toBe(0);
    const [, head, first, second] = out.split("\n");
    expect(first!.indexOf("rotary")).toBe(head!.indexOf("carrier"));
    expect(first!.indexOf("rope, dim 16, base 1000000")).toBe(head!.indexOf("positions"));
    expect(second).toMatch(/^2 +rotary frequencies +0, 2 .*rope, dim 16, base 10000$/);
  });
  it("is JSON for programs: a checkout with all its models", () => {
    const path = checkout();
    const { status, files } = inspected(path);
    expect(status).toBe(1);
    const [plain, half] = files;
    expect(plain).toMatchObject({
      ...{ file: join(path, "onnx", "model.onnx"), format: "onnx", bytes: 472698, config: join(path, "config.json") },
      ...{ findings: [] },
    });
    const [carrier] = plain.positions;
    expect(carrier).toMatchObject({ family: "rotary", layers: [0, 1], spec: { kind: "rope", dim: 16, base: 10000 } });
    expect(carrier.frequencies).toHaveLength(8);
    expect(half.findings).toMatchObject([
      { severity: "error", code: "angles-float16", carrier: 1, mend: "angles-float16" },
    ]);
  });
  it("holds models against the config that is named, or none", () => {
    const path = checkout();
    const config = JSON.parse(readFileSync(join(path, "config.json"), "utf8"));
    const rope_scaling = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 64 };
    writeFileSync(join(path, "other.json"), JSON.stringify({ ...config, rope_scaling }));
    const model = join(path, "onnx", "model.onnx");
    const codes = ({ files }: ReturnType<typeof inspected>) => files[0].findings.map(({ code }: any) => code);
    const other = inspected(model, "--config", join(path, "other.json"));
    expect([other.status, codes(other)]).toEqual([1, ["scaling-ignored"]]);
    const none = inspected(model, "--no-config");
    expect([none.status, none.files[0].config]).toEqual([0, undefined]);
  });
  it("lists what a config leaves open, and what of it has no effect", () => {
    const path = checkout();
    const model = join(path, "onnx", "model.onnx");
    const config = JSON.parse(readFileSync(join(path, "config.json"), "utf8"));
    const rope_scaling = { rope_type: "default", beta_fast: 32 };
    writeFileSync(
      join(path, "config.json"),
      JSON.stringify({ ...config, model_type: "brand_new", rope_scaling, rope_tetha: 5 }),
    );
    const { status, files } = inspected(model);
    expect([status, files[0]]).toMatchObject([
      0,
      { assumed: ["rotaryDim", "pairing"], ignored: ["beta_fast", "rope_tetha"], findings: [{}, {}] },
    ]);
    const { out } = posenc("inspect", model);
    expect(out).toMatch(
      /note +config-assumed: model_type "brand_new" is unknown: assumed as in Llama: rotaryDim, pairing\./,
    );
    expect(out).toMatch(/note +config-ignored: .*: beta_fast, rope_tetha\./);
  });
  it("remarks a config.json that nobody can read", () => {
    const path = checkout();
    writeFileSync(join(path, "config.json"), "version https://git-lfs");
    const { status, said, out } = posenc("inspect", join(path, "onnx", "model.onnx"));
    expect(said).toMatch(/^posenc: config\.json: .* is no JSON .*: it is left out$/m);
    expect([status, out.includes("held against")]).toEqual([0, false]);
  });
  it("reads gigabytes of external data as far as it has to", () => {
    const path = folder();
    for (const file of ["model.onnx", "model.onnx.data", "config.json"])
      copyFileSync(fixture("mobius-llama", file), join(path, file));
    truncateSync(join(path, "model.onnx.data"), 2 ** 31);
    const watch = "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";
    const program = join(home, "node_modules", ".bin", "posenc");
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", watch, program, "inspect", "--json", join(path, "model.onnx")],
      { encoding: "utf8" },
    );
    expect(JSON.parse(stdout).files[0].positions).toMatchObject([{ spec: { kind: "rope", base: 10000 }, rows: 64 }]);
    expect(Number(stderr) / 1024, "MB").toBeLessThan(200);
  });
  it("says which external data are not here", () => {
    const path = folder();
    copyFileSync(fixture("genai-llama-fp16", "model.onnx"), join(path, "model.onnx"));
    const { files } = inspected(path);
    expect(JSON.stringify(files)).toContain("model.onnx.data");
  });
  it("looks for external data in the model's folder, and nowhere else", () => {
    const path = folder();
    mkdirSync(join(path, "model"));
    const model = readFileSync(fixture("mobius-llama", "model.onnx"));
    const text = Buffer.from("model.onnx.data");
    const renamed = Buffer.from("../outside.data");
    for (let at; (at = model.indexOf(text)) >= 0;) renamed.copy(model, at);
    writeFileSync(join(path, "model", "model.onnx"), model);
    copyFileSync(fixture("mobius-llama", "model.onnx.data"), join(path, "outside.data"));
    const { files } = inspected(join(path, "model"));
    expect(files[0].error.message).toContain('"../outside.data" holds the numbers');
  });
  it("lists keys of GGUF files without effect", () => {
    const path = folder();
    const header = (architecture: string): Uint8Array =>
      ggufOf({
        "general.architecture": typed.string(architecture),
        [`${architecture}.attention.key_length`]: typed.uint32(64),
        [`${architecture}.rope.freq_bsae`]: typed.float32(5),
      });
    for (const architecture of ["qwen2", "gemma3"])
      writeFileSync(join(path, `${architecture}.gguf`), header(architecture));
    const { status, files } = inspected(path);
    expect(status).toBe(0);
    expect(files.map(({ ignored }: any) => ignored)).toEqual([["gemma3.rope.freq_bsae"], ["qwen2.rope.freq_bsae"]]);
    expect(posenc("inspect", path).out).toMatch(/note +config-ignored: .*: qwen2\.rope\.freq_bsae\./);
  });
  it("reads the headers of GGUF files", () => {
    const path = folder();
    writeFileSync(join(path, "model.gguf"), llamaGguf());
    const { status, files } = inspected(path);
    expect(status).toBe(0);
    expect(files).toMatchObject([
      { format: "gguf", version: 3, factors: { "rope_freqs.weight": [1, 1, 1, 2, 4, 8, 8, 8] } },
    ]);
    expect(files[0].positions).toMatchObject([
      { spec: { kind: "rope", dim: 16, base: 500000, pairing: "interleaved" } },
    ]);
    expect(files[0].positions[0].spec.frequencyFactors).toEqual([1, 1, 1, 2, 4, 8, 8, 8]);
    const { out } = posenc("inspect", path);
    expect(out).toMatch(/llama\.rope\.freq_base +500000/);
    expect(out).toMatch(/^positions: rope, dim 16, base 500000, pairing interleaved, frequencyFactors of 8 numbers$/m);
  });
  it("tells layers of GGUF files apart, and what it does not know", () => {
    const path = folder();
    const header = (architecture: string) =>
      ggufOf({
        "general.architecture": typed.string(architecture),
        [`${architecture}.embedding_length`]: typed.uint32(64),
        [`${architecture}.attention.head_count`]: typed.uint32(4),
        [`${architecture}.rope.freq_base`]: typed.float32(1e6),
      });
    writeFileSync(join(path, "gemma3.gguf"), header("gemma3"));
    writeFileSync(join(path, "unheard.gguf"), header("unheard-of"));
    const { status, files } = inspected(path);
    expect(status).toBe(0);
    const [gemma, unheard] = files;
    expect(gemma.positions.map(({ layerType, spec }: any) => [layerType, spec.base])).toEqual([
      ["full_attention", 1e6],
      ["sliding_attention", 10000],
    ]);
    expect(unheard).toMatchObject({ positions: [], findings: [{ severity: "note", code: "config-unread" }] });
  });
  it.each<[string, (model: Buffer) => Uint8Array]>([
    ["empty.onnx", () => new Uint8Array()],
    ["a page.onnx", () => Buffer.from("<!doctype html><title>404</title>")],
    ["cut.onnx", (model) => model.subarray(0, 200_000)],
    ["pointer.onnx", () => Buffer.from("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 4\n")],
    ["cut.gguf", () => llamaGguf().subarray(0, 90)],
    ["none.gguf", (model) => model],
  ])("%s is damaged: one sentence, exit code 1", (name, make) => {
    const path = join(folder(), name);
    writeFileSync(path, make(readFileSync(fixture("llama", "model.onnx"))));
    const { status, files } = inspected(path);
    expect(status).toBe(1);
    expect(files[0].error).toMatchObject({ code: "load-failed", message: expect.stringMatching(/\w/) });
    const { out, said } = posenc("inspect", path);
    expect(out).toMatch(/cannot be read: /);
    expect(said).toBe("");
  });
});

describe("rewrite", () => {
  const llama = fixture("llama", "model.onnx");
  const bytesOf = async (options: object): Promise<Buffer> => {
    const model = await openModel(readFileSync(llama));
    return Buffer.from(await (await model.rewrite(pe, options)).bytes());
  };

  it.each<[string[], object]>([
    [["--yarn", "4"], { kind: "rope-yarn", factor: 4, originalLength: 64 }],
    [["--yarn", "4", "--original-length", "48"], { kind: "rope-yarn", factor: 4, originalLength: 48 }],
    [["--linear", "2", "--base", "370000"], { kind: "rope-linear", factor: 2, base: 370000 }],
    [["--ntk", "8"], { kind: "rope-ntk", factor: 8 }],
    [["--llama3", "4"], { kind: "rope-llama3", factor: 4, originalLength: 64 }],
    [["--base", "370000"], { kind: "rope", base: 370000 }],
    [["--spec", '{"kind":"rope-proportional","factor":4}'], { kind: "rope-proportional", factor: 4 }],
    [["--yarn", "4", "--carrier", "1"], { kind: "rope-yarn", factor: 4, originalLength: 64 }],
  ])("%o writes what the library does", async (words, rotary) => {
    const out = join(folder(), "out.onnx");
    const { status, out: told, said } = posenc("rewrite", llama, ...words, "-o", out);
    expect([status, said]).toEqual([0, ""]);
    expect(Buffer.compare(readFileSync(out), await bytesOf({ rotary }))).toBe(0);
    expect(told).toContain((rotary as { kind: string }).kind === "rope" ? "370000" : "rotary frequencies");
  });
  it("goes by another config.json, and by lengths", async () => {
    const path = folder();
    const config = JSON.parse(readFileSync(fixture("llama", "config.json"), "utf8"));
    const scaled = { ...config, rope_scaling: { rope_type: "dynamic", factor: 4 } };
    writeFileSync(join(path, "other.json"), JSON.stringify(scaled));
    const words = ["--config", join(path, "other.json"), "--length", "256"];
    expect(posenc("rewrite", llama, ...words, "-o", path).status).toBe(0);
    expect(Buffer.compare(readFileSync(join(path, "model.onnx")), await bytesOf({ rotary: scaled, length: 256 }))).toBe(
      0,
    );
  });
  it("mends what the audit finds", () => {
    const path = checkout();
    const out = join(path, "mended.onnx");
    const half = join(path, "onnx", "model_fp16.onnx");
    expect(posenc("inspect", half).out).toContain("--mend angles-float16");
    expect(posenc("rewrite", half, "--mend", "angles-float16", "-o", out).status).toBe(0);
    expect(inspected(out)).toMatchObject({ status: 0, files: [{ findings: [] }] });
  });
  it.each<[string, string[], RegExp]>([
    ["gpt2-tjs/model_quantized.onnx", ["--length", "192", "--resize", "linear", "--align-corners"], /192 rows/],
    ["vit-tjs/model.onnx", ["--grid", "8x8"], /65 rows now/],
    ["t5/encoder_model.onnx", ["--max-distance", "192"], /maxDistance 192/],
    ["bloom/model.onnx", ["--bias", '{"kind":"alibi","maxBias":4}'], /slopes are 0\.5000, 0\.2500/],
    ["llama-tjs/model_fp16.onnx", ["--angles", "float32"], /is float32 now/],
    ["phi3-longrope/model.onnx", ["--tables", "inputs"], /rope_cos/],
    ["llama/model.onnx", ["--attention"], /attentions\.1/],
    ["gemma3/model.onnx", ["--yarn", "4", "--carrier", "1"], /rope-yarn.*base 1000000[^]*rope, dim 16, base 10000/],
  ])("%s %o", (name, words, told) => {
    const out = join(folder(), "out.onnx");
    const { status, out: printed, said } = posenc("rewrite", fixture(...name.split("/")), ...words, "-o", out);
    expect([status, said]).toEqual([0, ""]);
    expect(printed).toMatch(told);
    expect(inspected(out, "--no-config").status).toBe(0);
  });
  it("--no-config: does not read the config.json beside a model", () => {
    const yarn = ["rewrite", fixture("llama", "model.onnx"), "--yarn", "4", "--no-config"];
    const without = posenc(...yarn, "-o", join(folder(), "out.onnx"));
    expect([without.status, without.said]).toEqual([2, expect.stringMatching(/--yarn: needs --original-length N/)]);
    expect(posenc(...yarn, "--original-length", "64", "-o", join(folder(), "out.onnx")).status).toBe(0);
    const both = posenc(
      ...yarn.slice(0, 2),
      "--config",
      fixture("llama", "config.json"),
      "--no-config",
      "-o",
      "x.onnx",
    );
    expect([both.status, both.said]).toEqual([2, expect.stringMatching(/--config and --no-config exclude each other/)]);
  });
  it("--config gives each component the rotation of its layers", () => {
    const path = folder();
    const config = JSON.parse(readFileSync(fixture("gemma3", "config.json"), "utf8"));
    const other = { ...config, rope_theta: 500000, rope_local_base_freq: 20000 };
    writeFileSync(join(path, "other.json"), JSON.stringify(other));
    const words = ["--config", join(path, "other.json"), "-o", join(path, "out.onnx")];
    const { status, out, said } = posenc("rewrite", fixture("gemma3", "model.onnx"), ...words);
    expect([status, said]).toEqual([0, ""]);
    expect(out).toMatch(/base 500000 now[^]*base 20000 now|rope, dim 16, base 500000[^]*rope, dim 16, base 20000/);
  });
  it("remarks that two kinds of layers are changed alike", () => {
    const { status, said } = posenc("rewrite", fixture("gemma3"), "--yarn", "4", "-o", join(folder(), "all"));
    expect(status).toBe(0);
    expect(said).toMatch(/rotations of base 1000000 and 10000, and all are changed; --carrier N/);
  });

  it("makes a checkout of a checkout, with all that is in it", () => {
    const path = checkout();
    const out = `${path} longer`;
    expect(posenc("rewrite", path, "--yarn", "4", "--angles", "float32", "--out", out).status).toBe(0);
    expect(readdirSync(out).sort()).toEqual(["config.json", "onnx", "tokenizer.json"]);
    expect(readdirSync(join(out, "onnx")).sort()).toEqual(["model.onnx", "model_fp16.onnx"]);
    const { status, files } = inspected(out);
    expect(files.map(({ positions }) => positions[0].spec.kind)).toEqual(["rope-yarn", "rope-yarn"]);
    // config.json follows: nothing is wrong by it.
    expect([status, files.flatMap(({ findings }) => findings)]).toEqual([0, []]);
    const config = (folder: string) => JSON.parse(readFileSync(join(folder, "config.json"), "utf8"));
    const rope_scaling = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 64 };
    expect(config(out)).toEqual({ ...config(path), rope_scaling, max_position_embeddings: 256 });
    expect(readFileSync(join(out, "tokenizer.json"), "utf8")).toBe("{}");
    expect(posenc("rewrite", path, "--yarn", "4", "--out", join(path, "in it")).said).toMatch(
      /lies in the folder that is read/,
    );
  });
  it.each([
    ["--ntk", "8"],
    ["--linear", "2"],
    ["--llama3", "4"],
    ["--base", "370000"],
  ])("%s %s in a checkout is in its config.json, too", (name, value) => {
    const path = checkout();
    rmSync(join(path, "onnx", "model_fp16.onnx"));
    const out = `${path} changed`;
    expect(posenc("rewrite", path, name, value, "--out", out).status).toBe(0);
    expect(readFileSync(join(out, "config.json"), "utf8")).not.toBe(readFileSync(join(path, "config.json"), "utf8"));
    expect(inspected(out)).toMatchObject({ status: 0, files: [{ findings: [] }] });
  });
  it("leaves external data where they are, and takes them along to another folder", () => {
    const path = folder();
    cpSync(fixture("mobius-llama"), path, { recursive: true });
    const model = join(path, "model.onnx");
    const before = readdirSync(path);
    expect(posenc("rewrite", model, "--yarn", "4", "--length", "256", "-o", join(path, "longer.onnx")).status).toBe(0);
    expect(readdirSync(path).sort()).toEqual([...before, "longer.onnx"].sort());
    const other = folder();
    for (const name of ["4.onnx", "8.onnx"])
      expect(posenc("rewrite", model, "--yarn", name[0]!, "--length", "256", "-o", join(other, name)).status).toBe(0);
    expect(readdirSync(other).sort()).toEqual(["4.onnx", "8.onnx", "model.onnx.data"]);
    const data = (one: string) => readFileSync(join(one, "model.onnx.data"));
    expect(Buffer.compare(data(other), data(path))).toBe(0);
    expect(inspected(join(other, "8.onnx")).files[0].positions[0]).toMatchObject({ rows: 256, spec: { factor: 8 } });
    writeFileSync(join(other, "model.onnx.data"), "another model's");
    expect(posenc("rewrite", model, "--yarn", "2", "--length", "256", "-o", join(other, "2.onnx"))).toMatchObject({
      status: 2,
      said: expect.stringMatching(/model\.onnx\.data is there already; --force/),
    });
  });

  it("overwrites nothing unless it is told to, and the source never", () => {
    const path = folder();
    const [source, out, link] = ["model.onnx", "out.onnx", "link.onnx"].map((name) => join(path, name)) as [
      string,
      string,
      string,
    ];
    copyFileSync(llama, source);
    symlinkSync(source, link);
    writeFileSync(out, "mine");
    const call = (to: string, ...more: string[]) =>
      posenc("rewrite", source, "--yarn", "4", "--original-length", "64", "-o", to, ...more);
    expect(call(out)).toMatchObject({ status: 2, said: expect.stringMatching(/out\.onnx is there already; --force/) });
    expect(readFileSync(out, "utf8")).toBe("mine");
    expect(call(out, "--force").status).toBe(0);
    expect(inspected(out).files[0].positions[0].spec.kind).toBe("rope-yarn");
    for (const to of [source, link]) {
      expect(call(to, "--force")).toMatchObject({ status: 2, said: expect.stringMatching(/is never overwritten/) });
      expect(Buffer.compare(readFileSync(source), readFileSync(llama))).toBe(0);
    }
    expect(readdirSync(path).sort()).toEqual(["link.onnx", "model.onnx", "out.onnx"]);
  });
  it.each<[string, string[], RegExp]>([
    ["llama/model.onnx", ["--yarn", "0.5"], /model\.onnx: --yarn: rope-yarn\.factor: must be ≥ 1, got 0\.5/],
    ["llama/model.onnx", ["--spec", '{"kind":"rope","dim":32}'], /--spec: turns 16 pairs, the model 8/],
    ["llama/model.onnx", ["--spec", '{"kind":"roep"}'], /--spec: .*roep/],
    ["llama/model.onnx", ["--spec", '{"kind":"rope","a[b":1}'], /--spec: .*a\[b/],
    ["llama/model.onnx", ["--resize", "linear", "--length", "99"], /--length: rotations that are computed fit every/],
    ["bloom/model.onnx", ["--yarn", "4"], /--yarn: needs a rotation; this model has bias \(slopes, \d+ heads/],
    ["gpt2-tjs/model_quantized.onnx", ["--length", "99"], /--length: learned tables keep their rows unless resize/],
    ["llama/model.onnx", ["--yarn", "4", "--grid", "4x4"], /--grid: needs a table .* this model has rotation/],
    ["vit-tjs/model.onnx", ["--grid", "0x8"], /--grid/],
  ])("%s %o cannot be done: one sentence, exit code 1, no file", (name, words, sentence) => {
    const path = folder();
    const { status, said, out } = posenc("rewrite", fixture(...name.split("/")), ...words, "-o", join(path, "x.onnx"));
    expect(said).toMatch(sentence);
    expect(said.trim().split("\n")).toHaveLength(1);
    expect([status, out, readdirSync(path)]).toEqual([1, "", []]);
  });
  it("leaves no half of a file where there is no room for the whole", () => {
    const path = folder();
    mkdirSync(join(path, "closed"));
    writeFileSync(join(path, "closed", "file"), "");
    const { status, said } = posenc("rewrite", llama, "--yarn", "4", "-o", join(path, "closed", "file", "out.onnx"));
    expect(status).toBe(1);
    expect(said).toMatch(/ENOTDIR|EEXIST/);
    expect(readdirSync(join(path, "closed"))).toEqual(["file"]);
  });
  it("says how far it is where it is asked to", () => {
    const { said } = posenc("rewrite", llama, "--yarn", "4", "--progress", "-o", join(folder(), "out.onnx"));
    expect(said).toMatch(/writing .*out\.onnx: 100 % of 462 KB/);
    expect(said).not.toContain("\r");
  });
});
