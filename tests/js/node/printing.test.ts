// What consoles show: one line for each object, with names that people know, and nothing of what is inside.
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createAny, createRotary, createTable, loosely, pe } from "../helpers/library";

const rope = createRotary({ kind: "rope", dim: 64 });
const learned = createTable({ kind: "learned", length: 8, dim: 4 });
const cache = () => pe.cache({ heads: 2, dim: 4, capacity: 8 });

it.each<[string, () => object, RegExp]>([
  ["an encoding", () => rope, /^RotaryEncoding \{ kind: "rope", dim: 64, .*base: 10000, pairing: "half".* \}$/],
  ["a table", () => learned, /^LearnedTable \{ kind: "learned", length: 8, dim: 4, .*\}$/],
  ["a bias", () => createAny({ kind: "alibi", heads: 2 }) as object, /^AlibiBias \{ kind: "alibi", heads: 2/],
  ["a relative encoding", () => createAny({ kind: "pope", dim: 4, heads: 1 }) as object, /^PolarRelative \{ kind/],
  [
    "long lists",
    () => createRotary({ kind: "rope", dim: 64, frequencies: Array(32).fill(0.5) }),
    /\[0\.5, 0\.5, 0\.5, …\]/,
  ],
  [
    "a tensor",
    () => pe.tensor([1, -2, 0.1, 4, 5, 6], [2, 3]),
    /^WasmTensor float32 \[2, 3\] \[\[1, -2, 0\.1\], \[4, 5, 6\]\]$/,
  ],
  [
    "a large tensor",
    () => pe.tensor([2, 3, 64, 64]),
    /^WasmTensor float32 \[2, 3, 64, 64\] \[\[\[\[0, 0, 0, …\], .*…\]$/,
  ],
  ["one number", () => pe.tensor([7], []), /^WasmTensor float32 \[\] 7$/],
  ["no numbers", () => pe.tensor([0, 4]), /^WasmTensor float32 \[0, 4\] \[\]$/],
  [
    "float16",
    () => pe.tensor([1, -2, 1e-7, Infinity], [4], { type: "float16" }),
    /float16 \[4\] \[1, -2, 1\.1921e-7, Infinity\]$/,
  ],
  ["bfloat16", () => pe.tensor([1, -2, 0.5], [3], { type: "bfloat16" }), /^WasmTensor bfloat16 \[3\] \[1, -2, 0\.5\]$/],
  ["a parameter", () => loosely(learned).weights, /^ParameterTensor float32 \[8, 4\] \[\[/],
  ["an instance", () => pe, /^Posenc \{ variant: "\w+", threads: 1, liveBytes: \d+ \}$/],
  [
    "a cache",
    cache,
    /^KeyValueCache \{ type: "float32", batch: 1, heads: 2, dim: 4, valueDim: 4, capacity: 8, length: 0 \}$/,
  ],
])("%s is one line", (_, make, line) => {
  const text = inspect(make());
  expect(text).toMatch(line);
  expect(text.length).toBeLessThan(700);
  expect(String(make())).toMatch(line);
  expect(inspect({ inside: [make()] })).toContain(text.slice(0, 20));
});

it("what is disposed says so", () => {
  const things = [pe.tensor([2]), createRotary({ kind: "rope", dim: 4 }), cache()];
  for (const thing of things) {
    thing.dispose();
    expect(inspect(thing)).toMatch(/\(disposed\)$/);
  }
});

describe("without the names that Node asks for, as browsers show it", () => {
  it.each<[string, () => object]>([
    ["an encoding", () => rope],
    ["a tensor", () => pe.tensor([2])],
    ["a cache", cache],
  ])("%s shows little of what is inside", (_, make) => {
    const text = inspect(make(), { customInspect: false, depth: 8 });
    expect(text.split("\n").length).toBeLessThan(60);
    expect(text).not.toMatch(/HEAPU8|_posenc_call/);
  });
});

it("classes keep their names", () => {
  for (const encoding of [rope, learned, pe, pe.tensor([1]), cache()])
    expect(encoding.constructor.name).toMatch(/^(RotaryEncoding|LearnedTable|Posenc|WasmTensor|KeyValueCache)$/);
});
