// The library: one instance for the page, and a stopwatch.
import { init } from "posenc";
import { failureOf, type Failure } from "./failure.ts";

export type Posenc = Awaited<ReturnType<typeof init>>;

class Engine {
  status = $state<"loading" | "ready" | "failed">("loading");
  failure = $state.raw<Failure>();
  instance = $state.raw<Posenc>();

  async start(): Promise<void> {
    this.status = "loading";
    try {
      this.instance = await init();
      this.status = "ready";
    } catch (error) {
      this.failure = failureOf(error);
      this.status = "failed";
    }
  }
}

export const engine = new Engine();

export interface Measured<T> {
  value: T;
  milliseconds: number;
}

/** Longer computations are run once only, so that sliders stay quick. */
const longRun = 40;

/**
 * Runs `compute` and says how long one run takes. The first run is not counted, because the engine still compiles
 * while it goes; and as browsers round their clocks to up to 0.1 ms, short runs are repeated until the clock has moved
 * far enough to be trusted.
 */
export function measure<T>(compute: () => T): Measured<T> {
  const first = performance.now();
  const value = compute();
  const start = performance.now();
  if (start - first > longRun) return { value, milliseconds: start - first };
  let runs = 0;
  do {
    compute();
    runs += 1;
  } while (performance.now() - start < 2 && runs < 20);
  return { value, milliseconds: (performance.now() - start) / runs };
}

/** Makes an encoding, uses it and gives its memory back at once. */
export function withEncoding<E extends { dispose(): void }, T>(encoding: E, work: (encoding: E) => T): T {
  try {
    return work(encoding);
  } finally {
    encoding.dispose();
  }
}
