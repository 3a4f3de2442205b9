#!/usr/bin/env node
// node vectors/javascript/run.mjs ENGINE.mjs [--level float32] [--topic NAME] [--skip-tag NAME] [--json FILE]
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { runCases } from "./runner.mjs";

/** The folder of the cases. */
export const folder = fileURLToPath(new URL("../cases", import.meta.url));

/** Reads the cases of a folder with an index. */
export function readCases(from = folder) {
  const read = (name) => JSON.parse(readFileSync(join(from, `${name}.json`), "utf8"));
  return read("index").cases.map(read);
}

/** Some of the cases. Throws for topics and tags that no case has. */
export function chosenCases(cases, { topic = [], skipTag = [] }) {
  const known = { topic: new Set(cases.map((one) => one.topic)), tag: new Set(cases.flatMap((one) => one.tags)) };
  const check = (kind, names) => {
    for (const name of names)
      if (!known[kind].has(name))
        throw new Error(`unknown ${kind} "${name}"; known: ${[...known[kind]].sort().join(", ")}`);
  };
  check("topic", topic);
  check("tag", skipTag);
  return cases.filter(
    (one) => (topic.length === 0 || topic.includes(one.topic)) && !one.tags.some((tag) => skipTag.includes(tag)),
  );
}

function print({ vector, status, reason }) {
  if (status !== "failed") return;
  console.log(`failed: ${vector.name} (${vector.title})\n    ${reason}`);
  for (const { fault } of vector.caught) console.log(`    has caught: ${fault}`);
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      level: { type: "string", default: "strict" },
      topic: { type: "string", multiple: true },
      "skip-tag": { type: "string", multiple: true },
      cases: { type: "string", default: folder },
      json: { type: "string" },
    },
  });
  if (positionals.length !== 1) throw new Error("name one engine: a module with a function per operation");
  if (!["strict", "float32", "float16", "bfloat16"].includes(values.level))
    throw new Error(`unknown level "${values.level}"; levels: strict, float32, float16, bfloat16`);
  const { default: engine } = await import(pathToFileURL(resolve(positionals[0])).href);
  const cases = chosenCases(readCases(values.cases), { topic: values.topic, skipTag: values["skip-tag"] });
  const results = await runCases(engine, cases, { level: values.level });
  results.forEach(print);
  const count = (wanted) => results.filter(({ status }) => status === wanted).length;
  if (values.json) {
    const rows = results.map(({ vector, status, reason }) => [vector.name, { status, reason }]);
    writeFileSync(values.json, `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`);
  }
  console.log(`vectors: ${count("passed")} passed, ${count("failed")} failed, ${count("not offered")} not offered`);
  process.exitCode = count("failed") > 0 || count("passed") === 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  main().catch((error) => {
    console.error(`vectors: ${error.message}`);
    process.exitCode = 2;
  });
