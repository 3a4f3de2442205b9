// Models that are damaged at random: each opens, or is refused with the library's own error, and soon. By hand, in Node:
// POSENC_FUZZ_SEED=7 POSENC_FUZZ_RUNS=5000 npx vitest run --config tests/js/vitest.config.ts --project node onnx/fuzz
import { describe, expect, it } from "vitest";
import { besides, fixtureBytes, modelFiles, openModel, PosencError } from "../helpers/onnx-models";
import { mutated, offsetsOf, randomFrom } from "../helpers/onnx-mutate";
import { restructured } from "../helpers/onnx-restructure";
import { bytes, floats, frequencies, graphAttribute, graphOf, integer, join, modelOf } from "../helpers/onnx-proto";
import { node, raw, rotating, rotation, smallest, tensor } from "../helpers/onnx-proto";
import { pe } from "../helpers/library";
import { caught } from "../helpers/refusals";
import { expected, wildBytes } from "../helpers/wild-models";
import type { RewriteOptions } from "posenc/onnx";

declare const __FUZZ_SEED__: number;
declare const __FUZZ_RUNS__: number;

/** No mutant may take longer: one that does has hung. */
const most = 20_000;
const limit = Math.max(60_000, 1000 * __FUZZ_RUNS__);

const axis = join(bytes(1, "axis"), integer(3, 0), integer(20, 2));
const sinusoids = (of: (angle: number) => number) =>
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
      constants: [floats("c", [8, 4], sinusoids(Math.cos)), floats("s", [8, 4], sinusoids(Math.sin))],
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
        floats("t", [4, 8], sinusoids(Math.exp)),
        floats("slopes", [4, 1], [0.25, 0.0625, 0.015625, 0.00390625]),
        tensor("ids", 7, [1, 4], raw(BigInt64Array.of(0n, 1n, 2n, 3n))),
      ],
      inputs: ["position_ids", "x", "distance"],
    }),
  ],
];

/** All that a rewrite can be asked for, alone and together. */
const asked: readonly RewriteOptions[] = [
  { rotary: { kind: "rope-yarn", factor: 4, originalLength: 64 }, length: 100, resize: "linear", angles: "float32" },
  { attention: true },
  { tables: "inputs" },
  { rotary: { kind: "rope-linear", factor: 4 }, attention: true },
  { bias: { kind: "alibi" }, length: 80 },
  { bias: { kind: "t5", maxDistance: 200 }, angles: "float32" },
  { bias: { kind: "deberta", maxDistance: 300 }, angles: "float32" },
  { grid: [3, 5], resize: "bicubic" },
  { window: 5 },
  { remap: { kind: "self-extend", group: 4, window: 8 }, temperature: { factor: 0.1, length: 16 } },
  { remap: { kind: "dual-chunk", chunk: 16, local: 4, trained: 32 } },
  { window: (layer) => (layer === 1 ? [3, 0] : undefined), attention: true },
  { length: 12, resize: "nearest", attention: true },
  { tables: "inputs", length: 80, attention: true, grid: [4, 4], angles: "float32" },
];
const configs = [
  { model_type: "llama", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, max_position_embeddings: 256 },
  { model_type: "bloom", n_head: 4, hidden_size: 64, n_layer: 2 },
  { model_type: "gpt2", n_positions: 128, n_embd: 64, n_head: 4, n_layer: 2 },
  undefined,
];

/** What was thrown by all that was asked of a mutant, how many rewrites it took, and how long the slowest step lasted. */
async function survives(file: Uint8Array<ArrayBuffer>, externalData: Record<string, Uint8Array>, run: number) {
  const read = (at: number, length: number) => file.slice(at, at + length);
  const open = (of: Uint8Array<ArrayBuffer>) => openModel(run % 2 ? { size: of.length, read } : of, { externalData });
  const errors: unknown[] = [];
  const unread: unknown[] = [];
  let [written, took] = [0, 0];
  const attempt = async (what: () => Promise<unknown>, into = errors) => {
    const start = performance.now();
    const error = await caught(what);
    took = Math.max(took, performance.now() - start);
    if (error) into.push(error);
  };
  await attempt(async () => {
    const model = await open(file);
    model.audit(pe, configs[run % configs.length]);
    // What opens can be changed in every way, or says why not.
    for (const options of asked)
      await attempt(async () => {
        const bytes = await (await model.rewrite(pe, { ...options, partial: true })).bytes();
        written++;
        await attempt(() => openModel(bytes, { externalData }), unread);
      });
  });
  return { errors, unread, written, took };
}

async function fuzz(
  file: Uint8Array<ArrayBuffer>,
  externalData: Record<string, Uint8Array>,
  runs: number,
  salt: number,
) {
  const random = randomFrom(__FUZZ_SEED__ + salt);
  const offsets = offsetsOf(file);
  expect(offsets.length).toBeGreaterThan(20);
  let opened = 0;
  for (let run = 0; run < runs; run++) {
    const mutant = random(2) ? mutated(file, offsets, random) : restructured(file, random);
    const { errors, unread, written, took } = await survives(mutant, externalData, run);
    const what = (of: unknown) => `seed ${__FUZZ_SEED__}, run ${run}: ${(of as Error | undefined)?.stack}`;
    for (const error of errors) {
      if (!(error instanceof PosencError)) expect.fail(what(error));
      if (!/\S{3}/.test(error.message)) expect.fail(`no message: ${what(error)}`);
    }
    if (unread.length > 0) expect.fail(`what was written cannot be read, ${what(unread[0])}`);
    if (took >= most) expect.fail(`${what(errors[0])} took ${took} ms`);
    opened += written > 0 ? 1 : 0;
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
  it.each(Object.keys(expected))("%s", { timeout: limit }, async (name) => {
    const opened = await fuzz(await wildBytes(name), {}, Math.ceil(__FUZZ_RUNS__ / 20), name.length);
    expect(opened).toBeGreaterThanOrEqual(0);
  });
});
