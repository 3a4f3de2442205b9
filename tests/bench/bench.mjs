// Cases against contenders: checks every way, then lets those that are right race. The same in Node and in a page.
import { chosen, prepared } from "./cases/index.mjs";
import { check, race } from "./measure.mjs";
import { verdicts } from "./targets.mjs";

/** Runs each way once on fresh inputs and compares; one that fails or is wrong gets `fault` and is not timed. */
async function checkAll(ways, given) {
  for (const way of ways) {
    if (!way.first) continue;
    try {
      check(way, await way.first(), way.truth ?? given.truth, given.case.tolerance);
    } catch (error) {
      way.fault = `failed: ${error?.message ?? error}`;
    }
  }
}

/** Milliseconds per run as the unit that tells most; times are shown beside it. */
function rateOf({ rate, size }, { role, ms }) {
  if (!rate) return undefined;
  const amount = rate.amount(size, role);
  const isTime = rate.unit.startsWith("ns");
  return { unit: rate.unit, value: isTime ? (1e6 * ms) / amount : amount / ms / 1e6 };
}

const reported = ({ contender, label, role, ms, raced, spread, error, fault, tolerance }, rate) => ({
  contender,
  label,
  role,
  ...(fault ? { fault } : { ms, raced, spread, rate }),
  error,
  ...(tolerance && { tolerance }),
});

async function runCase(one, contenders, { effort, isTiny, variant }) {
  const given = prepared(one, isTiny);
  const made = contenders.map((contender) => contender.ways(given));
  const ways = made.flatMap(({ list }) => list);
  try {
    await checkAll(ways, given);
    const right = ways.filter(({ fault }) => !fault);
    await race(right, effort);
    return {
      id: one.id,
      group: one.group,
      title: one.title(given.size),
      ways: ways.map((way) => reported(way, way.ms === undefined ? undefined : rateOf(given.case, way))),
      targets: verdicts(given.case, right, variant),
    };
  } finally {
    for (const { end } of made) await end();
  }
}

/**
 * All chosen cases, one after the other; `onResult` is called with each result. `variant`: posenc's main build. Contenders:
 * { name, ways(given) => { list, end } }.
 */
export async function runBench(contenders, { only = [], effort, isTiny = false, variant, onResult = () => {} }) {
  const results = [];
  for (const one of chosen(only)) {
    const result = await runCase(one, contenders, { effort, isTiny, variant });
    results.push(result);
    await onResult(result);
  }
  return results;
}
