// Long calls in a worker: they report progress, can be aborted, and leave the page free.
import { init } from "posenc/worker";
import { afterAll, describe, expect, it } from "vitest";
import { createRotary, pe } from "../helpers/library";
import { expectSameBits, randomTensor } from "../helpers/numbers";
import { caught } from "../helpers/refusals";

const there = await init({ parts: "all" });
afterAll(() => there.terminate());
const rope = createRotary({ kind: "rope", dim: 64 });
const ropeThere = await there.create({ kind: "rope", dim: 64 });
const qkv = (tokens: number, heads = 4) => [1, 2, 3].map((seed) => randomTensor([1, heads, tokens, 64], seed));

describe("in chunks", () => {
  it.each(["float32", "float16"] as const)("attention, %s", async (type) => {
    const [q, k, v] = qkv(1200);
    const typed = type === "float16" ? pe.toFloat16(q!) : q!;
    const bias = randomTensor([4, 1200, 1200], 9);
    const steps: number[] = [];
    let total = 0;
    const onProgress = (progress: { done: number; total: number }) => {
      steps.push(progress.done);
      total = progress.total;
    };
    const options = { causal: true, bias };
    const result = await there.attention(typed, k!, v!, { ...options, encoding: ropeThere, onProgress });
    const here = pe.attention(typed, k!, v!, { ...options, encoding: rope });
    expectSameBits(result.data as Float32Array, here.data as Float32Array);
    expect(steps.length).toBeGreaterThan(1);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(steps.at(-1)).toBe(total);
    expect(total).toBeGreaterThan(1);
  });

  it("masks that are tensors of any type", async () => {
    const [q, k, v] = qkv(1200);
    const ones = { data: Uint8Array.from({ length: 1200 }, (_, i) => Number(i % 5 !== 2)), dims: [1200] };
    const attentionMask = { type: "int64", data: new BigInt64Array(1200).fill(1n), dims: [1, 1200], location: "cpu" };
    const options = { mask: ones, attentionMask };
    const result = await there.attention(q!, k!, v!, options);
    expectSameBits(result.data, pe.attention(q!, k!, v!, options).data);
  });

  it("attend of a cache, into a tensor of the worker", async () => {
    const [q, k, v] = qkv(1500);
    const cache = await there.cache({ heads: 4, dim: 64, capacity: 1500, encoding: ropeThere });
    await cache.append(k!, v!);
    const out = await there.tensor([1, 4, 1500, 64]);
    let count = 0;
    expect(await cache.attend(q!, { out, onProgress: () => void count++ })).toBe(out);
    expect(count).toBeGreaterThan(1);
    const here = pe.cache({ heads: 4, dim: 64, capacity: 1500, encoding: rope }).append(k!, v!);
    expectSameBits(await out.data, here.attend(q!).data);
    here.dispose();
    await Promise.all([cache.dispose(), out.dispose()]);
  });

  it("other calls report that they are complete", async () => {
    const seen: object[] = [];
    await ropeThere.apply(qkv(2)[0]!, { onProgress: (progress) => void seen.push(progress) });
    expect(seen).toEqual([{ done: 1, total: 1 }]);
  });
});

describe("aborted", () => {
  it("between two chunks, with the signal's reason; nothing is lost", async () => {
    const [q, k, v] = qkv(2000);
    const before = await there.liveBytes;
    const controller = new AbortController();
    const reason = new Error("enough");
    let last = { done: 0, total: 1 };
    const onProgress = (progress: typeof last) => {
      last = progress;
      controller.abort(reason);
    };
    const { signal } = controller;
    expect(await caught(() => there.attention(q!, k!, v!, { encoding: ropeThere, signal, onProgress }))).toBe(reason);
    expect(last.done).toBeLessThan(last.total);
    expect(await there.liveBytes).toBe(before);
    expect(q!.data.length).toBe(4 * 2000 * 64);
  });

  it("before it begins: neither it nor its copies reach the library", async () => {
    const [q, k, v] = qkv(1500);
    const cache = await there.cache({ heads: 4, dim: 64, capacity: 16 });
    const controller = new AbortController();
    const one = qkv(1)[0]!;
    const first = there.attention(q!, k!, v!);
    const second = cache.append(one, one, { signal: controller.signal });
    const third = cache.length;
    controller.abort();
    expect(await caught(() => second)).toMatchObject({ name: "AbortError" });
    expect((await first).dims).toEqual([1, 4, 1500, 64]);
    expect(await third).toBe(0);
    expect(await caught(() => cache.append(one, one, { signal: AbortSignal.abort() }))).toMatchObject({
      name: "AbortError",
    });
    expect(await cache.length).toBe(0);
    await cache.dispose();
  });

  it("several at once: the others are made one after the other", async () => {
    const [q, k, v] = qkv(1200);
    const cache = await there.cache({ heads: 4, dim: 64, capacity: 8 });
    const one = qkv(1)[0]!;
    const controller = new AbortController();
    // It may have begun before the abort arrives, so it changes nothing.
    const aborted = caught(() => ropeThere.apply(one, { signal: controller.signal }));
    controller.abort();
    const order: string[] = [];
    await Promise.all([
      there.attention(q!, k!, v!).then(() => order.push("attention")),
      cache.append(one, one).then(() => order.push("append")),
      cache.length.then((length) => order.push(`length ${length}`)),
    ]);
    expect(order).toEqual(["attention", "append", "length 1"]);
    expect(await aborted).toMatchObject({ name: "AbortError" });
    await cache.dispose();
  });

  it("an error of onProgress is the call's", async () => {
    const error = new Error("of the page");
    const onProgress = () => {
      throw error;
    };
    expect(await caught(() => ropeThere.apply(qkv(2)[0]!, { onProgress }))).toBe(error);
  });
});

/** Collects the tasks of the page over 50 ms, in engines that measure them, and the pauses between its timers. */
function watchPage() {
  const [tasks, ticks]: [number[], number[]] = [[], [performance.now()]];
  const tick = () => void ticks.push(performance.now());
  const timer = setInterval(tick, 5);
  const isMeasured = globalThis.PerformanceObserver?.supportedEntryTypes.includes("longtask");
  const observer = isMeasured
    ? new PerformanceObserver((list) => void tasks.push(...list.getEntries().map(({ duration }) => duration)))
    : undefined;
  observer?.observe({ type: "longtask" });
  return () => {
    tick();
    clearInterval(timer);
    for (const { duration } of observer?.takeRecords() ?? []) tasks.push(duration);
    observer?.disconnect();
    return { longest: Math.max(0, ...tasks), pauses: ticks.slice(1).map((at, i) => at - ticks[i]!) };
  };
}

it.each([false, true])("the page is free while the worker computes, transfer %s", async (transfer) => {
  const [q, k, v] = qkv(3000, 8);
  // Making the tensors was a long task.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const watched = watchPage();
  const start = performance.now();
  await there.attention(q!, k!, v!, { encoding: ropeThere, transfer });
  const took = performance.now() - start;
  const { longest, pauses } = watched();
  const most = Math.max(...pauses);
  console.log(`${took.toFixed(0)} ms of attention: longest task ${longest} ms, longest pause ${most.toFixed(1)} ms`);
  // 50 ms is what the page promises; machines that do other work at the same time must not fail.
  expect(Math.max(longest, most)).toBeLessThan(took / 2);
  expect(pauses.length).toBeGreaterThan(took / 100);
});
