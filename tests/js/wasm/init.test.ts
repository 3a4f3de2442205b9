// Does loading work, and fail well?
import { init } from "posenc";
import { describe, expect, it } from "vitest";
import { loosely } from "../helpers/library";
import { expectSameBits, expectSameObject } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";
import { hasAllBuilds, hasRelaxedSimd, moduleBytes } from "../helpers/wasm";

const tableOf = (pe: Awaited<ReturnType<typeof init>>) =>
  pe.create({ kind: "sinusoidal", dim: 8 }).table({ length: 9 });
const html = new TextEncoder().encode("<!doctype html><title>404</title><p>No such file.</p>");

describe("init()", () => {
  it("is idempotent and says which build is in use", async () => {
    const first = await init();
    expectSameObject(await init(), first);
    expect(first.variant).toBe(hasRelaxedSimd ? "relaxed" : "simd");
  });

  it("may be called twice at once", async () => {
    const [first, second] = await Promise.all([init(), init()]);
    expectSameObject(first, second);
  });

  it.runIf(hasRelaxedSimd)("gives the relaxed build when asked", async () => {
    expect((await init({ variant: "relaxed" })).variant).toBe("relaxed");
  });

  it.skipIf(hasRelaxedSimd)("says that the engine lacks what a build needs", async () => {
    const error = await caught(() => init({ variant: "relaxed" }));
    expectError(error, "load-failed");
    expect((error as Error).message).toMatch(/relaxed/);
  });

  it.runIf(hasAllBuilds).each(["simd", "scalar"] as const)("gives the %s build when asked", async (variant) => {
    const pe = await init({ variant });
    expect(pe.variant).toBe(variant);
    expectSameBits(tableOf(pe).data, tableOf(await init()).data, variant);
  });

  it("refuses a variant that does not exist", async () => {
    expectError(await caught(() => init(loosely({ variant: "turbo" }))), "invalid-argument", "variant");
  });
});

describe("sources", () => {
  it("bytes", async () => {
    const bytes = await moduleBytes("simd");
    expectSameBits(tableOf(await init(bytes)).data, tableOf(await init()).data);
    expectSameBits(tableOf(await init(bytes.buffer as ArrayBuffer)).data, tableOf(await init()).data);
    expectSameBits(tableOf(await init({ source: bytes })).data, tableOf(await init()).data);
  });

  it.runIf(hasAllBuilds)(
    "a build that is told as what differs from the simd build: its bytes, or a module of them",
    async () => {
      const bytes = await moduleBytes("scalar");
      expect((await init(bytes)).variant).toBe("scalar");
      expect((await init(await WebAssembly.compile(bytes as BufferSource))).variant).toBe("scalar");
    },
  );

  it("a compiled module", async () => {
    const module = await WebAssembly.compile((await moduleBytes("scalar")) as BufferSource);
    expectSameBits(tableOf(await init(module)).data, tableOf(await init()).data);
  });

  it("a Response, with the right content type or without", async () => {
    const bytes = (await moduleBytes("simd")) as unknown as BodyInit;
    const typed = new Response(bytes, { headers: { "content-type": "application/wasm" } });
    expectSameBits(tableOf(await init(typed)).data, tableOf(await init()).data);
    const plain = new Response(bytes, { headers: { "content-type": "application/octet-stream" } });
    expectSameBits(tableOf(await init(plain)).data, tableOf(await init()).data);
  });

  it("a URL, as an object or as text", async () => {
    const bytes = await moduleBytes("simd");
    const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const url = `data:application/wasm;base64,${text}`;
    expectSameBits(tableOf(await init(url)).data, tableOf(await init()).data);
    expectSameBits(tableOf(await init(new URL(url))).data, tableOf(await init()).data);
  });
});

describe("a load that fails", () => {
  const cases: [string, () => Promise<unknown>, RegExp][] = [
    ["an HTML page instead of the module", async () => html, /html|wasm|404/i],
    ["no bytes", async () => new Uint8Array(0), /empty|0 bytes|wasm/i],
    ["half a module", async () => (await moduleBytes("simd")).slice(0, 5000), /./],
    ["another module", async () => Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0), /./],
    [
      "a build that differs from another version's",
      async () => {
        const bytes = (await moduleBytes("scalar")).slice();
        // The section's payload starts with the length of the build that it differs from.
        const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
        bytes[text.indexOf("posenc.difference") + "posenc.difference".length]! ^= 1;
        return bytes;
      },
      /not a build of the same version/,
    ],
    ["a response 404", async () => new Response(html as unknown as BodyInit, { status: 404 }), /404/],
    [
      "a response of HTML",
      async () => new Response(html as unknown as BodyInit, { headers: { "content-type": "text/html" } }),
      /html/i,
    ],
    ["a data URL of nothing", async () => "data:application/wasm;base64,@@@", /cannot fetch data:application\/wasm/],
    ["a data URL of HTML", async () => `data:text/html;base64,${btoa("<!doctype html>404")}`, /data:text\/html/],
    [
      "a URL that nothing answers",
      async () => "http://127.0.0.1:9/posenc.simd.wasm",
      /127\.0\.0\.1:9\/posenc\.simd\.wasm/,
    ],
    ["a URL that is none", async () => new URL("nowhere:posenc.wasm"), /nowhere:posenc\.wasm/],
  ];

  const differing = (name: string) => name.startsWith("a build that differs");
  it.each(cases.filter(([name]) => hasAllBuilds || !differing(name)))("%s", async (_, source, message) => {
    const error = await caught(async () => init(loosely(await source())));
    expectError(error, "load-failed");
    expect((error as Error).message).toMatch(message);
    expect((await init()).variant).toMatch(/relaxed|simd/);
  });

  it("refuses what is no source at all", async () => {
    expectError(await caught(() => init(loosely(42))), "invalid-argument");
    expectError(await caught(() => init(loosely({ source: {} }))), "invalid-argument");
  });

  it("can be tried again with the same arguments", async () => {
    const bytes = new Uint8Array(await moduleBytes("simd"));
    const magic = bytes[0]!;
    bytes[0] = 0x3c;
    expectError(await caught(() => init(bytes)), "load-failed");
    bytes[0] = magic;
    expectSameBits(tableOf(await init(bytes)).data, tableOf(await init()).data);
  });
});
