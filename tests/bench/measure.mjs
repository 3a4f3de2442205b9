// Contenders take turns, so that the machine's moods hit all of them alike; medians and ratios are reported.

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * Times contenders { name: function } in alternating order: `rounds` rounds after a warm-up; each sample runs the function
 * often enough to last about `sampleMs`. Answers milliseconds per run, { name: median }.
 */
export function race(contenders, { rounds = 15, sampleMs = 2 } = {}) {
  const entries = Object.entries(contenders).map(([name, run]) => ({
    name,
    run,
    repeats: repeatsFor(run, sampleMs),
    samples: [],
  }));
  for (let round = 0; round < rounds; round++)
    for (const entry of round % 2 ? entries.toReversed() : entries) {
      const start = performance.now();
      for (let i = 0; i < entry.repeats; i++) entry.run();
      entry.samples.push((performance.now() - start) / entry.repeats);
    }
  return Object.fromEntries(entries.map(({ name, samples }) => [name, median(samples)]));
}

function repeatsFor(run, sampleMs) {
  // Long enough for the engine's optimising compiler.
  const deadline = performance.now() + 150;
  let fastest = Infinity;
  do {
    const start = performance.now();
    run();
    fastest = Math.min(fastest, performance.now() - start);
  } while (performance.now() < deadline);
  return Math.max(1, Math.ceil(sampleMs / Math.max(fastest, 1e-6)));
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
