// Timing in a browser: clocks are coarse and machines have moods, so samples are long enough and take turns.

export interface Effort {
  /** How many samples each contender gives. */
  rounds: number;
  sampleMilliseconds: number;
  warmUpMilliseconds: number;
}

/** A clock that ticks this much slower than it counts makes a sample wrong by five percent at most. */
const ticksPerSample = 20;
const longestSample = 400;
/** Where samples have to be longer than this, fewer of them must do, or readers would wait for minutes. */
const longSample = 100;
const fewRounds = 3;

/** The smallest step that this browser's clock makes, in milliseconds. */
export function clockStep(): number {
  let smallest = Infinity;
  for (let tries = 0; tries < 5; tries += 1) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    smallest = Math.min(smallest, now - start);
  }
  return smallest;
}

export const sampleLength = (effort: Effort, step: number) =>
  Math.min(longestSample, Math.max(effort.sampleMilliseconds, ticksPerSample * step));

/** Milliseconds per run, from as many runs as fill the sample. */
function sample(run: () => void, length: number): number {
  let runs = 0;
  const start = performance.now();
  let passed = 0;
  do {
    run();
    runs += 1;
    passed = performance.now() - start;
  } while (passed < length);
  return passed / runs;
}

/** So much quicker than ever before: the compiler is still at work. */
const gain = 0.97;
const [leastWarmUps, mostWarmUps] = [6, 12];

/**
 * Runs a contender until it gets no quicker: JavaScript is first interpreted, then compiled, then compiled again. A run
 * that is longer than all of that needs only one.
 */
function warmUp(run: () => void, length: number): void {
  const start = performance.now();
  let [best, level, spent] = [Infinity, 0, 0];
  while (spent < leastWarmUps * length || (level < 2 && spent < mostWarmUps * length)) {
    const time = sample(run, length);
    level = time < gain * best ? 0 : level + 1;
    best = Math.min(best, time);
    spent = performance.now() - start;
  }
}

/**
 * Samples of each contender, in milliseconds per run. They take turns, forwards and backwards, so that a busy moment of
 * the machine meets all of them; one untimed run before each sample lets a contender find the caches as it leaves them.
 */
export function race(runs: (() => void)[], effort: Effort, step: number, report: (share: number) => void): number[][] {
  const length = sampleLength(effort, step);
  const rounds = length > longSample ? Math.min(fewRounds, effort.rounds) : effort.rounds;
  for (const run of runs) if (effort.warmUpMilliseconds > 0) warmUp(run, effort.warmUpMilliseconds);
  const samples: number[][] = runs.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = runs.map((_, index) => (round % 2 ? runs.length - 1 - index : index));
    for (const index of order) {
      runs[index]();
      samples[index].push(sample(runs[index], length));
    }
    report((round + 1) / rounds);
  }
  return samples;
}

/** The value that `share` of the samples lie below; 0.5 gives the median. */
export function quantile(samples: number[], share: number): number {
  const sorted = [...samples].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
