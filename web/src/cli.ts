#!/usr/bin/env node
// `npx posenc`: the package's program.
import { readFileSync } from "node:fs";
import { main } from "./cli/main.js";
import { openModel } from "./onnx.js";

// Whoever reads the output may have seen enough: `posenc inspect … | head`.
process.stdout.on("error", () => process.exit(0));

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
process.exitCode = await main(process.argv.slice(2), {
  openModel,
  library: async () => (await import("./inline.js")).init(),
  version,
  print: (text) => void process.stdout.write(`${text}\n`),
  say: (text) => void process.stderr.write(text),
  width: process.stdout.columns ?? 100,
  isTerminal: process.stderr.isTTY === true,
});
