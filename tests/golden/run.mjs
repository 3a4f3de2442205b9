#!/usr/bin/env node
// Runs every golden case under a directory through the public API:
//   node tests/golden/run.mjs DIR [--verbose] [--variant=relaxed|simd|scalar] [--allow-unsupported]
// Exit code: 0 all passed, 1 at least one case failed or is unsupported (but for --allow-unsupported), 2 nothing could be run.
import { init } from "posenc";
import { engineOf } from "../../vectors/engines/operations.mjs";
import * as vectors from "../../vectors/javascript/runner.mjs";
import { runCase } from "./cases.mjs";
import { caseDetails, caseLine, countStatuses, totalLine } from "./print.mjs";
import { findCases, readCase } from "./read.mjs";

const USAGE = "node tests/golden/run.mjs DIR [--verbose] [--variant=NAME] [--allow-unsupported]";
const FLAGS = ["--verbose", "--allow-unsupported"];

function parseArguments(argv) {
  const options = argv.filter((argument) => argument.startsWith("--"));
  const directories = argv.filter((argument) => !argument.startsWith("--"));
  const unknown = options.find((option) => !FLAGS.includes(option) && !option.startsWith("--variant="));
  if (unknown) throw new Error(`unknown option ${unknown}; usage: ${USAGE}`);
  if (directories.length !== 1) throw new Error(`usage: ${USAGE}`);
  const variant = options.find((option) => option.startsWith("--variant="))?.slice("--variant=".length) ?? "auto";
  const [verbose, allowUnsupported] = FLAGS.map((flag) => options.includes(flag));
  return { directory: directories[0], verbose, allowUnsupported, variant };
}

const statuses = { passed: "pass", failed: "fail", "not offered": "unsupported" };

/** A case of the published test vectors. */
async function runVector(pe, json) {
  const { status, reason } = await vectors.runCase(engineOf(pe), json);
  return { name: json.name, group: json.topic, status: statuses[status], reason, outputs: [] };
}

async function runFile(pe, { path, label }) {
  const { json, problem } = readCase(path);
  if (problem) return { name: label, group: "", status: "fail", reason: problem, outputs: [] };
  return typeof json?.operation === "string" ? runVector(pe, json) : runCase(pe, json, label);
}

async function main() {
  const { directory, verbose, allowUnsupported, variant } = parseArguments(process.argv.slice(2));
  const files = findCases(directory);
  const pe = await init({ variant });
  const reports = [];
  for (const file of files) {
    const report = await runFile(pe, file);
    reports.push(report);
    console.log(caseLine(report));
    const details = verbose ? caseDetails(report) : "";
    if (details) console.log(details);
  }
  const counts = countStatuses(reports);
  console.log(totalLine(counts));
  return counts.fail > 0 || (counts.unsupported > 0 && !allowUnsupported) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`golden: ${error.message}`);
  process.exitCode = 2;
}
