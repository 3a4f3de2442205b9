// Where positions enter a Transformer: the stages of a layer, and what is done at each. Words are `map` of text.*.ts, by the same names.
import type { Colour } from "../lib/meaning.ts";

interface Way {
  /** A page and an anchor. */
  at: string;
  colour: Colour;
}

export const stages = {
  input: {
    sinusoidal: { at: "sinusoidal#figure-row", colour: "sinusoidal" },
    learned: { at: "learned#figure-helix", colour: "learned" },
    adding: { at: "adding#figure-unmix", colour: "position" },
    images: { at: "images#figure-patches", colour: "position" },
  },
  turn: {
    rope: { at: "rope#figure-hands", colour: "rope" },
    scaled: { at: "long-context#figure-unseen", colour: "rope" },
    mrope: { at: "images#figure-mrope", colour: "rope" },
  },
  score: {
    alibi: { at: "alibi#figure-bias", colour: "alibi" },
    t5: { at: "relative#figure-buckets", colour: "t5" },
    keys: { at: "relative#figure-scores", colour: "shaw" },
    window: { at: "images#figure-window", colour: "t5" },
  },
  mask: { mask: { at: "order#figure-leak", colour: "none" } },
  value: { values: { at: "relative#scores", colour: "shaw" } },
  output: { models: { at: "models#figure-atlas", colour: "position" } },
} as const satisfies Record<string, Record<string, Way>>;

export type StageName = keyof typeof stages;

/** Those that every layer has. */
export const inLayer: StageName[] = ["turn", "score", "mask", "value"];

export const waysOf = (stage: StageName): [string, Way][] => Object.entries(stages[stage]);

export interface StageText {
  title: string;
  does: string;
  ways: Record<string, string>;
}
