// How far reading and writing of large files are.
import { sizeInWords } from "./words.js";

/** Smaller files are done before anybody could look. */
const leastSize = 67108864;

export class Progress {
  private shown = "";
  constructor(
    private readonly say: (text: string) => void,
    private readonly isTerminal: boolean,
    private readonly isWanted: boolean,
  ) {}

  at(what: string, done: number, size: number): void {
    if (!(this.isTerminal || this.isWanted) || (size < leastSize && !this.isWanted)) return;
    const step = this.isTerminal ? 1 : 10;
    const percent = size === 0 ? 100 : Math.floor((100 * done) / size / step) * step;
    const text = `${what}: ${percent} % of ${sizeInWords(size)}`;
    if (text === this.shown) return;
    this.shown = text;
    this.say(this.isTerminal ? `\r\x1b[K${text}` : `${text}\n`);
  }
  /** Takes the line away. */
  end(): void {
    if (this.shown && this.isTerminal) this.say("\r\x1b[K");
    this.shown = "";
  }
}
