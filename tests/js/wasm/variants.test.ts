// Are encodings the committed bits in every build that this engine runs?
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import committed from "../../fixtures/digests.txt?raw";
import { digestLines, digestText, fnv1a64, howToRenew, lcg, specsIn } from "../../golden/digests.mjs";
import { descriptions } from "../helpers/library";
import { randomNumbers } from "../helpers/numbers";
import { hasRelaxedSimd } from "../helpers/wasm";

describe("the digest", () => {
  it("is FNV-1a", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    expect(fnv1a64(bytes(""))).toBe("cbf29ce484222325");
    expect(fnv1a64(bytes("a"))).toBe("af63dc4c8601ec8c");
    expect(fnv1a64(bytes("foobar"))).toBe("85944171f73967e8");
  });

  it("sees a single bit", () => {
    expect(fnv1a64(Float32Array.of(0))).not.toBe(fnv1a64(Float32Array.of(-0)));
  });

  it("is of reproducible input", () => {
    expect([...lcg(3)]).toEqual([...randomNumbers(3, 1)]);
    expect(lcg(1)[0]).toBe((((1664525 + 1013904223) % 2 ** 32) >>> 8) / 2 ** 24 - 0.5);
  });
});

describe("the committed digests", async () => {
  const specs = specsIn(committed);
  const simd = await init({ variant: "simd", parts: "all" });

  it("cover every kind", () => {
    const kinds = new Set(specs.map(({ kind }) => kind));
    expect([...kinds].sort(), howToRenew).toEqual(descriptions.map(({ kind }) => kind).sort());
  });

  it.each(descriptions.map(({ kind }) => kind))("%s in simd", (kind) => {
    const lines = committed.trimEnd().split("\n");
    for (const spec of specs.filter((each) => each.kind === kind)) {
      const found = digestLines(simd, spec);
      const first = lines.indexOf(found[0]!);
      expect(found, `where bits had to change, ${howToRenew}`).toEqual(lines.slice(first, first + found.length));
    }
  });

  it("in scalar", async () => expect(digestText(await init({ variant: "scalar" }), specs)).toBe(committed));

  it.runIf(hasRelaxedSimd)("in relaxed", async () => {
    expect(digestText(await init({ variant: "relaxed", parts: "all" }), specs)).toBe(committed);
  });
});
