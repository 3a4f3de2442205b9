// The start page: English.

export const en = {
  title: "Where is a word?",
  what: "An interactive course on positional encodings, and the WebAssembly library that computes them.",
  doors: {
    label: "Three ways on",
    learn: {
      title: "Learn",
      ways: [
        { href: "./film.html", time: "75 seconds", what: "the idea as a film" },
        {
          href: "./babble.html",
          time: "10 minutes",
          what: "why models babble past 4096 tokens, and how to repair one",
        },
        { href: "./order.html", time: "2 hours", what: "13 chapters of figures to try" },
      ],
    },
    use: { title: "Use", summary: " and a quick start" },
    check: { title: "Check my model", summary: "Paste its config.json: positions, scaling and common mistakes" },
  },
  lead: "“The dog bites the man” and “the man bites the dog” are made of the same words. A Transformer, the network behind today’s language models, reads all words at once: left to itself it cannot tell <strong>first</strong> from <strong>last</strong>. A <em>positional encoding</em> is the small piece of mathematics that tells it.",
  shuffle: {
    title: "Shuffle the words: which attention notices?",
    shows:
      "A sentence whose words can be shuffled, and the attention output of each word as a tile: once without positions, once with RoPE.",
    sentence: "the dog bites the man",
    words: "The words, in order",
    help: "Drag a word onto another, press two words, or shuffle.",
    button: "Shuffle the words",
    back: "Original order",
    none: "Attention without positions",
    rope: "The same attention with RoPE",
    tile: "Output of “{word}”",
    startNone: "Each tile is what attention makes of the word above it: numbers, as colours.",
    startRope: "Shuffle, and watch which tiles change.",
    same: "Every word keeps its output. This attention has not noticed.",
    place: "place",
    word: "word",
    change: "change of its output, {method}",
    fresh: "new",
    changed: "{changed} of {count} outputs are new. This attention knows where words stand.",
  },
  field: {
    title: "The answer: a row of clocks",
    sentence:
      "A position is a row of clocks, each running at its own speed: hold the clocks of two positions side by side, and they show how far apart the two are.",
    shows:
      "A field of clocks. Each row is a position; from left to right its clocks run slower and slower. Two rows are compared: in each clock of one a wedge shows how far its hand is from the same clock of the other.",
    label: "Position",
    fast: "fast clocks",
    slow: "slow clocks",
    read: "Positions {other} and {at}: {apart} apart. A wedge is the angle between the two hands of one clock. Any two positions that are {apart} apart have the same wedges.",
    same: "Position {at}: {pairs} clocks, each at its own speed. Compare it with another.",
    help: "Point at a row; press to compare with it. A clock is warm while its hand points right, blue while it points left.",
    table: "The clocks of both positions, from fast to slow",
    clock: "clock",
    column: "{part} at {position}",
    likenessTable: "How alike the clocks of both positions are: the mean cosine between their hands, 1 for the same",
    positions: "positions",
    likeness: "likeness",
  },
  chapters: {
    heading: "13 chapters, from counting to long context",
    revise: 'Read them before? <a href="./revise.html">All of them in two minutes</a>, with a map.',
  },
  more: "Beside the chapters",
  code: {
    heading: "The library behind the pictures",
    paragraphs: [
      "Every picture here is computed by <em>posenc</em>, a C++ core compiled to WebAssembly SIMD with a TypeScript API. It has no dependencies, and its sines and cosines are the floating-point numbers nearest to the true values, or the ones beside those.",
    ],
    install: "Install",
    sample: "Equal words, told apart by their places",
    docs: 'The <a href="./api/index.html">API documentation</a> has every call, and <a href="./api/documents/Encodings.html">a page for every encoding</a>: formula, fields, an example that runs.',
    badge: "This page runs the {variant} build",
  },
};
