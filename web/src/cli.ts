#!/usr/bin/env node
// `npx posenc`: the package's program.
import { readFileSync } from "node:fs";
import { main } from "./cli/main.js";
import { printable } from "./cli/words.js";
import { openModel } from "./onnx.js";

// Whoever reads the output may have seen enough (`posenc inspect … | head`), and a terminal may be closed: what is being
// written is written all the same. Output that is lost for another reason, such as a full disk, is an error.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") return;
  log(`posenc: cannot write the output (${code})`);
  process.once("exit", (status) => (process.exitCode = status || 1));
});
process.stderr.on("error", () => {});
const log = (line: string): void => void process.stderr.write(`${printable(line)}\n`);

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};
process.exitCode = await main(process.argv.slice(2), {
  openModel,
  library: async () => (await import("./inline.js")).init(),
  version,
  print: (lines) => void process.stdout.write(`${lines.map(printable).join("\n")}\n`),
  log,
  status: (line) => void process.stderr.write(`\r\x1b[K${printable(line)}`),
  width: process.stdout.columns ?? 100,
  isTerminal: process.stderr.isTTY === true,
});
