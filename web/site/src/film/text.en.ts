// The film: English. Captions have their times in script.ts.
import type { FigureText } from "../lib/chapter-text.ts";
import type { SceneName } from "./script.ts";

export interface SceneText {
  title: string;
  captions: string[];
}

export interface FilmText {
  title: string;
  lead: string;
  figure: FigureText;
  player: {
    /** The group of controls. */
    label: string;
    time: string;
    /** Between the time and the name of the scene. */
    at: string;
    back: string;
    on: string;
    scenes: string;
    keys: string;
    stills: string;
  };
  scenes: Record<SceneName, SceneText>;
  picture: {
    /** Words with spaces between them. */
    first: string;
    second: string;
    /** Whose output is compared. */
    word: string;
    wordValues: string;
    number: string;
    text: string;
    step: string;
    fast: string;
    slow: string;
    position: string;
    likeness: string;
    query: string;
    key: string;
    positions: string;
    angle: string;
    score: string;
    closing: string[];
  };
  tables: { squeezed: string; length: string; likeness: string; with: string; turned: string };
  transcript: { heading: string; chapter: string };
}

export const en: FilmText = {
  title: "The idea in 75 seconds",
  lead: "From a bag of words to RoPE, without a formula. Each picture is computed as you watch.",
  figure: {
    title: "A film in four scenes",
    shows:
      "Two sentences fall into the same bag of words. Counting drowns the words. A row of clocks shows where a word is. RoPE turns query and key, and only the angle between them is left.",
  },
  player: {
    label: "Film",
    time: "Time",
    at: "{time} / {all}: {scene}",
    back: "One caption back",
    on: "One caption on",
    scenes: "Scenes",
    keys: "Space plays and pauses, the arrow keys go 2 seconds back or on.",
    stills: "Your system asks for less motion: the film is shown as still pictures, one for each caption.",
  },
  scenes: {
    bag: {
      title: "A bag of words",
      captions: [
        "Two sentences of the same words. Only the order is different, and with it who got hurt.",
        "Attention looks at all words at once. To it, a sentence is a bag of words without first or last.",
        "What it computes for “dog” is the same in both. Who bit whom is lost.",
      ],
    },
    count: {
      title: "Counting",
      captions: [
        "So count: 1, 2, 3 … and give each word its number.",
        "But the count grows without limit. Soon the word itself is too small to notice.",
        "Squeeze the count into 0 to 1? Then a step is of another size in every text.",
      ],
    },
    clocks: {
      title: "Clocks",
      captions: [
        "Better: a row of clocks. Each has a hand with its own speed, and no hand ever leaves its dial.",
        "All hands together are the position. Three positions, three different rows.",
        "Neighbours look much alike; positions far apart do not.",
      ],
    },
    rope: {
      title: "RoPE",
      captions: [
        "RoPE adds nothing to the word. It turns query and key themselves: one to 3, one to 5.",
        "The score between them sees only the angle between the two hands: two steps.",
        "A hundred positions later, both have turned on. Their angle is the same, and so is the score.",
      ],
    },
    end: {
      title: "End",
      captions: ["Turn by position, compare by angle: a score then knows the distance."],
    },
  },
  picture: {
    first: "the dog bit the man",
    second: "the man bit the dog",
    word: "dog",
    wordValues: "the word",
    number: "its number",
    text: "{count} words",
    step: "step {step}",
    fast: "fast",
    slow: "slow",
    position: "position {position}",
    likeness: "alike",
    query: "query at {position}",
    key: "key at {position}",
    positions: "positions",
    angle: "angle",
    score: "score",
    closing: ["Turn by position,", "compare by angle."],
  },
  tables: {
    squeezed: "Positions squeezed into 0 to 1: the size of a step",
    length: "words",
    likeness: "Mean cosine between the hands of two positions, 1 for the same",
    with: "alike",
    turned: "A pair of query and key under RoPE",
  },
  transcript: { heading: "The film in words", chapter: "Chapter: {title}" },
};
