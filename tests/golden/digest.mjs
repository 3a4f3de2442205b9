#!/usr/bin/env node
// Prints the digests of a build, for the specs of the committed ones (see digests.mjs):
//   node tests/golden/digest.mjs [auto|relaxed|simd|scalar]
// The relaxed build needs `node --experimental-wasm-relaxed-simd` in Node 20.
import { readFileSync } from "node:fs";
import { init } from "posenc";
import { digestText, specsIn } from "./digests.mjs";

const [variant = "auto"] = process.argv.slice(2);
try {
  const committed = readFileSync(new URL("../fixtures/digests.txt", import.meta.url), "utf8");
  process.stdout.write(digestText(await init({ variant }), specsIn(committed)));
} catch (error) {
  console.error(`digest: ${error.message}`);
  process.exitCode = 1;
}
