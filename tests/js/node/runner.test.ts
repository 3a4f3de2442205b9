// Does the command-line runner print and exit as it should?
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../../golden/run.mjs", import.meta.url));
const golden = fileURLToPath(new URL("../../fixtures/golden", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "posenc-golden-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
  return { status, lines: stdout.trimEnd().split("\n"), stderr };
}

function folder(name: string): string {
  const path = join(scratch, name);
  mkdirSync(path, { recursive: true });
  return path;
}

describe("node tests/golden/run.mjs", () => {
  it("prints a line for each case and the total, and exits with 0", () => {
    const { status, lines, stderr } = run(golden);
    expect(stderr).toBe("");
    expect(lines).toHaveLength(215);
    expect(lines.at(-1)).toMatch(/^golden: \d+ passed, 0 failed, \d+ unsupported$/);
    const slopes = lines.find((line) => line.includes("alibi/slopes-mpt-h8-max4"));
    expect(slopes).toMatch(/^pass {9}alibi\/slopes-mpt-h8-max4 {2}slopes: max error \S+ \(tolerance 3.4e-7\)$/);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^(pass|fail|unsupported) +[\w-]+\/\S+ {2}\S/);
    expect(status).toBe(0);
  });

  it("finds cases in folders below, and says more with --verbose", () => {
    const path = folder("deep/er/still");
    cpSync(join(golden, "rope/llama-2-7b.json"), join(path, "other-name.json"));
    const { status, lines } = run(join(scratch, "deep"), "--verbose");
    expect(status).toBe(0);
    expect(lines[0]).toMatch(/^pass +rope\/llama-2-7b /);
    expect(lines).toHaveLength(1 + 6 + 1);
    expect(lines.at(-1)).toBe("golden: 1 passed, 0 failed, 0 unsupported");
  });

  it("exits with 1 when a case fails", () => {
    const path = folder("wrong");
    const json = JSON.parse(readFileSync(join(golden, "rope/llama-2-7b.json"), "utf8"));
    json.tolerance.cos__truth = 1e-15;
    writeFileSync(join(path, "a.json"), JSON.stringify(json));
    const { status, lines } = run(path);
    expect(status).toBe(1);
    expect(lines[0]).toMatch(/^fail .*cos: max error/);
    expect(lines.at(-1)).toBe("golden: 0 passed, 1 failed, 0 unsupported");
  });

  it("exits with 1 when a case is unsupported, unless told to allow that", () => {
    const path = folder("unknown");
    const json = JSON.parse(readFileSync(join(golden, "rope/llama-2-7b.json"), "utf8"));
    writeFileSync(join(path, "a.json"), JSON.stringify({ ...json, group: "astrology" }));
    const strict = run(path);
    expect(strict.status).toBe(1);
    expect(strict.lines.at(-1)).toBe("golden: 0 passed, 0 failed, 1 unsupported");
    expect(run(path, "--allow-unsupported")).toMatchObject({ status: 0, lines: strict.lines });
    writeFileSync(join(path, "b.json"), "{}");
    expect(run(path, "--allow-unsupported").status).toBe(1);
  });

  it("counts files that are no case as failures", () => {
    const path = folder("broken");
    writeFileSync(join(path, "text.json"), "not json");
    writeFileSync(join(path, "empty.json"), "");
    writeFileSync(join(path, "other.json"), '{"name":"x"}');
    cpSync(join(golden, "rope/llama-2-7b.json"), join(path, "good.json"));
    const { status, lines } = run(path);
    expect(status).toBe(1);
    expect(lines.filter((line) => line.startsWith("fail"))).toHaveLength(3);
    expect(lines.find((line) => line.includes("text"))).toMatch(/cannot read .*text\.json/);
    expect(lines.find((line) => line.includes("other"))).toMatch(/malformed case/);
    expect(lines.at(-1)).toBe("golden: 1 passed, 3 failed, 0 unsupported");
  });

  it.skipIf(process.getuid?.() === 0)("counts unreadable files as failures", () => {
    const path = folder("locked");
    writeFileSync(join(path, "a.json"), "{}");
    chmodSync(join(path, "a.json"), 0);
    expect(run(path).status).toBe(1);
  });

  it.each([
    ["a missing folder", [join(scratch, "nowhere")], /no such directory/],
    ["an empty folder", [folder("empty")], /no \.json case/],
    ["a file", [join(golden, "rope/llama-2-7b.json")], /not a directory/],
    ["no folder", [], /usage/],
    ["two folders", [golden, golden], /usage/],
    ["an unknown option", [golden, "--quiet"], /--quiet/],
  ])("exits with 2 and says why: %s", (_, args, message) => {
    const { status, stderr } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });
});
