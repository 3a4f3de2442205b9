#!/usr/bin/env node
// Prints the digests of a build as JSON, to compare with other builds:
//   node tests/golden/digest.mjs [auto|relaxed|simd|scalar]
// The relaxed build needs `node --experimental-wasm-relaxed-simd` in Node 20.
import { init } from "posenc";
import { digests } from "./digests.mjs";

const [variant = "auto"] = process.argv.slice(2);
try {
  const pe = await init({ variant });
  console.log(JSON.stringify(digests(pe), null, 2));
} catch (error) {
  console.error(`digest: ${error.message}`);
  process.exitCode = 1;
}
