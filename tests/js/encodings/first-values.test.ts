// First values of the learned parameters of a config's encoding: drawn when they are read, and only then.
import type { LearnedTable } from "posenc";
import { describe, expect, it } from "vitest";
import { fresh } from "../helpers/fresh";
import { pe } from "../helpers/library";
import { expectSameBits } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";

const sizes = { model_type: "gpt_neo", num_heads: 16, num_layers: 2 };
const large = { ...sizes, hidden_size: 16384, max_position_embeddings: 2048 };
const small = { ...sizes, hidden_size: 64, max_position_embeddings: 8 };
const drawn = (config: typeof small) =>
  pe.create({ kind: "learned", length: config.max_position_embeddings, dim: config.hidden_size });
const read = (config: object) => pe.fromConfig(config) as LearnedTable;

describe("first values of a config's encoding", () => {
  it("take no memory, and hence no time, before they are read", async () => {
    const { pe: separate, memory } = await fresh();
    const before = memory();
    const tables = Array.from({ length: 50 }, () => separate.fromConfig(large) as LearnedTable);
    const layers = await separate.layers(large);
    expect(tables[0]!.dim).toBe(16384);
    expect(layers).toHaveLength(2);
    expect(memory() - before).toBeLessThan(1 << 24);
    expect(tables[0]!.weights.dims).toEqual([2048, 16384]);
    expect(memory() - before).toBeGreaterThan(1 << 26);
    for (const table of tables) table.dispose();
    for (const { encoding } of layers) encoding?.dispose();
  });

  it("are those of create, whoever reads them first", () => {
    const expected = drawn(small).weights.data;
    expectSameBits(read(small).weights.data, expected);
    expectSameBits(read(small).parameters["weights"]!.data, expected);
    expectSameBits(read(small).table({ length: 8 }).data, expected);
    expect(read(small).gradient.data.every((value) => value === 0)).toBe(true);
  });

  it("are replaced by what is loaded, and drawn after a load that was refused", async () => {
    const data = drawn(small).weights.data.map((value) => value + 1);
    expectSameBits(read(small).load(data).weights.data, data);
    const table = read(small);
    expectError(await caught(() => table.load(data.subarray(1))), "shape-mismatch", "weights");
    expectError(await caught(() => table.load([...data.subarray(1), NaN])), "invalid-argument", "weights");
    expectSameBits(table.weights.data, drawn(small).weights.data);
    expectSameBits(table.load({ weights: data }).weights.data, data);
  });

  it("are asked for in vain after dispose()", async () => {
    const table = read(small);
    table.dispose();
    expectError(await caught(() => table.weights), "disposed");
    expectError(await caught(() => table.load([1])), "disposed");
  });

  it("are those of relative encodings, too", async () => {
    const config = { model_type: "deberta", hidden_size: 32, num_attention_heads: 4, max_position_embeddings: 8 };
    const deberta = { ...config, relative_attention: true, pos_att_type: ["c2p", "p2c"] };
    const encoding = pe.fromConfig(deberta);
    const expected = pe.create(encoding.spec as never) as typeof encoding;
    const names = Object.keys(expected.parameters);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expectSameBits(encoding.parameters[name]!.data, expected.parameters[name]!.data);
  });
});
