// What files of somebody else's may do to whoever runs `npx posenc` on them: nothing. Run from dist, without the package.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { ggufOf, typed } from "../js/helpers/gguf.ts";
import { external, floats, frequencies, modelOf, rotation, tensor } from "../js/helpers/onnx-proto.ts";

/** Systems without FIFOs, links for everybody and signals. */
const isPosix = process.platform !== "win32";

let home: string;
beforeAll(() => (home = mkdtempSync(join(tmpdir(), "posenc-hostile-"))));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const folders = { next: 0 };
function folder(): string {
  const path = join(home, `f${folders.next++}`);
  mkdirSync(path);
  return path;
}

const program = inRoot("dist", "cli.js");
function posenc(...words: string[]): { status: number | null; out: string; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: home, encoding: "utf8" });
  return { status, out: stdout, said: stderr };
}
const rewrite = (model: string, out: string, ...more: string[]) =>
  posenc("rewrite", model, "--linear", "4", "-o", out, ...more);

const weights = Float32Array.of(1, 2, 3, 4);
/** A model with a rotation, and weights in files of these names. */
const modelWith = (...locations: string[]): Uint8Array =>
  modelOf({
    nodes: rotation,
    constants: [
      floats("inv", [4], frequencies),
      ...locations.map((location, i) => tensor(`w${i}`, 1, [4], external({ location, offset: "0", length: "16" }))),
    ],
    inputs: ["position_ids", "x"],
  });

/** A folder with m.onnx and these files; a string is a link. */
function given(files: Record<string, Uint8Array | string>): string {
  const path = folder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    if (typeof content === "string") symlinkSync(content, join(path, name));
    else writeFileSync(join(path, name), content);
  }
  return path;
}

/** All files below a folder, with what they are. */
function contentOf(path: string): Record<string, string> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        return [file.slice(path.length + 1), createHash("sha1").update(readFileSync(file)).digest("hex")];
      }),
  );
}

const llama = {
  ...{ model_type: "llama", hidden_size: 64, num_attention_heads: 4, max_position_embeddings: 64 },
  rope_theta: 10000,
};
const data = Buffer.from(weights.buffer);
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe("a rewritten model is never lost", () => {
  it.each<[string, Record<string, Uint8Array | string>, string, RegExp]>([
    ["the name of its data", { "m.onnx": modelWith("x.onnx"), "x.onnx": data }, "out/x.onnx", /would be one file/],
    ["data that are not here", { "m.onnx": modelWith("x.onnx") }, "out/x.onnx", /would be one file/],
    ["data not here, the same folder", { "m.onnx": modelWith("x.onnx") }, "x.onnx", /never overwritten/],
    ["the same folder", { "m.onnx": modelWith("x.onnx"), "x.onnx": data }, "x.onnx", /never overwritten/],
    ["itself as its data", { "m.onnx": modelWith("m.onnx") }, "out/", /would be one file/],
    ["itself as its data, here", { "m.onnx": modelWith("m.onnx") }, "m.onnx", /never overwritten/],
    ["./ before the name", { "m.onnx": modelWith("./x.onnx"), "x.onnx": data }, "out/x.onnx", /would be one file/],
    ["up and down", { "m.onnx": modelWith("a/../x.onnx"), "x.onnx": data }, "out/x.onnx", /lie outside/],
    ["two slashes", { "m.onnx": modelWith(".//x.onnx"), "x.onnx": data }, "out/x.onnx", /would be one file/],
    ["capitals", { "m.onnx": modelWith("X.ONNX"), "X.ONNX": data }, "out/x.onnx", /would be one file/],
    [
      "composed letters",
      { "m.onnx": modelWith("\u00e9.onnx"), "\u00e9.onnx": data },
      "out/e\u0301.onnx",
      /be one file/,
    ],
    [
      "capitals of composed letters",
      { "m.onnx": modelWith("\u00c9.onnx"), "\u00c9.onnx": data },
      "out/\u00e9.onnx",
      /be one/,
    ],
    ["a dot at the end", { "m.onnx": modelWith("x.onnx."), "x.onnx.": data }, "out/x.onnx", /would be one file/],
    ["a folder of that name", { "m.onnx": modelWith("x.onnx/w"), "x.onnx/w": data }, "out/x.onnx", /would be one file/],
    [
      "two files for one name",
      { "m.onnx": modelWith("W", "w"), W: data, w: Buffer.from("0".repeat(16)) },
      "out/",
      /be one/,
    ],
    ["a link to its data", { "m.onnx": modelWith("w"), w: data, "x.onnx": "w" }, "x.onnx", /never overwritten/],
    [
      "a link to a folder",
      { "m.onnx": modelWith("a/x.onnx"), "a/x.onnx": data, "out/a": "." },
      "out/x.onnx",
      /be one file/,
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
      const { status, said, out: printed } = rewrite(join(path, "m.onnx"), `${path}/${out}`, ...more);
      expect(said).toMatch(sentence);
      expect(said).not.toMatch(/\n +at /);
      expect([status === 1 || status === 2, printed]).toEqual([true, ""]);
      expect(contentOf(path)).toEqual(before);
      expect(existsSync(join(path, "out"))).toBe("out/a" in files);
    }
  });
  it("hard links to what is read are refused", () => {
    const path = given({ "m.onnx": modelWith("w"), w: data });
    linkSync(join(path, "w"), join(path, "x.onnx"));
    expect(rewrite(join(path, "m.onnx"), join(path, "x.onnx"), "--force").said).toMatch(/never overwritten/);
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
      said: expect.stringMatching(/never overwritten/),
    });
  });
  it.each<[string, Record<string, Uint8Array>]>([
    ["config.json as data", { "m.onnx": modelWith("config.json"), "config.json": json(llama) }],
    ["another model as data", { "m.onnx": modelWith("n.onnx"), "n.onnx": modelWith() }],
    ["itself as data", { "m.onnx": modelWith("m.onnx") }],
  ])("in a checkout: %s", (_, files) => {
    const path = given({ "config.json": json(llama), ...files });
    const out = `${path}-out`;
    expect(rewrite(path, out)).toMatchObject({ status: 2, said: expect.stringMatching(/would be one file/), out: "" });
    expect(existsSync(out)).toBe(false);
  });
  it("in a checkout that a link leads into", () => {
    const path = given({ "m.onnx": modelWith(), "config.json": json(llama) });
    symlinkSync(path, `${path}-link`);
    for (const out of [`${path}-link`, `${path}-link/below`])
      expect(rewrite(path, out, "--force").said).toMatch(/lies in the folder that is read/);
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
    expect(inJson.said).toMatch(/gone, which has weights of the model, is not here: put it at .*out.gone/);
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
    ["../w", {}, /lie outside/],
    ["sub/../../w", {}, /lie outside/],
    ["..", {}, /lie outside/],
    ["/etc/passwd", {}, /lie outside/],
    ["w", { w: "/etc/passwd" }, /lie outside/],
    ["sub/passwd", { sub: "/etc" }, /lie outside/],
    ["..\\w", {}, /lie outside/],
    ["", {}, /lie outside/],
    ["w\0.txt", {}, /lie outside/],
    ["w\x1b[31m", {}, /control characters/],
    ["sub/w", { "sub/w": data, "out/sub": "../.." }, /outside of/],
    ["sub/w", { "sub/w": data, "out/sub": "/tmp" }, /outside of/],
    ["w", { w: data, "out/w": "other", "out/other": data }, /is a link/],
  ])("%j is not copied (%#)", (location, files, sentence) => {
    const path = given({ "m.onnx": modelWith(location), ...files });
    const before = contentOf(path);
    for (const more of [[], ["--force"]]) {
      const { status, said, out } = rewrite(join(path, "m.onnx"), join(path, "out", "x.onnx"), ...more);
      expect(said).toMatch(sentence);
      expect(said).not.toMatch(/\n +at |\x1b/);
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
    expect(rewrite(join(path, "snapshots/a"), join(path, "all")).said).toBe("");
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
    const { status, said } = rewrite(path, `${path}-out`);
    expect(said).toMatch(/is a link to .*, which is not copied/);
    expect([status, existsSync(`${path}-out`)]).toEqual([2, false]);
  });
  it("that lead nowhere, or round, are none of its files", () => {
    const path = given({ "m.onnx": modelWith(), gone: "nowhere", round: "round", "._m.onnx": data });
    expect(rewrite(path, `${path}-out`)).toMatchObject({ status: 0, said: "" });
    expect(readdirSync(`${path}-out`)).toEqual(["m.onnx"]);
    expect(posenc("inspect", join(path, "round"))).toMatchObject({
      status: 2,
      said: expect.stringMatching(/there is no such file or folder/),
    });
  });
  it("in the folder that is written are not followed out of it", () => {
    const path = given({ "onnx/m.onnx": modelWith() });
    const [out, other] = [folder(), folder()];
    symlinkSync(other, join(out, "onnx"));
    expect(rewrite(path, out, "--force")).toMatchObject({ status: 2, said: expect.stringMatching(/outside of/) });
    expect(readdirSync(other)).toEqual([]);
  });
});

describe("--force", () => {
  it("overwrites the file that is named, and no other", () => {
    const path = given({ "m.onnx": modelWith("w"), w: data, "out/w": Buffer.from("mine"), "out/x.onnx": data });
    const refused = rewrite(join(path, "m.onnx"), join(path, "out", "x.onnx"), "--force");
    expect(refused).toMatchObject({
      status: 2,
      said: expect.stringMatching(/w is there already; --force .* no copy: move .* away, or name/),
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
    expect(rewrite(path, out).said).toMatch(/is there already; --force overwrites it/);
    expect(rewrite(path, out, "--force").status).toBe(0);
    writeFileSync(join(out, "README.md"), "mine");
    expect(rewrite(path, out, "--force").said).toMatch(/README\.md is there already; --force .* no copy/);
    expect(readFileSync(join(out, "README.md"), "utf8")).toBe("mine");
  });
});

describe.runIf(isPosix)("what is no file", () => {
  const source = () => join(given({ "m.onnx": modelWith() }), "m.onnx");
  it.each(["/dev/null", "/dev/zero", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/1"])("%s", (out) => {
    const before = lstatSync(out, { throwIfNoEntry: false });
    for (const more of [[], ["--force"]]) {
      expect(rewrite(source(), out, ...more).said).toMatch(/is a (device, a pipe or a socket|link)/);
      expect(lstatSync(out, { throwIfNoEntry: false })?.mode).toBe(before?.mode);
    }
  });
  it("a FIFO, read or written", () => {
    const fifo = join(folder(), "fifo");
    spawnSync("mkfifo", [fifo]);
    expect(rewrite(source(), fifo, "--force")).toMatchObject({
      status: 2,
      said: expect.stringMatching(/is a device, a pipe or a socket/),
    });
    expect(lstatSync(fifo).isFIFO()).toBe(true);
    expect(posenc("inspect", fifo)).toMatchObject({ status: 2, said: expect.stringMatching(/must be a plain file/) });
    expect(posenc("rewrite", fifo, "--linear", "4", "-o", "x.onnx")).toMatchObject({ status: 2 });
  });
  it("a socket", async () => {
    const socket = join(folder(), "s");
    const server = createServer().listen(socket);
    await new Promise((done) => server.once("listening", done));
    expect(rewrite(source(), socket, "--force")).toMatchObject({
      status: 2,
      said: expect.stringMatching(/is a device, a pipe or a socket/),
    });
    expect(lstatSync(socket).isSocket()).toBe(true);
    server.close();
  });
  it("a link, to a file or to nothing", () => {
    const path = given({ "m.onnx": modelWith(), a: "other", b: "nothing", other: data });
    for (const name of ["a", "b"]) {
      expect(rewrite(join(path, "m.onnx"), join(path, name), "--force")).toMatchObject({
        status: 2,
        said: expect.stringMatching(/is a link/),
      });
      expect(lstatSync(join(path, name)).isSymbolicLink()).toBe(true);
    }
    expect(readFileSync(join(path, "other"))).toEqual(data);
  });
  it("a file in place of a folder", () => {
    const path = given({ "in/m.onnx": modelWith(), file: data });
    expect(rewrite(join(path, "in"), join(path, "file"), "--force")).toMatchObject({
      status: 2,
      said: expect.stringMatching(/is no folder/),
    });
    expect(readFileSync(join(path, "file"))).toEqual(data);
  });
});

describe.runIf(isPosix)("a signal", () => {
  it.each<[NodeJS.Signals, number]>([
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("%s leaves nothing behind", async (signal, wanted) => {
    const path = given({ "m.onnx": modelWith("w"), w: data });
    spawnSync("truncate", ["-s", "4G", join(path, "w")]);
    const words = [
      program,
      "rewrite",
      join(path, "m.onnx"),
      "--linear",
      "4",
      "--progress",
      "-o",
      join(path, "a/b/x.onnx"),
    ];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr.on("data", (text) => {
      said += text;
      if (said.includes("writing") && !child.killed) child.kill(signal);
    });
    expect(await new Promise((done) => child.on("exit", done))).toBe(wanted);
    expect(readdirSync(path).sort()).toEqual(["m.onnx", "w"]);
  });
});

describe("a config that is nested deeply", () => {
  const nested = (before: string, after: string) => Buffer.from(before.repeat(50_000) + after.repeat(50_000));
  it.each([
    ["arrays", nested("[", "]")],
    [
      "texts in texts",
      Buffer.concat([
        Buffer.from('{"text_config":'.repeat(50_000)),
        Buffer.from("{}"),
        Buffer.from("}".repeat(50_000)),
      ]),
    ],
  ])("%s", (_, config) => {
    const path = given({ "m.onnx": modelWith(), "config.json": config });
    for (const { said } of [posenc("inspect", path), rewrite(path, `${path}-out`)])
      expect(said).not.toMatch(/RangeError|^posenc: +at /m);
  });
});

describe("names", () => {
  const [letters, newline] = [
    "a\x1b[2J\x08\x7f\u009b2J\u202exnno.\u2066\u2069\u200f\u061c\u2028\u2029\ufeff\u200b\u00ad\u{e0041}b",
    "a\nposenc: all is well",
  ];
  const raw = /[\0-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\udb40/;

  it.each([letters, newline])("%j", (name) => {
    const path = given({});
    // In the name of the file, of a tensor, of external data, of a config's field, of a GGUF file's key and value.
    const model = modelOf({
      nodes: rotation,
      constants: [floats("inv", [4], frequencies), tensor(name, 1, [4], external({ location: `${name}.data` }))],
      inputs: ["position_ids", "x"],
    });
    const file = join(path, `${name}.onnx`);
    writeFileSync(file, model);
    writeFileSync(
      join(path, "config.json"),
      json({ ...llama, model_type: name, rope_scaling: { type: name, factor: 2 } }),
    );
    writeFileSync(
      join(path, `${name}.gguf`),
      ggufOf({ "general.architecture": typed.string(name), [`${name}.rope.x`]: typed.string(name) }),
    );
    const outcomes = [
      posenc("inspect", path, "--progress"),
      posenc("inspect", file, "--json", "--progress"),
      posenc("inspect", join(path, `${name}.gguf`), "--json"),
      posenc("inspect", join(path, `${name}.gguf`)),
      rewrite(file, join(path, `${name}2.onnx`), "--progress"),
      rewrite(file, join(path, `${name}3.onnx`), "--json"),
      rewrite(file, join(path, `${name}2.onnx`)),
      rewrite(file, join(path, name, "x.onnx"), "--progress"),
      posenc(name),
      posenc("inspect", name),
      posenc("inspect", `--${name}`),
      posenc("rewrite", file, "--linear", name, "-o", name),
      posenc("rewrite", file, "--spec", JSON.stringify({ kind: name, [name]: name }), "-o", name),
      posenc("rewrite", file, "--mend", name, "-o", name),
      posenc("rewrite", file, "--config", name, "-o", name),
    ];
    for (const { out, said, status } of outcomes) {
      expect(out + said).not.toMatch(raw);
      expect(said).not.toMatch(/^ +at /m);
      expect(out + said).not.toMatch(/^posenc: all is well/m);
      expect([0, 1, 2]).toContain(status);
    }
    // Programs get the names as they are.
    expect(JSON.parse(outcomes[1]!.out).files[0].file).toBe(file);
    expect(outcomes[4]!.status).toBe(0);
    expect(existsSync(join(path, `${name}2.onnx`))).toBe(true);
  });
  it.runIf(spawnSync("script", ["--version"]).status === 0)("on a terminal", () => {
    const path = given({ "m.onnx": modelWith("w"), w: data });
    const name = join(path, "x\x1b]0;pwned\x07\u009b2J.onnx");
    const quoted = [
      process.execPath,
      program,
      "rewrite",
      join(path, "m.onnx"),
      "--linear",
      "4",
      "--progress",
      "-o",
      name,
    ]
      .map((word) => `'${word}'`)
      .join(" ");
    const { stdout } = spawnSync("script", ["-qec", quoted, "/dev/null"], { encoding: "utf8" });
    expect(stdout).toContain("x\\u001b]0;pwned\\u0007\\u009b2J.onnx");
    // The program's own: a line in place of another.
    expect(stdout.replaceAll("\r\x1b[K", "")).not.toMatch(/[\x1b\x07\u009b]/);
  });
});
