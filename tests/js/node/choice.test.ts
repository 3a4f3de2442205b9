// Which build `init()` takes: the fastest that the engine has, and that computes rightly there.
import { afterEach, expect, it, vi } from "vitest";
import { hasAllBuilds, hasRelaxedSimd } from "../helpers/wasm";

const fastestFirst = ["relaxed", "simd", "scalar"].slice(hasRelaxedSimd ? 0 : 1);

/** The library as a page gets it that has not asked before. */
async function freshInit(): Promise<string> {
  vi.resetModules();
  const { init } = await import("posenc");
  return (await init()).variant;
}

// i32.const of what the self-test's rotations add up to (cpp/bindings/self_test.cpp), in LEB128.
const known = [0x41, 0xd6, 0xe2, 0x86, 0xa7, 0x7c];

/** An engine in which the first `count` of the builds that it is given get other numbers than they know. */
function computeWrongly(count: number): () => number {
  const compile = WebAssembly.compile;
  const spoilt = new Set<WebAssembly.Module>();
  const instantiate = WebAssembly.instantiate as (module: WebAssembly.Module, imports: object) => Promise<unknown>;
  const bytesOf = new Map<WebAssembly.Module, Uint8Array>();
  vi.spyOn(WebAssembly, "compile").mockImplementation(async (source) => {
    const module = await compile(source);
    bytesOf.set(module, new Uint8Array(source as ArrayBuffer).slice());
    return module;
  });
  vi.spyOn(WebAssembly, "instantiate").mockImplementation((async (module: WebAssembly.Module, imports: object) => {
    if (spoilt.size < count) spoilt.add(module);
    if (!spoilt.has(module)) return instantiate(module, imports);
    const bytes = Buffer.from(bytesOf.get(module)!);
    const at = bytes.indexOf(Buffer.from(known));
    expect(at).toBeGreaterThan(0);
    bytes[at + 1]! ^= 1;
    return instantiate(await compile(bytes), imports);
  }) as never);
  return () => spoilt.size;
}

afterEach(() => vi.restoreAllMocks());

it("the fastest that the engine has", async () => expect(await freshInit()).toBe(fastestFirst[0]));

it.runIf(hasAllBuilds)("the scalar one where there is no SIMD", async () => {
  vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
  expect(await freshInit()).toBe("scalar");
});

it.runIf(hasAllBuilds).each(fastestFirst.slice(1).map((name, i) => [i + 1, name] as const))(
  "where %i of the fastest compute wrongly, %s",
  async (count, name) => {
    const wrong = computeWrongly(count);
    expect(await freshInit()).toBe(name);
    expect(wrong()).toBe(count);
  },
);

it("none where all compute wrongly, and says so", async () => {
  computeWrongly(fastestFirst.length);
  await expect(freshInit()).rejects.toThrow(`this engine computes wrong results with the ${fastestFirst[0]} build`);
});

it("the main entry finds its builds on Node's disk, too", async () => {
  const address = new URL("../../../dist/index.js", import.meta.url).href;
  const { init } = (await import(/* @vite-ignore */ address)) as typeof import("posenc");
  const pe = await init({ variant: "simd" });
  expect(pe.create({ kind: "integer", dim: 1 }).table({ positions: [3] }).data[0]).toBe(3);
});
