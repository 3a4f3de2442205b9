// What a page downloads of the built package.
import { readFileSync } from "node:fs";
import { inRoot } from "./prepare.mjs";

/** The names of a module of dist/ and of all that it imports. */
export function withImports(name, found = new Set()) {
  if (found.has(name)) return [...found];
  found.add(name);
  const text = readFileSync(inRoot("dist", name), "utf8");
  for (const [, other] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) withImports(other, found);
  return [...found];
}
