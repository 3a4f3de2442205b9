// In two minutes: English.
import type { Prediction } from "../lib/chapter-text.ts";
import type { ChapterName } from "../text/chapters.en.ts";
import type { StageName, StageText } from "./map.ts";

export interface StripText extends Prediction {
  /** What the picture shows. */
  picture: string;
  /** To be kept in mind. */
  sentence: string;
}

export interface ReviseText {
  title: string;
  lead: string;
  map: { title: string; layer: string; caption: string; stages: Record<StageName, StageText> };
  strips: { intro: string; all: string; sentence: string; chapters: Record<ChapterName, StripText> };
}

export const en: ReviseText = {
  title: "In two minutes",
  lead: "The whole course, for those who have been through it and want to keep it. One sentence for each chapter; guess before you read it.",
  map: {
    title: "Where positions enter a Transformer",
    layer: "in every layer",
    caption:
      "The text runs from top to bottom. A model uses one or two of these ways, hardly ever all. Press one to see how it works.",
    stages: {
      input: {
        title: "Words as vectors",
        does: "what a word means",
        ways: {
          sinusoidal: "+ a row of clocks: sinusoidal",
          learned: "+ a trained row: learned",
          adding: "why adding works",
          images: "+ row and column: patches of a picture",
        },
      },
      turn: {
        title: "Queries and keys",
        does: "what is looked for, what is offered",
        ways: {
          rope: "turn both: RoPE",
          scaled: "turn more slowly: long context",
          mrope: "three positions each: M-RoPE",
        },
      },
      score: {
        title: "Scores",
        does: "query · key",
        ways: {
          alibi: "− slope × distance: ALiBi",
          t5: "+ a number for each bucket of distances: T5",
          keys: "+ a vector of the distance, with keys: Shaw",
          window: "+ an entry of a window’s table: Swin",
        },
      },
      mask: {
        title: "Causal mask",
        does: "nobody sees ahead",
        ways: { mask: "without positions, the only trace of order" },
      },
      value: {
        title: "Softmax, mean of values",
        does: "what is handed on",
        ways: { values: "+ a vector of the distance, with values: Shaw" },
      },
      output: {
        title: "The next word",
        does: "guessed from all before",
        ways: { models: "which model goes which way" },
      },
    },
  },
  strips: {
    intro: "13 sentences. Reading them takes two minutes, guessing first takes five, and is worth it.",
    all: "Show all sentences",
    sentence: "The sentence to keep",
    chapters: {
      order: {
        picture: "Who looks at whom, without positions: for a sentence, and for the same words in another order.",
        question: "Without positions, the words of a sentence are shuffled. What does attention notice?",
        options: ["nothing", "that neighbours have changed", "that the first word has changed"],
        answer: 0,
        reveal: "Every output is a mean over the same words, in whatever order they stand.",
        sentence: "Attention reads a bag of words: it has to be told where each one stands.",
      },
      counting: {
        picture: "Binary digits as blocks, and the waves that smooth them.",
        question: "Which of these stays small, does not depend on the text’s length, and makes all steps equal?",
        options: ["binary digits", "fractions of the length", "sines with cosines"],
        answer: 2,
        reveal: "Digits jump by different lengths, and a fraction changes as soon as the text grows.",
        sentence: "One number is not enough: a position needs quick numbers for near and slow ones for far.",
      },
      sinusoidal: {
        picture: "The table: a row for each position, from quick waves on the left to slow ones on the right.",
        question: "Which part of the table tells a word from the next one?",
        options: ["the left", "the right", "both alike"],
        answer: 0,
        reveal: "The waves on the left are short and change from row to row. The long ones tell beginning from end.",
        sentence: "A position is a row of clocks, each slower than the one before, written down as sines and cosines.",
      },
      rotation: {
        picture: "What each pair adds to the dot product of two positions, by their distance; quick pairs are on top.",
        question: "Two positions move on by the same number of steps. Their dot product",
        options: ["grows", "falls", "stays as it is"],
        answer: 2,
        reveal: "Both rows of clocks turn alike, so the angles between their hands stay.",
        sentence: "A shift is one rotation, the same from anywhere, and a dot product knows the distance alone.",
      },
      adding: {
        picture: "Vectors of words, positions, and their sum.",
        question: "Why can the sum of word and position be taken apart?",
        options: ["positions are tiny", "there are many dimensions", "a separator stands between them"],
        answer: 1,
        reveal: "With many dimensions, two directions are nearly always nearly at right angles.",
        sentence: "Word and position share one vector without drowning each other, because there is room for both.",
      },
      learned: {
        picture: "The numbers of a table after a short training; they began as noise.",
        question: "A learned table has 512 rows. What does it have for position 600?",
        options: ["a row that continues the pattern", "nothing", "the row of position 88"],
        answer: 1,
        reveal: "There is no formula behind the rows, so there is nothing to continue.",
        sentence: "A learned table finds its order in training, and ends at its last row.",
      },
      relative: {
        picture: "T5: one colour for each bucket of distances; queries down, keys across.",
        question: "Which distances share a bucket in T5?",
        options: ["far ones", "near ones", "every second one"],
        answer: 0,
        reveal: "Near distances have a bucket each. Far away, a little farther makes no difference.",
        sentence: "Ask only how far apart two words are: what was learned in one place then holds everywhere.",
      },
      rope: {
        picture: "A score under RoPE by distance, for three bases: the larger the base, the slower it falls.",
        question: "Query and key are turned by their positions. What is left of this in their dot product?",
        options: ["the difference of the positions", "both positions", "nothing"],
        answer: 0,
        reveal: "A dot product sees the angle between two hands; turn both alike and it stays.",
        sentence: "RoPE turns queries and keys like clock hands, and a score sees only the angle between them.",
      },
      alibi: {
        picture: "What eight heads charge for distance, from steep to flat.",
        question: "What does ALiBi learn?",
        options: ["a slope for each head", "a table of distances", "nothing"],
        answer: 2,
        reveal: "The slopes are fixed before training, each a constant part of the one before.",
        sentence:
          "ALiBi charges for distance, each head at its own rate: it stays calm in long texts, and forgets what is far.",
      },
      "long-context": {
        picture: "By how much four rules slow each clock, from quick to slow.",
        question: "A text is longer than all of the training. Which clocks fail first?",
        options: ["the quick ones", "the slow ones", "all at once"],
        answer: 1,
        reveal: "The slow ones never came round, so they now show angles that were never seen.",
        sentence: "Scaling rules slow the slow clocks down; and a flat loss is not yet a long memory.",
      },
      images: {
        picture: "How alike the places of a wide picture are to one of them.",
        question: "Patches are numbered row by row in one line. Which two wrongly become neighbours?",
        options: ["a patch and the one below it", "two opposite corners", "the end of a row and the start of the next"],
        answer: 2,
        reveal: "In the line they follow each other; in the picture they stand at opposite sides.",
        sentence: "A picture has rows and columns: give each its own clocks.",
      },
      models: {
        picture: "Published models, a column for each year; colours are their encodings.",
        question: "Which encoding do most language models use that were published since 2023?",
        options: ["a learned table", "RoPE", "ALiBi"],
        answer: 1,
        reveal: "RoPE knows distances, has nothing to learn, and can be stretched afterwards.",
        sentence: "RoPE has won for language; tables live on where lengths are fixed, as in vision.",
      },
      speed: {
        picture: "The numbers of a query before and after its rotation, four at a time.",
        question: "A processor computes four numbers in one instruction. What becomes four times as fast?",
        options: ["everything", "nothing", "arithmetic, as far as memory keeps up"],
        answer: 2,
        reveal: "Where numbers arrive slowly, four lanes wait as long as one.",
        sentence: "Positions cost little to compute; moving numbers about costs more.",
      },
    },
  },
};
