// Are encodings the committed bits in the relaxed build? Node 20 runs it only with a flag, so in a process of its own.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { hasAllBuilds } from "../helpers/wasm";

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const flag = "--experimental-wasm-relaxed-simd";
// Newer engines have relaxed SIMD without the flag, and refuse a flag that they no longer know.
const flags =
  process.allowedNodeEnvironmentFlags.has(flag) || Number(process.versions.node.split(".")[0]) < 22 ? [flag] : [];

it.runIf(hasAllBuilds).each(["relaxed", "simd", "scalar"])("digests of %s in a process of its own", (variant) => {
  const script = pathOf("golden/digest.mjs");
  const text = execFileSync(process.execPath, [...flags, script, variant], { encoding: "utf8" });
  expect(text).toBe(readFileSync(pathOf("fixtures/digests.txt"), "utf8"));
});
