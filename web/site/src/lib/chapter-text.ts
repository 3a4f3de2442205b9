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

export interface SectionText {
  heading: string;
  paragraphs: string[];
  /** What to notice in the figure. */
  points?: string[];
}

export interface FigureText {
  title: string;
  /** What the figure shows, for those who cannot see it. */
  shows: string;
  caption?: string;
}

export interface ChapterText {
  question: string;
  idea: string[];
  code: { paragraphs: string[] };
  quiz: QuizQuestion[];
  sources: SourceText[];
  [section: string]: unknown;
}
