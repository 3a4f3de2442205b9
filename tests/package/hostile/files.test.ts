// What files of somebody else may do to whoever runs `npx posenc` on them: nothing. Run from dist, without the package.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  contentOf,
  data,
  folder,
  given,
  json,
  llama,
  modelWith,
  posenc,
  program,
  rewrite,
  weights,
} from "./sandbox.ts";

describe("a rewritten model is never lost", () => {
  it.each<[string, Record<string, Uint8Array | string>, string, RegExp]>([
    ["the name of its data", { "m.onnx": modelWith("x.onnx"), "x.onnx": data }, "out/x.onnx", /would be the same file/],
    ["data that are not here", { "m.onnx": modelWith("x.onnx") }, "out/x.onnx", /would be the same file/],
    ["data not here, the same folder", { "m.onnx": modelWith("x.onnx") }, "x.onnx", /never overwritten/],
    ["the same folder", { "m.onnx": modelWith("x.onnx"), "x.onnx": data }, "x.onnx", /never overwritten/],
    ["itself as its data", { "m.onnx": modelWith("m.onnx") }, "out/", /would be the same file/],
    ["itself as its data, here", { "m.onnx": modelWith("m.onnx") }, "m.onnx", /never overwritten/],
    ["./ before the name", { "m.onnx": modelWith("./x.onnx"), "x.onnx": data }, "out/x.onnx", /would be the same file/],
    ["up and down", { "m.onnx": modelWith("a/../x.onnx"), "x.onnx": data }, "out/x.onnx", /are outside/],
    ["two slashes", { "m.onnx": modelWith(".//x.onnx"), "x.onnx": data }, "out/x.onnx", /would be the same file/],
    ["capitals", { "m.onnx": modelWith("X.ONNX"), "X.ONNX": data }, "out/x.onnx", /would be the same file/],
    [
      "composed letters",
      { "m.onnx": modelWith("\u00e9.onnx"), "\u00e9.onnx": data },
      "out/e\u0301.onnx",
      /be the same file/,
    ],
    [
      "capitals of composed letters",
      { "m.onnx": modelWith("\u00c9.onnx"), "\u00c9.onnx": data },
      "out/\u00e9.onnx",
      /be the same/,
    ],
    ["a dot at the end", { "m.onnx": modelWith("x.onnx."), "x.onnx.": data }, "out/x.onnx", /would be the same file/],
    [
      "a folder of that name",
      { "m.onnx": modelWith("x.onnx/w"), "x.onnx/w": data },
      "out/x.onnx",
      /would be the same file/,
    ],
    [
      "two files for one name",
      { "m.onnx": modelWith("W", "w"), W: data, w: Buffer.from("0".repeat(16)) },
      "out/",
      /be the same/,
    ],
    ["a link to its data", { "m.onnx": modelWith("w"), w: data, "x.onnx": "w" }, "x.onnx", /never overwritten/],
    [
      "a link to a folder",
      { "m.onnx": modelWith("a/x.onnx"), "a/x.onnx": data, "out/a": "." },
      "out/x.onnx",
      /be the same file/,
    ],
    [
      "the config that was read",
      { "m.onnx": modelWith(), "config.json": json(llama) },
      "config.json",
      /never overwritten/,
    ],
  ])("%s", (_, files, out, sentence) => {
    const path = given(files);
    const before = contentOf(path);
    for (const more of [[], ["--force"]]) {
      const { status, stderr, out: printed } = rewrite(join(path, "m.onnx"), `${path}/${out}`, ...more);
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toMatch(/\n +at /);
      expect([status === 1 || status === 2, printed]).toEqual([true, ""]);
      expect(contentOf(path)).toEqual(before);
      expect(existsSync(join(path, "out"))).toBe("out/a" in files);
    }
  });
  it("hard links to what is read are refused", () => {
    const path = given({ "m.onnx": modelWith("w"), w: data });
    linkSync(join(path, "w"), join(path, "x.onnx"));
    expect(rewrite(join(path, "m.onnx"), join(path, "x.onnx"), "--force").stderr).toMatch(/never overwritten/);
    expect(readFileSync(join(path, "w"))).toEqual(data);
  });
  it("a config that --config names is not overwritten", () => {
    const path = given({
      "m.onnx": modelWith(),
      "c.json": json({ ...llama, num_attention_heads: 8, rope_scaling: { type: "linear", factor: 2 } }),
    });
    const words = ["--config", join(path, "c.json"), "-o", join(path, "c.json"), "--force"];
    expect(posenc("rewrite", join(path, "m.onnx"), ...words)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/never overwritten/),
    });
  });
  it.each<[string, Record<string, Uint8Array>]>([
    ["config.json as data", { "m.onnx": modelWith("config.json"), "config.json": json(llama) }],
    ["another model as data", { "m.onnx": modelWith("n.onnx"), "n.onnx": modelWith() }],
    ["itself as data", { "m.onnx": modelWith("m.onnx") }],
  ])("in a checkout: %s", (_, files) => {
    const path = given({ "config.json": json(llama), ...files });
    const out = `${path}-out`;
    expect(rewrite(path, out)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/would be the same file/),
      out: "",
    });
    expect(existsSync(out)).toBe(false);
  });
  it("in a checkout that a link leads into", () => {
    const path = given({ "m.onnx": modelWith(), "config.json": json(llama) });
    symlinkSync(path, `${path}-link`);
    for (const out of [`${path}-link`, `${path}-link/below`])
      expect(rewrite(path, out, "--force").stderr).toMatch(/is inside the source folder/);
    expect(Object.keys(contentOf(path)).sort()).toEqual(["config.json", "m.onnx"]);
  });
  it("goes on where nobody reads what it prints", async () => {
    const path = given({ "m.onnx": modelWith("w"), w: data });
    const words = [program, "rewrite", join(path, "m.onnx"), "--linear", "4", "-o", join(path, "out", "x.onnx")];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.destroy();
    expect(await new Promise((done) => child.on("exit", done))).toBe(0);
    expect(readdirSync(join(path, "out")).sort()).toEqual(["w", "x.onnx"]);
  });
  it.runIf(existsSync("/dev/full"))("says that its output is lost", () => {
    const path = given({ "m.onnx": modelWith() });
    const words = `exec "$0" "$1" inspect --json "$2" > /dev/full`;
    const { status, stderr } = spawnSync("sh", ["-c", words, process.execPath, program, join(path, "m.onnx")], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, "posenc: cannot write the output (ENOSPC)\n"]);
  });
});

describe("external data", () => {
  it("are listed before anything is written, for people and programs", () => {
    const path = given({ "m.onnx": modelWith("w", "sub/w", "gone"), w: data, "sub/w": data });
    const out = join(path, "out", "x.onnx");
    const inJson = rewrite(join(path, "m.onnx"), out, "--json");
    expect(JSON.parse(inJson.out).files).toEqual([
      { file: join(path, "out", "w"), bytes: 16, copyOf: join(path, "w") },
      { file: join(path, "out", "sub", "w"), bytes: 16, copyOf: join(path, "sub", "w") },
      { file: out, bytes: expect.any(Number), changes: [expect.stringMatching(/^inv /)] },
    ]);
    expect(inJson.stderr).toMatch(/gone, which has weights of the model, is missing; put it at .*out.gone/);
    rmSync(join(path, "out"), { recursive: true });
    const lines = rewrite(join(path, "m.onnx"), out).out.split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "writes 3 files:",
      `  ${join(path, "out", "w")} (16 B), a copy of ${join(path, "w")}`,
      `  ${join(path, "out", "sub", "w")} (16 B), a copy of ${join(path, "sub", "w")}`,
    ]);
    expect(Object.keys(contentOf(join(path, "out"))).sort()).toEqual(["sub/w", "w", "x.onnx"]);
  });
  it.each<[string, Record<string, Uint8Array | string>, RegExp]>([
    [".bashrc", { ".bashrc": data }, /hidden name/],
    [".ssh/id_rsa", { ".ssh/id_rsa": data }, /hidden name/],
    ["sub/.env", { "sub/.env": data }, /hidden name/],
    ["./.npmrc", { ".npmrc": data }, /hidden name/],
    ["w", { w: ".env", ".env": data }, /hidden name/],
    ["sub/w", { sub: ".git", ".git/w": data }, /hidden name/],
    [".missing", {}, /hidden name/],
    ["../w", {}, /are outside/],
    ["sub/../../w", {}, /are outside/],
    ["..", {}, /are outside/],
    ["/etc/passwd", {}, /are outside/],
    ["w", { w: "/etc/passwd" }, /are outside/],
    ["sub/passwd", { sub: "/etc" }, /are outside/],
    ["..\\w", {}, /are outside/],
    ["", {}, /are outside/],
    ["w\0.txt", {}, /are outside/],
    ["w\x1b[31m", {}, /control characters/],
    ["sub/w", { "sub/w": data, "out/sub": "../.." }, /written outside/],
    ["sub/w", { "sub/w": data, "out/sub": "/tmp" }, /written outside/],
    ["w", { w: data, "out/w": "other", "out/other": data }, /is a link/],
  ])("%j is not copied (%#)", (location, files, sentence) => {
    const path = given({ "m.onnx": modelWith(location), ...files });
    const before = contentOf(path);
    for (const more of [[], ["--force"]]) {
      const { status, stderr, out } = rewrite(join(path, "m.onnx"), join(path, "out", "x.onnx"), ...more);
      expect(stderr).toMatch(sentence);
      expect(stderr).not.toMatch(/\n +at |\x1b/);
      expect([status! > 0, out, contentOf(path)]).toEqual([true, "", before]);
    }
  });
  it("are taken from the hub's cache, which has links to its files", () => {
    const path = given({
      "blobs/1": modelWith("w"),
      "blobs/2": data,
      "blobs/3": json(llama),
      "snapshots/a/m.onnx": "../../blobs/1",
      "snapshots/a/w": "../../blobs/2",
      "snapshots/a/config.json": "../../blobs/3",
    });
    expect(rewrite(join(path, "snapshots/a"), join(path, "all")).stderr).toBe("");
    expect(rewrite(join(path, "snapshots/a/m.onnx"), join(path, "one", "x.onnx")).status).toBe(0);
    for (const out of ["all", "one"]) expect(readFileSync(join(path, out, "w"))).toEqual(data);
    expect(readdirSync(join(path, "all")).sort()).toEqual(["config.json", "m.onnx", "w"]);
  });
  it("of which there are more than a program may open", () => {
    const names = Array.from({ length: 200 }, (_, i) => `w${i}`);
    const path = given({ "m.onnx": modelWith(...names), ...Object.fromEntries(names.map((name) => [name, data])) });
    const words = `ulimit -n 100 && exec "$0" "$1" rewrite "$2" --linear 4 -o "$3"`;
    const last = [process.execPath, program, join(path, "m.onnx"), join(path, "out", "x.onnx")];
    for (const force of ["", " --force"])
      expect(spawnSync("sh", ["-c", words + force, ...last], { encoding: "utf8" })).toMatchObject({
        status: 0,
        stderr: "",
      });
    expect(readdirSync(join(path, "out"))).toHaveLength(201);
  });
});

describe("links in a checkout", () => {
  it.each<[string, Record<string, string | Uint8Array>]>([
    ["to a file elsewhere", { "notes.txt": "/etc/passwd" }],
    ["to a hidden file", { "notes.txt": ".env", ".env": data }],
    ["of a config", { "config.json": "/etc/passwd" }],
    ["to a folder elsewhere", { onnx: "/etc" }],
  ])("%s are not copied", (_, files) => {
    const path = given({ "m.onnx": modelWith(), ...files });
    const { status, stderr } = rewrite(path, `${path}-out`);
    expect(stderr).toMatch(/is a link to .*, which is not copied/);
    expect([status, existsSync(`${path}-out`)]).toEqual([2, false]);
  });
  it("that lead nowhere, or round, are none of its files", () => {
    const path = given({ "m.onnx": modelWith(), gone: "nowhere", round: "round", "._m.onnx": data });
    expect(rewrite(path, `${path}-out`)).toMatchObject({ status: 0, stderr: "" });
    expect(readdirSync(`${path}-out`)).toEqual(["m.onnx"]);
    expect(posenc("inspect", join(path, "round"))).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/there is no such file or folder/),
    });
  });
  it("in the folder that is written are not followed out of it", () => {
    const path = given({ "onnx/m.onnx": modelWith() });
    const [out, other] = [folder(), folder()];
    symlinkSync(other, join(out, "onnx"));
    expect(rewrite(path, out, "--force")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/written outside/),
    });
    expect(readdirSync(other)).toEqual([]);
  });
});

describe("--force", () => {
  it("overwrites the file that is named, and no other", () => {
    const path = given({ "m.onnx": modelWith("w"), w: data, "out/w": Buffer.from("mine"), "out/x.onnx": data });
    const refused = rewrite(join(path, "m.onnx"), join(path, "out", "x.onnx"), "--force");
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/w already exists; --force does not .* copy: move .* away, or choose/),
    });
    expect(readFileSync(join(path, "out", "w"), "utf8")).toBe("mine");
    expect(readFileSync(join(path, "out", "x.onnx"))).toEqual(data);
    // The same file again is none that would be lost.
    writeFileSync(join(path, "out", "w"), data);
    expect(rewrite(join(path, "m.onnx"), join(path, "out", "x.onnx"), "--force").status).toBe(0);
  });
  it("of a checkout covers what the command makes", () => {
    const path = given({ "m.onnx": modelWith(), "config.json": json(llama), "README.md": data });
    const out = `${path}-out`;
    expect(rewrite(path, out).status).toBe(0);
    expect(rewrite(path, out).stderr).toMatch(/already exists; --force overwrites it/);
    expect(rewrite(path, out, "--force").status).toBe(0);
    writeFileSync(join(out, "README.md"), "mine");
    expect(rewrite(path, out, "--force").stderr).toMatch(/README\.md already exists; --force does not .* copy/);
    expect(readFileSync(join(out, "README.md"), "utf8")).toBe("mine");
  });
});
