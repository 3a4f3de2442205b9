// Counts the WebAssembly instructions of posenc's calls, for every case of the bench.
import { readFileSync } from "node:fs";
import { inRoot } from "../../../web/tasks/prepare.mjs";
import { chosen, prepared } from "../cases/index.mjs";
import { posenc, withExports } from "../contenders/posenc.mjs";
import { environment } from "../environment-node.mjs";
import { withSteps } from "./instrument.mjs";

/** The simd build with counters: { pe, steps() }. */
async function startCounting() {
  const module = await WebAssembly.compile(await withSteps(readFileSync(inRoot("dist", "posenc.simd.wasm"))));
  const { pe, exports } = await withExports(() => environment.init(module));
  return { pe, steps: () => Number(exports.steps.value) };
}

/** The size with fewer positions, to take seconds with counters. Remapped distances need texts longer than their windows. */
function reduced(size) {
  const small = { ...size, calls: size.calls?.map(reduced) };
  if (size.positions) small.positions = Math.min(size.positions, 512);
  if (size.length) small.length = Math.min(size.length, size.window ? 1024 : 256);
  return small;
}

/** Steps of a call, once nothing is left that only the first calls do. */
function stepsOf(way, steps) {
  for (let i = 0; i < 2; i++) way.run();
  const before = steps();
  way.run();
  return steps() - before;
}

/** { "case: what": steps of one call }. `only`: ids or groups of cases. */
export async function countSteps({ only = [], onCount = () => {} } = {}) {
  const { pe, steps } = await startCounting();
  const contender = posenc([{ pe, variant: "simd", isMain: true }]);
  const counts = {};
  const known = new Set();
  for (const one of chosen(only)) {
    const size = reduced(one.size);
    // Sizes that differ only in what is left out here are counted once.
    const work = JSON.stringify({ ...one, size, id: "", tiny: "", targets: "" });
    if (known.has(work)) continue;
    known.add(work);
    const { list, end } = contender.ways(prepared({ ...one, size }, false));
    for (const way of list.filter(({ role }) => role !== "array")) {
      const name = `${one.id}: ${way.label}`;
      counts[name] = stepsOf(way, steps);
      onCount(name, counts[name]);
    }
    await end();
  }
  return counts;
}
