// Chapter 2, from counting to waves: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "A position is only a number, 0, 1, 2, 3 …: why not simply <strong>give the model that number</strong>, or its binary digits?",
  idea: [
    "Binary digits are worth 1, 2, 4, 8 and so on: the 1s digit flips at every step, the 2s digit at every second, the 4s digit at every fourth. Together they name every position, like the wheels of a mileage counter. But 7 and 8 stand side by side, and all four digits differ: one step looks like a leap. The plain number is no better, as it grows without bound.",
    "Over each digit lies a smooth wave, a <em>sine</em>. It peaks where the digit first becomes 1. The wave is no copy of the digit, but it keeps its pace: each time the digit flips, the wave goes on by a quarter of its length.",
    "That is this chapter: what mends simple counting is a few waves, some quick, some slow, all between −1 and 1. A sine with a second wave beside it, its <em>cosine</em>, is the hand of a clock. <strong>One clock comes round too soon; several, each slower than the one before, tell all positions apart.</strong>",
  ],
  waves: {
    heading: "From digits to waves",
    paragraphs: [],
    points: [
      "<em>Sines:</em> they peak at 1, 2, 4, 8, where their digits first become 1. The wavelength says after how many positions a wave repeats: four times what its digit is worth.",
      "<em>Sines and cosines:</em> each sine gets a partner, dashed, that runs a quarter of its wavelength ahead. The first wave now turns by 1 radian a step, so that all waves are π/2 times as long: 6.28 instead of 4. “The first clock”, below, shows what the partners are for.",
    ],
    why: [
      {
        title: "The wave of a digit as a formula",
        paragraphs: [
          "Wave $i$ starts at 0 and first reaches its top at the position where digit $i$, counted from 0, is first switched on:",
          "$$\\mathrm{PE}(\\link{place}{m})_i = \\sin\\!\\left(\\frac{\\pi}{2} \\cdot \\frac{\\link{place}{m}}{2^{\\,i}}\\right)$$",
          "Between 0 and 1 there is something now, and a small step is a small change. The library calls it the periodic encoding.",
        ],
      },
      {
        title: "Must the wavelengths double?",
        paragraphs: [
          "No. It is enough that they go from quick to slow, the slowest being about as long as the text or longer. The Transformer takes wavelengths from $2\\pi$ up to nearly $2\\pi \\cdot 10\\,000$, in a constant ratio, with a <span data-link='base'>base $b$</span> of 10 000:",
          "$$\\begin{aligned} \\mathrm{PE}(m)_{2i} &= \\sin\\!\\left(\\frac{m}{\\link{base}{b}^{\\,2i/d}}\\right) \\\\ \\mathrm{PE}(m)_{2i+1} &= \\cos\\!\\left(\\frac{m}{\\link{base}{b}^{\\,2i/d}}\\right) \\end{aligned}$$",
          "With “sines and cosines”, base 16 and four pairs the wavelengths double, as in binary, but start at $2\\pi$. Raise the base (under “More lanes, another base”) and they spread out: few pairs now cover a much longer text.",
        ],
      },
    ],
    figure: {
      title: "Digits and waves, lane by lane",
      guide: "Grey block = this digit is 1. Line = its sine; dashed, where there is one = its cosine.",
      caption:
        "Move the position from 7 to 8: all four digits flip at once, as 0111 becomes 1000. Each wave goes on by a quarter of its length at most, the slow ones by hardly anything.",
      more: "More lanes, another base",
      shows:
        "One lane for each binary digit, quickest first. In each lane a square wave shows the digit by position, and a smooth curve the wave of the same number: a sine that first reaches 1 where the digit is first switched on, or a sine and a cosine of the sinusoidal encoding.",
      wave: "Waves",
      options: { periodic: "Sines", sinusoidal: "Sines and cosines" },
      lanes: "Lanes",
      place: "Position m",
      base: "Base b",
      lane: "{worth}s digit",
      wavelength: "wavelength {wavelength}",
      digit: "digit = {value}",
      sine: "sine = {value}",
      cosine: "cosine = {value}",
      digitName: "digit",
      sineName: "sine",
      cosineName: "cosine",
      number: "Position {place} in binary: {digits}",
      position: "position",
      area: "Digits and waves by position",
      hint: "Move over the lanes with mouse or finger, or use the slider.",
      digits: "Digits, wave values by position",
    },
  },
  strips: {
    heading: "Six ways to write down a position",
    paragraphs: [
      "Here are six tables, with one row of numbers, one vector, for each position. The same <span data-link='place'>position $m$</span> is at the same height in all of them.",
    ],
    predict: {
      question:
        "The text becomes longer; position 6 is still position 6. In which of these three tables does its number change?",
      options: ["Integer", "Normalised", "Binary"],
      answer: 1,
      reveal:
        "Lengthen the text: the normalised column is stretched, and every position but the first gets another number.",
    },
    points: [
      "<em>One-hot:</em> as many numbers as positions: one is 1, all others are 0. Any two positions are equally far apart, and a longer text needs longer vectors.",
      "<em>Integer:</em> the number itself. It has no bound: position 4000 is 4000 times as large as position 1, and networks learn best from numbers of similar size.",
      "<em>Normalised:</em> the share of the way, $m/(n-1)$. How long a step is depends on how long the text is.",
      "<em>Binary:</em> short and bounded. But the steps are uneven, and the table ends where its digits do.",
      "<em>Periodic:</em> a sine for each digit. Smooth, but a sine of 0.5 may be rising or falling, and the waves start to repeat.",
      "<em>Sinusoidal:</em> each sine with its cosine, which says whether the sine rises or falls. What several such pairs can do together, the clocks below show.",
    ],
    figure: {
      title: "Six tables, one row per position",
      shows:
        "Six heat maps side by side, one for each way of writing down a position: one-hot, integer, normalised, binary, periodic and sinusoidal. A line marks the chosen position in all of them, and the vector of that position is written below each.",
      guide:
        "A row is the vector of one position, with position 0 on top; the frame marks position m. The stronger the colour, the larger the number; in the last two tables warm colours are above 0, blue below. Integer has a scale of its own, with its full colour at the end of the longest text. Binary has its quickest digit on the right, as usual; the waves begin with the quickest.",
      caption:
        "Sinusoidal has the base 10 000 here, as in the Transformer: each of four pairs is ten times slower than the one before. The right columns hardly change in so short a text; a longer one needs them.",
      length: "Length n (positions)",
      place: "Position m",
      waves: "Number of digits, waves, pairs",
      kinds: {
        "one-hot": "One-hot",
        integer: "Integer",
        normalized: "Normalised",
        binary: "Binary",
        periodic: "Periodic",
        sinusoidal: "Sinusoidal",
      },
      features: "{count} per position",
      oneHot: "1 in column {place}, else 0",
      missing: "no vector: the table ends at position {last}",
      range: "{low} to {high}",
      table: "{kind}: the vectors of the positions",
      feature: "number",
      hint: "Rows from top to bottom: positions 0 to {last}. Move over a table with mouse or finger, or use the slider “Position m”. Hatched: the table has ended.",
    },
  },
  clocks: {
    heading: "The first clock",
    paragraphs: [
      "Take a sine as a height and its cosine as a distance to the right: that is a point on a circle, the tip of a clock’s hand. It starts at the right and turns anticlockwise, by the same angle at every step. One clock alone comes round, as any wave does. So take several, each half as fast as the one before, and read them together, like the wheels of the counter.",
    ],
    predict: {
      question: "How many such clocks are needed before none of 64 positions looks like a distant one?",
      options: ["2", "5", "32"],
      answer: 1,
      reveal: "The slowest of five takes 101 positions for a turn: longer than this text. Add clocks one by one.",
    },
    points: [
      "<em>One clock</em>, which turns by 1 radian a step: position 50 looks like position 6, since 44 steps are almost exactly seven turns.",
      "<em>Add clocks</em> and the valleys of the curve rise, one after the other, until none is as deep as the one around $m$ itself.",
    ],
    figure: {
      title: "Clocks, each half as fast as the one before",
      shows:
        "A row of dials, one for each clock, with its hand at the chosen position; below it a line chart of the distance between the vector of the chosen position and that of every other.",
      guide:
        "Dials: the hands at position m. Curve: how much the hands of every other position differ from them; 0 = exactly the same.",
      place: "Position m",
      clocks: "Clocks",
      clock: "clock {number}",
      note: "a turn in {wavelength} steps",
      add: "Add a clock",
      chartTitle: "How far is every other position from m?",
      position: "position",
      distance: "distance",
      hands: "The hands at position {place}",
      handColumn: "clock",
      sine: "sine",
      cosine: "cosine",
      read: "position {other}: distance {distance}",
      twin: "Position {other} is more like position {place} than position {neighbour} is: its distance is {distance}, the neighbour’s {step}.",
      clear:
        "After {neighbours}, right beside it, position {other} is most like position {place}: its distance is {distance}, a step’s {step}.",
      and: "{one} and {other}",
    },
  },
  thread: {
    heading: "A row of clocks",
    paragraphs: [
      "<strong>A position is a row of clocks, each running at its own speed: hold the clocks of two positions side by side, and they show how far apart the two are.</strong> The next chapter reads such a row, as the first Transformer did.",
    ],
  },
  breaks: {
    heading: "What breaks, measured",
    paragraphs: [
      "What should a table of positions do? A step to the next position should be the same step anywhere, since “the word before” means the same in the middle of a text as at its beginning. Two steps should be farther than one. And the same position should have the same vector in a short text and in a long one. Measure it with the distance of two rows, $\\lVert \\mathrm{PE}(m) - \\mathrm{PE}(k) \\rVert$.",
      "<strong>One-hot</strong> passes the first test and fails the second: any two positions are exactly $\\sqrt{2}$ apart, the next one and the farthest. And its vectors are as long as the text can become.",
      "<strong>Integers</strong> have perfect distances. But their size has no bound: position 4000 enters the network with a number 4000 times as large as position 1, and networks learn best from inputs of similar size around zero. Past the longest text seen in training come numbers that the network has never met.",
      "<strong>Normalised</strong> numbers are bounded, but the length of a step depends on the text: $1/(n-1)$. In a text of 5 words neighbours are 0.25 apart, in one of 401 words 0.0025. “The word before” has no fixed meaning any more.",
      "<strong>Binary digits</strong> are bounded and need only $\\log_2 n$ numbers, but the steps are uneven. From 6 to 7 one digit changes; from 7 to 8, as 0111 becomes 1000, all four do. Positions 0 and 8 differ in one digit and look like neighbours. And there is nothing between 0 and 1.",
      "<strong>Sines alone</strong> are smooth and bounded, and the steps are nearly even, but not quite. A wave repeats: with $d$ waves, positions 0 and $2^d$ get exactly the same vector, and from $2^{d+1}$ on everything comes again. More waves push that out of sight, but the slowest then hardly move. And a sine by itself cannot tell rising from falling.",
    ],
    points: [
      "<em>Binary, 16 positions:</em> the chart is a comb. Its tallest tooth is the step from 7 to 8. In the heat map, fields are nested into one another: far positions with small distances.",
      "<em>Normalised:</em> the dashed line of the longer text lies at about half the height. For all others that reach so far the two lines are one.",
      "<em>Integer:</em> the map is a clean slope away from the diagonal. Nothing wrong there; look at the first of the measurements.",
      "<em>Periodic, length 64, 4 waves:</em> two more lines have the colour of the diagonal, 32 positions to either side, where everything repeats. The single spots are positions with the same vector, too, such as 0 and 16.",
      "<em>Sinusoidal:</em> a flat line, and a map of even bands along the diagonal. Each distance has one value, wherever you measure it. With few pairs the bands rise and fall again; more pairs smooth them.",
    ],
    figure: {
      title: "Steps and distances",
      shows:
        "For the chosen encoding: a chart of the distance from each position to the next one, in a text and in one twice as long; a heat map of the distances of all pairs of positions; and a list of four measurements with ticks or crosses.",
      kind: "Encoding",
      length: "Length n (positions)",
      waves: "Number of digits, waves, pairs",
      stepTitle: "Step to the next position",
      stepLabel: "Distance from each position to the next one",
      step: "distance",
      place: "position m",
      otherPlace: "position k",
      near: "text of {count} positions",
      far: "text of {count} positions, its beginning",
      readStep: "{place} → {next}: {near}",
      readSteps: "{place} → {next}: {near}; in the longer text {far}",
      readDigits: "{place} → {next}: {near}; digits that change: {digits}",
      mapTitle: "All distances",
      mapLabel: "Distances of all pairs of positions",
      readMap: "positions {row} and {column}: {distance}",
      facts: "Measured",
      fine: "fine",
      broken: "broken",
      size: {
        fine: "Size: at most {near}, in a text twice as long {far}.",
        broken: "Size: at most {near}, in a text twice as long {far}.",
        single: "Size: at most {near}.",
      },
      even: {
        fine: "Step: {low} everywhere; two steps make {two}.",
        broken: "Step: from {low} ({lowAt} → {lowNext}) to {high} ({highAt} → {highNext}).",
        flat: "Step: {low} everywhere, but two steps make no more than that: {two}.",
      },
      fixed: {
        fine: "Text twice as long: every position keeps its vector.",
        broken: "Text twice as long: position {place} had {before} and now has {after}.",
        missing: "Text twice as long: there are no vectors from position {count} on.",
      },
      unique: {
        fine: "Most similar of {count} positions: {first} and {second}, distance {distance}.",
        broken: "Positions {first} and {second} have the same vector.",
      },
    },
  },
  code: {
    paragraphs: [
      "The six encodings again, each with its shortest and its longest step between neighbours. Distances come from the products of all rows, which the library computes in one call.",
    ],
  },
  quiz: [
    {
      question: "With four binary digits, how many of them change from position 7 to position 8?",
      options: [
        { text: "one", why: "That is so from 6 to 7, where 0110 becomes 0111." },
        { text: "two", why: "That is so from 1 to 2, where 0001 becomes 0010." },
        {
          text: "all four",
          why: "0111 becomes 1000. Neighbouring positions get opposite vectors, the farthest apart that four digits allow.",
        },
      ],
      answer: 2,
    },
    {
      question: "Two words stand side by side. How far apart are their normalised positions, $m / (n-1)$?",
      options: [
        {
          text: "Always equally far.",
          why: "That is what one would wish for. Integers do that, at the price of numbers without bound.",
        },
        {
          text: "It depends on where in the text they stand.",
          why: "Within one text all steps are equal. Binary digits and sines alone have uneven steps.",
        },
        {
          text: "It depends on how long the text is.",
          why: "$1/(n-1)$. Double the text, and all steps become half as long.",
        },
      ],
      answer: 2,
    },
    {
      question: "Why does one wave not suffice?",
      options: [
        {
          text: "A quick wave repeats after a few positions, and a slow one hardly changes from a word to the next.",
          why: "The quick ones tell neighbours apart, the slow ones the beginning from the end. Together they name every position, as digits do.",
        },
        {
          text: "The values of one wave are not bounded.",
          why: "Every sine stays between −1 and 1.",
        },
        {
          text: "A network cannot compute sines.",
          why: "The network need not compute them. The table is added to its input.",
        },
        {
          text: "One wave has no fixed values in a longer text.",
          why: "$\\sin(\\omega m)$ depends on the position alone, not on the length of the text.",
        },
      ],
      answer: 0,
    },
  ],
  sources: [
    {
      cite: "Vaswani et al., Attention Is All You Need, 2017, section 3.5",
      url: "https://arxiv.org/abs/1706.03762",
      note: "The sinusoidal encoding, and why its authors hoped that it lets a model attend by relative positions.",
    },
    {
      cite: "Fleetwood, You could have designed state of the art positional encoding, 2024",
      url: "https://huggingface.co/blog/designing-positional-encoding",
      note: "The road from integers over binary digits to waves and rotations.",
    },
    {
      cite: "Kazemnejad, Transformer Architecture: The Positional Encoding, 2019",
      url: "https://kazemnejad.com/blog/transformer_architecture_positional_encoding/",
      note: "Integers, shares of the text, and waves as soft binary digits.",
    },
    {
      cite: "LeCun, Bottou, Orr and Müller, Efficient BackProp, 1998, section 4.3",
      url: "http://yann.lecun.com/exdb/publis/pdf/lecun-98b.pdf",
      note: "Why networks learn best from inputs of similar size around zero.",
    },
  ],
} satisfies ChapterText;
