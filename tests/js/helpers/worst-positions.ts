// Where a wave passes nearest to 0 without being 0: an error of the angle that is harmless elsewhere is all there is.
import { PI, exactCosSin, inverseFrequency } from "./exact";

export const FARTHEST = 2 ** 48;

/** The last whole positions up to `limit` at which position · frequency is nearest to a multiple of `period`, as the
 * continued fraction of frequency / period tells. */
function nearestTo(frequency: bigint, period: bigint, limit: number): number[] {
  let [a, b] = [frequency, period];
  let [before, position] = [0n, 1n];
  const found: number[] = [];
  while (a !== 0n && position <= BigInt(limit)) {
    found.push(Number(position));
    const times = b / a;
    [a, b] = [b - times * a, a];
    [before, position] = [position, times * position + before];
  }
  return found.slice(-3);
}

/** Zeros of sines and of cosines: multiples of a quarter turn, and those of half a turn. */
export const worstPositions = (frequency: bigint, limit = FARTHEST): number[] => [
  ...new Set([...nearestTo(frequency, PI / 2n, limit), ...nearestTo(frequency, PI, limit)]),
];

/** The usual bases: those of Llama 2, Llama 3, Code Llama, Qwen's long ones, NTK by 8 for heads of 128, and any. */
export const BASES = [1e4, 5e5, 1e6, 1e7, 82684.62712, 12345.678];
export const DIM = 128;

export interface WorstAngle {
  base: number;
  pair: number;
  position: number;
  cos: number;
  sin: number;
}

/** All pairs of the first base, and every fifth of the others. */
export function worstAngles(): WorstAngle[] {
  return BASES.flatMap((base, at) =>
    Array.from({ length: DIM / 2 }, (_, pair) => pair)
      .filter((pair) => at === 0 || pair % 5 === at % 5)
      .flatMap((pair) =>
        worstPositions(inverseFrequency(base, 2 * pair, DIM)).map((position) => ({
          ...{ base, pair, position },
          ...exactCosSin(position, base, pair, DIM),
        })),
      ),
  );
}

/** What tests/fixtures/worst-positions.txt holds, for the native tests: a wave in each line. */
export const worstText = (): string =>
  worstAngles()
    .map(({ base, pair, position, cos, sin }) => `${base} ${pair} ${position} ${cos} ${sin}\n`)
    .join("");
