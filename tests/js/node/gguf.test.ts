// What `posenc inspect` reads of GGUF files: headers with every type, and files that lie.
import { describe, expect, it } from "vitest";
import { readGguf, type GgufHeader } from "../../../web/src/cli/gguf";
import { ggufOf, llamaGguf, text, typed, u32, u64 } from "../helpers/gguf";

const read = (bytes: Uint8Array): Promise<GgufHeader> =>
  readGguf({ size: bytes.length, read: (offset, length) => bytes.slice(offset, offset + length) });
const refusal = (bytes: Uint8Array) =>
  read(bytes).then(
    () => "read",
    (error) => `${error.name} ${error.code} ${error.message}`,
  );
const magic = [...new TextEncoder().encode("GGUF")];
const header = (...parts: number[][]) => Uint8Array.from([...magic, ...u32(3), ...parts.flat()]);

describe("a header", () => {
  it("has metadata of every type", async () => {
    const { metadata, version } = await read(
      ggufOf({
        a: typed.uint8(200),
        b: typed.int8(-3),
        c: typed.uint16(60000),
        d: typed.int16(-300),
        e: typed.uint32(4e9),
        f: typed.int32(-2e9),
        g: typed.float32(0.5),
        h: typed.bool(true),
        i: typed.string("größer"),
        j: typed.uint64(2n ** 63n),
        k: typed.int64(-5n),
        l: typed.float64(0.1),
        m: typed.array(4, [u32(1), u32(2)]),
        n: typed.array(9, [typed.array(8, [text("x")]).slice(4)]),
        ["__proto__"]: typed.array(8, []),
      }),
    );
    expect(version).toBe(3);
    expect(metadata).toEqual({
      ...{ a: 200, b: -3, c: 60000, d: -300, e: 4e9, f: -2e9, g: 0.5, h: true, i: "größer" },
      ...{ j: 2n ** 63n, k: -5, l: 0.1, m: [1, 2], n: [["x"]], ["__proto__"]: [] },
    });
  });
  it.each([2, 3])("of version %d has Llama 3's factors, and not its words", async (version) => {
    const file = llamaGguf();
    file[4] = version;
    const found = await read(file);
    expect(found).toMatchObject({ version, tensorCount: 2 });
    expect(found.metadata["llama.rope.freq_base"]).toBe(500000);
    expect(Object.keys(found.metadata)).toHaveLength(6);
    expect(Object.keys(found.factors)).toEqual(["rope_freqs.weight"]);
    expect(Array.from(found.factors["rope_freqs.weight"]!)).toEqual([1, 1, 1, 2, 4, 8, 8, 8]);
  });
  it("may have factors of float16, and another alignment", async () => {
    const bytes = new Uint8Array(Uint16Array.of(0x3c00, 0x4000).buffer);
    const entries = { "general.alignment": typed.uint32(16), x: typed.uint8(1) };
    const file = ggufOf(entries, [{ name: "rope_factors_long.weight", dims: [2], type: 1, bytes }]);
    const { factors } = await read(file);
    expect(Array.from(factors["rope_factors_long.weight"]!)).toEqual([1, 2]);
  });
});

describe("what is no header is refused", () => {
  const many = 2n ** 60n;
  it.each<[string, Uint8Array, RegExp]>([
    ["nothing", new Uint8Array(), /not a GGUF/],
    ["something else", new TextEncoder().encode("<!doctype html><html></html>"), /not a GGUF/],
    ["version 1", Uint8Array.from([...magic, ...u32(1), ...u64(0), ...u64(0)]), /unsupported .*version 1/],
    ["big-endian", Uint8Array.from([...magic, 0, 0, 0, 3, ...u64(0), ...u64(0)]), /unsupported .*big-endian/],
    ["tensors without end", header(u64(many), u64(0)), /number of tensors/],
    ["keys without end", header(u64(0), u64(many)), /number of keys/],
    ["a key beyond the end", header(u64(0), u64(1), u64(9000)), /length of a key/],
    ["a text beyond the end", header(u64(0), u64(1), text("a"), u32(8), u64(many)), /length of a/],
    ["a type that is none", header(u64(0), u64(1), text("a"), u32(77)), /type 77/],
    ["items beyond the end", header(u64(0), u64(1), text("a"), u32(9), u32(4), u64(many)), /items of a/],
    [
      "long items beyond the end",
      header(u64(0), u64(1), text("a"), u32(9), u32(12), u64(5000), Array(5000).fill(0)),
      /longer than the file/,
    ],
    ["nested arrays", header(u64(0), u64(1), text("a"), u32(9), ...Array(9).fill([...u32(9), ...u64(1)])), /nested/],
    [
      "texts without end",
      header(u64(0), u64(1), text("a"), u32(9), u32(8), u64(2 ** 21 + 1), Array(2 ** 21 + 1).fill(0)),
      /more than 2097152 items/,
    ],
    ["a key twice", header(u64(0), u64(2), text("a"), typed.bool(true), text("a"), typed.bool(true)), /twice/],
    ["many dims", header(u64(1), u64(0), text("a"), u32(99)), /99 dims/],
    ["an alignment of 0", ggufOf({ "general.alignment": typed.uint32(0) }), /alignment is 0/],
    [
      "factors beyond the end",
      ggufOf({}, [{ name: "rope_freqs.weight", dims: [2 ** 14], type: 0, bytes: new Uint8Array(8) }]),
      /beyond the end/,
    ],
    [
      "more factors than fit",
      ggufOf({}, [{ name: "rope_freqs.weight", dims: [2 ** 40], type: 0, bytes: new Uint8Array(8) }]),
      /more than any head/,
    ],
    [
      "quantised factors",
      ggufOf({}, [{ name: "rope_freqs.weight", dims: [8], type: 8, bytes: new Uint8Array(34) }]),
      /type 8/,
    ],
  ])("%s", async (_, bytes, message) => expect(await refusal(bytes)).toMatch(message));

  it("each file that ends early", async () => {
    const file = llamaGguf();
    const lengths = [...Array(200).keys(), ...Array.from({ length: 40 }, (_, i) => 200 + 1999 * i)];
    for (const length of lengths.filter((one) => one < file.length - 64))
      expect(await refusal(file.slice(0, length)), `${length} bytes`).toMatch(/^PosencError load-failed source: /);
  });
  it("damaged ones, if they are refused at all, by a PosencError", async () => {
    const file = ggufOf(
      { a: typed.array(4, [u32(1), u32(2)]), "general.alignment": typed.uint32(32), b: typed.string("text") },
      [{ name: "rope_freqs.weight", dims: [2], type: 0, bytes: new Uint8Array(8) }],
    );
    let refused = 0;
    for (let at = 0; at < file.length; at++)
      for (const value of [0, 1, 9, 127, 255]) {
        const other = file.slice();
        other[at] = value;
        const message = await refusal(other);
        if (message !== "read") expect(message).toMatch(/^PosencError (load-failed|unsupported) source: /);
        refused += Number(message !== "read");
      }
    expect(refused).toBeGreaterThan(100);
  });
});
