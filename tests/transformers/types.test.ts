// Do posenc's types fit those of the real libraries, in a strict program?
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

const four = ["program", "examples/transformers"] as const;
const three = ["program-3", "tests/transformers/version-3"] as const;

const strictly = ["strict", "examples/transformers"] as const;

it.each([
  ["nodenext", "nodenext", strictly],
  ["esnext", "bundler", strictly],
  ["nodenext", "nodenext", four],
  ["esnext", "bundler", four],
  ["nodenext", "nodenext", three],
  ["esnext", "bundler", three],
] as const)("with module %s, resolved as %s: %s", (module, resolution, [program, installed]) => {
  const folder = mkdtempSync(join(tmpdir(), "posenc-types-"));
  symlinkSync(join(root, installed, "node_modules"), join(folder, "node_modules"), "junction");
  copyFileSync(join(root, "tests", "transformers", `${program}.ts`), join(folder, "program.mts"));
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--lib", "es2023,esnext,dom"];
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
  const result = spawnSync(
    process.execPath,
    [
      join(root, "node_modules", "typescript", "bin", "tsc"),
      ...[...flags, ...types],
      ...["--module", module, "--moduleResolution", resolution, "--ignoreConfig", "program.mts"],
    ],
    { cwd: folder, encoding: "utf8" },
  );
  rmSync(folder, { recursive: true, force: true });
  expect(result.stdout + result.stderr).toBe("");
});
