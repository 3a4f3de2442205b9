// `npx posenc rewrite --explain` as users have it: the same changes as the rewrite, and nothing is written.
import { copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { checkout, fixture, folder, inspected, posenc } from "./installed.ts";

describe("rewrite --explain", () => {
  /** All files below a folder. */
  const filesIn = (path: string) => readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
  const explained = (...words: string[]) => {
    const { status, out, stderr } = posenc("rewrite", ...words, "--explain", "--json");
    expect([status, stderr]).toEqual([0, ""]);
    return JSON.parse(out);
  };
  const yarn = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 64 };
  const flags = ["--rope-scaling", "yarn", "--rope-freq-base", "10000", "--rope-scale", "4", "--yarn-orig-ctx", "64"];

  it("prints the changes of a file, and writes nothing", () => {
    const path = folder();
    copyFileSync(fixture("llama", "model.onnx"), join(path, "model.onnx"));
    copyFileSync(fixture("llama", "config.json"), join(path, "config.json"));
    const { status, out, stderr } = posenc("rewrite", join(path, "model.onnx"), "--yarn", "4", "--explain");
    expect([status, stderr]).toEqual([0, ""]);
    expect(out).toMatch(/^writes nothing\n/);
    expect(out).toMatch(
      /1 {2}now +rotary frequencies +0-1 .* rope, dim 16, base 10000\n +becomes .* rope-yarn, dim 16/,
    );
    expect(out).toContain(`llama.cpp          ${flags.join(" ")}\n`);
    expect(out).toMatch(/wllama +\{"rope_scaling_type":"LLAMA_ROPE_SCALING_TYPE_YARN"/);
    expect(out).toMatch(/genai_config\.json +model\.context_length is 256 now\n +search\.max_length is 256 now/);
    expect(out).toContain(`rope_scaling is ${JSON.stringify(yarn)} now`);
    expect(filesIn(path)).toEqual(["config.json", "model.onnx"]);
  });
  it.each<[string, string[]]>([
    ["llama", ["--yarn", "4"]],
    ["llama", ["--linear", "2", "--length", "100"]],
    ["gemma3", ["--ntk", "4", "--component", "1"]],
    ["gemma3", ["--base", "20000", "--component", "2"]],
    ["t5", ["--max-distance", "256"]],
    ["llama", ["--window", "16"]],
    ["llama-v437", ["--yarn", "4", "--length", "256"]],
  ])("lists what the rewrite of %s with %o does, and that is all", (name, words) => {
    const path = folder();
    cpSync(fixture(name), path, { recursive: true });
    writeFileSync(join(path, "genai_config.json"), '{"model":{"context_length":64},"search":{"max_length":64}}');
    const before = filesIn(path);
    const plan = explained(path, ...words);
    expect(filesIn(path)).toEqual(before);
    const out = `${path} out`;
    const done = posenc("rewrite", path, ...words, "--json", "-o", out);
    const changed = JSON.parse(done.out).files.filter(({ changes }: { changes?: string[] }) => changes);
    const inFolder = (files: { file: string; changes: string[] }[], base: string) =>
      files.map(({ file, changes }) => [file.replace(base, ""), changes]);
    expect(inFolder(plan.files, path)).toEqual(inFolder(changed, out));
    const { files } = inspected(out, "--no-config");
    const explainedFiles = plan.files.filter(({ components }: { components?: object[] }) => components);
    expect(explainedFiles.map(({ components }: any) => components.map(({ after }: any) => after))).toEqual(
      files.map(({ positions }) => positions),
    );
    const read = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
    for (const [file, { entries, removed = [] }] of [
      ["config.json", plan.elsewhere.config],
      ["genai_config.json", plan.elsewhere.genaiConfig],
    ]) {
      const expected = read(path, file);
      for (const [at, value] of Object.entries(entries)) {
        const names = at.split(".");
        const last = names.pop()!;
        names.reduce((one, part) => one[part], expected)[last] = value;
      }
      for (const at of removed) delete expected[at];
      expect(read(out, file)).toEqual(expected);
    }
  });
  it("checks the place of -o, and lists the files that would be written there", () => {
    const path = checkout();
    const out = `${path} longer`;
    const plan = explained(path, "--yarn", "4", "--angles", "float32", "-o", out);
    expect(plan.files.map(({ file }: { file: string }) => file.slice(out.length + 1)).sort()).toEqual([
      "config.json",
      "onnx/model.onnx",
      "onnx/model_fp16.onnx",
      "tokenizer.json",
    ]);
    expect(plan.elsewhere.llamaCpp).toMatchObject({ flags, reason: "has no options for --angles" });
    expect(posenc("rewrite", path, "--yarn", "4", "--explain", "-o", out).out).toMatch(/^would write 4 files:/);
    expect(posenc("rewrite", path, "--yarn", "4", "--explain", "-o", join(path, "in")).status).toBe(2);
    expect(() => readdirSync(out)).toThrow(/ENOENT/);
    writeFileSync(join(path, "there.onnx"), "mine");
    const one = ["rewrite", join(path, "onnx", "model.onnx"), "--yarn", "4", "-o", join(path, "there.onnx")];
    expect(posenc(...one, "--explain")).toMatchObject({ status: 2, stderr: expect.stringMatching(/already exists/) });
  });
  it.each<[string, string[], RegExp, RegExp?]>([
    ["llama", ["--llama3", "4"], /has no options for rope-llama3; it reads the rule from the file/],
    ["llama", ["--spec", '{"kind":"rope-yarn","factor":4,"originalLength":64,"attentionFactor":1}'], /attentionFactor/],
    ["llama", ["--remap", '{"kind":"rerope","window":16}'], /has no options for --remap/, /describe the new distances/],
    ["llama", ["--temperature", '{"rule":"log-n","length":64}'], /options for --temperature/, /the new temperature/],
    ["llama", ["--window", "16"], /has no options for --window/],
    ["gemma3", ["--yarn", "4", "--component", "1"], /its options apply to all layers, which have 2 rotations/],
    ["bloom", ["--bias", '{"kind":"alibi","maxBias":4}'], /has no options for --bias/, /the new bias/],
    ["llama-tjs", ["--fix", "all"], /has no options for --fix/],
    ["llama", ["--attention"], /has no options for --attention/],
    ["gpt2-tjs", ["--length", "192", "--resize", "linear"], /has no options for --length, --resize/],
  ])("%s %o: reports what others cannot do", (name, words, reason, ofConfig) => {
    const [file] = readdirSync(fixture(name))
      .filter((one) => /(_fp16|_quantized|model)\.onnx$/.test(one))
      .reverse();
    const { llamaCpp, config } = explained(fixture(name, file!), ...words).elsewhere;
    expect(llamaCpp.flags).toBeUndefined();
    expect(llamaCpp.reason).toMatch(reason);
    if (ofConfig) expect(config.reason).toMatch(ofConfig);
    else expect(config.reason).toBeUndefined();
  });
  it("needs no config.json", () => {
    const words = ["--yarn", "4", "--original-length", "64", "--no-config"];
    const { llamaCpp, config, genaiConfig } = explained(fixture("llama", "model.onnx"), ...words).elsewhere;
    expect(llamaCpp.flags).toEqual(flags);
    expect(config).toEqual({ entries: { rope_scaling: yarn } });
    expect(genaiConfig).toEqual({ entries: { "model.context_length": 256, "search.max_length": 256 } });
  });
  it.each<[string[], RegExp, number]>([
    [["--yarn", "4", "--length", "100"], /: --length: rotations that are computed fit every/, 1],
    [["--yarn", "4", "--grid", "4x4"], /--grid: needs a table/, 1],
    [["--yarn", "4", "--component", "2"], /numbers from 1 to 1/, 2],
    [[], /nothing to change/, 2],
  ])("%o: fails as without it", (words, sentence, code) => {
    const { status, out, stderr } = posenc("rewrite", fixture("llama", "model.onnx"), ...words, "--explain");
    expect([status, out]).toEqual([code, ""]);
    expect(stderr).toMatch(sentence);
  });
  it("prints what the documentation shows", () => {
    const bible = join(folder(), "bible");
    cpSync(inRoot("examples", "transformers", "models", "bible"), bible, { recursive: true });
    const page = readFileSync(inRoot("web", "docs", "onnx.md"), "utf8");
    const documented = page
      .split("```text\n")
      .find((block) => block.startsWith("writes nothing"))!
      .split("```")[0];
    const { out } = posenc("rewrite", bible, "--yarn", "4", "--explain");
    expect(out.replaceAll(bible, "bible")).toBe(documented);
  });
});
