// Are encodings the same bits in the relaxed build? Node 20 runs it only with a flag, so in a process of its own.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { digests } from "../../golden/digests.mjs";

const script = fileURLToPath(new URL("../../golden/digest.mjs", import.meta.url));
const flag = "--experimental-wasm-relaxed-simd";

function digestsOf(variant: string): Record<string, string> {
  // Newer engines have relaxed SIMD without the flag, and refuse a flag that they no longer know.
  const flags =
    process.allowedNodeEnvironmentFlags.has(flag) || Number(process.versions.node.split(".")[0]) < 22 ? [flag] : [];
  return JSON.parse(execFileSync(process.execPath, [...flags, script, variant], { encoding: "utf8" }));
}

describe("relaxed, simd and scalar", () => {
  it("have the same digests, in this process and in others", async () => {
    const here = digests(await init({ variant: "scalar" }));
    expect(Object.keys(here).length).toBeGreaterThan(50);
    for (const variant of ["relaxed", "simd", "scalar"]) expect(digestsOf(variant), variant).toEqual(here);
  });
});
