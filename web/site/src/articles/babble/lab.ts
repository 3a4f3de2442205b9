// The models of this article, one for each language, and what was measured of them and their repairs.
import { runnerOf, valueAt, type LabLanguage, type Runner } from "../../lab/arena.ts";
import { bytesOf, weightsAddress } from "../../lab/models.ts";
import type { Reader } from "../../lab/read-along.ts";
import type { Locale } from "../../lib/i18n.ts";
import type { Repair } from "./settings.ts";
import trialsJson from "./trials.json";
import type { TrialName } from "./trials.ts";

export const labLanguage = (locale: Locale): LabLanguage => (locale === "en" ? "en" : "zh");

/** The rules that repairs are shown by; and the model as it was trained. */
const entrantOf = { none: "rope", stretch: "yarn", window: "window", group: "self-extend" } as const;

/** By how much YaRN stretches. */
export const factor = 4;

export const runner = (repair: Repair | "none", language: LabLanguage): Runner =>
  runnerOf(entrantOf[repair], language, factor)!;

export const lossAt = ({ measured }: Runner, length: number): number => valueAt(measured.loss, length)!;
export const foundAt = ({ measured }: Runner, distance: number): number => valueAt(measured.needle, distance)!;

/** Lengths at which repairs are compared: what they were trained for, and four times that. */
export const compared = { near: 256, far: 1024 } as const;

/** Time of a token after 4095 others in onnxruntime-web, by that of the file as exported: the table "Choose a rule" of web/docs/onnx.md. */
export const timePerToken: Record<Repair | "none", number> = { none: 1, stretch: 1, window: 1, group: 1.9 };

/** How far back the password of the last guess stands. */
export const asked = 768;

/** Measured with the passages in `lab`, as `trials.ts` says: losses of the trials, and of a text by stretches. */
const measured = trialsJson as Record<LabLanguage, { trials: Record<TrialName, number>; stretches: number[] }>;
export const measuredTrials = { en: measured.en.trials, zh: measured.zh.trials };
export const measuredStretches = { en: measured.en.stretches, zh: measured.zh.stretches };

export const readerOf = ({ entrant, model, trained, rule }: Runner): Reader => ({
  name: entrant,
  address: new URL(weightsAddress(model)!, location.href).href,
  bytes: bytesOf(model),
  trained,
  rule: { ...rule },
});

/** A nat more than usual is called babble: the right character is then e times less likely to the model. */
export const babbles = (loss: number, language: LabLanguage): boolean =>
  loss > Math.max(measuredTrials[language].short, lossAt(runner("none", language), compared.near)) + 1;

/** The end of the scale of bars. */
export const mostLoss = (language: LabLanguage): number =>
  Math.ceil(
    Math.max(
      ...Object.values(measuredTrials[language]),
      ...measuredStretches[language],
      lossAt(runner("none", language), compared.far),
    ),
  );
