// `npx posenc rewrite` as users have it.
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { describe, expect, it } from "vitest";
import { checkout, fixture, folder, inspected, posenc, spawned } from "./installed.ts";

const pe = await init();

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
    [["--yarn", "4", "--component", "1"], { kind: "rope-yarn", factor: 4, originalLength: 64 }],
  ])("%o writes what the library does", async (words, rotary) => {
    const out = join(folder(), "out.onnx");
    const { status, out: report, stderr } = posenc("rewrite", llama, ...words, "-o", out);
    expect([status, stderr]).toEqual([0, ""]);
    expect(Buffer.compare(readFileSync(out), await bytesOf({ rotary }))).toBe(0);
    expect(report).toContain((rotary as { kind: string }).kind === "rope" ? "370000" : "rotary frequencies");
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
  it("fixes what the audit finds", () => {
    const path = checkout();
    const out = join(path, "fixed.onnx");
    const half = join(path, "onnx", "model_fp16.onnx");
    expect(posenc("inspect", half).out).toContain("--fix angles-float16");
    expect(posenc("rewrite", half, "--fix", "angles-float16", "-o", out).status).toBe(0);
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
    ["gemma3/model.onnx", ["--yarn", "4", "--component", "1"], /rope-yarn.*base 1000000[^]*rope, dim 16, base 10000/],
  ])("%s %o", (name, words, report) => {
    const out = join(folder(), "out.onnx");
    const { status, out: printed, stderr } = posenc("rewrite", fixture(...name.split("/")), ...words, "-o", out);
    expect([status, stderr]).toEqual([0, ""]);
    expect(printed).toMatch(report);
    expect(inspected(out, "--no-config").status).toBe(0);
  });
  it("--no-config: does not read the config.json beside a model", () => {
    const yarn = ["rewrite", fixture("llama", "model.onnx"), "--yarn", "4", "--no-config"];
    const without = posenc(...yarn, "-o", join(folder(), "out.onnx"));
    expect([without.status, without.stderr]).toEqual([
      2,
      expect.stringMatching(/--yarn: requires --original-length N/),
    ]);
    expect(posenc(...yarn, "--original-length", "64", "-o", join(folder(), "out.onnx")).status).toBe(0);
    const both = posenc(
      ...yarn.slice(0, 2),
      "--config",
      fixture("llama", "config.json"),
      "--no-config",
      "-o",
      "x.onnx",
    );
    expect([both.status, both.stderr]).toEqual([
      2,
      expect.stringMatching(/--config and --no-config exclude each other/),
    ]);
  });
  it("--config gives each component the rotation of its layers", () => {
    const path = folder();
    const config = JSON.parse(readFileSync(fixture("gemma3", "config.json"), "utf8"));
    const other = { ...config, rope_theta: 500000, rope_local_base_freq: 20000 };
    writeFileSync(join(path, "other.json"), JSON.stringify(other));
    const words = ["--config", join(path, "other.json"), "-o", join(path, "out.onnx")];
    const { status, out, stderr } = posenc("rewrite", fixture("gemma3", "model.onnx"), ...words);
    expect([status, stderr]).toEqual([0, ""]);
    expect(out).toMatch(/base 500000 now[^]*base 20000 now|rope, dim 16, base 500000[^]*rope, dim 16, base 20000/);
  });
  it("remarks that two kinds of layers are changed alike", () => {
    const { status, stderr } = posenc("rewrite", fixture("gemma3"), "--yarn", "4", "-o", join(folder(), "all"));
    expect(status).toBe(0);
    expect(stderr).toMatch(/rotations of base 1000000 and 10000, and all are changed; --component N/);
  });

  it("makes a checkout of a checkout, with all that is in it", () => {
    const path = checkout();
    const out = `${path} longer`;
    expect(spawned("rewrite", path, "--yarn", "4", "--angles", "float32", "--out", out).status).toBe(0);
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
    expect(posenc("rewrite", path, "--yarn", "4", "--out", join(path, "in it")).stderr).toMatch(
      /is inside the source folder/,
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
  it.each<[string, string, string[], object]>([
    ["YaRN of tables", "llama-v437", ["--yarn", "4"], { max_position_embeddings: 256 }],
    ["linear scaling of tables", "llama-v437", ["--linear", "4"], { max_position_embeddings: 256 }],
    ["YaRN of the global layers", "gemma3", ["--yarn", "4", "--component", "1"], { max_position_embeddings: 256 }],
    ["a base of the local layers", "gemma3", ["--base", "20000", "--component", "2"], {}],
    ["YaRN of the local layers", "gemma3", ["--yarn", "4", "--component", "2"], {}],
    ["YaRN of all layers", "gemma3", ["--yarn", "4"], {}],
    ["NTK scaling of all layers", "gemma3", ["--ntk", "4"], {}],
    ["dynamic NTK", "llama", ["--dynamic", "4", "--length", "256"], { max_position_embeddings: 64 }],
    ["the distance of buckets", "t5", ["--max-distance", "256"], { relative_attention_max_distance: 256 }],
    ["the distance of DeBERTa's buckets", "deberta", ["--max-distance", "256"], { max_relative_positions: 256 }],
    ["a bias in JSON", "t5", ["--bias", '{"kind":"t5","maxDistance":256}'], { relative_attention_max_distance: 256 }],
  ])("%s: the config.json of %s says it, too", (_, name, words, fields) => {
    const out = join(folder(), "out");
    expect(posenc("rewrite", fixture(name), ...words, "-o", out).status).toBe(0);
    const config = (path: string) => JSON.parse(readFileSync(join(path, "config.json"), "utf8"));
    expect(config(out)).not.toEqual(config(fixture(name)));
    expect(config(out)).toMatchObject(fields);
    const { status, files } = inspected(out);
    const wrong = files[0].findings.filter(({ severity, code }: { severity: string; code: string }) =>
      code === "frozen-scaling" ? !words.includes("--dynamic") : severity !== "note" || code === "config-ignored",
    );
    expect([status, wrong]).toEqual([0, []]);
  });
  it.each([
    ["rotation", "llama", "--spec", '{"kind":"xpos","scaleBase":512}'],
    ["bias", "bloom", "--bias", '{"kind":"alibi","maxBias":4}'],
  ])("reports that config.json cannot describe a %s", (what, name, option, value) => {
    const { status, stderr } = posenc("rewrite", fixture(name), option, value, "-o", join(folder(), "out"));
    expect(status).toBe(0);
    expect(stderr).toMatch(`config.json keeps its ${what}: config.json cannot describe`);
  });
  it("does not remark that of a config.json that has the rotation already", () => {
    const path = folder();
    cpSync(fixture("llama"), path, { recursive: true });
    const config = JSON.parse(readFileSync(join(path, "config.json"), "utf8"));
    const rope_scaling = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 64 };
    writeFileSync(join(path, "config.json"), JSON.stringify({ ...config, rope_scaling }));
    const { status, stderr } = posenc("rewrite", path, "--yarn", "4", "-o", `${path} longer`);
    expect([status, stderr]).toEqual([0, ""]);
  });
  it("fixes a frozen scaling once: what is left has no fix but tables as inputs", () => {
    const path = folder();
    cpSync(fixture("phi3-longrope"), path, { recursive: true });
    expect(inspected(path).files[0].findings).toMatchObject([{ code: "frozen-scaling", fix: "frozen-scaling" }]);
    const out = `${path} fixed`;
    expect(posenc("rewrite", path, "--fix", "frozen-scaling", "-o", out).status).toBe(0);
    const [finding] = inspected(out).files[0].findings;
    expect(finding).toMatchObject({
      severity: "warning",
      code: "frozen-scaling",
      message: expect.stringMatching(/as inputs/),
    });
    expect(finding.fix).toBeUndefined();
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
      stderr: expect.stringMatching(/model\.onnx\.data already exists; --force/),
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
    expect(call(out)).toMatchObject({ status: 2, stderr: expect.stringMatching(/out\.onnx already exists; --force/) });
    expect(readFileSync(out, "utf8")).toBe("mine");
    expect(call(out, "--force").status).toBe(0);
    expect(inspected(out).files[0].positions[0].spec.kind).toBe("rope-yarn");
    for (const to of [source, link]) {
      expect(call(to, "--force")).toMatchObject({ status: 2, stderr: expect.stringMatching(/are never overwritten/) });
      expect(Buffer.compare(readFileSync(source), readFileSync(llama))).toBe(0);
    }
    expect(readdirSync(path).sort()).toEqual(["link.onnx", "model.onnx", "out.onnx"]);
  });
  it.each<[string, string[], RegExp]>([
    ["llama/model.onnx", ["--yarn", "0.5"], /model\.onnx: --yarn: rope-yarn\.factor: must be ≥ 1, got 0\.5/],
    ["llama/model.onnx", ["--dynamic", "4"], /: --length: required by rope-dynamic/],
    ["llama/model.onnx", ["--yarn", "4", "--length", "100"], /: --length: rotations that are computed fit every/],
    ["llama/model.onnx", ["--tables", "inputs", "--length", "100"], /: --length: rotations that are computed fit/],
    ["llama/model.onnx", ["--spec", '{"kind":"alibi"}'], /: --spec: must be a rotation such as .*, got kind "alibi"/],
    ["llama/model.onnx", ["--spec", '{"kind":"rope","dim":32}'], /--spec: has 16 pairs, the model has 8/],
    ["llama/model.onnx", ["--spec", '{"kind":"roep"}'], /--spec: .*roep/],
    ["llama/model.onnx", ["--spec", '{"kind":"rope","a[b":1}'], /--spec: .*a\[b/],
    ["llama/model.onnx", ["--resize", "linear", "--length", "99"], /--length: rotations that are computed fit every/],
    ["bloom/model.onnx", ["--yarn", "4"], /--yarn: needs a rotation; this model has bias \(slopes, \d+ heads/],
    [
      "gpt2-tjs/model_quantized.onnx",
      ["--length", "99"],
      /: --length: learned tables keep their rows unless --resize is/,
    ],
    ["gpt2-tjs/model_quantized.onnx", ["--resize", "linear"], /: --resize: needs --length or --grid;/],
    ["vit-tjs/model.onnx", ["--length", "99"], /: --length: a table .*; --grid changes it/],
    ["llama/model.onnx", ["--yarn", "4", "--grid", "4x4"], /--grid: needs a table .* this model has rotation/],
    ["vit-tjs/model.onnx", ["--grid", "0x8"], /--grid/],
  ])("%s %o cannot be done: one sentence, exit code 1, no file", (name, words, sentence) => {
    const path = folder();
    const { status, stderr, out } = posenc(
      "rewrite",
      fixture(...name.split("/")),
      ...words,
      "-o",
      join(path, "x.onnx"),
    );
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect([status, out, readdirSync(path)]).toEqual([1, "", []]);
  });
  it("reports that NTK scaling, which determines no length, leaves tables too short for longer texts", () => {
    const call = (...words: string[]) =>
      posenc("rewrite", fixture("llama-v437"), "--ntk", "4", "-o", join(folder(), "out"), ...words).out;
    expect(call()).toMatch("64 rows as before: longer texts need --length");
    expect(call("--length", "256")).toMatch(/256 rows$/m);
  });
  it("a length of computed rotations is in config.json", () => {
    const { status, out } = posenc(
      ...["rewrite", fixture("llama"), "--yarn", "4", "--length", "100", "-o", join(folder(), "out")],
    );
    expect(status).toBe(0);
    expect(out).toMatch("max_position_embeddings is 100 now");
  });
  it("names the folder that missing external data belong to", () => {
    const path = folder();
    copyFileSync(fixture("llama-ext", "model.onnx"), join(path, "model.onnx"));
    const message = /"model\.onnx_data" has the values of .*; put that file into the folder of the model/;
    const out = join(path, "x.onnx");
    expect(posenc("rewrite", join(path, "model.onnx"), "--base", "20000", "-o", out).stderr).toMatch(message);
    expect(inspected(path).files[0].error.message).toMatch(message);
  });
  it("leaves no half of a file where there is no room for the whole", () => {
    const path = folder();
    mkdirSync(join(path, "closed"));
    writeFileSync(join(path, "closed", "file"), "");
    const { status, stderr } = posenc("rewrite", llama, "--yarn", "4", "-o", join(path, "closed", "file", "out.onnx"));
    expect(status).toBe(1);
    expect(stderr).toMatch(/ENOTDIR|EEXIST/);
    expect(readdirSync(join(path, "closed"))).toEqual(["file"]);
  });
  it("says how far it is where it is asked to", () => {
    const { stderr } = posenc("rewrite", llama, "--yarn", "4", "--progress", "-o", join(folder(), "out.onnx"));
    expect(stderr).toMatch(/writing .*out\.onnx: 100 % of 462 KB/);
    expect(stderr).not.toContain("\r");
  });
});
