// What a call does, counted: how often each block of the library runs, and how many elements of arrays are taken. Unlike
// time it is the same in each run and on each machine. In Node alone.
import { Session } from "node:inspector/promises";

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

/** How much `work` does. */
export async function countWork(work: () => unknown): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const elements = countElements();
  let taken = 0;
  try {
    await work();
  } finally {
    taken = elements();
  }
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  const own = result.filter(({ url }) => /\/dist\//.test(url));
  if (own.length === 0) throw new Error("nothing of the library ran");
  const ranges = own.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return ranges.reduce((all, { count }) => all + count, taken);
}
