// Chapter 2, from counting to waves: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "A place is only a number: 0, 1, 2, 3 … Why not simply <strong>give the model that number</strong>? Because every simple way of writing it down breaks somewhere. Watching how they break is the shortest road to waves.",
  idea: [
    "There are many ways to write down where a word stands: a lamp in a row of lamps, a number, a share of the whole, binary digits. Each is a fair idea, each is a few lines of code, and each fails at least one of the wishes of the last chapter.",
    "The failures are worth knowing one by one, because every one of them adds a demand, and all the demands together leave little choice: many numbers per place, each between −1 and 1, some changing quickly and some slowly, all of them smoothly. Those are waves. By the end of this chapter the sinusoidal encoding of the first Transformer will not look like a formula that fell from the sky.",
  ],
  strips: {
    heading: "Six ways to write down a place",
    paragraphs: [
      "The figure puts six encodings side by side. Each picture is a table with one row per place and one column per number; the same <span data-link='place'>place $m$</span> is at the same height in all of them.",
      "<strong>One-hot.</strong> As many lamps as there are places, and exactly one is on.",
      "<strong>Integer.</strong> The number itself, $\\mathrm{PE}(m) = m$; some texts call it cumulative encoding.",
      "<strong>Normalised.</strong> How far into the text the place is, $\\mathrm{PE}(m) = m / (n - 1)$: from 0 to 1 in a text of $n$ places.",
      "<strong>Binary.</strong> The digits of $m$ in the binary system, the highest first.",
      "<strong>Periodic.</strong> One sine wave per digit. Wave $i$ starts at 0 and first reaches its top at the place where binary digit $i$ is first switched on:",
      "$$\\mathrm{PE}(\\link{place}{m})_i = \\sin\\!\\left(\\frac{\\pi}{2} \\cdot \\frac{\\link{place}{m}}{2^{\\,i}}\\right)$$",
      "<strong>Sinusoidal.</strong> Sines with their cosines, and wavelengths that grow by a factor of your choice. That is where the road leads, and what the next chapter is about.",
    ],
    points: [
      "<em>Lengthen the text.</em> The integer’s colour grows and grows; the normalised column keeps its colours but stretches, so that the row at $m$ changes; one-hot needs a new column for every new place; all other rows stay what they were.",
      "<em>Take away digits.</em> The binary table ends where its digits do, and the library refuses the places after that. The periodic encoding goes on, but starts to repeat itself.",
      "<em>Compare the last three pictures.</em> Stripes that get wider and wider: hard ones in binary, smooth ones in the waves. In the binary table the quickest stripe is on the right, in the waves on the left.",
    ],
    figure: {
      title: "Six tables, one row per place",
      shows:
        "Six heat maps side by side, one for each way of writing down a place: one-hot, integer, normalised, binary, periodic and sinusoidal. A line marks the chosen place in all of them, and the vector of that place is written below each.",
      length: "Length n (places)",
      place: "Place m",
      waves: "Digits, waves, pairs",
      kinds: {
        "one-hot": "One-hot",
        integer: "Integer",
        normalized: "Normalised",
        binary: "Binary",
        periodic: "Periodic",
        sinusoidal: "Sinusoidal",
      },
      features: "{count} per place",
      oneHot: "1 in column {place}, else 0",
      missing: "no vector: the table ends at place {last}",
      range: "{low} to {high}",
      table: "{kind}: the vectors of the places",
      feature: "number",
      hint: "Rows from top to bottom: places 0 to {last}. Hover, tap or use the slider “Place m”. Hatched: the table has ended.",
    },
  },
  breaks: {
    heading: "What breaks",
    paragraphs: [
      "What should a table of places do? A step to the next place should be the same step anywhere, since “the word before” means the same in the middle of a text as at its beginning. Two steps should be farther than one. And the same place should have the same vector in a short text and in a long one. Measure it with the distance of two rows, $\\lVert \\mathrm{PE}(m) - \\mathrm{PE}(k) \\rVert$.",
      "<strong>One-hot</strong> passes the first test and fails the second: any two places are exactly $\\sqrt{2}$ apart, the next one and the farthest. And its vectors are as long as the text can become.",
      "<strong>Integers</strong> have perfect distances. But their size has no bound: place 4000 enters the network with a number 4000 times as large as place 1, and networks learn best from inputs of similar size around zero. Past the longest text seen in training come numbers that the network has never met.",
      "<strong>Normalised</strong> numbers are bounded, but the length of a step depends on the text: $1/(n-1)$. In a text of 5 words neighbours are 0.25 apart, in one of 401 words 0.0025. “The word before” has no fixed meaning any more.",
      "<strong>Binary digits</strong> are bounded and need only $\\log_2 n$ numbers, but the steps are uneven. From 6 to 7 one digit changes; from 7 to 8, as 0111 becomes 1000, all four do. Places 0 and 8 differ in one digit and look like neighbours. And there is nothing between 0 and 1.",
      "<strong>Sines alone</strong> are smooth and bounded, and the steps are nearly even, but not quite. A wave repeats: with $d$ waves, places 0 and $2^d$ get exactly the same vector, and from $2^{d+1}$ on everything comes again. More waves push that out of sight, but the slowest then hardly move. And a sine by itself cannot tell rising from falling.",
    ],
    points: [
      "<em>Binary, 16 places:</em> the chart is a comb. Its tallest tooth is the step from 7 to 8. In the heat map, fields are nested into one another: far places with small distances.",
      "<em>Normalised:</em> the dashed line of the longer text lies at about half the height. For all others that reach so far the two lines are one.",
      "<em>Integer:</em> the map is a clean slope away from the diagonal. Nothing wrong there; look at the first of the measurements.",
      "<em>Periodic, length 64, 4 waves:</em> two more lines have the colour of the diagonal, 32 places to either side, where everything repeats. The single spots are places with the same vector, too, such as 0 and 16.",
      "<em>Sinusoidal:</em> a flat line, and a map of even bands along the diagonal. Each distance has one value, wherever you measure it. With few pairs the bands rise and fall again; more pairs smooth them.",
    ],
    figure: {
      title: "Steps and distances",
      shows:
        "For the chosen encoding: a chart of the distance from each place to the next one, in a text and in one twice as long; a heat map of the distances of all pairs of places; and a list of four measurements with ticks or crosses.",
      kind: "Encoding",
      length: "Length n (places)",
      waves: "Digits, waves, pairs",
      stepTitle: "Step to the next place",
      stepLabel: "Distance from each place to the next one",
      step: "distance",
      place: "place m",
      otherPlace: "place k",
      near: "text of {count} places",
      far: "text of {count} places, its beginning",
      readStep: "{place} → {next}: {near}",
      readSteps: "{place} → {next}: {near}; in the longer text {far}",
      readDigits: "{place} → {next}: {near}; digits that change: {digits}",
      mapTitle: "All distances",
      mapLabel: "Distances of all pairs of places",
      readMap: "places {row} and {column}: {distance}",
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
        fine: "Text twice as long: every place keeps its vector.",
        broken: "Text twice as long: place {place} had {before} and now has {after}.",
        missing: "Text twice as long: there are no vectors from place {count} on.",
      },
      unique: {
        fine: "Most similar of {count} places: {first} and {second}, distance {distance}.",
        broken: "Places {first} and {second} have the same vector.",
      },
    },
  },
  waves: {
    heading: "From bits to waves",
    paragraphs: [
      "Write the places in binary, one below the other, and read the digits column by column. The last digit flips at every place, the one before it at every second place, the next at every fourth. Each digit is a square wave, and each is twice as long as the one before. That is the good idea in binary: quick digits tell neighbours apart, slow digits tell the beginning from the end, and together they name every place.",
      "What is bad is the corners. Round them off: replace each square wave by a <span data-link='wave'>sine</span> that reaches its top where the digit is first switched on. Now there is something between 0 and 1, and a small step is a small change. This is the periodic encoding.",
      "Two repairs are left. <em>First</em>, give each sine its cosine. A sine of 0.5 may be on its way up or down; with the cosine beside it the pair is a point on a circle, the hand of a clock, and one step turns it by the same angle wherever it stands. A turn is a linear map, which the layers of a network can express:",
      "$$\\mathrm{PE}(m + k) = T_k\\,\\mathrm{PE}(m)$$",
      "<em>Second</em>, nothing forces the wavelengths to double. It is enough that they go from quick to slow, the slowest being about as long as the text or longer. The Transformer takes wavelengths from $2\\pi$ up to nearly $2\\pi \\cdot 10\\,000$, in a constant ratio, with a <span data-link='base'>base $b$</span> of 10 000:",
      "$$\\begin{aligned} \\mathrm{PE}(m)_{2i} &= \\sin\\!\\left(\\frac{m}{\\link{base}{b}^{\\,2i/d}}\\right) \\\\ \\mathrm{PE}(m)_{2i+1} &= \\cos\\!\\left(\\frac{m}{\\link{base}{b}^{\\,2i/d}}\\right) \\end{aligned}$$",
    ],
    points: [
      "<em>Sines:</em> every wave reaches its top exactly where its digit is first switched on: at 1, 2, 4, 8 …",
      "<em>Sines and cosines, base 16, four pairs:</em> the wavelengths double, as in binary, but start at $2\\pi$. Raise the base and they spread out: few pairs now cover a much longer text.",
      "<em>Move the place one on.</em> Of the digits, one may flip or all. The waves all move smoothly, the quick ones much and the slow ones little.",
    ],
    figure: {
      title: "Digits and waves, lane by lane",
      shows:
        "One lane for each binary digit, quickest first. In each lane a square wave shows the digit by place, and a smooth curve the wave of the same number: a sine that first reaches 1 where the digit is first switched on, or a sine and a cosine of the sinusoidal encoding.",
      wave: "Waves",
      options: { periodic: "Sines", sinusoidal: "Sines and cosines" },
      lanes: "Lanes",
      place: "Place m",
      base: "Base b",
      lane: "{worth}s digit",
      wavelength: "wavelength {wavelength}",
      digit: "digit = {value}",
      sine: "sine = {value}",
      cosine: "cosine = {value}",
      digitName: "digit",
      sineName: "sine",
      cosineName: "cosine",
      number: "Place {place} in binary: {digits}",
      position: "place",
      area: "Digits and waves by place",
      hint: "Hover, tap or use the slider “Place m”.",
      digits: "Digits, wave values by place",
    },
  },
  code: {
    paragraphs: [
      "The six encodings again, each with its shortest and its longest step between neighbours. Distances come from the products of all rows, which the library computes in one call.",
    ],
  },
  quiz: [
    {
      question: "With four binary digits, how many of them change from place 7 to place 8?",
      options: [
        { text: "one", why: "That is so from 6 to 7, where 0110 becomes 0111." },
        { text: "two", why: "That is so from 1 to 2, where 0001 becomes 0010." },
        {
          text: "all four",
          why: "0111 becomes 1000. Neighbouring places get opposite vectors, the farthest apart that four digits allow.",
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
          text: "A quick wave repeats after a few places, and a slow one hardly changes from a word to the next.",
          why: "The quick ones tell neighbours apart, the slow ones the beginning from the end. Together they name every place, as digits do.",
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
          why: "$\\sin(\\omega m)$ depends on the place alone, not on the length of the text.",
        },
      ],
      answer: 0,
    },
  ],
  sources: [
    {
      cite: "Vaswani et al., Attention Is All You Need, 2017, section 3.5",
      url: "https://arxiv.org/abs/1706.03762",
      note: "The sinusoidal encoding, and why its authors hoped that it lets a model attend by relative places.",
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
