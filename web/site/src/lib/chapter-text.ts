// What the text of every chapter has, beside sections of its own.

export interface QuizQuestion {
  question: string;
  options: { text: string; /** Why it is right or wrong. */ why: string }[];
  /** Index of the right option. */
  answer: number;
}

export interface SourceText {
  cite: string;
  url: string;
  /** What is to be found there. */
  note?: string;
}

/** A guess before the figure is tried: what will happen? */
export interface Prediction {
  question: string;
  options: string[];
  /** Index of what does happen. */
  answer: number;
  /** Shown after the guess, right or wrong: what to try in the figure, and why it is so. */
  reveal: string;
}

/** A proof or a side remark, folded until the reader asks for it. */
export interface Aside {
  /** What it answers: "Why is the dot product a cosine?" */
  title: string;
  paragraphs: string[];
}

export interface SectionText {
  heading: string;
  paragraphs: string[];
  predict?: Prediction;
  /** What to notice in the figure. */
  points?: string[];
  why?: Aside[];
}

export interface FigureText {
  title: string;
  /** What the figure shows, for those who cannot see it. */
  shows: string;
  /** A line above the drawing: what its colours and lines stand for. */
  guide?: string;
  caption?: string;
}

export interface ChapterText {
  /** The sentence under the title, before the first figure. */
  question: string;
  /** After the first figure: what it has shown, in two or three sentences. */
  idea: string[];
  code: { paragraphs: string[] };
  quiz: QuizQuestion[];
  sources: SourceText[];
  [section: string]: unknown;
}
