// Words that every page needs: English.

export const en = {
  cut: {
    label: "Cut Chinese into",
    characters: "characters",
    words: "words",
    comma: ", ",
    left: "There is room for {most} words. Left out: {words}",
    oneWord: "Your browser’s dictionary takes this for one word. Put spaces between words, or choose characters.",
    punctuation: "Punctuation does not count as a word.",
    full: "No more than {most} characters fit here.",
  },
  share: "Share",
  shared: "Link copied",
  sharedInAddress: "The link is in the address bar",
  copyLink: "Copy link",
  saveSvg: "Download as SVG",
  figureSource: "posenc, {address}",
  copyEmbed: "Copy code to embed",
  embedCopied: "Code copied",
  /** Between a name and what it is. */
  colon: ": ",
  comma: ", ",
  semicolon: "; ",
  aside: " ({what})",
  /** Between the parts of a list. */
  listed: ", ",
  siteName: "posenc",
  siteTitle: "posenc: positional encoding, live",
  skip: "Skip to the text",
  navigation: "Chapters",
  /** Beside the chapters. */
  pages: {
    index: {
      title: "Start",
      summary: "An interactive course on positional encoding. Every figure is computed in your browser by WebAssembly.",
    },
    babble: {
      title: "Why does my model babble after 4096 tokens?",
      summary:
        "Ten minutes, six guesses: watch a model fail past its trained length, find the cause, and mend your own file.",
    },
    why: {
      title: "Why do positional encodings work at all?",
      summary:
        "Ten minutes, five guesses: take the sums of a real model apart, and see why adding a wave does not destroy the word.",
    },
    inspector: {
      title: "Inspect a model",
      summary:
        "What positions does this model use? Paste a config.json or drop an .onnx file: read, checked, rewritten and run in your browser.",
    },
    glossary: {
      title: "Glossary",
      summary:
        "The terms of positional encoding in English and Chinese, each in a sentence, and where it is explained.",
    },
    mistakes: {
      title: "Common mistakes",
      summary:
        "What articles and code often get wrong about positional encoding, beside the numbers that the library computes.",
    },
    documents: {
      title: "Documents as cache files",
      summary:
        "Three texts are read once and kept as files. Put them in any order: the model goes on at once, with time and loss beside reading anew.",
    },
    revise: {
      title: "In two minutes",
      summary:
        "For those who revise: each chapter’s picture, a guess and one sentence, and a map of where positions enter a Transformer.",
    },
    film: {
      title: "The idea in 75 seconds",
      summary:
        "A film drawn by the page: a bag of words, counting, clocks, RoPE. To be paused anywhere, with captions to read.",
    },
    teach: {
      title: "Teach with it",
      summary:
        "A lesson of 90 minutes, exercises with solutions by chapter, figures for slides, and how to embed them.",
    },
  },
  article: {
    time: "{minutes} minutes · {steps} steps · a guess before each",
    contents: "Steps of this article",
    progress: "How far you have read",
    onward: "Read on",
  },
  /** How long a chapter takes; and that it was opened before. */
  minutes: "{minutes} min",
  visited: "opened",
  otherLanguage: "简体中文",
  darkTheme: "Dark theme",
  lightTheme: "Light theme",
  loading: "Loading the WebAssembly module…",
  noScript: "This figure is computed live and needs JavaScript.",
  failedTitle: "This figure needs the WebAssembly module, and it did not load.",
  failedHint: "The text around it can be read without it. Reloading the page may help.",
  failedDetail: "What went wrong:",
  /** By the code of the library's errors. */
  failures: {
    "invalid-spec": "a number or name in the encoding is not allowed",
    "invalid-argument": "an argument or a field is wrong or missing",
    "shape-mismatch": "sizes do not fit together",
    "out-of-range": "a position lies outside",
    "out-of-memory": "there is not enough memory",
    disposed: "something was used after it was given back",
    unsupported: "posenc does not support this",
    "load-failed": "a file could not be loaded",
    syntax: "this is not JSON",
  } as Record<string, string>,
  retry: "Try again",
  computed: "Computed on your machine by the {variant} build in {time} ms",
  variants: { relaxed: "relaxed SIMD", simd: "SIMD", scalar: "scalar" } as Record<string, string>,
  position: "position",
  /** Values that are heard: what is meant by a number that stands alone in sight. */
  heard: {
    at: "position {at}",
    apart: "positions {left} and {right}, distance {distance}",
    tokens: "{value} tokens",
    hand: "Hand at {angle}°",
    turned: "Hand turned from {from}° to {angle}°",
    hands: "{first}: hand at {one}°; {second}: hand at {two}°; {between}° between them",
    arrows: "Arrow keys move the mark.",
  },
  dimension: "dimension",
  reset: "Reset",
  previous: "Previous chapter",
  next: "Next chapter",
  contents: "Contents of this chapter",
  predict: "Guess first:",
  covered: "What comes out appears here once you have guessed, above.",
  uncover: "Show it now",
  notice: "What to notice",
  numbers: "The numbers as a table",
  reading: "{place}: {values}",
  clipped: "{rows} of {allRows} rows, {columns} of {allColumns} columns",
  code: "The code",
  copy: "Copy",
  copied: "Copied",
  run: "Run",
  running: "Running…",
  ranWell: "Finished.",
  ranBadly: "It stopped with an error.",
  output: "Output",
  fromFigures: "Marked: values of the figures above.",
  forComparison: "The same in PyTorch, for comparison. It is not run in the page.",
  quiz: "Check yourself",
  right: "Right.",
  wrong: "Not quite.",
  sources: "Sources",
  progress: "{percent} %",
  stop: "Stop",
  play: "Play",
  pause: "Pause",
  docs: "API documentation",
  docsShort: "API",
  repository: "Source",
  footer: "Whatever this page computes, the posenc library computes in your browser. Nothing is sent anywhere.",
};
