// The start page: English.

export const en = {
  title: "Where is a word?",
  field: {
    sentence:
      "A position is a row of clocks, each running at its own speed: hold the clocks of two positions side by side, and they show how far apart the two are.",
    shows:
      "A field of clocks. Each row is a position; from left to right its clocks run slower and slower. Two rows are compared: in each clock of one a wedge shows how far its hand is from the same clock of the other.",
    label: "Position",
    fast: "fast clocks",
    slow: "slow clocks",
    read: "Positions {other} and {at}: {apart} apart, a wedge on each clock. Likeness of their {pairs} clocks: {likeness} (same = 1), as for any two that are {apart} apart.",
    same: "Position {at}: {pairs} clocks, each at its own speed. Compare it with another.",
    help: "Point at a row; press to compare with it. A clock is warm while its hand points right, blue while it points left.",
    table: "The clocks of both positions, from fast to slow",
    clock: "clock",
    column: "{part} at {position}",
  },
  lead: "A Transformer reads all words at once. Left to itself it cannot tell <strong>first</strong> from <strong>last</strong>. A positional encoding is the small piece of mathematics that tells it. There are many such encodings, and this course puts them in your hands.",
  shuffle: {
    title: "Shuffle the words",
    shows:
      "A sentence whose words can be shuffled, and the attention output of each word as a tile: once without positions, once with RoPE.",
    sentence: "the fox sees a lazy dog",
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
  chapters: { heading: "13 chapters, from counting to long context" },
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
