// Devices, pipes, sockets, links and signals: nothing is replaced, nothing is left behind.
import { spawn, spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { data, folder, given, isPosix, modelWith, posenc, rewrite, rewriting } from "./sandbox.ts";

describe.runIf(isPosix)("what is no file", () => {
  const source = () => join(given({ "m.onnx": modelWith() }), "m.onnx");
  it.each(["/dev/null", "/dev/zero", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/1"])("%s", (out) => {
    const before = lstatSync(out, { throwIfNoEntry: false });
    for (const more of [[], ["--force"]]) {
      expect(rewrite(source(), out, ...more).stderr).toMatch(/is a (device, a pipe or a socket|link)/);
      expect(lstatSync(out, { throwIfNoEntry: false })?.mode).toBe(before?.mode);
    }
  });
  it("a FIFO, read or written", () => {
    const fifo = join(folder(), "fifo");
    spawnSync("mkfifo", [fifo]);
    expect(rewrite(source(), fifo, "--force")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/is a device, a pipe or a socket/),
    });
    expect(lstatSync(fifo).isFIFO()).toBe(true);
    expect(posenc("inspect", fifo)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/must be a regular file/),
    });
    expect(posenc("rewrite", fifo, "--linear", "4", "-o", "x.onnx")).toMatchObject({ status: 2 });
  });
  it("a socket", async () => {
    const socket = join(folder(), "s");
    const server = createServer().listen(socket);
    await new Promise((done) => server.once("listening", done));
    expect(rewrite(source(), socket, "--force")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/is a device, a pipe or a socket/),
    });
    expect(lstatSync(socket).isSocket()).toBe(true);
    server.close();
  });
  it("a link, to a file or to nothing", () => {
    const path = given({ "m.onnx": modelWith(), a: "other", b: "nothing", other: data });
    for (const name of ["a", "b"]) {
      expect(rewrite(join(path, "m.onnx"), join(path, name), "--force")).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/is a link/),
      });
      expect(lstatSync(join(path, name)).isSymbolicLink()).toBe(true);
    }
    expect(readFileSync(join(path, "other"))).toEqual(data);
  });
  it("a file in place of a folder", () => {
    const path = given({ "in/m.onnx": modelWith(), file: data });
    expect(rewrite(join(path, "in"), join(path, "file"), "--force")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/must be a folder/),
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
    const words = rewriting(join(path, "m.onnx"), join(path, "a/b/x.onnx"), "--progress");
    const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
      if (stderr.includes("writing") && !child.killed) child.kill(signal);
    });
    expect(await new Promise((done) => child.on("exit", done))).toBe(wanted);
    expect(readdirSync(path).sort()).toEqual(["m.onnx", "w"]);
  });
});
