// What the parts of a chapter know of the whole: its text, the names of its sections, and which figure comes first.
import { getContext, setContext } from "svelte";
import type { SectionText } from "./chapter-text.ts";

/** The text of a chapter or an article, as far as its parts ask for it. */
interface LessonText {
  idea?: string[];
  [section: string]: unknown;
}

export interface Lesson {
  text: LessonText;
  /** What links call a section. */
  anchorOf(section: SectionText): string | undefined;
}

const lessonKey = Symbol("lesson");
const openingKey = Symbol("opening");
const guessKey = Symbol("guess");

const isSection = (part: unknown): part is SectionText =>
  typeof part === "object" && part !== null && "heading" in part && "paragraphs" in part;

/** The sections of a chapter, in reading order, which is the order of its text. */
export function sectionsOf(text: LessonText): { anchor: string; heading: string }[] {
  return Object.entries(text).flatMap(([anchor, part]) => (isSection(part) ? [{ anchor, heading: part.heading }] : []));
}

export function setLesson(text: LessonText): void {
  const anchorOf = (section: SectionText) => Object.entries(text).find(([, part]) => part === section)?.[0];
  setContext<Lesson>(lessonKey, { text, anchorOf });
}

export const getLesson = (): Lesson => getContext<Lesson>(lessonKey);

/** The guess of a section: what it asks about is covered until it was made, or was not wanted. */
export interface Guess {
  made: boolean;
  /** What the reader chose, by its place in the list. */
  chosen?: number;
  /** Said by a figure that first has to run: until it has, nothing is right or wrong. */
  awaited?: boolean;
}

export const setGuess = (guess: Guess): Guess => setContext(guessKey, guess);
export const getGuess = (): Guess => getContext<Guess>(guessKey);

export const markOpening = (opening: boolean): boolean => setContext(openingKey, opening);

/** Whether this is the first figure of a chapter, which stands right under its title. */
export const isOpening = (): boolean => getContext<boolean | undefined>(openingKey) ?? false;
