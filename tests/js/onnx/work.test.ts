// Long work on models: it reports its progress and ends when it is aborted.
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { fixtureBytes, openModel } from "../helpers/onnx-models";
import { caught, expectError } from "../helpers/refusals";
import type { Progress } from "posenc/onnx";

const file = await fixtureBytes("llama/model.onnx");
const source = { size: file.length, read: (at: number, length: number) => file.slice(at, at + length) };
const rotary = { kind: "rope", base: 500000 } as const;

/** Options that collect the progress, and abort after so many reports. */
function watching(most = Infinity) {
  const seen: Progress[] = [];
  const controller = new AbortController();
  const onProgress = (progress: Progress) => {
    seen.push(progress);
    if (seen.length >= most) controller.abort(new Error("enough"));
  };
  return { seen, options: { signal: controller.signal, onProgress } };
}

const calls: Record<string, (work: object) => Promise<unknown>> = {
  open: (work) => openModel(source, work),
  rewrite: async (work) => (await openModel(source)).rewrite(pe, { rotary }, work),
  bytes: async (work) => (await (await openModel(source)).rewrite(pe, { rotary })).bytes(work),
  blob: async (work) => (await (await openModel(source)).rewrite(pe, { rotary })).blob(work),
  async chunks(work) {
    const chunks = [];
    for await (const chunk of (await (await openModel(source)).rewrite(pe, { rotary })).chunks(work))
      chunks.push(chunk);
    return chunks;
  },
};

describe.each(Object.keys(calls))("%s", (name) => {
  const call = calls[name]!;
  it("reports its progress", async () => {
    const { seen, options } = watching();
    await call(options);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(seen.at(-1)!.done).toBe(seen.at(-1)!.total);
  });
  it("ends when it is aborted", async () => {
    await expect(call(watching(1).options)).rejects.toThrow("enough");
    const signal = AbortSignal.abort(new Error("before"));
    await expect(call({ signal })).rejects.toThrow("before");
  });
  it("refuses what is no signal and no function", async () => {
    expectError(await caught(() => call({ signal: loosely({}) })), "invalid-argument", "signal");
    expectError(await caught(() => call({ onProgress: 5 })), "invalid-argument", "onProgress");
  });
});

it("has the same result with and without progress", async () => {
  const changed = await (await openModel(source, watching().options)).rewrite(pe, { rotary }, watching().options);
  const plain = await (await openModel(file)).rewrite(pe, { rotary });
  expect(await changed.bytes(watching().options)).toEqual(await plain.bytes());
});

it("unknown options of openModel are refused", async () => {
  const error = await caught(() => openModel(file, loosely({ externaldata: {} })));
  expectError(error, "invalid-argument", "externaldata");
});
