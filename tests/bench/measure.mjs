// Contenders take turns, so that the machine's moods hit all of them alike; medians and ratios are reported.

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * Times contenders { name: function } in alternating order: `rounds` rounds after a warm-up. In each sample a contender runs
 * `repeats` times in a row, all of them equally often, so that all find their data equally near: as often as the fastest
 * needs for `sampleMs`. Answers milliseconds per run, { name: median }.
 */
export function race(contenders, { rounds = 15, sampleMs = 5 } = {}) {
  const entries = Object.entries(contenders).map(([name, run]) => ({ name, run, samples: [] }));
  const repeats = Math.ceil(sampleMs / Math.min(...entries.map(({ run }) => warmUp(run))));
  for (let round = 0; round < rounds; round++)
    for (const { run, samples } of round % 2 ? entries.toReversed() : entries) {
      const start = performance.now();
      for (let i = 0; i < repeats; i++) run();
      samples.push((performance.now() - start) / repeats);
    }
  return Object.fromEntries(entries.map(({ name, samples }) => [name, median(samples)]));
}

/** Runs long enough for the engine's optimising compiler; answers the fastest run's milliseconds. */
function warmUp(run) {
  const deadline = performance.now() + 150;
  let fastest = Infinity;
  do {
    const start = performance.now();
    run();
    fastest = Math.min(fastest, performance.now() - start);
  } while (performance.now() < deadline);
  return Math.max(fastest, 1e-3);
}

/** Throws unless every contender's numbers are within `tolerance` of the truth: what computes something else is no peer. */
export function checkAll(what, truth, results, tolerance) {
  for (const [name, values] of Object.entries(results)) {
    let worst = 0;
    for (let i = 0; i < truth.length; i++) worst = Math.max(worst, Math.abs(values[i] - truth[i]));
    if (!(worst <= tolerance) || values.length !== truth.length) throw new Error(`${what}: ${name} is off by ${worst}`);
  }
}

export const microseconds = (ms) => (ms < 1 ? `${(1000 * ms).toPrecision(3)} µs` : `${ms.toPrecision(3)} ms`);
