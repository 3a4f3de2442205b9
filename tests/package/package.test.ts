import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dist = (name: string): string => join(root, "dist", name);
const gzipped = (name: string): number => gzipSync(readFileSync(dist(name)), { level: 9 }).length;
const quiet = { cwd: root, encoding: "utf8" as const, env: { ...process.env, NO_UPDATE_NOTIFIER: "1" } };

const KB = 1024;

describe("sizes", () => {
  it.each(["simd", "relaxed", "scalar"])("of the %s build", (variant) => {
    expect(statSync(dist(`posenc.${variant}.wasm`)).size).toBeLessThanOrEqual((variant === "scalar" ? 155 : 144) * KB);
    expect(gzipped(`posenc.${variant}.wasm`)).toBeLessThanOrEqual((variant === "scalar" ? 71 : 67) * KB);
  });
  it("of the JavaScript", () => {
    expect(gzipped("index.js")).toBeLessThanOrEqual(40 * KB);
    expect(gzipped("transformers.js")).toBeLessThanOrEqual(5 * KB);
  });
});

describe("the packed package, installed elsewhere", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "posenc-package-"));
    const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", folder], quiet));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--offline", join(folder, packed.filename)], {
      ...quiet,
      cwd: folder,
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const runThere = (code: string, ...flags: string[]): string =>
    execFileSync(process.execPath, [...flags, "-e", code], { cwd: folder, encoding: "utf8" });
  const program =
    "const pe = await init(); console.log(pe.create({ kind: 'rope', dim: 8 }).inverseFrequencies.join());";

  it("holds dist and nothing else", () => {
    const names = execFileSync("find", ["-L", "node_modules/posenc", "-type", "f"], { cwd: folder, encoding: "utf8" })
      .trim()
      .split("\n");
    const foreign = names.filter((name) => !/posenc\/(dist\/|package\.json|README\.md|LICENSE)/.test(name));
    expect(foreign).toEqual([]);
    expect(names).toContain("node_modules/posenc/dist/types/index.d.ts");
  });
  it("runs with import", () => {
    expect(runThere(`import { init } from "posenc"; ${program}`, "--input-type=module").trim()).toBe(
      "1,0.1,0.01,0.001",
    );
  });
  it("runs with require", () => {
    const output = runThere(
      `const { init } = require("posenc"); (async () => { ${program} })();`,
      "--input-type=commonjs",
    );
    expect(output.trim()).toBe("1,0.1,0.01,0.001");
  });
  it("runs from posenc/inline", () => {
    expect(runThere(`import { init } from "posenc/inline"; ${program}`, "--input-type=module").trim()).toBe(
      "1,0.1,0.01,0.001",
    );
  });
  it("has its models beside it, not inside", () => {
    const code = `import { models, recommend } from "posenc/models"; import { init } from "posenc"; const pe = await init();
      console.log(pe.create(models["llama-3.1-8b"].spec).pairs, recommend("lightweight").kind);`;
    expect(runThere(code, "--input-type=module").trim()).toBe("64 alibi");
    expect(readFileSync(dist("index.js"), "utf8")).not.toContain("vicuna");
  });
  it("does nothing at import: no download, no compilation, no output", () => {
    const code = `
      globalThis.fetch = WebAssembly.compile = WebAssembly.instantiate = () => { throw new Error("work at import"); };
      await import("posenc"); await import("posenc/models"); await import("posenc/transformers"); await import("./node_modules/posenc/dist/index.js");`;
    const result = spawnSync(process.execPath, ["--input-type=module", "-e", code], { cwd: folder, encoding: "utf8" });
    expect([result.status, result.stdout, result.stderr]).toEqual([0, "", ""]);
  });
  it("has types that a strict program understands", () => {
    writeFileSync(
      join(folder, "program.ts"),
      `import { init, PosencError, type Spec, type Tensor, RotaryEncoding } from "posenc";
       import { models, recommend, type Model } from "posenc/models";
       import { addPositional, rotaryInputs } from "posenc/transformers";
       const pe = await init();
       const rope: RotaryEncoding = pe.create({ kind: "rope", dim: 64, pairing: "half" });
       const table: Tensor = pe.create({ kind: "sinusoidal", dim: 8 }).table({ length: 4 });
       const slopes: Float32Array = pe.create({ kind: "alibi", heads: 8 }).slopes;
       const spec: Spec = { kind: "rope-yarn", dim: 64, factor: 4, originalLength: 4096 };
       // @ts-expect-error a typing slip is an error
       pe.create({ kind: "rope", dim: 64, bse: 1 });
       // @ts-expect-error so is an unknown kind
       pe.create({ kind: "ropes", dim: 64 });
       const error: PosencError["code"] = "out-of-range";
       const model: Model | undefined = models["llama-2-7b"];
       const ids: readonly string[] = recommend("vision").models;
       const hidden = { type: "float32", data: new Float32Array(8), dims: [1, 1, 8] };
       const sum: typeof hidden = addPositional(hidden, pe.create({ kind: "sinusoidal", dim: 8 }));
       const { cos } = rotaryInputs(rope, { length: 8 });
       const dims: readonly number[] = cos.dims;
       export { sum, dims, rope, table, slopes, spec, error, model, ids };`,
    );
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    for (const [module, resolution] of [
      ["nodenext", "nodenext"],
      ["esnext", "bundler"],
    ] as const) {
      const flags = [
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
        "--lib",
        "es2023,esnext.disposable,dom",
        "--module",
        module,
        "--moduleResolution",
        resolution,
        "--ignoreConfig",
      ];
      const result = spawnSync(process.execPath, [tsc, ...flags, "program.ts"], { cwd: folder, encoding: "utf8" });
      expect(result.stdout + result.stderr, resolution).toBe("");
    }
  });
});
