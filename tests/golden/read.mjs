// Finding and reading case files (Node only).
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** The JSON files under a directory but indices, sorted, with a label relative to it. Throws with a message for people. */
export function findCases(directory) {
  let stats;
  try {
    stats = statSync(directory);
  } catch {
    throw new Error(`${directory}: no such directory`);
  }
  if (!stats.isDirectory()) throw new Error(`${directory}: not a directory`);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith(".json") && entry.name !== "index.json" && !entry.isDirectory())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
  if (files.length === 0) throw new Error(`${directory}: no .json case in it`);
  return files.map((path) => ({ path, label: relative(directory, path).replace(/\.json$/, "") }));
}

/** `{ json }`, or `{ problem }` for a file that cannot be read or is not JSON. */
export function readCase(path) {
  try {
    return { json: JSON.parse(readFileSync(path, "utf8")) };
  } catch (error) {
    return { problem: `cannot read ${path}: ${error.message}` };
  }
}
