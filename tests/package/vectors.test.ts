// The package of test vectors: its generator, its runners in Python and JavaScript, its Action, and what its README says.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chosenCases, readCases } from "../../vectors/javascript/run.mjs";
import { inRoot, pythonWithNumpy } from "../../web/tasks/prepare.mjs";

const vectors = (...path: string[]): string => inRoot("vectors", ...path);
const text = (path: string): string => readFileSync(path, "utf8");
const folder = mkdtempSync(join(tmpdir(), "posenc-vectors-"));
afterAll(() => rmSync(folder, { recursive: true }));

let python: string;
beforeAll(() => {
  python = pythonWithNumpy();
}, 120_000);

function run(program: string, words: string[], env = {}) {
  const options = { encoding: "utf8", env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env } } as const;
  const { status, stdout, stderr } = spawnSync(program, words, options);
  return { status, output: stdout + stderr };
}
const javascript = (...words: string[]) => run(process.execPath, [vectors("javascript", "run.mjs"), ...words]);
const inPython = (...words: string[]) => run(python, [vectors("python"), ...words]);

/** A file of the temporary folder. */
function written(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const cases = readCases();
const readme = text(vectors("README.md"));

describe("the cases", () => {
  it("are made of the formulas: generating them again gives the same bytes", () => {
    const again = join(folder, "cases");
    execFileSync("python3", [vectors("generate"), again], { env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" } });
    const files = readdirSync(again, { recursive: true, encoding: "utf8" }).sort();
    expect(readdirSync(vectors("cases"), { recursive: true, encoding: "utf8" }).sort()).toEqual(files);
    for (const file of files.filter((name) => name.endsWith(".json")))
      expect(text(join(again, file)), file).toBe(text(vectors("cases", file)));
  });

  it("follow the schema, whose lists have no unused names", () => {
    const schema = JSON.parse(text(vectors("schema.json")));
    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
    for (const one of cases) expect(validate(one), `${one.name}: ${JSON.stringify(validate.errors)}`).toBe(true);
    const { topic, operation, tags } = schema.properties;
    expect(new Set(cases.map((one) => one.topic))).toEqual(new Set(topic.enum));
    expect(new Set(cases.map((one) => one.operation))).toEqual(new Set(operation.enum));
    expect(new Set(cases.flatMap((one) => one.tags))).toEqual(new Set(tags.items.enum));
    expect(validate({ ...cases[0], tolerance: {} })).toBe(false);
  });

  it("have values that are exact in float16", () => {
    for (const { name, inputs } of cases)
      for (const key of ["x", "dy", "q", "k", "v", "keys"])
        for (const value of inputs[key]?.values ?? []) expect(value! * 256, name).toBe(Math.round(value! * 256));
  });

  it("have the numbers and the operations that README and page name", () => {
    const page = (...path: string[]) => text(inRoot("web", "docs", ...path, "test-your-engine.md"));
    for (const document of [readme, page()]) {
      expect(document).toContain(`${cases.length} `);
      expect(document).toContain("47 engines");
    }
    expect(page("zh-CN")).toContain(`${cases.length} 个`);
    expect(page("zh-CN")).toContain("47 个引擎");
    const named = Array.from(readme.matchAll(/^\| `([a-z0-9-]+)` \|/gm), ([, name]) => name);
    expect(
      new Set(named.filter((name) => !name!.endsWith("float16") && name !== "float32" && name !== "strict")),
    ).toEqual(new Set(cases.map((one) => one.operation)));
  });
});

describe("the runner in Python", () => {
  it("passes its own formulas in float64, and in float32 and float16 at their levels", () => {
    const all = `vectors: ${cases.length} passed, 0 failed, 0 not offered\n`;
    expect(inPython()).toEqual({ status: 0, output: all });
    expect(inPython("--dtype", "float16", "--level", "float16")).toEqual({ status: 0, output: all });
  });

  it("notices each of 47 mistakes", () => {
    const { status, output } = run(python, [vectors("python", "mistakes.py")]);
    expect(output).not.toContain("MISSED");
    expect(output).toMatch(/vectors: 47 of 47 mistakes noticed\n$/);
    expect(status).toBe(0);
  });

  it("runs the README's engine, and reports what it lacks", () => {
    const [, code] = /```python\n([^]*?)```/.exec(readme)!;
    const own = `def my_rotation(x, positions, frequencies, pairing):
    import numpy as np
    angles = positions[:, None] * frequencies
    a, b = np.split(x, 2, -1)
    return np.concatenate([a * np.cos(angles) - b * np.sin(angles), b * np.cos(angles) + a * np.sin(angles)], -1)
`;
    const { status, output } = inPython("--engine", written("my_engine.py", own + code), "--topic", "rotation");
    expect(output).toContain("failed: rotation/interleaved (Pairs (2k, 2k + 1))");
    expect(output).toContain("has caught: pairs of the other layout");
    expect(output).toMatch(/vectors: \d+ passed, \d+ failed, 1 not offered\n$/);
    expect(status).toBe(1);
  });

  it("fails engines that throw, and takes NotImplementedError as not offered", () => {
    const engine = written(
      "throws.py",
      "def window_index(i, p):\n    raise NotImplementedError('none')\ndef alibi_slopes(i, p):\n    1 / 0\n",
    );
    const { output } = inPython("--engine", engine, "--json", join(folder, "results.json"));
    expect(output).toContain("ZeroDivisionError");
    const results = JSON.parse(text(join(folder, "results.json")));
    expect(results["buckets/window"]).toEqual({ status: "not offered", reason: "none" });
    expect(Object.keys(results).length).toBe(cases.length);
  });

  it("refuses unknown topics and tags", () => {
    expect(inPython("--topic", "rope").output).toMatch(/unknown topic 'rope'; topics: alibi, /);
    expect(inPython("--skip-tag", "far").output).toMatch(/unknown tag 'far'; tags: .*long/);
  });
});

describe("the runner in JavaScript", () => {
  const page = text(inRoot("web", "docs", "test-your-engine.md"));
  it("prints for the page's engine what the page shows", () => {
    const [, code] = /```js\n([^]*?)```/.exec(page)!;
    const [, output] = /```text\n([^]*?)```/.exec(page)!;
    expect(javascript(written("my-engine.mjs", code!))).toEqual({ status: 1, output });
  });

  it("chooses cases, writes results, and refuses what it does not know", () => {
    const engine = written("ids.mjs", "export default { 'alibi-slopes': () => ({}) };");
    const file = join(folder, "js.json");
    const { status, output } = javascript(engine, "--topic", "alibi", "--json", file);
    expect([status, output.split("\n").at(-2)]).toEqual([1, "vectors: 0 passed, 4 failed, 3 not offered"]);
    expect(JSON.parse(text(file))["alibi/slopes-8"]).toEqual({ status: "failed", reason: "slopes is missing" });
    expect(javascript(engine, "--topic", "rope")).toMatchObject({ status: 2 });
    expect(javascript(engine, "--level", "exact")).toMatchObject({ status: 2 });
    expect(javascript()).toMatchObject({ status: 2 });
    expect(chosenCases(cases, { skipTag: ["mrope"] }).length).toBe(
      cases.filter((one) => !one.tags.includes("mrope")).length,
    );
  });

  it("has posenc's engine, which the golden runner uses for such cases", () => {
    const { status, output } = run(process.execPath, [inRoot("tests", "golden", "run.mjs"), vectors("cases")]);
    expect(output).toContain(`golden: ${cases.length} passed, 0 failed, 0 unsupported`);
    expect(status).toBe(0);
  });

  it("is an Action, too, for both languages", () => {
    const env = { VECTORS: vectors(), TOPICS: "alibi buckets", SKIP_TAGS: "long", PYTHON: python };
    const engine = written("none.mjs", "export default {};");
    const output = (ENGINE: string) => run("bash", [vectors("action.sh")], { ...env, ENGINE }).output;
    expect(output(engine)).toBe("vectors: 0 passed, 0 failed, 12 not offered\n");
    expect(output(written("none.py", ""))).toBe("vectors: 0 passed, 0 failed, 12 not offered\n");
    const inputs = Array.from(
      text(vectors("action.yml")).matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g),
      ([, name]) => name,
    );
    expect(inputs.sort()).toEqual(["engine", "level", "python", "skip-tags", "topics"]);
  });
});

describe("the package", () => {
  it("has what its runners need, and nothing else", () => {
    const copy = join(folder, "package");
    cpSync(vectors(), copy, { recursive: true, filter: (path) => !path.includes("node_modules") });
    const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--dry-run"], { cwd: copy, encoding: "utf8" }));
    const files: string[] = packed.files.map(({ path }: { path: string }) => path);
    expect(files).toEqual(
      expect.arrayContaining(["README.md", "schema.json", "action.yml", "action.sh", "cases/index.json"]),
    );
    expect(files.filter((file) => file.startsWith("cases/")).length).toBe(cases.length + 1);
    expect(files.filter((file) => /node_modules|pycache/.test(file))).toEqual([]);
    expect(packed.size).toBeLessThan(150_000);
  });
});
