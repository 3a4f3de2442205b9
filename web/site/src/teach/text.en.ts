// Teach with it: English.
import { exercises } from "./text.exercises-en.ts";

export interface PlanRow {
  what: string;
  question: string;
  /** What learners should be able to say after it. */
  says: string;
}

export const en = {
  title: "Teach with it",
  lead: "A lesson of 90 minutes, 39 exercises with solutions, and every figure of the course for your slides and pages. All of it runs in the browser, offline too once it was opened; learners install nothing.",
  contents: "On this page",
  plan: {
    heading: "A lesson of 90 minutes",
    intro:
      "For learners who know what a vector is and have heard of attention. You need a projector; a phone or a laptop for two learners is enough. Ask every question before you touch the figure, and let hands go up: a wrong guess is remembered best.",
    columns: ["Minutes", "Figure", "Ask", "Afterwards learners say"],
    span: "{from}–{to}",
    total: "{minutes} minutes, {rows} steps",
    rows: [
      {
        what: "The problem: drag the words",
        question: "Exchange “dog” and “man”. How many of the five outputs change without positions?",
        says: "“None. Attention reads a bag of words.”",
      },
      {
        what: "Invent a numbering on paper, in pairs: 16 words, only numbers from −1 to 1. Then compare the six tables",
        question: "Does yours still work when the text has 1000 words?",
        says: "“One number is not enough. We need quick ones and slow ones.”",
      },
      {
        what: "A row of clocks. Compute the row of position 3 by hand (exercise below), then check it",
        question: "Which clock tells 0 from 1? Which one tells 0 from 44?",
        says: "“A position is a row of clocks, each slower than the one before.”",
      },
      {
        what: "Two words walk on together",
        question: "Both move on by 100. What happens to the wedges between the hands?",
        says: "“Nothing. The wedges show how far apart two words are, not where they stand.”",
      },
      {
        what: "Why adding does no harm",
        question: "512 random numbers: how near to a right angle are two such vectors?",
        says: "“Within 5 degrees, nearly always. So the sum can be taken apart.”",
      },
      { what: "Break", question: "–", says: "–" },
      {
        what: "RoPE: turn query and key instead of adding. First the hands, then “The same sentence, moved on”",
        question: "The sentence moves on by 100. Whose attention weights change: added sinusoids’ or RoPE’s?",
        says: "“The sinusoids’. Under RoPE a score knows the distance alone.”",
      },
      {
        what: "No clocks at all: a charge for distance",
        question: "What can the steepest head still see? And the flattest?",
        says: "“Each head has a reach of its own, and a longer text does not change it.”",
      },
      {
        what: "Longer than trained",
        question: "Which clocks stand at an angle that they never showed in training?",
        says: "“The slow ones: they never came round. So we slow them down, or retrain.”",
      },
      {
        what: "Exit ticket. On a slip of paper, three sentences: what a position is, what RoPE keeps, why longer texts fail",
        question: "A model guesses well at sixteen times its length. Has it read all of it?",
        says: "“Not necessarily. A flat loss is not a long memory.”",
      },
    ] as PlanRow[],
    after:
      "If you have 45 minutes only: steps 1, 3, 4 and 7. If you have two lessons: let learners do the exercises of chapters 2, 3 and 8 between them.",
  },
  exercises: {
    heading: "Exercises with solutions",
    intro:
      "Three for each chapter. The link leads to the figure in which the answer can be seen. Numbers in solutions are computed by the library when this page is built.",
    solution: "Solution",
    figure: "Try it in the figure",
    tasks: exercises,
  },
  figures: {
    heading: "Figures for slides",
    intro:
      "Open a figure, set it as you need it, and take it along: <strong>Share</strong> under the figure has “Download as SVG”. The file opens alone, scales to any size, and has a line that says where it comes from. Or show it live: “alone” opens the figure without its page, made for a projector.",
    alone: "alone",
    aloneOf: "{title}, alone",
  },
  embed: {
    heading: "In your own pages",
    intro:
      "Every figure works in a frame of another page: in a course platform, a notebook, a blog. <strong>Share</strong> → “Copy code to embed” copies the code, as the figure is set. It looks like this, for a copy of this site at <code>example.org</code>:",
    frame: "A figure in a frame",
    inspector:
      "For pages about models there is the element <code>posenc-inspector</code>. It reads a model’s file or its config, and says which positions it has:",
    element: "A model’s positions as an element",
    hosts: "A copy of the site runs on any static host, in any folder. The figures send nothing anywhere.",
  },
};
