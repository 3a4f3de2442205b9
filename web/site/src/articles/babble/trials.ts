// The trials of the suspects: what a model is told of the places of its characters, and how badly it then guesses.
import type { LanguageModel } from "../../lab/language-model.ts";
import { place, type Rule } from "../../lab/positions.ts";
import type { Posenc } from "../../lib/engine.svelte.ts";

interface Trial {
  /** Characters that are read. */
  length: number;
  /** Where a character stands, as the model is told. */
  positionOf: (index: number) => number;
  rule: Rule;
  /** The losses of the characters from this one on are counted. */
  from: number;
}

const plain: Rule = { name: "default" };
/** How far apart the halves are told to be, where the moved text begins, and the largest distance of the capped one. */
export const gap = 400;
export const start = 10_000;
export const cap = 192;

export const trials = {
  short: { length: 200, positionOf: (index) => index, rule: plain, from: 100 },
  moved: { length: 200, positionOf: (index) => start + index, rule: plain, from: 100 },
  apart: { length: 200, positionOf: (index) => (index < 100 ? index : index + gap), rule: plain, from: 100 },
  long: { length: 512, positionOf: (index) => index, rule: plain, from: 256 },
  capped: { length: 512, positionOf: (index) => index, rule: { name: "rerope", value: cap }, from: 256 },
} as const satisfies Record<string, Trial>;

export type TrialName = keyof typeof trials;

/** The largest distance that attention is told. */
export const farthestOf = (name: TrialName): number =>
  trials[name].rule.name === "rerope" ? cap : blocksOf(name).at(-1)![1] - blocksOf(name)[0][0];

/** Positions that follow one another, as first and last ones. */
export function blocksOf(name: TrialName): [first: number, last: number][] {
  const { length, positionOf }: Trial = trials[name];
  const blocks: [number, number][] = [];
  for (let index = 0; index < length; index += 1) {
    const position = positionOf(index);
    const last = blocks.at(-1);
    if (last?.[1] === position - 1) last[1] = position;
    else blocks.push([position, position]);
  }
  return blocks;
}

/** The characters of a text at which the passages of the trials begin. */
export const passages = [0, 600, 1200, 1800, 2400, 3000];

/** The loss of each character of a passage but the first, in nats. */
function lossesOf(pe: Posenc, model: LanguageModel, ids: Int32Array, { length, positionOf, rule }: Trial) {
  const positions = Array.from({ length }, (_, index) => positionOf(index));
  const placement = place(pe, "rope", rule, (name) => model.weight(name), positions);
  try {
    return model.losses(pe, ids.subarray(0, length + 1), placement);
  } finally {
    placement.dispose();
  }
}

/** The mean of the losses of characters that the model knows. */
function meanOf(losses: Float32Array): number {
  const known = losses.filter((loss) => !Number.isNaN(loss));
  return known.reduce((sum, loss) => sum + loss, 0) / known.length;
}

/** The mean loss of a trial over some passages of a text. */
export function tried(pe: Posenc, model: LanguageModel, ids: Int32Array, name: TrialName, at = passages): number {
  const losses = at.map((first) => lossesOf(pe, model, ids.subarray(first), trials[name]).subarray(trials[name].from));
  return losses.reduce((sum, some) => sum + meanOf(some), 0) / losses.length;
}

/** Characters of a stretch, and of a text that is read in stretches. */
export const stretch = 32;
const read: Trial = { length: 640, positionOf: (index) => index, rule: plain, from: 0 };

/** The mean loss of each stretch of a text over some passages: how badly the model guesses there. */
export function lossByStretch(pe: Posenc, model: LanguageModel, ids: Int32Array, at = passages): number[] {
  const losses = at.map((first) => lossesOf(pe, model, ids.subarray(first), read));
  return Array.from({ length: read.length / stretch }, (_, index) => {
    const here = losses.map((some) => meanOf(some.subarray(index * stretch, (index + 1) * stretch)));
    return here.reduce((sum, loss) => sum + loss, 0) / here.length;
  });
}
