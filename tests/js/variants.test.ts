// Are encodings the same bits in every build that this engine runs?
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { digests, fnv1a64, lcg } from "../golden/digests.mjs";
import { descriptions } from "./helpers/library";
import { randomNumbers } from "./helpers/numbers";
import { hasRelaxedSimd } from "./helpers/wasm";

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

describe("scalar and simd", async () => {
  const [scalar, simd] = [digests(await init({ variant: "scalar" })), digests(await init({ variant: "simd" }))];

  it("cover every kind", () => {
    const covered = new Set(Object.keys(scalar).map((name) => name.split("/")[0]));
    expect([...covered].sort()).toEqual(descriptions.map((entry) => entry.kind).sort());
  });

  it.each(Object.keys(scalar))("%s", (name) => expect(simd[name]).toBe(scalar[name]));

  it.runIf(hasRelaxedSimd)("and relaxed", async () => {
    expect(digests(await init({ variant: "relaxed" }))).toEqual(scalar);
  });
});
