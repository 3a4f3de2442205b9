// What another window, an iframe or jest's vm made is what it is: arrays, tensors, options, sources.
import vm from "node:vm";
import { init, PosencError } from "posenc";
import { describe, expect, it } from "vitest";
import { createBias, createRotary, createTable, loosely, pe } from "../helpers/library";
import { expectSameBits, randomTensor } from "../helpers/numbers";
import { hasAllBuilds, moduleBytes } from "../helpers/wasm";

const other = vm.createContext({});
/** The same value, made of the other realm's classes. */
function foreign(value: unknown): any {
  const made = (code: string, given: unknown) => vm.runInContext(`(given) => ${code}`, other)(given);
  if (ArrayBuffer.isView(value)) return made(`${value.constructor.name}.from(given)`, value);
  if (Array.isArray(value)) return made("Array.from(given)", value.map(foreign));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([name, item]) => [name, foreign(item)]);
  return made("Object.fromEntries(Array.from(given, (entry) => Array.from(entry)))", entries);
}

const rope = createRotary({ kind: "rope", dim: 8 });
const alibi = createBias({ kind: "alibi", heads: 2 });
const table = createTable({ kind: "sinusoidal", dim: 8 });
const x = () => randomTensor([1, 2, 3, 8], 5);

describe("a call whose arguments are of another realm", () => {
  const calls: [string, (made: (value: unknown) => any) => any][] = [
    ["apply", (made) => rope.apply(made(x()), made({ positions: [3, 1, 2], inverse: true })).data],
    ["apply, floats", (made) => rope.apply(made(x()), made({ positions: Float64Array.of(3, 1, 2) })).data],
    ["apply, int64", (made) => rope.apply(made(x()), made({ positions: BigInt64Array.of(3n, 1n, 2n) })).data],
    ["addTo", (made) => table.addTo(made(x()), made({ positions: { data: Int32Array.of(3, 1, 2), dims: [3] } })).data],
    [
      "attention",
      (made) =>
        pe.attention(made(x()), made(x()), made(x()), {
          encoding: rope,
          ...made({ causal: true, window: [1, 0], mask: [1, 0, 1], sinks: [1, 2], out: x() }),
        }).data,
    ],
    [
      "attention's mask",
      (made) => pe.attention(x(), x(), x(), { mask: made({ data: Uint8Array.of(1, 0, 1), dims: [3] }) }).data,
    ],
    ["bias", (made) => alibi.bias(made({ queries: 1, keys: 2, keyPositions: Int32Array.of(0, 4) })).data],
    ["tensor", (made) => pe.tensor(made(Float32Array.of(1, 2)), made([2])).data],
    [
      "create",
      (made) => createRotary(made({ kind: "rope", dim: 4, frequencies: Float64Array.of(1, 0.5) })).inverseFrequencies,
    ],
    [
      "load",
      (made) =>
        createTable({ kind: "learned", length: 1, dim: 2 }).load(made({ weights: Float32Array.of(3, 4) })).weights.data,
    ],
    [
      "fromConfig",
      (made) =>
        loosely(
          pe.fromConfig(
            made({
              hidden_size: 8,
              num_attention_heads: 1,
              rope_theta: 9,
              rope_scaling: { type: "mrope", mrope_section: [2, 1, 1] },
            }),
          ),
        ).inverseFrequencies,
    ],
    ["positionIds", (made) => pe.positionIds(made([[1, 1, 0]]), made({ padding: 5 })).data],
    ["positionIds of lengths", (made) => pe.positionIds(made({ cuSeqlens: Int32Array.of(0, 2, 3) })).data],
    ["gridPositionIds", (made) => pe.gridPositionIds(made([2, 2]), made({ mergeSize: 2 })).data],
    ["mropePositionIds", (made) => pe.mropePositionIds(made([{ text: 1 }, { image: [1, 2, 2] }])).positions.data],
    ["glmPositionIds", (made) => pe.glmPositionIds(made([[3, 4]]), made({ bosTokenId: 4, maskPosition: 0 })).data],
    ["resizeTable", (made) => pe.resizeTable(made(randomTensor([4, 2])), made({ grid: [3, 3] })).data],
    [
      "permuteWeights",
      (made) =>
        pe.permuteWeights(
          made(randomTensor([4, 2])),
          made({ heads: 1, from: "half", to: "interleaved", out: randomTensor([4, 2]) }),
        ).data,
    ],
    ["toFloat32", (made) => pe.toFloat32(made({ type: "float16", data: Uint16Array.of(15360), dims: [1] })).data],
    [
      "step",
      (made) => {
        const learned = createTable({ kind: "learned", length: 1, dim: 2, seed: 3 });
        learned.backward({ data: Float32Array.of(1, 2), dims: [1, 2] });
        return learned.step(made({ optimizer: "adam", learningRate: 0.1, betas: [0.5, 0.5] })).weights.data;
      },
    ],
  ];
  it.each(calls)("%s", (_, call) => {
    const own = call((value) => value);
    const result = call(foreign);
    if (own instanceof Float32Array) expectSameBits(Float32Array.from(result), own);
    else expect(Array.from(result as Iterable<number>)).toEqual(Array.from(own as Iterable<number>));
  });
});

describe("a source of another realm", () => {
  it.runIf(hasAllBuilds)("options, bytes, a buffer, a module, an address", async () => {
    const bytes = (await moduleBytes("simd")).slice();
    const made = foreign(bytes);
    expect((await init(foreign({ variant: "scalar" }))).variant).toBe("scalar");
    expect((await init(made)).variant).toBe("simd");
    expect((await init(made.buffer)).variant).toBe("simd");
    const compiled = vm.runInContext("(bytes) => new WebAssembly.Module(bytes)", other)(bytes);
    expect((await init(compiled)).variant).toBe("simd");
    expect((await init(loosely({ source: new Response(bytes) }))).variant).toBe("simd");
  });

  it("and its errors are errors", () => {
    const Own = vm.runInContext("class PosencError extends Error { name = 'PosencError' }; PosencError", other);
    expect(new Own("x")).toBeInstanceOf(PosencError);
    expect(vm.runInContext("new Error('x')", other)).not.toBeInstanceOf(PosencError);
  });
});
