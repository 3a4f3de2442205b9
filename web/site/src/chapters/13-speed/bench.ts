// The whole race, as the worker runs it: every case, every way that this browser can go, checked before it is timed.
import { init } from "posenc";
import type { Posenc } from "../../lib/engine.svelte.ts";
import { caseNames, cases, product, type Case, type CaseName, type SizeName, type Way } from "./cases.ts";
import { raceOnGpu, startLane, type GpuKind, type GpuLane } from "./gpu-lane.ts";
import { operationsPerStep, startMachine, type Machine } from "./machine.ts";
import { clockStep, quantile, race, type Effort } from "./stopwatch.ts";

export const variants = ["relaxed", "simd", "scalar"] as const;
export type Variant = (typeof variants)[number];
export const wayNames = ["plain", "sums", "scalar", "simd", "relaxed", "arrays", "webgpu", "limit"] as const;
export type WayName = (typeof wayNames)[number];

export interface WayResult {
  name: WayName;
  /** Milliseconds a run: the median, and what a quarter of the samples lie below and above. */
  median: number;
  low: number;
  high: number;
  /** The largest difference from the library's numbers; undefined where there is nothing to compare. */
  difference?: number;
  /** The difference is more than rounding: this way does other work and is not timed. */
  isWrong: boolean;
}

/** What is raced: work of a size, among plain JavaScript and the build that the page takes, or among all. */
export interface Contest {
  size: SizeName;
  all: boolean;
}

export interface CaseResult {
  name: CaseName;
  size: number[];
  /** All contenders took part that can run here. */
  isWhole: boolean;
  gpu: GpuKind;
  ways: WayResult[];
}

export interface BenchResult {
  /** The build that the library chooses by itself here. */
  main: Variant;
  /** Builds that this browser cannot run, and what it says about them. */
  refused: { variant: Variant; message: string }[];
  clock: number;
  /** What the browser calls its GPU; nothing where it has none. */
  gpu: string;
  cases: CaseResult[];
}

export const efforts: Record<SizeName, Effort> = {
  usual: { rounds: 9, sampleMilliseconds: 12, warmUpMilliseconds: 40 },
  small: { rounds: 7, sampleMilliseconds: 8, warmUpMilliseconds: 25 },
  tiny: { rounds: 3, sampleMilliseconds: 0.2, warmUpMilliseconds: 0 },
};

const steps = { usual: 100000, small: 20000, tiny: 100 };

type Instances = Map<Variant, Posenc>;

/** Those of these builds that run here: separate instances, each with memory of its own. */
async function start(wanted: readonly Variant[]): Promise<{ instances: Instances; refused: BenchResult["refused"] }> {
  const instances: Instances = new Map();
  const refused: BenchResult["refused"] = [];
  for (const variant of wanted) {
    try {
      instances.set(variant, await init({ variant, parts: "all" }));
    } catch (error) {
      refused.push({ variant, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { instances, refused };
}

interface Setting {
  contest: Contest;
  main: Variant;
  instances: Instances;
  clock: number;
  lane: GpuLane;
}

interface NamedWay extends Way {
  name: WayName;
}

interface Ways {
  list: NamedWay[];
  end(): void;
}

/** The ways for one case; among all, the library's main build also works on plain arrays, copies included. */
function waysOf(one: Case, size: number[], { contest, main, instances }: Setting): Ways {
  const held: { dispose(): void }[] = [];
  const hold = <T extends { dispose(): void }>(thing: T) => (held.push(thing), thing);
  const { plain, sums } = one.plain(size);
  const list: NamedWay[] = [{ name: "plain", ...plain }];
  if (sums && contest.all) list.push({ name: "sums", ...sums });
  for (const [variant, pe] of [...instances].reverse())
    list.push({ name: variant, ...one.posenc(pe, size, (dims) => hold(pe.tensor(dims)), hold) });
  const array = (dims: readonly number[]) => ({ data: new Float32Array(product(dims)), dims });
  if (contest.all) list.push({ name: "arrays", ...one.posenc(instances.get(main)!, size, array, hold) });
  const end = () => {
    for (const thing of held) thing.dispose();
    for (const pe of instances.values()) pe.trim();
  };
  return { list, end };
}

/** Relative to numbers above 1; NaN counts as infinitely far away. */
function largestDifference(one: Float32Array[], truth: Float32Array[]): number {
  let largest = 0;
  one.forEach((list, index) =>
    list.forEach((value, place) => {
      const expected = truth[index][place];
      const difference = Math.abs(value - expected) / Math.max(1, Math.abs(expected));
      if (!(difference <= largest)) largest = Number.isNaN(difference) ? Infinity : difference;
    }),
  );
  return largest;
}

/** A way to the limit for the same number of bytes, or as many operations; undefined without SIMD. */
function limitOf(one: Case, size: number[], name: SizeName, machine?: Machine) {
  if (!machine || !one.limit) return undefined;
  const bytes = 4 * product(size);
  if (one.limit === "multiply") return { run: () => machine.multiply(bytes), share: 1 };
  if (one.limit === "fill") return { run: () => machine.fill(bytes), share: 1 };
  // The time for as many operations as the case has, from a loop of another length.
  const count = steps[name];
  return { run: () => machine.peak(count), share: one.rate.amount(size) / (count * operationsPerStep) };
}

const timesOf = (samples: number[], share = 1) => ({
  median: quantile(samples, 0.5) * share,
  low: quantile(samples, 0.25) * share,
  high: quantile(samples, 0.75) * share,
});

const untimed = { median: NaN, low: NaN, high: NaN };

/** The GPU's way, on its own after the others: its calls return before they are done. A software adapter is not timed. */
async function gpuResult(name: CaseName, truth: Float32Array[], setting: Setting): Promise<WayResult | undefined> {
  const { contest, lane, clock } = setting;
  const way = lane.wayOf(name, cases[name].sizes[contest.size]);
  if (!way) return undefined;
  const difference = largestDifference(await way.first(), truth);
  const isWrong = !(difference <= cases[name].tolerance);
  const isTimed = lane.kind === "card" && !isWrong;
  const times = isTimed ? timesOf(await raceOnGpu(way, lane, efforts[contest.size], clock)) : untimed;
  return { name: "webgpu", ...times, difference, isWrong };
}

async function runCase(name: CaseName, setting: Setting, report: (share: number) => void): Promise<CaseResult> {
  const { contest, main, clock, lane } = setting;
  const one = cases[name];
  const size = one.sizes[contest.size];
  const machine = contest.all && one.limit ? startMachine(4 * product(size)) : undefined;
  const { list, end } = waysOf(one, size, setting);
  const truth = list.find((way) => way.name === main)!.first();
  const differences = list.map((way) => largestDifference(way.first(), truth));
  const right = list.filter((_, index) => differences[index] <= one.tolerance);
  const limit = limitOf(one, size, contest.size, machine);
  const runs = [...right.map((way) => way.run), ...(limit ? [limit.run] : [])];
  const samples = race(runs, efforts[contest.size], clock, report);
  end();
  const ways = list.map((way, index): WayResult => {
    const place = right.indexOf(way);
    const times = place < 0 ? untimed : timesOf(samples[place]);
    return { name: way.name, ...times, difference: differences[index], isWrong: place < 0 };
  });
  if (limit) ways.push({ name: "limit", ...timesOf(samples[right.length], limit.share), isWrong: false });
  const onGpu = await gpuResult(name, truth, setting);
  if (onGpu) ways.push(onGpu);
  return { name, size, isWhole: contest.all, gpu: lane.kind, ways };
}

/** `report` is told how far the race has come, and what is known so far. */
export async function runBench(
  contest: Contest,
  main: Variant,
  report: (share: number, partial: BenchResult) => void,
): Promise<BenchResult> {
  const { instances, refused } = await start(contest.all ? variants : [main]);
  const clock = clockStep();
  const done: CaseResult[] = [];
  const lane = await startLane(instances.get(main)!);
  const soFar = (): BenchResult => ({ main, refused, clock, gpu: lane.name, cases: [...done] });
  for (const [index, name] of caseNames.entries()) {
    const tell = (share: number) => report((index + share) / caseNames.length, soFar());
    tell(0);
    done.push(await runCase(name, { contest, main, instances, clock, lane }, tell));
  }
  lane.end();
  return soFar();
}
