// What the built package consists of.
import { readFileSync } from "node:fs";
import { inRoot } from "./prepare.mjs";

/** The modules that users import, as package.json lists them: web/src/<name>.ts becomes dist/<name>.js. */
export function entryModules() {
  const { exports } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  return Object.values(exports).flatMap(({ types }) => /types\/([\w/-]+)\.d\.ts$/.exec(types ?? "")?.[1] ?? []);
}

/** The names of a module of dist/ and of all that it imports. */
export function withImports(name, found = new Set()) {
  if (found.has(name)) return [...found];
  found.add(name);
  const text = readFileSync(inRoot("dist", name), "utf8");
  for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) withImports(other, found);
  return [...found];
}
