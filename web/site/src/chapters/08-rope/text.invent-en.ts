// Inventing RoPE: English.

export const invent = {
  heading: "Invent it yourself",
  paragraphs: [
    "Why turn, of all things? Begin with nothing. There are five wishes for a way to tell a word its place, each measured on a query and a key. Where one is not granted, press the mend beside it, and go on until all five are.",
  ],
  points: [
    "<em>Add</em> something, and it becomes part of the vector: words meet absolute places in the dot product, and a shift changes scores. A wave stays small at least.",
    "<em>Multiply</em> by the position, and the score is a multiple of $m \\cdot n$: a swap cannot be seen, and lengths explode. What multiplies without changing lengths is a turn.",
    "<em>One speed</em> is one clock: after 44 steps, almost exactly seven turns, it looks as it did at the start. If it runs slower, neighbours look alike. A row of clocks, from fast to slow, has neither fault, like the hands for seconds, minutes and hours. That is RoPE.",
  ],
  why: [
    {
      title: "Are there other ways?",
      paragraphs: [
        "Yes. Chapters 7 and 9 leave queries and keys alone and change the <em>score</em>, by the distance. Here each word is prepared on its own, before it meets another: a key that has been turned once can be kept for all later queries.",
      ],
    },
    {
      title: "What exactly is measured?",
      paragraphs: [
        "All scores are plain dot products of 64 made-up numbers. <em>Swap</em>: positions 3 and 4. <em>Shift</em>: both moved by 100. <em>Size</em>: the vector’s length at positions 0 to 500; the longest may be twice the shortest. <em>Unseen</em>: position 100 000. <em>Alike</em>: the two positions from 0 to 100 at which the query differs least; 10 % of its length are asked for. The table is drawn at random, which is what a learned one begins with.",
      ],
    },
  ],
  figure: {
    title: "From nothing to RoPE, one mend at a time",
    shows:
      "The way that was taken so far, from nothing; three dials with the hands of three pairs at a position; five wishes, whether each is granted, the numbers measured, and buttons that mend it.",
    words: { query: "cat", key: "mouse" },
    trail: "Tried so far; press one to go back",
    ways: {
      nothing: "nothing",
      number: "add the number m",
      table: "add a row of a table",
      times: "multiply by m",
      wave: "add a wave",
      turn: "turn by an angle",
      slow: "turn more slowly",
      many: "each pair at its own speed",
    },
    says: {
      nothing: "The word’s numbers are the same wherever it stands.",
      number: "The position m is added to each of the word’s 64 numbers.",
      table: "Each position has a row of 64 numbers in a table of 512 rows, which is added to the word’s.",
      times: "All of the word’s numbers are multiplied by its position m.",
      wave: "Sines and cosines of m are added: the sinusoidal encoding.",
      turn: "Each pair of numbers is turned by m radians, about 57° a step.",
      slow: "Each pair is turned by m/100 radians, half a degree a step.",
      many: "Pair 0 turns by 1 radian a step, each further one by a quarter less. All five are granted: this is RoPE.",
    },
    pairName: "pair {pair}",
    pair: "pair",
    position: "Position m",
    off: "off the dial",
    wish: "wish",
    wishes: {
      order: "A swap of two words changes the score",
      shift: "A shift of both does not",
      size: "No position blows a vector up",
      unseen: "Positions never seen work, too",
      apart: "No two positions look alike",
    },
    granted: "granted",
    denied: "not granted",
    mend: "Mend:",
    measured: {
      order: "score {a}, swapped {b}",
      shift: "score {a}, both 100 further on {b}",
      size: "length from {a} to {b}",
      unseen: "score at 100 000: {a}",
      apart: "closest: {a} and {b}, {c} % apart",
    },
    noRow: "the table has no row {position}",
    table: "Wishes and measured numbers: {way}",
    hands: "The hands at position {position}",
  },
};
