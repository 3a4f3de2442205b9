// Shows the progress of reading and writing large files.
import type { Tools } from "./tools.js";
import { sizeInWords } from "./words.js";

/** Smaller files finish too soon to show progress. */
const leastSize = 67108864;

export class Progress {
  private shown = "";
  constructor(
    private readonly tools: Tools,
    private readonly isWanted: boolean,
  ) {}

  at(what: string, done: number, size: number): void {
    const { isTerminal } = this.tools;
    if (!(isTerminal || this.isWanted) || (size < leastSize && !this.isWanted)) return;
    const step = isTerminal ? 1 : 10;
    const percent = size === 0 ? 100 : Math.floor((100 * done) / size / step) * step;
    const text = `${what}: ${percent} % of ${sizeInWords(size)}`;
    if (text === this.shown) return;
    this.shown = text;
    if (isTerminal) this.tools.status(text);
    else this.tools.log(text);
  }
  /** Clears the line. */
  end(): void {
    if (this.shown && this.tools.isTerminal) this.tools.status("");
    this.shown = "";
  }
}
