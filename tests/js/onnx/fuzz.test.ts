// Models that are damaged at random: each opens, or is refused with the library's own error, and soon. By hand, in Node:
// POSENC_FUZZ_SEED=7 POSENC_FUZZ_RUNS=5000 npx vitest run --config tests/js/vitest.config.ts --project node onnx/fuzz
import { describe, expect, it } from "vitest";
import { besides, fixtureBytes, modelFiles, openModel, PosencError } from "../helpers/onnx-models";
import { mutated, placesOf, randomFrom } from "../helpers/onnx-mutate";
import { bytes, floats, frequencies, graphAttribute, graphOf, integer, join, modelOf } from "../helpers/onnx-proto";
import { node, raw, rotating, rotation, smallest, tensor } from "../helpers/onnx-proto";
import { pe } from "../helpers/library";
import { caught } from "../helpers/refusals";

declare const __FUZZ_SEED__: number;
declare const __FUZZ_RUNS__: number;

/** No mutant may take longer. */
const most = 2000;
const limit = Math.max(60_000, 1000 * __FUZZ_RUNS__);

const axis = join(bytes(1, "axis"), integer(3, 0), integer(20, 2));
const waves = (of: (angle: number) => number) =>
  Array.from({ length: 32 }, (_, i) => of((i >> 2) * frequencies[i % 4]!));
/** One of every family, and of what graphs are made of. */
const small: [string, Uint8Array<ArrayBuffer>][] = [
  ["frequencies", smallest],
  ["float16", rotating(tensor("inv", 10, [4], bytes(5, [128, 120, 230, 92, 159, 66, 153, 40])))],
  [
    "tables in an If",
    modelOf({
      nodes: [
        node("If", "long", "u v", graphAttribute("then_branch", graphOf({ nodes: rotation }))),
        node("Gather", "c position_ids", "cos", axis),
        node("Gather", "s position_ids", "sin", axis),
        ...rotation.slice(3),
      ],
      constants: [floats("c", [8, 4], waves(Math.cos)), floats("s", [8, 4], waves(Math.sin))],
      inputs: ["position_ids", "x", "long"],
    }),
  ],
  [
    "a learned table and slopes",
    modelOf({
      nodes: [
        node("Gather", "t position_ids", "rows"),
        node("Add", "x rows", "y"),
        node("Mul", "distance slopes", "bias"),
        node("Add", "y bias", "scores"),
        node("Softmax", "scores", "p"),
        node("MatMul", "p y", "z"),
      ],
      constants: [
        floats("t", [4, 8], waves(Math.exp)),
        floats("slopes", [4, 1], [0.25, 0.0625, 0.015625, 0.00390625]),
        tensor("ids", 7, [1, 4], raw(BigInt64Array.of(0n, 1n, 2n, 3n))),
      ],
      inputs: ["position_ids", "x", "distance"],
    }),
  ],
];

async function survives(file: Uint8Array<ArrayBuffer>, externalData: Record<string, Uint8Array>, inParts: boolean) {
  const read = (at: number, length: number) => file.slice(at, at + length);
  const start = performance.now();
  const error = await caught(async () => {
    const model = await openModel(inParts ? { size: file.length, read } : file, { externalData });
    // What opens can be changed, or says why not.
    const rotary = { kind: "rope-yarn", factor: 4, originalLength: 64 } as const;
    const changed = await model.rewrite(pe, { rotary, length: 100, resize: "linear", angles: "float32" });
    await changed.bytes();
  });
  return { error, took: performance.now() - start };
}

async function fuzz(
  file: Uint8Array<ArrayBuffer>,
  externalData: Record<string, Uint8Array>,
  runs: number,
  salt: number,
) {
  const random = randomFrom(__FUZZ_SEED__ + salt);
  const places = placesOf(file);
  expect(places.length).toBeGreaterThan(20);
  let opened = 0;
  for (let run = 0; run < runs; run++) {
    const mutant = mutated(file, places, random);
    const { error, took } = await survives(mutant, externalData, run % 2 === 1);
    const what = () => `seed ${__FUZZ_SEED__}, run ${run}: ${(error as Error | undefined)?.stack}`;
    if (error && !(error instanceof PosencError)) expect.fail(what());
    if (error) expect((error as PosencError).message, what()).toMatch(/\S{3}/);
    if (took >= most) expect.fail(`${what()} took ${took} ms`);
    opened += error ? 0 : 1;
  }
  return opened;
}

describe("damaged at random", () => {
  it.each(small)("%s", { timeout: limit }, async (name, file) => {
    const opened = await fuzz(file, {}, 8 * __FUZZ_RUNS__, name.length);
    // Mutants that are all refused would say nothing of what comes after the reader.
    expect(opened).toBeGreaterThan(0);
  });
  it.each(modelFiles)("%s", { timeout: limit }, async (name) => {
    const opened = await fuzz(await fixtureBytes(name), await besides(name), Math.ceil(__FUZZ_RUNS__ / 5), name.length);
    expect(opened).toBeGreaterThanOrEqual(0);
  });
});
