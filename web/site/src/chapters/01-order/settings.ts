// What the figures of this chapter hold.
import type { Method } from "../../lib/attention.ts";
import type { Cut } from "../../lib/sentence.ts";

/** The sentence, which the first two figures share. */
export interface WordsSettings {
  sentence: string;
  cut: Cut;
  /** Which word stands at each place; empty: as written. */
  order: number[];
  method: Exclude<Method, "none">;
}

export interface MatrixSettings {
  method: Exclude<Method, "alibi">;
  causal: boolean;
}
