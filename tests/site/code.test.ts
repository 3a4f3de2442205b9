// The code of each chapter runs as it stands against the packed package, and prints what its comments say.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withValues } from "../../web/site/src/lib/code.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const course = join(root, "examples", "course");
const files = readdirSync(course).filter((name) => name.endsWith(".js"));

let project = "";
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "posenc-course-"));
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], {
      cwd: root,
      encoding: "utf8",
    }),
  ) as { filename: string }[];
  mkdirSync(join(project, "node_modules", "posenc"), { recursive: true });
  // What npm would unpack; the package has no dependencies.
  execFileSync("tar", [
    "-xzf",
    join(project, packed!.filename),
    "-C",
    join(project, "node_modules", "posenc"),
    "--strip-components=1",
  ]);
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  cpSync(course, project, { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const run = (file: string) => execFileSync(process.execPath, [file], { cwd: project, encoding: "utf8" });

describe.each(files)("%s", (file) => {
  const source = readFileSync(join(course, file), "utf8");
  const promised = [...source.matchAll(/^ *\/\/> (.*)$/gm)].map(([, line]) => line!);

  it("prints what its comments say", () => {
    expect(promised.length).toBeGreaterThan(0);
    expect(run(file).trimEnd().split("\n")).toEqual(promised);
  });

  it("is shown as it runs", () => {
    writeFileSync(join(project, "shown.js"), withValues(source, {}));
    expect(run("shown.js").trimEnd().split("\n")).toEqual(promised);
  });
});
