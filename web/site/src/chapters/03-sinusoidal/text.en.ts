// The sinusoidal chapter: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "The first Transformer gave each word a place by adding a vector made of <strong>waves</strong>: quick ones that tell neighbours apart, slow ones that tell the beginning from the end. Why waves, why two of each, and why the number 10 000?",
  idea: [
    "Think of the hands of a clock. The second hand tells two moments apart that are close together, but it is back where it was after a minute. The hour hand is too slow for that; in exchange it does not repeat until the day is half over. Together they name every second of half a day, with numbers that never grow.",
    "The sinusoidal encoding is a clock with many hands. Each hand turns at a speed of its own as the position goes up, and the vector of a position simply writes down where all the hands point.",
  ],
  table: {
    heading: "A ruler made of waves",
    paragraphs: [
      "Position $\\link{position}{m}$ gets a vector of $\\link{dim}{d}$ numbers. They come in pairs: pair $i$ holds the sine and the cosine of the same angle, and every pair turns more slowly than the one before it.",
      "$$\\begin{aligned} \\mathrm{PE}(\\link{position}{m}, 2i) &= \\sin\\!\\left(\\frac{\\link{position}{m}}{\\link{base}{b}^{\\,2i/\\link{dim}{d}}}\\right) \\\\ \\mathrm{PE}(\\link{position}{m}, 2i+1) &= \\cos\\!\\left(\\frac{\\link{position}{m}}{\\link{base}{b}^{\\,2i/\\link{dim}{d}}}\\right) \\end{aligned}$$",
      "Here is the whole table. Every row is the vector of one position, every column one dimension. $b$ is the <em>base</em>, 10 000 in the paper.",
    ],
    points: [
      "<em>On the left</em> the stripes are narrow: these dimensions flip every few positions. <em>On the right</em> they hardly change from top to bottom.",
      "<em>Lower the base</em> and the stripes move in from the left: all waves become quick, and far positions begin to look like near ones.",
      "<em>Lengthen the table</em> and nothing that was there changes: the row of position 7 is the same in a short and in a long text.",
    ],
    figure: {
      title: "The table: positions down, dimensions across",
      shows:
        "A heat map of the encoding. Columns on the left alternate quickly from row to row, columns on the right change slowly. Sliders set the number of positions, the number of dimensions and the base.",
      read: "position {row}, dimension {column} ({wave}): {value}; this pair repeats every {wavelength} positions",
      help: "Hover, tap or use the arrow keys (with Shift: ten at a time). A click or Enter draws that column as a curve below.",
      length: "Length (positions)",
      dim: "Dimensions d",
      base: "Base b",
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
  clocks: {
    heading: "Why a sine and a cosine?",
    paragraphs: [
      "One sine alone cannot say whether it is rising or falling: it takes every value twice in a turn. Together with its cosine it is a point on a circle, the hand of a clock, and every direction is a different point.",
      "There is a second reason. Moving on by $\\link{step}{k}$ positions turns the hand of pair $i$ by the angle $\\link{step}{k} \\cdot b^{-2i/d}$, wherever it stood. With sine and cosine at hand, that turn can be written as a small matrix that does not depend on the place; with the sine alone it cannot. The next chapter makes a lot of this.",
    ],
    points: [
      "Move the <em>start</em>: all hands turn, but the coloured slices stay as wide as they were.",
      "Set the step so that a dashed and a solid hand of the first pair stand at the <em>same height</em>: their sines are alike, only the cosines tell them apart. Start 0 with step 22 comes close, as $22 \\approx 7\\pi$.",
    ],
    figure: {
      title: "Four pairs as clock hands, at m and at m + k",
      shows:
        "Four dials. On each, a dashed hand for position m and a solid hand for position m plus k, with the turn between them as a coloured slice.",
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
    heading: "Why 10 000?",
    paragraphs: [
      "The base sets how slow the slowest hand is. If all hands are quick, they have turned many times over in a long text, and where they point hardly says how far apart two positions are; with only a few hands, distant positions can even get nearly the same vector. If the base is huge, most hands hardly move within a text, and the dimensions are wasted.",
      "The paper does not derive 10 000; it is a choice that works. The slowest wave is then about 60 000 positions long, far longer than the sentences of 2017. Models for long texts raise the base for the same reason.",
    ],
    points: [
      "Take <em>base 10</em>: after about 63 positions all waves of the table have turned at least once. The likeness falls at once and then only ripples about zero, so that 30 steps look like 300. With 8 dimensions there are look-alikes: 458 steps away, nearly the same vector.",
      "Take <em>base 1 000 000</em> with a text of 96 positions: of 64 pairs only 13 complete a turn. The slowest barely tell anything apart.",
      "<em>Few dimensions</em> make the likeness ripple; many make it smoother.",
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
        "{turned} of {count} pairs complete a turn within {length} positions. Once the likeness has fallen below 0.5, it rises to {value} at most, {closest} steps away (distances up to 1024).",
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
  code: {
    paragraphs: [
      "The table of the first figure, and the hands of the third, with your settings. It runs as it stands in Node and in the browser.",
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
          text: "It has every value twice in a turn, and no fixed matrix moves it on by k.",
          why: "With the cosine beside it, every direction is its own point, and a step is a rotation.",
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
  ],
} satisfies ChapterText;
