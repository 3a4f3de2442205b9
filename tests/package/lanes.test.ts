// Does npm test fail when it should?
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, describe, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { isStrict, lanes } from "../lanes/counting.mjs";
import { onceFor } from "../lanes/memory.mjs";
import { table } from "../lanes/table.mjs";
import { planOf, readWords } from "../lanes/words.mjs";

const logged: string[] = [];
const log = (text: string) => void logged.push(text);

describe("the lanes of npm test", () => {
  it("count what has passed and failed", async () => {
    const { totals, count, lane } = lanes(log);
    count("one", 3, 0);
    await lane("two", async ({ count }) => count("two", 2, 1));
    expect(totals).toEqual({ lanes: 2, passed: 5, failed: 1 });
  });

  it("fail where nothing ran", async () => {
    const { totals, count, lane } = lanes(log);
    count("empty", 0, 0);
    await lane("silent", async () => undefined);
    expect(totals).toEqual({ lanes: 2, passed: 0, failed: 2 });
    expect(logged.at(-1)).toMatch(/^silent: 0 passed, 0 failed: it ran nothing/);
  });

  it("fail where nothing ran, though others count beside them", async () => {
    const { totals, lane } = lanes(log);
    await lane("silent", () => lane("beside", async ({ count }) => count("beside", 1, 0)));
    expect(totals).toEqual({ lanes: 2, passed: 1, failed: 1 });
  });

  it("do not run again in the quick tier before what they test changes, unless they failed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "posenc-lanes-"));
    const [file, input] = ["passed.json", "input"].map((name) => join(folder, name)) as [string, string];
    const inputs = [relative(inRoot(), input)];
    const { totals, count } = lanes(log);
    let runs = 0;
    const once = (failed: number) =>
      onceFor({ name: "lane", inputs }, { count }, (own) => (runs++, own.count("lane", 7, failed)), file);
    writeFileSync(input, "one");
    await once(0);
    await once(0);
    expect([totals.passed, runs]).toEqual([14, 1]);
    writeFileSync(input, "two, which fails");
    for (const failed of [1, 1]) await once(failed);
    expect([totals.failed, runs]).toEqual([2, 3]);
    rmSync(folder, { recursive: true });
  });

  it("fail where a lane throws, and the next one still runs", async () => {
    const { totals, count, lane } = lanes(log);
    await lane("breaks", async () => {
      throw new Error("no compiler");
    });
    await lane("next", async ({ count }) => count("next", 1, 0));
    expect(totals).toEqual({ lanes: 2, passed: 1, failed: 1 });
    expect(logged).toContain("breaks: no compiler");
  });

  it("say in the end what has failed, and where, in a few lines each", async () => {
    const { count, lane, summary } = lanes(log);
    count("good", 3, 0, ["said, but nothing has failed"]);
    expect(summary()).toEqual([]);
    count("tests", 1, 1, [`\u001b[31ma/b.test.ts: adds\u001b[39m\n\n${"line\n".repeat(100)}`]);
    count("silent", 0, 1);
    await lane("breaks", async () => {
      throw new Error("no compiler");
    });
    count("many", 0, 100, Array<string>(100).fill("again"));
    const failures = summary();
    expect(failures[0]).toMatch(/^ {2}failed: tests: a\/b\.test\.ts: adds\n {4}line\n/);
    expect(failures[0]!.split("\n").length).toBeLessThan(20);
    expect(failures.slice(1, 3)).toEqual(["  failed: silent: see above", "  failed: breaks: no compiler"]);
    expect(failures.length).toBeLessThan(40);
    expect(failures.at(-1)).toMatch(/and \d+ more/);
  });

  it("fail under CI where something is not here, and say so elsewhere", () => {
    const [here, there] = [lanes(log, { strict: true }), lanes(log, { strict: false })];
    for (const { lacks } of [here, there]) lacks("fuzzing", "libFuzzer");
    expect(here.totals.failed).toBe(1);
    expect(there.totals.failed).toBe(0);
    expect(logged.at(-1)).toMatch(/libFuzzer.*under CI/);
  });

  it.each([
    [{ CI: "true" }, true],
    [{ CI: "1" }, true],
    [{ CI: "false" }, false],
    [{ CI: "" }, false],
    [{}, false],
  ])("%j is CI: %s", (environment, strict) => expect(isStrict(environment)).toBe(strict));
});

const files = [
  "tests/js/fuzz.test.ts",
  "tests/js/onnx/fuzz.test.ts",
  "tests/js/positions.test.ts",
  "tests/package/consumers/vite.test.ts",
  "tests/package/package.test.ts",
];
const planned = (...words: string[]) =>
  planOf(readWords(words, table, files), table).map(({ lane, files: some, quick }) =>
    [lane.name, ...some, ...(quick ? ["quick"] : [])].join(" "),
  );

describe("the words after npm test --", () => {
  it("are names of lanes, which run whole and in the order of the table", () => {
    expect(planned("js", "golden")).toEqual(["golden", "js"]);
  });
  it.each<[string, string]>([
    ["js/positions", "js tests/js/positions.test.ts"],
    ["js/fuzz", "js tests/js/fuzz.test.ts tests/js/onnx/fuzz.test.ts"],
    ["onnx/fuzz", "onnx tests/js/onnx/fuzz.test.ts"],
    ["tests/js/onnx/fuzz.test.ts", "onnx tests/js/onnx/fuzz.test.ts"],
    ["./tests/package/package.test.ts", "package tests/package/package.test.ts"],
    ["consumers/vite", "consumers tests/package/consumers/vite.test.ts"],
    ["tests/package", "package"],
    ["cpp/[gradients]", "cpp [gradients]"],
  ])("%s runs %s", (word, lane) => expect(planned(word)).toEqual([lane]));
  it("are none for the quick tier, and --all for everything", () => {
    const [quick, all] = [planned(), planned("--all")];
    expect(quick.every((lane) => lane.endsWith(" quick"))).toBe(true);
    expect(all).toEqual(table.filter(({ partOf }) => !partOf).map(({ name }) => name));
    for (const lane of quick) expect(all).toContain(lane.replace(" quick", ""));
    expect(quick.length).toBeLessThan(all.length);
  });
  it.each([
    ["jss", /"jss" is not a lane.*did you mean js\?/],
    ["packages", /did you mean package\?/],
    ["--al", /did you mean --all\?/],
    ["tests/nowhere/x.test.ts", /is not a lane.*--list/],
    ["js/nothing", /no test file of the lane js has "nothing" in its path/],
  ])("%s is an error that helps", (word, message) => expect(() => planned(word)).toThrow(message));
  it("are lanes, or --all, but not both", () => expect(() => planned("--all", "js")).toThrow(/not both/));
});

it("the README of the tests has the table of lanes", () => {
  const file = inRoot("tests", "README.md");
  const text = readFileSync(file, "utf8");
  const tierOf = ({ quick, partOf }: (typeof table)[number]) => (partOf ? `part of \`${partOf}\`` : quick ? "yes" : "");
  const rows = table.map((lane) => `| \`${lane.name}\` | ${tierOf(lane)} | ${lane.what} |\n`);
  const wanted = `-->\n\n| lane | quick | what it tests |\n|---|---|---|\n${rows.join("")}\n<!-- /lanes -->`;
  const marked = /(?<=<!-- lanes: [^>]*)-->\n[^]*<!-- \/lanes -->/;
  if (process.env.POSENC_RENEW)
    writeFileSync(
      file,
      text.replace(marked, () => wanted),
    );
  else expect(marked.exec(text)?.[0]).toBe(wanted);
  expect(marked.test(text)).toBe(true);
});

it("every folder of test files has a lane", () => {
  const folders = ["js", "package", "package/consumers", "site", "transformers", "webgpu"].map(
    (name) => `tests/${name}`,
  );
  expect(table.flatMap(({ folder, partOf }) => (folder && !partOf ? [folder] : [])).sort()).toEqual(folders);
});
