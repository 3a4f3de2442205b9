// The library: one instance for the page, whose base is there first for what a page opens with, and a stopwatch.
import type { init } from "posenc";
import { embedded } from "./embed.ts";
import { failureOf, type Failure } from "./failure.ts";

export type Posenc = Awaited<ReturnType<typeof init>>;

class Engine {
  status = $state<"idle" | "loading" | "ready" | "failed">("idle");
  failure = $state.raw<Failure>();
  instance = $state.raw<Posenc>();

  constructor(private readonly load: () => Promise<Posenc>) {}

  /** Does nothing while it is under way or there. */
  async start(): Promise<void> {
    if (this.status === "loading" || this.status === "ready") return;
    this.status = "loading";
    try {
      this.instance = await this.load();
      this.status = "ready";
    } catch (error) {
      this.failure = failureOf(error);
      this.status = "failed";
    }
  }
}

export const engine = new Engine(async () => (await import("posenc")).init({ parts: "all" }));

/** The base, half the download: a figure that needs no attention and stands first is there sooner with it. */
export const smallEngine = new Engine(async () => (await import("posenc")).init());

/** How long what a page does not open with waits for a reader who does nothing. */
const patience = 1500;
const moves = ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "touchstart", "beforeprint"];

let begin: () => void;

/** Kept once the page's first figure lives and the reader moves, or has looked for a while: the time for all the rest. */
export const opened = new Promise<void>((resolve) => (begin = resolve));

function beginLater(): void {
  const start = () => {
    clearTimeout(timer);
    for (const move of moves) removeEventListener(move, start);
    begin();
  };
  const timer = setTimeout(start, patience);
  for (const move of moves) addEventListener(move, start, { passive: true });
}

/** The library that a page opens with; "later" is one whose words come first. */
type Opening = "small" | "whole" | "later";

let opening: Opening | undefined;

/** Said by the figure that a page opens with, or by what stands among its words. Where nobody says it, nothing is computed. */
export function openWith(library: Opening): void {
  opening = library;
}

/** Starts what the page needs, once its figures have said so. */
export async function startEngines(): Promise<void> {
  if (!opening) return;
  // Where one figure is shown alone, or the reader comes to a place below the first, that one must not wait.
  const isBelow = (embedded !== undefined && opening === "whole") || scrollY > innerHeight;
  if (isBelow) begin();
  if (opening === "small") await smallEngine.start();
  if (opening === "later" || smallEngine.status === "ready") void opened.then(() => engine.start());
  else await engine.start();
  if (!isBelow) beginLater();
}

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
