// Tables of calls that must be refused: the right error, the input as it was, and a library that still works.
import { PosencError } from "posenc";
import { describe, expect, it } from "vitest";
import { createBias, createRotary, createTable, pe } from "./library";
import { randomTensor } from "./numbers";

type Bytes = { data: ArrayBufferView; dims: readonly number[] };
/** Notes a tensor as it is, to see whether the refused call touched it. */
export type Watch = <T extends object>(tensor: T) => T;
export type Refusal = [name: string, code: string, field: string | RegExp | undefined, call: (watch: Watch) => unknown];

const bytesOf = ({ data }: Bytes) =>
  ArrayBuffer.isView(data) ? [...new Uint8Array(data.buffer, data.byteOffset, data.byteLength)].join() : String(data);

const rope = createRotary({ kind: "rope", dim: 8 });
const table = createTable({ kind: "sinusoidal", dim: 8 });
const alibi = createBias({ kind: "alibi", heads: 2 });

/** A valid call of every family. */
function expectStillWorking() {
  expect(rope.apply(randomTensor([1, 2, 3, 8])).data.every(Number.isFinite)).toBe(true);
  expect(table.table({ length: 2 }).data[1]).toBe(1);
  expect(alibi.bias({ queries: 1, keys: 2 }).data[1]).toBe(0);
  const q = randomTensor([1, 2, 3, 8]);
  expect(pe.attention(q, q, q).data.every(Number.isFinite)).toBe(true);
}

/** The library's error that a call throws. */
export function refusal(call: () => unknown, what = "the call"): PosencError {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(PosencError);
    return error as PosencError;
  }
  return expect.fail(`${what} was accepted`);
}

/** For `toThrow`: the library's error about a field. */
export const refusedAt = (field: string, code = "invalid-argument"): unknown =>
  expect.objectContaining({ name: "PosencError", code, field });

export async function caught(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

export function expectError(error: unknown, code: string, field?: string | RegExp) {
  expect(error, "nothing was thrown").toBeDefined();
  expect(error, String(error)).toBeInstanceOf(PosencError);
  const { code: actual, field: at, message, name } = error as PosencError;
  expect({ code: actual, name, message }).toEqual({
    code,
    name: "PosencError",
    message: expect.stringMatching(/\S{3}/),
  });
  if (field instanceof RegExp) expect(at).toMatch(field);
  else if (field !== undefined) expect(at, message).toBe(field);
}

export function describeRefusals(title: string, refusals: Refusal[]) {
  describe(title, () => {
    it.each(refusals)("%s → %s", async (_, code, field, call) => {
      const before: { tensor: Bytes; bytes: string; dims: string }[] = [];
      const watch: Watch = (tensor) => {
        const noted = tensor as unknown as Bytes;
        before.push({ tensor: noted, bytes: bytesOf(noted), dims: JSON.stringify(noted.dims) });
        return tensor;
      };
      const live = pe.liveBytes;
      expectError(await caught(() => call(watch)), code, field);
      for (const { tensor, bytes, dims } of before) {
        expect(bytesOf(tensor) === bytes, "the input was changed").toBe(true);
        expect(JSON.stringify(tensor.dims)).toBe(dims);
      }
      expect(pe.liveBytes, "memory was kept").toBe(live);
      expectStillWorking();
    });
  });
}
