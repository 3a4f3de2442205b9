// The parts of the simd build: base and parts together have the data of the whole build, each byte where it was.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { wasmParts } from "../../web/src/wasm/parts";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { sectionOf } from "../../web/tasks/wasm-section.mjs";
import { isWhole } from "./whole";

/** The constant data of a module: bytes by address. */
function dataOf(name: string): Map<number, number> {
  const { number, take } = sectionOf(readFileSync(inRoot("dist", `posenc.${name}.wasm`)), 11);
  const found = new Map<number, number>();
  for (let left = number(); left > 0; left--) {
    // Memory 0, i32.const.
    expect([...take(2)]).toEqual([0, 0x41]);
    const from = number();
    expect([...take(1)]).toEqual([0x0b]);
    for (const [i, byte] of take(number()).entries()) found.set(from + i, byte);
  }
  return found;
}

describe.runIf(isWhole)("data of the parts", () => {
  const whole = dataOf("simd");
  const files = ["base", ...wasmParts].map((name) => [name, dataOf(name)] as const);
  it("is that of the whole build, in each file", () => {
    for (const [name, data] of files) {
      const other = [...data].filter(([address, byte]) => byte !== (whole.get(address) ?? 0));
      expect(other, name).toEqual([]);
    }
  });
  it("is all of it, together", () => {
    const lost = [...whole].filter(([address, byte]) => byte !== 0 && !files.some(([, data]) => data.has(address)));
    expect(lost).toEqual([]);
  });
  it("is in the base only if the base may use it", () => {
    const [[, base], ...parts] = files;
    expect(whole.size - base!.size).toBeGreaterThan(6000);
    for (const [name, data] of parts) expect(data.size, name).toBeGreaterThan(100);
  });
});
