// The arena: who runs in it, what was measured of each, how far each remembers.
import { measured as allMeasured, type Measurement } from "./measured.ts";
import { labModels } from "./models.ts";
import { trainedLength, type Rule, type TrainedWith } from "./positions.ts";
import type { Colour } from "../lib/meaning.ts";

export const languages = ["en", "zh"] as const;
export type LabLanguage = (typeof languages)[number];
export const factors = ["2", "4", "8", "16"] as const;
/** The distance that the guess is about: one at which those that remember differ from those that do not. */
export const askedDistance: Record<LabLanguage, number> = { en: 2048, zh: 1024 };

/** Models as they were trained, one for each encoding. */
export const trainedEntrants = ["none", "sinusoidal", "learned", "t5", "alibi", "rope"] as const;
/** What was switched on afterwards, and what was trained a little more. */
export const laterEntrants = [
  "stretched",
  "linear",
  "ntk",
  "yarn",
  "dynamic",
  "window",
  "streaming",
  "self-extend",
  "rerope",
  "tuned",
] as const;
export const entrants = [...trainedEntrants, ...laterEntrants] as const;
export type Entrant = (typeof entrants)[number];
/** An encoding has its own colour; what was switched on later is numbered among those that are shown. */
export function colourOf(entrant: Entrant, shown: readonly Entrant[]): Colour {
  const trained = trainedEntrants.find((one) => one === entrant);
  return trained ?? shown.filter((one) => (laterEntrants as readonly Entrant[]).includes(one)).indexOf(entrant) + 1;
}

/** As many as there are numbered colours. */
export const mostEntrants = 6;

export interface ArenaSettings {
  language: LabLanguage;
  shown: Entrant[];
  factor: (typeof factors)[number];
  /** The reader's guess, after which the needle is shown. */
  guess: Entrant | "none-yet";
}

interface Run {
  /** Folder of the model. */
  model: string;
  /** What was measured of it is found under this. */
  key: string;
  rule: Rule;
}

const modelOf = (language: LabLanguage, encoding: TrainedWith): string =>
  language === "zh" && encoding === "rope" ? "zh-rope-copy" : `${language}-${encoding}`;

/** What each entrant is: the model, and the rule that it is read with. */
function planOf(entrant: Entrant, language: LabLanguage, factor: number): Run {
  const rope = modelOf(language, "rope");
  const scaled = (name: "linear" | "ntk" | "yarn") => ({
    model: rope,
    key: `${name}-${factor}`,
    rule: { name, value: factor },
  });
  const [group, window] = language === "en" ? [32, 128] : [8, 64];
  switch (entrant) {
    case "linear":
    case "ntk":
    case "yarn":
      return scaled(entrant);
    case "stretched":
      return { model: modelOf(language, "learned"), key: "interp", rule: { name: "interp" } };
    case "dynamic":
      return { model: rope, key: "dynamic-2", rule: { name: "dynamic", value: 2 } };
    case "window":
      return { model: rope, key: "window-256", rule: { name: "window", value: 256 } };
    case "streaming":
      return { model: rope, key: "stream-256", rule: { name: "default" } };
    case "self-extend":
      return { model: rope, key: `selfextend-${group}-${window}`, rule: { name: "selfextend", group, window } };
    case "rerope":
      return { model: rope, key: "rerope-192", rule: { name: "rerope", value: 192 } };
    case "tuned": {
      // Trained on with factor 4, and read with no smaller one.
      const value = Math.max(4, factor);
      return { model: `${rope}-ft-yarn4`, key: `yarn-${value}`, rule: { name: "yarn", value } };
    }
    default:
      return { model: modelOf(language, entrant), key: "default", rule: { name: "default" } };
  }
}

export interface Runner extends Run {
  entrant: Entrant;
  trained: TrainedWith;
  measured: Measurement;
}

/** Undefined: no such model was trained, or it was not measured so. */
export function runnerOf(entrant: Entrant, language: LabLanguage, factor: number): Runner | undefined {
  const plan = planOf(entrant, language, factor);
  const measured: Measurement | undefined = allMeasured[plan.model]?.[plan.key];
  return measured && { ...plan, entrant, trained: labModels[plan.model].encoding, measured };
}

/** Runners whose models were trained by the same recipe, in the order shown: only among these a needle can be compared. */
export function sameRecipe(runners: Runner[]): Runner[][] {
  const groups = new Map<string, Runner[]>();
  for (const runner of runners) {
    const { recipe } = labModels[runner.model];
    groups.set(recipe, [...(groups.get(recipe) ?? []), runner]);
  }
  return [...groups.values()];
}

export const areOneModel = (runners: Runner[]): boolean =>
  runners.length > 1 && runners.every(({ model }) => model === runners[0].model);

/** Sinks need a cache that moves; that was measured, but is not run in the page. */
export const isLive = ({ entrant }: Runner): boolean => entrant !== "streaming";

export const runnersOf = ({ language, shown, factor }: ArenaSettings): Runner[] =>
  shown.flatMap((entrant) => runnerOf(entrant, language, Number(factor)) ?? []);

/** Half a nat more than the model as it was trained: more counts as losing the thread. */
const mostLoss = 0.5;
const lossAt = ({ loss }: Measurement, length: number): number =>
  loss.find(([measured]) => measured === length)?.[1] ?? Infinity;

/** The longest measured text, of trained length or more, up to which the loss stays near that of the model as trained; 0: none. */
export function readsTo({ model, measured }: Runner): number {
  const asTrained = lossAt(allMeasured[model]["default"], trainedLength);
  const longer = measured.loss.filter(([length]) => length >= trainedLength);
  return longest(longer, (nats) => nats <= asTrained + mostLoss);
}

const leastFound = 0.5;

/** How far back a password is found: at least half of its letters. */
export const remembersTo = ({ measured: { needle } }: Runner): number =>
  longest(needle, (share) => share >= leastFound);

/** What each finds at a distance, the best first. */
export const foundAt = (runners: Runner[], distance: number): { entrant: Entrant; share: number }[] =>
  runners
    .map(({ entrant, measured }) => ({ entrant, share: valueAt(measured.needle, distance) ?? 0 }))
    .sort((one, other) => other.share - one.share);

export const isFound = (share: number): boolean => share >= leastFound;

/** Whether a line would hide this one: nearly the same values at three of four places. */
function isCoveredBy(line: [number, number][], upper: [number, number][]): boolean {
  const near = line.filter(([x, y]) => Math.abs((valueAt(upper, x) ?? Infinity) - y) < 0.1);
  return near.length >= line.length * 0.75;
}

/** Those that lie under one of the runners before them. */
export const coveredOf = (runners: Runner[], which: "loss" | "needle"): Entrant[] =>
  runners
    .filter(({ measured }, index) =>
      runners.slice(0, index).some((upper) => isCoveredBy(measured[which], upper.measured[which])),
    )
    .map(({ entrant }) => entrant);

/** Lengths up to which a text is looked at. */
export const lengths = [64, 128, 256, 512, 1024, 2048, 4096];

export const valueAt = (pairs: [number, number][], x: number): number | undefined =>
  pairs.find(([one]) => one === x)?.[1];

/** The runner with the longest list of places first: a table of 256 rows was measured no farther. */
export const longestFirst = (runners: Runner[], which: "loss" | "needle"): Runner[] =>
  runners.toSorted((a, b) => b.measured[which].length - a.measured[which].length);

function longest(pairs: [number, number][], holds: (value: number) => boolean): number {
  const end = pairs.findIndex(([, value]) => !holds(value));
  const count = end < 0 ? pairs.length : end;
  return count ? pairs[count - 1][0] : 0;
}
