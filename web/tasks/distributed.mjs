// The files of the built package.
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { inRoot } from "./prepare.mjs";

/** The modules that users import, as package.json lists them: web/src/<name>.ts becomes dist/<name>.js. */
export function entryModules() {
  const { exports } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  return Object.values(exports).flatMap(({ types }) => /types\/([\w/-]+)\.d\.ts$/.exec(types ?? "")?.[1] ?? []);
}

/** The programs, as package.json lists them: web/src/<name>.ts becomes dist/<name>.js. */
export function programs() {
  const { bin } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  return Object.values(bin).map((path) => posix.basename(path, ".js"));
}

/** Entries without WebAssembly of their own: data, pure functions, or code that gets the library as an argument. */
export const withoutWasm = ["cache-file", "config", "ids", "inspector", "models", "onnx", "webgpu", "worker"];

const anyImport = /(?:from|import)\s*\(?"(\.{1,2}\/[^"]+)\.js"/g;
const staticImport = /(?:from|import)\s*"(\.{1,2}\/[^"]+)\.js"/g;

/** Returns files of dist/ and all their imports, by name; a declaration's imports are declarations. */
export const withImports = (...names) => reached(names, anyImport);

/** The same, without files that are loaded only on first use. */
export const loadedAtOnce = (...names) => reached(names, staticImport);

function reached(names, imports) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(inRoot("dist", name), "utf8");
    for (const [, path] of text.matchAll(imports))
      visit(posix.join(posix.dirname(name), path) + (name.endsWith(".d.ts") ? ".d.ts" : ".js"));
  };
  names.forEach(visit);
  return [...found];
}
