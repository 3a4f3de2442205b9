// One bit of the wasm that is wrong: an error that says so, never a trap, a hang or wrong numbers.
import { init } from "posenc";
import { expect, it, vi } from "vitest";
import { schema } from "../../../web/src/base/calls.gen";
import { checksumOf } from "../../../web/src/wasm/checksum";
import { caught, expectError } from "../helpers/refusals";
import { moduleBytes } from "../helpers/wasm";

/** Mulberry32: the same flips in each run. */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

it.each(["simd", "scalar", "relaxed"] as const)("a flipped bit of the %s file is load-failed", async (variant) => {
  const bytes = await moduleBytes(variant);
  const next = random(20261122);
  const offsets = [0, 3, 7, 8, 9, 10, bytes.length - 1, bytes.length - 4, bytes.length - 8];
  for (let i = 0; i < 30; i++) offsets.push(Math.floor(next() * bytes.length));
  // What says how long things are stands at the beginning of a difference.
  if (variant !== "simd") for (let i = 11; i < 45; i++) offsets.push(i);
  for (const offset of offsets) {
    const damaged = bytes.slice();
    damaged[offset]! ^= 1 << Math.floor(next() * 8);
    const error = await caught(() => init(damaged));
    expectError(error, "load-failed");
    expect((error as Error).message, `byte ${offset}`).toMatch(/^source: /);
  }
});

it("a build that knows other calls is load-failed, before any of them", async () => {
  const bytes = Buffer.from(await moduleBytes("simd"));
  const known = Buffer.from(Float64Array.of(schema).buffer);
  const offset = bytes.indexOf(known);
  expect(offset).toBeGreaterThan(0);
  bytes[offset]! ^= 1;
  bytes[offset + 5]! ^= 1;
  bytes.writeUInt32LE(checksumOf(bytes.subarray(0, -4)), bytes.length - 4);
  const error = await caught(() => init(bytes));
  expectError(error, "load-failed", "source");
  expect((error as Error).message).toContain("not a build of this version of posenc");
});

it("without WebAssembly: load-failed, and the next try works", async () => {
  const original = globalThis.WebAssembly;
  const bytes = (await moduleBytes("simd")).slice();
  // Nobody may have loaded the build before.
  vi.resetModules();
  const { init, PosencError } = await import("posenc");
  const refused = async (source?: Uint8Array) => {
    const error = await caught(() => init((source ?? { variant: "simd" }) as never));
    expect(error).toBeInstanceOf(PosencError);
    expect(error).toMatchObject({ code: "load-failed", field: "source" });
  };
  try {
    Object.assign(globalThis, { WebAssembly: undefined });
    await refused(bytes);
    await refused();
  } finally {
    Object.assign(globalThis, { WebAssembly: original });
  }
  expect((await init(bytes as BufferSource)).variant).toBe("simd");
});
