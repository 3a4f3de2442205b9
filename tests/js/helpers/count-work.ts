// What a call does, counted: how often each block of the library runs, and how many elements of arrays are taken. Unlike
// time it is the same in each run and on each machine. In Node alone.
import { Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";
import { afterAll } from "vitest";

/** Elements that built-in functions go over, of which coverage knows nothing. */
function countElements(): () => number {
  let count = 0;
  const iterator = Object.getPrototypeOf([][Symbol.iterator]()) as { next: () => unknown };
  const patched: (() => void)[] = [];
  type Cost = (self: ArrayLike<unknown>, result: unknown) => number;
  const patch = (object: object, name: string, cost: Cost): void => {
    const methods = object as Record<string, (...all: unknown[]) => unknown>;
    const original = methods[name]!;
    methods[name] = function (this: ArrayLike<unknown>, ...all) {
      const result = original.apply(this, all);
      count += cost(this, result);
      return result;
    };
    patched.push(() => (methods[name] = original));
  };
  // Spread, Array.from and new Set go through it.
  patch(iterator, "next", () => 1);
  for (const name of ["includes", "indexOf", "join", "lastIndexOf"])
    patch(Array.prototype, name, ({ length }) => length);
  for (const name of ["concat", "slice"]) patch(Array.prototype, name, (_, result) => (result as unknown[]).length);
  return () => {
    for (const restore of patched) restore();
    return count;
  };
}

const session = new Session();
// From before the library is loaded: blocks of functions compiled earlier are not counted, nor those after a restart.
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
afterAll(() => session.disconnect());

/** How often each block of the library ran since the last call. */
async function countBlocks(): Promise<number> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const own = result.filter(({ url }) => /\/dist\//.test(url));
  const ranges = own.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return ranges.reduce((all, { count }) => all + count, 0);
}

/** How much `work` does. */
export async function countWork(work: () => unknown): Promise<number> {
  // Optimised code counts only a part of its calls, and another part in each run.
  setFlagsFromString("--no-maglev");
  setFlagsFromString("--no-opt");
  await countBlocks();
  const elements = countElements();
  let taken = 0;
  try {
    await work();
  } finally {
    taken = elements();
    setFlagsFromString("--opt");
  }
  const blocks = await countBlocks();
  if (blocks === 0) throw new Error("nothing of the library ran");
  return blocks + taken;
}
