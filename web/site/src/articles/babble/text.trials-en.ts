// The figures of the two suspects, in the article on babbling: English.
import type { FigureText } from "../../lib/chapter-text.ts";
import type { TrialName } from "./trials.ts";

export interface TrialsFigureText extends FigureText {
  trials: Partial<Record<TrialName, { name: string; told: string }>>;
  trial: string;
  loss: string;
  outcome: string;
  reads: string;
  babbles: string;
  here: string;
  button: string;
  again: string;
  running: string;
  table: string;
}

const words = {
  trial: "trial",
  loss: "loss",
  outcome: "outcome",
  reads: "reads well",
  babbles: "babbles",
  here: "here:",
  button: "Try one passage here ({megabytes} MB to load)",
  again: "Try one passage here",
  running: "Reading …",
};

export const shortEn: TrialsFigureText = {
  ...words,
  title: "Suspect one: memory",
  guide:
    "Purple = where the model is told that the characters stand. Green = 256 in a row, the most that training had. Bar = loss; dashed = usual.",
  shows:
    "Three ways to number the same 200 characters, drawn as blocks on a line, and how badly the model guesses the second hundred under each.",
  caption: "Mean loss of characters 101 to 200, over six passages that the model has never read.",
  table: "Loss of the second hundred of 200 characters",
  trials: {
    short: { name: "As it stands", told: "places 0 to 199" },
    moved: { name: "All of it far out", told: "the same, moved by 10 000" },
    apart: { name: "A hole in the middle", told: "the second half is moved by 400" },
  },
};

export const manyEn: TrialsFigureText = {
  ...words,
  title: "Suspect two: attention",
  guide:
    "Purple = the distances that attention is told. Green = up to 256, as in training. Bar = loss; dashed = usual.",
  shows:
    "The same 512 characters twice: with their true distances, drawn as a block on a line, and with no distance above 192; and how badly the model guesses the second 256.",
  caption:
    "Mean loss of characters 257 to 512, over six passages. Every character attends to all before it, both times.",
  table: "Loss of the second half of 512 characters",
  trials: {
    long: { name: "True distances", told: "up to 511 back" },
    capped: { name: "The white lie", told: "no distance counts for more than 192" },
  },
};
