// Timing and checking. Ways to do the same work take turns, so that the machine's moods hit all of them alike.

/** How long to measure; `npm run bench -- --quick` takes the second, the tests the third. */
export const efforts = {
  full: { rounds: 9, sampleMs: 24, warmUpMs: 120 },
  quick: { rounds: 3, sampleMs: 4, warmUpMs: 80 },
  smoke: { rounds: 1, sampleMs: 0.2, warmUpMs: 0 },
};

// A way that takes longer than this runs in fewer rounds, but never in fewer than `fewestRounds` of a full run.
const slowMs = 100;
const fewestRounds = 7;
// Of several ways that stand for one contender's best, those this much slower than the fastest need no race.
const hopeless = 2;
const coldRunMs = 30;
// Browsers round their clock to 0.1 ms.
const clockMs = 0.2;

/** The number that a share of the values are below: 0.5 gives the median. */
const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(share * values.length)];

/** Milliseconds of processor time so far, in Node; a page has nothing of the kind. */
function processorTime() {
  const { user, system } = globalThis.process?.cpuUsage?.() ?? { user: Infinity, system: 0 };
  return (user + system) / 1000;
}

/**
 * Starts a clock, which tells milliseconds since: those on the wall or those that the process worked, whichever are fewer.
 * So neither other processes count, nor what the engine does on other threads. For a GPU only the wall counts.
 */
function startClock(isOnGpu) {
  const [wall, worked] = [performance.now(), isOnGpu ? Infinity : processorTime()];
  return () => {
    const ms = performance.now() - wall;
    return worked < Infinity ? Math.min(ms, processorTime() - worked) : ms;
  };
}

/** Milliseconds that `repeats` runs in a row take. Awaiting costs time: only promises are awaited. */
async function elapsed({ run, isAsync, settle }, repeats) {
  const clock = startClock(settle !== undefined);
  if (isAsync) for (let i = 0; i < repeats; i++) await run();
  else for (let i = 0; i < repeats; i++) run();
  // Calls on a GPU return before they are done.
  if (settle) await settle();
  return clock();
}

/** Milliseconds per run, of `repeats` runs or as many as the clock needs. */
async function sample(way, repeats) {
  for (let count = repeats; ; count *= 2) {
    const ms = await elapsed(way, count);
    if (ms >= clockMs) return ms / count;
  }
}

/** Runs long enough for the engine's optimising compiler; answers milliseconds per run, of the fastest sample. */
async function warmUp(way, warmUpMs) {
  const deadline = performance.now() + warmUpMs;
  let fastest = Infinity;
  for (let repeats = 1; ; repeats *= 2) {
    fastest = Math.min(fastest, await sample(way, repeats));
    if (performance.now() >= deadline) return fastest;
  }
}

/**
 * One round of a way. Untimed runs come first, for as long: each way finds the caches as it leaves them itself. One run
 * is not enough where large caches learn what to keep: the first on a tensor of dozens of megabytes would pay for others.
 */
async function round({ way, estimate, samples }, sampleMs) {
  const runs = Math.ceil(sampleMs / estimate);
  for (let i = 0; estimate < coldRunMs && i < runs; i++) await way.run();
  samples.push(await sample(way, runs));
}

/** Those that may be the fastest of their role; the others are told by their warm-up alone. */
function worthRacing(entries) {
  const best = (role) => Math.min(...entries.filter(({ way }) => way.role === role).map(({ estimate }) => estimate));
  for (const entry of entries)
    entry.raced = !(entry.way.oneOfSeveral && entry.estimate > hopeless * best(entry.way.role));
  return entries.filter(({ raced }) => raced);
}

/**
 * Times ways in alternating order and sets `ms` of each, the median of all rounds, and `spread`, the share of it that
 * the middle half of the rounds differ by; `raced` is false where the warm-up was telling enough.
 */
export async function race(ways, { rounds, sampleMs, warmUpMs }) {
  const entries = [];
  for (const way of ways) entries.push({ way, estimate: await warmUp(way, warmUpMs), samples: [] });
  const racing = worthRacing(entries);
  for (let i = 0; i < rounds; i++)
    for (const entry of i % 2 ? racing.toReversed() : racing)
      if (i < fewestRounds || entry.estimate < slowMs) await round(entry, sampleMs);
  for (const { way, raced, estimate, samples } of entries) {
    way.raced = raced;
    way.ms = raced ? quantile(samples, 0.5) : estimate;
    if (raced) way.spread = (quantile(samples, 0.75) - quantile(samples, 0.25)) / way.ms;
  }
}

/** The largest difference from the truth, relative where numbers are above 1; NaN is infinitely wrong. */
function difference(values, truth) {
  let worst = 0;
  for (let i = 0; i < truth.values.length; i++) {
    const value = values[truth.at ? truth.at[i] : i];
    const expected = truth.values[i];
    if (value === expected) continue;
    const off = Math.abs(value - expected) / Math.max(1, Math.abs(expected));
    if (!(off <= worst)) worst = Number.isNaN(off) ? Infinity : off;
  }
  return worst;
}

/**
 * Compares what a way gave, { name: Float32Array }, with the truth, { name: { values, at?, length } }: `at` says which
 * elements `values` are of. Sets `error`, and `fault` where it is too large: what computes something else is no peer.
 */
export function check(way, results, truth, tolerance) {
  let worst = 0;
  for (const [name, expected] of Object.entries(truth)) {
    const length = expected.length ?? expected.values.length;
    if (results[name]?.length !== length) worst = Infinity;
    else worst = Math.max(worst, difference(results[name], expected));
  }
  way.error = worst;
  if (!(worst <= (way.tolerance ?? tolerance))) way.fault = `wrong: off by ${worst.toPrecision(2)}`;
}
