// What the text of every article has: a promise, steps that each begin with a guess, and an ending with commands and links.
import type { Aside, FigureText, Prediction, SourceText } from "../lib/chapter-text.ts";

export interface StepText {
  /** A question: the one that the step before has left open. */
  heading: string;
  /** Two or three sentences before the guess. */
  paragraphs: string[];
  predict: Prediction;
  /** After the figure: what it has shown, and what that leaves open. */
  idea: string[];
  /** Folded: for those who want to know more. */
  why?: Aside[];
  figure: FigureText;
}

export interface CommandText {
  /** What it does. */
  title: string;
  /** Lines for a terminal, as they are copied. */
  lines: string;
  note?: string;
}

export interface OnwardText {
  href: string;
  title: string;
  summary: string;
}

export interface EndingText {
  heading: string;
  paragraphs: string[];
  /** None: []. */
  commands: CommandText[];
  /** After the commands. */
  idea: string[];
  onward: OnwardText[];
}

export interface ArticleText {
  /** What the reader will know at the end: one sentence under the title. */
  promise: string;
  /** Minutes of reading, figures included. */
  minutes: string;
  ending: EndingText;
  sources: SourceText[];
  /** The steps, in reading order, under names that links use; the ending comes after them. */
  [step: string]: unknown;
}
