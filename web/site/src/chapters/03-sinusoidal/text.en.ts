// The sinusoidal chapter: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "The first Transformer writes down where a word stands as the time on <strong>a row of clocks</strong>, each slower than the one before.",
  idea: [
    "At position 0 every hand points to the right. Move the position: every hand turns anticlockwise, each at its own speed. The quick clock on the left tells neighbours apart, but after six steps it is nearly back where it was. The slow ones on the right take very long for a turn; they tell the beginning from the end. The hands of a watch do the same for seconds, minutes and hours: together they name every second of half a day. Held side by side, the clocks of two positions show how far apart these are.",
    "The vector of a position is this row of hands written down: for each clock how high its tip is, a sine, and how far to the right, a cosine. These are the two columns of colours below it, never beyond −1 and 1. The vector is added to the word’s own, and from then on the word carries its position.",
  ],
  row: {
    heading: "A row of clocks",
    paragraphs: [],
    points: [
      "<em>Follow a column</em> from top to bottom: it is a wave, short on the left, long on the right. The encoding is called sinusoidal, made of sines, for that.",
      "<em>The base</em> sets how much slower each clock is than the one before. Lower it and the slow clocks become quicker; raise it and they nearly stop.",
    ],
    why: [
      {
        title: "Is there a “cosine encoding” beside it?",
        paragraphs: [
          "Lists of methods sometimes name a sine encoding and a cosine encoding. It is one method: half of its numbers are sines, the other half cosines of the same angles. Cosines alone would be no better than sines alone. They, too, take every value twice in a turn, so that two positions can look alike on one clock although its hands point to different sides.",
        ],
      },
    ],
    figure: {
      title: "One position: a row of clocks, and a row of the table",
      shows:
        "Eight dials in a row, one for each pair of numbers, with their hands at the chosen position. Below them the table of the encoding: one row per position, two columns under each dial, with the row of the chosen position marked.",
      place: "Position m",
      base: "Base b",
      play: "Let them run",
      pause: "Stop",
      pair: "pair {pair}",
      pairColumn: "pair",
      turn: "a turn in {wavelength} steps",
      hands: "The hands at position {place}",
      sine: "sine",
      cosine: "cosine",
      read: "position {row}, pair {pair} ({wave}): {value}",
      help: "Each row is the vector of a position; warm colours are near +1, blue ones near −1. Hover, tap or use the arrow keys.",
    },
  },
  table: {
    heading: "The table and its formula",
    paragraphs: [
      "Position $\\link{position}{m}$ gets a vector, $\\mathrm{PE}$ for short, of $\\link{dim}{d}$ numbers; the place of each is a dimension. Pair $i$, from 0 to $d/2 - 1$, holds the sine and the cosine of one angle, and each pair turns more slowly than the one before: the first ones are the high frequencies, the last ones the low. $b$ is the <em>base</em>, 10 000 in the paper.",
      "$$\\begin{aligned} \\mathrm{PE}(\\link{position}{m}, 2i) &= \\sin\\!\\left(\\frac{\\link{position}{m}}{\\link{base}{b}^{\\,2i/\\link{dim}{d}}}\\right) \\\\ \\mathrm{PE}(\\link{position}{m}, 2i+1) &= \\cos\\!\\left(\\frac{\\link{position}{m}}{\\link{base}{b}^{\\,2i/\\link{dim}{d}}}\\right) \\end{aligned}$$",
      "Here is the table of a whole text, as a picture:",
    ],
    points: [
      "<em>Lengthen the table</em> and nothing that was there changes: the row of position 7 is the same in a short and in a long text.",
      "<em>Lower the base:</em> all waves become quick, and far positions begin to look like near ones.",
    ],
    figure: {
      title: "The table: positions down, dimensions across",
      shows:
        "A heat map of the encoding. Columns on the left alternate quickly from row to row, columns on the right change slowly. Sliders set the number of positions, the number of dimensions and the base.",
      read: "position {row}, dimension {column} ({wave}): {value}; this pair repeats every {wavelength} positions",
      help: "Hover, tap or use the arrow keys (with Shift: ten at a time). A click or Enter draws that column as a curve in “Column by column”, below; triangles mark such columns.",
      length: "Length (positions)",
      dim: "Dimensions d",
      base: "Base b",
    },
  },
  clocks: {
    heading: "The same distance, the same angle",
    paragraphs: [
      "Now read the same clocks at two positions, $m$ (dashed) and $m + k$ (solid). Between the two hands of a clock lies a wedge: the angle of $k$ steps.",
    ],
    predict: {
      question: "Both positions move on along the text. What happens to the wedge between the hands?",
      options: ["it grows", "it stays as wide", "it shrinks"],
      answer: 1,
      reveal: "Move the start: all hands turn, and every wedge stays as wide as it was.",
    },
    points: [
      "So a distance looks the same anywhere in the text. <strong>A position is a row of clocks, each running at its own speed: hold the clocks of two positions side by side, and they show how far apart the two are.</strong> The next chapters build on this.",
    ],
    why: [
      {
        title: "Why a sine and a cosine?",
        paragraphs: [
          "One sine alone cannot say whether it is rising or falling: it takes every value twice in a turn. Set the step so that a dashed and a solid hand of the first pair stand at the same height, and only their cosines tell them apart. Start 0 with step 22 comes close, as $22 \\approx 7\\pi$. With sine and cosine, every direction is a different point.",
          "There is a second reason. Moving on by $\\link{step}{k}$ positions turns the hand of pair $i$ by the angle $\\link{step}{k} \\cdot b^{-2i/d}$, wherever it stood. With sine and cosine at hand, that turn can be written as a small matrix that does not depend on the position; with the sine alone it cannot. Chapter 4 makes a lot of this.",
        ],
      },
    ],
    figure: {
      title: "Four pairs as clock hands, at m and at m + k",
      shows:
        "Four dials. On each, a dashed hand for position m and a solid hand for position m plus k, with the turn between them as a coloured wedge.",
      start: "Start m",
      step: "Step k",
      pair: "pair {pair}",
      pairColumn: "pair",
      note: "{wavelength} positions a turn",
      sineFrom: "sin at m",
      cosineFrom: "cos at m",
      sineTo: "sin at m + k",
      cosineTo: "cos at m + k",
      caption:
        "Dashed: the hand at $m$. Solid: the hand at $m + k$, with its sine (height) and cosine (to the right) below. The hands are drawn from the table’s own numbers.",
    },
  },
  base: {
    heading: "Why 10 000?",
    paragraphs: [
      "The base sets how slow the slowest clock is. If all clocks are quick, they have come round many times in a long text, and distant positions look alike. If the base is huge, most hands hardly move within a text, and their numbers are wasted.",
      "The paper does not derive 10 000; it is a choice that works. With its 512 dimensions the slowest wave is about 60 000 positions long, far longer than the sentences of 2017. Models for long texts raise the base for the same reason.",
    ],
    points: [
      "<em>Base 10:</em> the likeness of two positions, the dot product of their vectors, falls at once and then only ripples about zero, so that 30 steps look like 300. With 8 dimensions, position 458 is more like position 0 than position 1 is.",
      "<em>Base 1 000 000</em> and 96 positions: of 64 pairs only 13 complete a turn.",
    ],
    why: [
      {
        title: "Does it work for texts of any length?",
        paragraphs: [
          "The rule gives a vector to position one million as readily as to position 7. A model that was trained on short texts has never seen such vectors, and does not know what to make of them. The small model of chapter 1, trained on 256 characters, has a loss of 1.06 nats per character there and of 3.55 at 1024: as if it guessed among 35 characters that are equally likely. Chapter 10 is about that.",
        ],
      },
    ],
    figure: {
      title: "How slow are the waves, and which positions look alike?",
      shows:
        "Left: the wavelength of each pair on a logarithmic scale, with a line at the length of the text. Right: how alike the vectors of two positions are by their distance, one for equal.",
      base: "Base b",
      dim: "Dimensions d",
      wavesTitle: "Wavelength of each pair",
      pair: "pair",
      wavelength: "wavelength (positions)",
      lengthMark: "the text: {length} positions",
      readWave: "pair {pair}: one turn in {wavelength} positions",
      likenessTitle: "Likeness of two positions by distance",
      likeness: "PE(m)·PE(n) / ‖PE(m)‖²",
      distance: "distance",
      readLikeness: "distance {distance}: {value}",
      verdict:
        "{turned} of {count} pairs complete a turn within {length} positions. Beyond the first drop below 0.5, the likest position stands {closest} steps away: {value} (of distances up to 1024).",
    },
  },
  curves: {
    heading: "Column by column",
    paragraphs: [
      "A column of the table is a plain wave. The wavelengths grow geometrically, from $2\\pi \\approx 6.28$ positions in the first pair to nearly $2\\pi b$ in the last. It is like the digits of a counter: the last digit changes all the time, the first hardly ever, and together they name each number.",
    ],
    figure: {
      title: "Columns of the table as curves",
      shows:
        "Line chart of the chosen dimensions over positions: waves between minus one and one, of different wavelengths.",
      dimension: "dim {dimension}",
      wavelength: "wavelength {wavelength}",
      remove: "Remove dimension {dimension}",
      value: "value",
      empty: "Pick a column of the heat map above to see its curve.",
      read: "position {position}",
      spread: "Quick, middle and slow",
    },
  },
  example: {
    heading: "Small enough to check by hand",
    paragraphs: [
      "Five words, four dimensions, base 10 000. The divisors are $b^{0/4} = 1$ and $b^{2/4} = 100$, so that every number is a sine or cosine of $m$ or of $m/100$. Check one with a calculator (in radians).",
      "You may meet this example with other numbers: (0.8415, 0.5403, 0.9950, 0.0998) for position 1. There the divisor of the second pair is 10 instead of 100, and its cosine stands before its sine. Set the base to 100 and you find both numbers, in the right order.",
    ],
    figure: {
      title: "T = 5 positions, d = 4 dimensions",
      shows: "A table of five rows and four columns with the values of the encoding at positions 1 to 5.",
      base: "Base b",
      cell: "position {position}, dimension {column}",
      caption: "Counting from 1, as is easier by hand; most programs count from 0, where the first row is 0, 1, 0, 1.",
    },
  },
  wide: {
    heading: "The same with 512 dimensions",
    paragraphs: [
      "The first Transformer had 512 dimensions. Neighbouring pairs are nearly alike then: the divisor of pair 1 is $10\\,000^{2/512} = 1.0366$, so that at position 1 it holds the sine and the cosine of $1/1.0366 = 0.9647$.",
      "You may meet this example with $\\sin 0.0001$ and $\\cos 0.0001$ for pair 1, and $\\cos 0.9999$ at the very end. That is the exponent 2 taken for the whole way. An angle near 0.0001 belongs to the last pair, 255: $1/10\\,000^{510/512} = 0.000104$, and its cosine is nearly 1.",
    ],
    figure: {
      title: "The first pairs, and the last",
      shows:
        "A table with a row for each of some dimensions, the divisor of its pair, and the values of the encoding at positions 0, 1 and 2.",
      caption:
        "Row by row: a dimension, its formula with the divisor of its pair, and what it is at positions 0, 1 and 2.",
      dim: "Dimensions d",
      dimension: "dimension",
      cell: "position {position}, dimension {column}",
    },
  },
  code: {
    paragraphs: [
      "The table of the second figure, and the hands of the third, with your settings. It runs as it stands in Node and in the browser.",
    ],
  },
  quiz: [
    {
      question: "The table is made twice as long. What happens to the vector of position 7?",
      options: [
        {
          text: "It stays the same.",
          why: "Its angles depend on the position, the dimension and the base, not on the length.",
        },
        {
          text: "It is squeezed to half.",
          why: "That is about what happens to normalised positions, $m/(n-1)$. Waves do not know the length.",
        },
        { text: "Only its slow dimensions change.", why: "No dimension depends on the length of the text." },
      ],
      answer: 0,
    },
    {
      question: "Which dimensions tell neighbouring positions apart best?",
      options: [
        { text: "The last ones, with long waves", why: "They hardly change from one position to the next." },
        { text: "The first ones, with short waves", why: "The first pair turns by a whole radian with every step." },
        { text: "All alike", why: "Compare the columns on the left and on the right of the heat map." },
      ],
      answer: 1,
    },
    {
      question: "Why is a sine not enough?",
      options: [
        { text: "It is not bounded.", why: "It is: between −1 and 1, like the cosine." },
        {
          text: "It has every value twice in a turn: 0.5 may be rising or falling.",
          why: "With the cosine beside it, every direction is its own point, and a step is the same turn everywhere.",
        },
        { text: "It cannot be computed exactly.", why: "It can; accuracy is not the reason." },
      ],
      answer: 1,
    },
  ],
  sources: [
    {
      cite: "Vaswani et al., Attention Is All You Need, 2017, section 3.5",
      url: "https://arxiv.org/abs/1706.03762",
      note: "The encoding, wavelengths from $2\\pi$ to $10000 \\cdot 2\\pi$, and the remark that $\\mathrm{PE}(m+k)$ is a linear function of $\\mathrm{PE}(m)$.",
    },
    {
      cite: "Gehring et al., Convolutional Sequence to Sequence Learning, 2017",
      url: "https://arxiv.org/abs/1705.03122",
      note: "Learned positions, to which the Transformer’s authors compared theirs.",
    },
    {
      cite: "Rozière et al., Code Llama, 2023",
      url: "https://arxiv.org/abs/2308.12950",
      note: "A base raised from 10 000 to 1 000 000 for long texts (there with RoPE).",
    },
  ],
} satisfies ChapterText;
