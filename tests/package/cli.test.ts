// `npx posenc` as users have it: what it tells, and what it reads.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { rewriteOptions } from "../../web/src/onnx/rewrite/read-options.ts";
import { ggufOf, llamaGguf, typed } from "../js/helpers/gguf.ts";
import { checkout, fixture, folder, home, inspected, posenc, spawned, version } from "./installed.ts";

describe("the program", () => {
  it("is found by npx, and tells its version", () => {
    const shell = process.platform === "win32";
    const printed = execFileSync("npx", ["--offline", "--no-install", "posenc", "--version"], {
      cwd: home(),
      encoding: "utf8",
      shell,
    });
    expect(printed.trim()).toBe(version);
  });
  it("tells of all its options", () => {
    const { status, out } = spawned("--help");
    expect(status).toBe(0);
    expect(posenc("rewrite", "model.onnx", "-h").out).toBe(out);
    const page = readFileSync(inRoot("web", "docs", "onnx.md"), "utf8").split("\n## Command line\n")[1]!;
    const namesIn = (text: string): Set<string> =>
      new Set([...text.matchAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g)].map(([, name]) => name!));
    for (const command of ["inspect", "rewrite"]) {
      const listed = namesIn(posenc(command, "--x").stderr.split("known are")[1]!.split("\n")[0]!);
      expect(listed.size).toBeGreaterThan(4);
      for (const name of listed) expect(namesIn(out), name).toContain(name);
      const isMentioned = (name: string) =>
        namesIn(page).has(name) || ["help", "out", "progress", "align-corners"].includes(name);
      for (const name of listed) expect(isMentioned(name), name).toBe(true);
    }
  });
  it("has an option for all that a rewrite takes", () => {
    const { out } = posenc("--help");
    const names = Object.keys(rewriteOptions).filter((name) => name !== "rotary" && name !== "partial");
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(out).toMatch(new RegExp(`^ +--${name}\\b`, "m"));
  });
  it("prints what the documentation shows", () => {
    const [, , , documented] = readFileSync(inRoot("web", "docs", "onnx.md"), "utf8").split("```text\n");
    const bible = join(folder(), "bible");
    cpSync(inRoot("examples", "transformers", "models", "bible"), bible, { recursive: true });
    expect(posenc("inspect", bible).out.replaceAll(bible, "bible")).toBe(documented!.split("```")[0]);
  });
  it.each<[string[], RegExp]>([
    [[], /inspect or rewrite/],
    [["inspct"], /inspct: unknown command/],
    [["inspect"], /name a model/],
    [["inspect", "nowhere.onnx"], /nowhere\.onnx: there is no such file or folder/],
    [["inspect", "."], /has no \.onnx or \.gguf file/],
    [["inspect", "x.onnx", "--jsn"], /did you mean `--json`/],
    [["inspect", "x.onnx", "--json=yes"], /--json takes no value/],
    [["inspect", "x.onnx", "--config", "nowhere.json"], /--config: cannot read nowhere\.json \(ENOENT\)/],
    [["inspect", "x.onnx", "--config", "package.json", "--no-config"], /exclude each other/],
    [["rewrite", "LLAMA", "--yarn", "4"], /-o is required/],
    [["rewrite", "LLAMA", "-o", "x.onnx"], /nothing to change; give --yarn 4/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn"], /--yarn needs a value/],
    [["rewrite", "LLAMA", "--yarn", "-o", "x.onnx"], /--yarn needs a value/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--fix", "all"], /--fix: this model has no findings/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "four"], /--yarn: must be a number above 0, got "four"/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "4", "--yarn", "8"], /--yarn is given twice/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "4", "--linear", "4"], /exclude each other/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "4", "--length", "1.5"], /--length: must be a whole number/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--ntk", "4", "--original-length", "64"], /requires --dynamic or --yarn/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--grid", "16"], /such as 16x16, got "16"/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--spec", "{kind"], /--spec: is not valid JSON .*; give '\{"kind"/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--resize", "cubic"], /one of nearest, linear, bicubic/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--yarn", "4", "--component", "2"], /numbers from 1 to 1/],
    [["rewrite", "LLAMA", "-o", "x.onnx", "--fix", "rows"], /no finding rows; fixable: none/],
    [["rewrite", "LLAMA", "LLAMA", "-o", "x.onnx"], /takes one model/],
  ])("%o is a wrong call", (words, sentence) => {
    const model = fixture("llama", "model.onnx");
    const { status, out, stderr } = posenc(...words.map((word) => (word === "LLAMA" ? model : word)));
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect([status, out]).toEqual([2, ""]);
  });
});

describe("inspect", () => {
  it("lists what it finds, in columns", () => {
    const { status, out } = posenc("inspect", fixture("gemma3"));
    expect(status).toBe(0);
    const [, head, first, second] = out.split("\n");
    expect(first!.indexOf("rotary")).toBe(head!.indexOf("component"));
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
    const [component] = plain.positions;
    expect(component).toMatchObject({ family: "rotary", layers: [0, 1], spec: { kind: "rope", dim: 16, base: 10000 } });
    expect(component.frequencies).toHaveLength(8);
    expect(half.findings).toMatchObject([
      { severity: "error", code: "angles-float16", component: 1, fix: "angles-float16" },
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
    for (const finding of files[0].findings) expect(finding).not.toHaveProperty("component");
    const { out } = posenc("inspect", model);
    expect(out).toMatch(
      /note +config-assumed: model_type "brand_new" is unknown: assumed as in Llama: rotaryDim, pairing\./,
    );
    expect(out).toMatch(/note +config-ignored: .*: beta_fast, rope_tetha\./);
  });
  it("remarks a config.json that nobody can read", () => {
    const path = checkout();
    writeFileSync(join(path, "config.json"), "version https://git-lfs");
    const { status, stderr, out } = posenc("inspect", join(path, "onnx", "model.onnx"));
    expect(stderr).toMatch(/^posenc: config\.json: .* is not valid JSON .*; ignored$/m);
    expect([status, out.includes("compared with")]).toEqual([0, false]);
  });
  it("reads gigabytes of external data as far as it has to", () => {
    const path = folder();
    for (const file of ["model.onnx", "model.onnx.data", "config.json"])
      copyFileSync(fixture("mobius-llama", file), join(path, file));
    truncateSync(join(path, "model.onnx.data"), 2 ** 31);
    const watch = "data:text/javascript,process.on('exit',()=>console.error(process.resourceUsage().maxRSS))";
    const program = join(home(), "node_modules", ".bin", "posenc");
    // A shell starts it: what a process was forked from counts in its largest size, and this one is large.
    const words = [process.execPath, "--import", watch, program, "inspect", "--json", join(path, "model.onnx")];
    const { stdout, stderr } = spawnSync(words.map((word) => `"${word}"`).join(" "), { shell: true, encoding: "utf8" });
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
    expect(files[0].error.message).toContain('"../outside.data" has the values');
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
    expect(out).toMatch(/^positions: rope, dim 16, base 500000, pairing interleaved, frequencyFactors of 8 values$/m);
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
    const { out, stderr } = posenc("inspect", path);
    expect(out).toMatch(/cannot be read: /);
    expect(stderr).toBe("");
  });
});
