// The built package: its sizes, and that importing it does nothing. Whether it works where people use it: consumers/.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { entryModules, loadedAtOnce, withImports } from "../../web/tasks/distributed.mjs";
import { inRoot } from "../../web/tasks/prepare.mjs";

const KB = 1024;
const dist = (name: string): string => inRoot("dist", name);
const read = (name: string): string => readFileSync(dist(name), "utf8");
/** What a page downloads, as servers send it. */
const gzipped = (...names: string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(dist(name)), { level: 9 }).length, 0);

describe("sizes", () => {
  it("of the builds, each whole", () => {
    for (const [variant, limit] of Object.entries({ simd: 167, relaxed: 174, scalar: 184 }))
      expect(statSync(inRoot("build", "wasm", `posenc.${variant}.wasm`)).size, variant).toBeLessThanOrEqual(limit * KB);
  });
  it("of the builds as they are sent", () => {
    expect(gzipped("posenc.simd.wasm")).toBeLessThanOrEqual(78 * KB);
    expect(gzipped("posenc.relaxed.wasm")).toBeLessThanOrEqual(2 * KB);
    expect(gzipped("posenc.scalar.wasm")).toBeLessThanOrEqual(23 * KB);
  });
  it("of the JavaScript", () => {
    expect(gzipped(...loadedAtOnce("index.js"))).toBeLessThanOrEqual(30 * KB);
    expect(gzipped(...withImports("index.js"))).toBeLessThanOrEqual(46 * KB);
    expect(gzipped("posenc.core.simd.wasm", ...withImports("core.js"))).toBeLessThanOrEqual(73 * KB);
    expect(gzipped(...withImports("config.js"))).toBeLessThanOrEqual(7 * KB);
    expect(gzipped(...withImports("ids.js"))).toBeLessThanOrEqual(5 * KB);
    expect(gzipped(...withImports("inline.js"))).toBeLessThanOrEqual(150 * KB);
    expect(gzipped("transformers.js")).toBeLessThanOrEqual(5 * KB);
    expect(gzipped("posenc.iife.js")).toBeLessThanOrEqual(125 * KB);
  });
});

describe("the modules", () => {
  const modules = readdirSync(dist("")).filter((name) => name.endsWith(".js"));
  it("are all reached from those that users import, or from <script>", () => {
    const reached = withImports(...entryModules().map((name) => `${name}.js`));
    expect(modules.sort()).toEqual([...new Set([...reached, "posenc.iife.js"])].sort());
  });
  it("point at no source maps", () => {
    for (const name of modules) expect(read(name)).not.toContain("sourceMappingURL");
  });
  it("are a script that pages of any encoding read right", () => {
    expect(read("posenc.iife.js")).not.toMatch(/[^\x00-\x7f]/);
  });
  it("have the models beside the library, not inside", () => {
    expect(withImports("index.js").map(read).join("")).not.toContain("vicuna");
    expect(withImports("models.js").map(read).join("")).toContain("vicuna");
  });
  it("do nothing at import: no download, no compilation, no output", () => {
    const code = `
      globalThis.fetch = WebAssembly.compile = WebAssembly.instantiate = WebAssembly.Module =
        () => { throw new Error("work at import"); };
      ${modules.map((name) => `await import(${JSON.stringify(dist(name))});`).join("\n")}`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      encoding: "utf8",
    });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
  });
});
