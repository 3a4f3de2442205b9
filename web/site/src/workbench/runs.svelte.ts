// What was run over one text: the model as it is, and under one rule after another.
import type { Outcome, Shown } from "./run.task.ts";

export interface Line {
  name: string;
  side: Shown;
  colour: number;
}

/** As many as there are colours for. */
const most = 5;

export class Runs {
  /** What the runs have in common: the text, and how much of it was read. */
  private key = $state("");
  private original = $state.raw<Shown>();
  private changed = $state.raw<Omit<Line, "colour">[]>([]);
  ids = $state.raw<readonly number[]>([]);
  ending = $state("");
  blind = $state.raw<Outcome["blind"]>();

  /** The tokens that the original has read, if they are those of this text. */
  knownFor = (key: string): readonly number[] | undefined => (this.original && key === this.key ? this.ids : undefined);

  /** A run of the original begins anew; without it, one more rule is beside it. */
  take(key: string, name: string, outcome: Outcome): void {
    if (outcome.original) {
      this.key = key;
      this.original = outcome.original;
      this.ids = outcome.ids;
      this.ending = outcome.ending;
      this.changed = [];
    }
    this.blind = outcome.blind;
    const side = outcome.changed;
    if (side) this.changed = [...this.changed.filter((one) => one.name !== name), { name, side }].slice(-most);
  }

  lines(nameOfOriginal: string): Line[] {
    if (!this.original) return [];
    const all = [{ name: nameOfOriginal, side: this.original }, ...this.changed];
    return all.map((line, index) => ({ ...line, colour: index + 1 }));
  }
}
