// Programs with a TypeScript before 5.7 read the declarations, too: there arrays are not generic.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";

it("no declaration names the memory of an array", () => {
  // What is public names nothing of the loaders of WebAssembly.
  const files = readdirSync(inRoot("dist", "types"), { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".d.ts") && !/^wasm.(base64|difference|node)\.d/.test(name),
  );
  expect(files.length).toBeGreaterThan(80);
  const code = (name: string): string =>
    readFileSync(join(inRoot("dist", "types"), name), "utf8").replaceAll(/\/\*[^]*?\*\//g, "");
  expect(files.filter((name) => /Array<(ArrayBuffer|SharedArrayBuffer)/.test(code(name)))).toEqual([]);
});
