// A real model in chapter 1: English.

export const modelEn = {
  heading: "A real model, and its positions in your hands",
  paragraphs: [
    "These are small language models, trained for this page. The one to begin with is a Transformer of a million numbers that has read the Bible and guesses the text character by character. (Large models read <em>tokens</em>, words or pieces of words; this course mostly says word for all of them.)",
  ],
  predict: {
    question:
      "It goes on from “And God said, Let there be light: and there was ”. What will it write when its positions are taken away? Your guess lets it read, both ways (1.6 MB to load).",
    options: ["the same", "other words, as fluently", "a stammer"],
    answer: 2,
    reveal:
      "Below, “as trained” stands beside “taken away”: without positions it knows which letters came, and no longer which came last.",
  },
  points: [
    "<em>Shift all positions:</em> encodings that look at distances (T5, RoPE and ALiBi, chapters 7 to 9) notice nothing. The learned table, one vector for each position, has 256 rows and ends with an error. Sinusoidal positions still exist at 2000, but the model has never seen them.",
  ],
  why: [
    {
      title: "Can a model do without positions?",
      paragraphs: [
        "“No positions” is a model that was trained without any: the order leaks in from what a character can see (“The mask that leaks”, below), and it reads, though worse. This one trained badly.",
      ],
    },
    {
      title: "What is a head, and which one lives on positions?",
      paragraphs: [
        "Each layer runs several attentions side by side, each with queries, keys and values of its own. They are its <em>heads</em>; these models have four layers of four heads.",
        "With RoPE in English, head 3 of layer 1 looks at the character before and gives it 0.71 of its weight. RoPE turns pairs of numbers by angles that grow with the position. Let this head’s quickest pair, number 0, stand still, and 0.32 is left. (In Chinese it is head 2 of layer 1: 0.69 and 0.18. Means over a passage, from the ninth character on.)",
      ],
    },
  ],
  figure: {
    title: "A model under your hands",
    shows:
      "A text whose characters are shaded by how little a language model expected them, how the model goes on, its five likeliest next characters, and the attention weights of one head. Controls change the model's positions.",
    caption:
      "The darker a character, the more it surprised the model after those before it: 0 nats mean that it was certain, 0.7 that it was torn between two. Six models read the Bible in English and three read Chinese poems; within a language they are alike but for their positions and, with RoPE, the recipe of training. The model runs on your machine, all layers in the page; positions and attention come from posenc, the library behind this course. Nothing you type leaves it.",
    language: "Models for",
    languages: { en: "English (Bible)", zh: "Chinese (poems)" },
    model: "Trained with",
    encodings: {
      none: "no positions",
      sinusoidal: "sinusoidal",
      learned: "learned table",
      t5: "T5",
      alibi: "ALiBi",
      rope: "RoPE",
    },
    label: "Text",
    cut: "The last {count} characters are read.",
    sampleLabel: "Or",
    shuffle: "shuffle its words",
    treatment: "Its positions",
    treatments: {
      trained: "as trained",
      away: "taken away",
      shifted: "all shifted",
      scrambled: "scrambled",
      swapped: "told by another encoding",
    },
    shift: "Shifted by",
    swap: "Told by",
    start: "Let it read ({megabytes} MB to load)",
    reading: "Reading …",
    nextTitle: "What comes next?",
    character: "character",
    share: "probability",
    loss: "nats",
    lossTable: "How little each character was expected",
    placesTable: "Where the characters stand",
    summary: "{mean} nats per character.",
    goesOn: "The model goes on: “{continuation}”",
    mapTitle: "What one head sees",
    layer: "Layer",
    head: "Head",
    pair: "Pair held still",
    allTurn: "−1: all pairs turn.",
    still: "In this head, pair {pair} does not turn.",
    query: "looks from",
    key: "looks at",
    readMap: "“{query}” gives “{key}” a weight of {weight}",
  },
};
