// Tables whose first rows no token reads (RoBERTa, OPT, BART), from a model's config to the rows beside a mask.
import { addPositional } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { createTable, loosely, pe } from "../helpers/library";
import { expectSameBits, range } from "../helpers/numbers";
import { describeRefusals } from "../helpers/refusals";
import type { Refusal } from "../helpers/refusals";

interface Case {
  config: Record<string, unknown>;
  mask?: number[][];
  rows: number[][];
}
const [file] = Object.values(
  import.meta.glob<{ cases: Case[] }>("../../fixtures/skipped-rows.json", { eager: true, import: "default" }),
);

/** Weights that tell their row. */
const telling = (length: number, dim: number) =>
  Float32Array.from({ length: length * dim }, (_, i) => Math.floor(i / dim));

describe.each(file!.cases)("$config.model_type, padding $config.pad_token_id", ({ config, mask, rows }) => {
  const encoding: ReturnType<typeof createTable> = loosely(pe.fromConfig(config));
  const { length, start = 0 }: { length: number; start?: number } = loosely(encoding.spec);
  encoding.load(telling(length, encoding.dim));
  const dims = [rows.length, rows[0]!.length, encoding.dim];
  const zeros = () => ({ type: "float32" as const, data: new Float32Array(dims[0]! * dims[1]! * dims[2]!), dims });
  const given = mask && { mask: { data: Int32Array.from(mask.flat()), dims: dims.slice(0, 2) } };

  it("addPositional reads the rows that the model reads", () => {
    const { data } = addPositional(zeros(), encoding, loosely(given ?? {}));
    expect([...data]).toEqual(rows.flat().flatMap((row) => range(encoding.dim).map(() => row)));
  });

  it("so do the positions and the ids of positionIds", () => {
    if (!mask) return expect([...encoding.table({ length: 1 }).data]).toEqual([start, start]);
    const positions = pe.positionIds(mask, { padding: -1 }).data;
    expect([...encoding.addTo(zeros(), { positions }).data]).toEqual(rows.flat().flatMap((row) => [row, row]));
    expect([...pe.positionIds(mask, { start }).data]).toEqual(rows.flat());
  });
});

describe("start", () => {
  const create = (fields: object = {}) => createTable({ kind: "learned", length: 6, dim: 2, start: 2, ...fields });

  it("moves gradients, the padding row and frequencies, too", () => {
    const emb = create();
    const gradient = { data: Float32Array.from([1, 1, 2, 2, 4, 4, 8, 8]), dims: [4, 2] };
    emb.backward(gradient, { positions: [-1, 0, 0, 3], paddingIndex: 1 });
    expect([...emb.gradient.data]).toEqual([0, 0, 0, 0, 6, 6, 0, 0, 0, 0, 8, 8]);
    const other = create();
    other.backward(gradient, { positions: [-1, 0, 0, 3], scaleByFrequency: true });
    expect([...other.gradient.data]).toEqual([0, 0, 1, 1, 3, 3, 0, 0, 0, 0, 8, 8]);
  });

  it("resize keeps what is skipped", () => {
    const emb = create();
    emb.load(Float32Array.from([9, 9, 8, 8, 0, 0, 1, 1, 2, 2, 3, 3]));
    const resized = emb.resize({ length: 10 });
    expect([...resized.weights.data.subarray(0, 4)]).toEqual([9, 9, 8, 8]);
    expectSameBits(resized.table({ length: 8 }).data, resized.weights.data.slice(4));
    expect(resized.weights.dims).toEqual([10, 2]);
    expect([...resized.table({ positions: [0, 7] }).data]).toEqual([0, 0, 3, 3]);
  });

  it("positionIds: segments and lengths start there, padding stands before", () => {
    expect([...pe.positionIds([1, 1, 2, 0], { packed: true, start: 2 }).data]).toEqual([2, 3, 2, 1]);
    expect([...pe.positionIds([0, 1, 0, 1], { padding: "repeat", start: 2 }).data]).toEqual([2, 2, 2, 3]);
    expect([...pe.positionIds([0, 1, 0, 1], { padding: "continue", start: 2 }).data]).toEqual([2, 2, 3, 4]);
    expect([...pe.positionIds({ cuSeqlens: [0, 2, 3] }, { start: 2 }).data]).toEqual([2, 3, 2]);
  });
});

describeRefusals("rows that are not there", [
  ["all skipped", "invalid-spec", "start", () => createTable({ kind: "learned", length: 2, dim: 2, start: 2 })],
  ["before the first", "out-of-range", "positions", () => skips().table({ positions: [-3] })],
  ["after the last", "out-of-range", "positions", () => skips().table({ positions: [4] })],
  ["a config without padding", "invalid-argument", "pad_token_id", () => pe.fromConfig(esm)],
  ["a start below 0", "invalid-argument", "start", () => pe.positionIds([1], { start: -1 })],
] satisfies Refusal[]);
const skips = () => createTable({ kind: "learned", length: 6, dim: 2, start: 2 });
const esm = { model_type: "esm", hidden_size: 2, max_position_embeddings: 8, position_embedding_type: "absolute" };
