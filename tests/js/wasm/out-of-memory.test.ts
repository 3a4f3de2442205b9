// Where there is no memory every call says so, with what it was given as it was, and works again once there is.
import { init, PosencError } from "posenc";
import type { Posenc, TensorLike, WasmTensor } from "posenc";
import { beforeAll, describe, expect, it } from "vitest";
import { randomTensor } from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";

describe("scratch that is larger than the arguments", () => {
  it("is out of memory where no argument holds the product of sizes", async () => {
    const pe = await init({ variant: "scalar" });
    const column = (rows: number): TensorLike => ({ data: new Float32Array(rows).fill(1), dims: [rows, 1] });
    const [x, weights] = [column(2048), column(2097153)];
    expectError(await caught(() => pe.scoreTerms(x, x, weights, weights)), "out-of-memory", "scoreTerms");
    expect(pe.create({ kind: "sinusoidal", dim: 4 }).table({ length: 1 }).data).toEqual(new Float32Array([0, 1, 0, 1]));
    pe.trim();
  });
});

describe("a memory that cannot grow", () => {
  let pe: Posenc;
  const q = randomTensor([1, 2, 40, 8], 1);
  const rows = randomTensor([40, 8], 2);
  const copy = (tensor: TensorLike) => ({ dims: tensor.dims, data: Float32Array.from(tensor.data as Float32Array) });

  // Each makes what it needs, so that this has no memory either.
  const calls: Record<string, (pe: Posenc) => ArrayLike<number>> = {
    table: (pe) => pe.create({ kind: "sinusoidal", dim: 64 }).table({ length: 100 }).data,
    addTo: (pe) => pe.create({ kind: "learned", length: 64, dim: 8 }).addTo(copy(rows)).data,
    concatTo: (pe) => pe.create({ kind: "fourier", dim: 8 }).concatTo(copy(rows)).data,
    backward: (pe) => {
      const table = pe.create({ kind: "learned", length: 64, dim: 8 });
      table.backward(copy(rows));
      table.step({ optimizer: "adam", learningRate: 0.1 });
      return table.table({ length: 40 }).data;
    },
    resize: (pe) => pe.resizeTable(rows, { from: [5, 8], grid: [7, 9] }).data,
    tables: (pe) => pe.create({ kind: "rope", dim: 256 }).tables({ length: 70 }).cos.data,
    apply: (pe) => pe.create({ kind: "rope-yarn", dim: 8, factor: 4, originalLength: 64 }).apply(copy(q)).data,
    bias: (pe) => pe.create({ kind: "kerple", heads: 4 }).bias({ queries: 30, keys: 30 }).data,
    fire: (pe) => pe.create({ kind: "fire", heads: 2 }).bias({ queries: 30, keys: 30 }).data,
    attention: (pe) => pe.attention(q, q, q, { encoding: pe.create({ kind: "rope", dim: 8 }) }).data,
    weights: (pe) => pe.attentionWeights(q, q, { encoding: pe.create({ kind: "cope", dim: 8 }) }).data,
    attentionBackward: (pe) => pe.attentionBackward(q, q, q, q, { causal: true }).k.data,
    logits: (pe) => pe.create({ kind: "transformer-xl", dim: 8, heads: 2 }).logits(q, q).data,
    similarity: (pe) => pe.similarity(rows).data,
    scoreTerms: (pe) => pe.scoreTerms(rows, rows, rows, rows).contentContent.data,
  };

  beforeAll(async () => {
    pe = await init({ variant: "scalar" });
  });

  // All memory that there is, but for less than `left` bytes; what it takes to give it back.
  function fill(left: number): WasmTensor[] {
    const taken: WasmTensor[] = [];
    for (let floats = 1 << 20; 4 * floats >= left; floats /= 4)
      for (;;)
        try {
          taken.push(pe.tensor([floats]));
        } catch (error) {
          expect((error as PosencError).code).toBe("out-of-memory");
          break;
        }
    return taken;
  }

  for (const left of [16, 65536, 1048576])
    it(`with less than ${left} bytes left: each call is right or out of memory`, async () => {
      const names = Object.keys(calls);
      const right = names.map((name) => Array.from(calls[name]!(pe)));
      pe.trim();
      const { grow } = WebAssembly.Memory.prototype;
      WebAssembly.Memory.prototype.grow = () => {
        throw new RangeError("there is no more");
      };
      const taken = fill(left);
      let refused = 0;
      const results: (number[] | PosencError)[] = [];
      for (const name of names) {
        const [before, given] = [Float32Array.from(q.data as Float32Array), q.data];
        try {
          results.push(Array.from(calls[name]!(pe)));
        } catch (error) {
          results.push(error as PosencError);
          refused++;
        }
        expect(given).toEqual(before);
      }
      WebAssembly.Memory.prototype.grow = grow;
      for (const tensor of taken) tensor.dispose();
      names.forEach((name, i) => {
        const result = results[i]!;
        if (Array.isArray(result)) return expect(result, name).toEqual(right[i]);
        expect(result, name).toBeInstanceOf(PosencError);
        expect(result.code, `${name}: ${result.message}`).toBe("out-of-memory");
      });
      if (left === 16) expect(refused).toBeGreaterThan(0);
      names.forEach((name, i) => expect(Array.from(calls[name]!(pe)), name).toEqual(right[i]));
      expect(pe.liveBytes).toBeGreaterThanOrEqual(0);
    });
});
