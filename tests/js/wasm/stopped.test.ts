// After a trap inside WebAssembly an instance says so, and init() gives a fresh one.
import { init, PosencError } from "posenc";
import { describe, expect, it } from "vitest";
import { Operation } from "../../../web/src/base/calls.gen";
import { loosely } from "../helpers/library";
import { randomTensor } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";

/** An instance, what it has made, and the error of the call that stopped it. */
async function stopped(stop: (core: any) => void) {
  const pe = await init({ variant: "scalar" });
  const made = {
    tensor: pe.tensor([2, 2]),
    rope: pe.create({ kind: "rope", dim: 4 }),
    table: pe.create({ kind: "learned", length: 4, dim: 4 }),
  };
  const error = refusal(() => stop(loosely(pe).core));
  return { pe, ...made, error };
}

const failures: [string, RegExp, (core: any) => void][] = [
  [
    "an address outside memory",
    /RuntimeError|out of bounds/i,
    (core) => core.call(Operation.tableFacts, 2 ** 32 - 64, 0),
  ],
  [
    "a stack without room",
    /Maximum call stack/,
    (core) => {
      core.module = Object.create(core.module, {
        _posenc_call: {
          value: () => {
            throw new RangeError("Maximum call stack size exceeded");
          },
        },
      });
      core.call(Operation.similarity);
    },
  ],
];

describe.each(failures)("%s", (_, first, stop) => {
  it("is an error of the library, and so is every later call", async () => {
    const { pe, tensor, rope, table, error } = await stopped(stop);
    expect(error.cause).toBeInstanceOf(Error);
    const x = randomTensor([1, 1, 2, 4]);
    const calls = [
      () => pe.attention(x, x, x),
      () => pe.tensor([1]),
      () => pe.create({ kind: "rope", dim: 4 }),
      () => pe.toFloat16(x),
      () => pe.trim(),
      () => rope.apply(x),
      () => rope.tables({ length: 1 }),
      () => table.gradients,
      () => table.step({ optimizer: "sgd", learningRate: 1 }),
      () => stop(loosely(pe).core),
    ];
    for (const call of calls) {
      const later = refusal(call, String(call));
      expectError(later, "disposed");
      expect(later.message).toMatch(first);
      expect(later.message).toContain("init()");
    }
    expect(() => {
      tensor.dispose();
      rope.dispose();
    }, "to dispose must not hide the failure").not.toThrow();
  });

  it("init() gives a fresh instance", async () => {
    const { pe } = await stopped(stop);
    const fresh = await init({ variant: "scalar" });
    expect(fresh === pe).toBe(false);
    expect(fresh.create({ kind: "rope", dim: 4 }).tables({ length: 1 }).cos.data[0]).toBe(1);
    expect((await init({ variant: "scalar" })) === fresh).toBe(true);
    expect(refusal(() => pe.tensor([1]))).toBeInstanceOf(PosencError);
  });
});
