// Why do positional encodings work at all?: English.
import type { ArticleText } from "../article-text.ts";

export const en = {
  promise:
    "A wave is added to the numbers of a word. It looks like a hack, and it should ruin the word. In ten minutes you will have read both back out of the sums of a real model, and seen what that costs.",
  minutes: "8–10",
  models: {
    choose: "Positions of the model",
    names: { sinusoidal: "waves (sinusoidal)", learned: "learned table", chinese: "learned table, Chinese" },
    start: "Load the model ({megabytes} MB)",
    reading: "Reading the model",
    table: "The models of this article",
    parameters: "parameters",
    context: "characters in training",
  },
  room: {
    heading: "Does the sum not destroy the word?",
    paragraphs: [
      "A model turns each word into a list of numbers, its <em>vector</em>. Then it adds a second list, values of sine waves, that says where the word stands. Who hears “7” cannot know whether it was 3\u00A0+\u00A04 or 5\u00A0+\u00A02. So is the word not lost?",
      "But a vector is not one number. It is an arrow in a space of hundreds of dimensions, and there arrows behave in a way that paper does not prepare you for.",
    ],
    predict: {
      question:
        "Random word vectors meet the waves of 50 positions, 128 numbers in each. How far from a right angle are 95 of 100 pairs, at most?",
      options: ["about 80°", "about 40°", "about 10°"],
      answer: 2,
      reveal:
        "Nearly every pair is almost perpendicular. On paper, with two numbers each, it was any angle. And perpendicular means: a comparison with the one does not notice the other.",
    },
    figure: {
      title: "Angles between random words and waves",
      shows:
        "A histogram of angles between random word vectors and sinusoidal positions. The more numbers a vector has, the narrower the heap around 90 degrees.",
      dim: "Numbers in each vector",
      angle: "angle in degrees",
      count: "Pairs",
      middle: "95 % of the angles lie between",
      range: "{low}° and {high}°",
      lowest: "from (degrees)",
      highest: "to (degrees)",
      read: "{from}° to {to}°: {count} pairs",
    },
    idea: [
      "There is <em>room</em>. A word and a wave that have never met hardly ever point the same way, so that neither gets in the other’s way (<a href='./adding.html#cosines'>chapter 5</a> has the law behind it).",
      "But these words were random. Trained ones are not: they crowd together where their meanings do. Does it hold in a real model?",
    ],
  },
  probe: {
    heading: "Can both be read back out of a real model?",
    paragraphs: [
      "This small language model reads letter by letter. To the 128 numbers of each character it adds the 128 wave values of its position. We take 512 of its sums, from a text that it was not trained on, and throw the two parts away.",
      "Then each sum is compared, by dot product, with all 78 characters and with all 256 positions. The best match is the answer. Nothing is trained for it.",
    ],
    predict: {
      question: "In how many of the sums is the best of the 256 positions the right one?",
      options: ["hardly any: the wave is drowned", "about half", "almost nine in ten"],
      answer: 2,
      reveal:
        "Your browser has just counted: almost nine in ten, and what is missed is mostly missed by one. The character is found in nearly all.",
    },
    figure: {
      title: "Sums, taken apart",
      shows:
        "A row of characters with their positions, as they were added and as they were read back from the sums; below, the share of sums in which character and position are found, by the number of dimensions kept.",
      guide:
        "The linear layer is one matrix, computed from another text: it counts little on the directions in which characters differ.",
      kept: "Numbers kept of each vector",
      keptOf: "{kept} of {all}",
      strip: "Some of the sums, from position 100 on",
      added: "added",
      ways: { dot: "dot product", layer: "linear layer" },
      parts: { position: "position", character: "character" },
      line: "{part}, {way}",
      found: "Found, of {count} sums",
      chart: "Share of the sums in which character and position are found",
      share: "found (%)",
      percent: "{percent} %",
      read: "{kept} numbers: position {dotPosition} and {layerPosition} %, character {dotCharacter} and {layerCharacter} %",
      table: "Found, in percent: {model}",
    },
    idea: [
      "Now choose the <em>learned table</em>. Dot products find almost no position: its rows are small beside the characters, and neighbours look alike. Lost? No. One <em>linear layer</em>, told which directions belong to the characters, finds nearly every one. Such a matrix is the first thing in every attention head.",
      "<em>The price is dimensions.</em> Pull the slider: with 4 or 8 numbers both ways lose characters, positions, or both. The Chinese model squeezes over 4000 characters into 128 dimensions; there even the layer finds little more than a third of the positions.",
      "So the sum still holds both. But what is in there need not be used. Is it?",
    ],
  },
  terms: {
    heading: "Does the model use it?",
    paragraphs: [
      "Attention compares two sums by a dot product, and a product of two sums is four products: character with character, character with position, position with character, position with position. Every score of the model is these four, added up. So we can ask each of them how far it moves the scores.",
    ],
    predict: {
      question: "In the first layer of the model with waves, which of the four moves the scores most?",
      options: ["character with character", "the mixed ones", "position with position"],
      answer: 2,
      reveal: "In all four heads, and by far. Before it asks what stands there, this layer asks where.",
    },
    figure: {
      title: "What moves the scores",
      shows:
        "For each of the four heads of the first layer, how far each of the four terms varies over the keys of a query; below, for one head, each term by distance.",
      guide:
        "A bar is how far a term varies over the characters that one may look at (standard deviation). Only that matters: softmax ignores what all have in common.",
      head: "Head {head}",
      terms: {
        contentContent: "character × character",
        contentPosition: "character × position",
        positionContent: "position × character",
        positionPosition: "position × position",
      },
      choose: "By distance",
      chart: "How far each term is above its mean, by distance",
      distance: "characters back",
      above: "above the mean",
      read: "{distance} back: {values}",
      table: "How far each term moves the scores: {model}",
    },
    idea: [
      "A head is a pair of matrices, and a matrix picks directions: it listens to some and is deaf to others. These heads listen to the waves, and the curve shows what they hear: what is near. Nobody built that in. And no sum was ever taken apart; it did not have to be.",
      "The model with the learned table mixes all four. Training decides (<a href='./adding.html#terms'>chapter 5</a> shows each term, cell by cell).",
      "So far it was never important that the numbers are waves. Would any others do?",
    ],
  },
  waves: {
    heading: "Why waves? Would random numbers do?",
    paragraphs: [
      "Give each position 128 random numbers. As the first figure has shown, they are nearly perpendicular to all words, and to each other: no two positions could be confused. No sine is needed.",
    ],
    predict: {
      question: "What is lost?",
      options: ["nothing", "which position it is", "how far apart two positions are"],
      answer: 2,
      reveal:
        "In the random table every position is alike to itself and to no other. To it, 6 is as far from 5 as 200 is. Now choose the waves.",
    },
    figure: {
      title: "How alike are two positions?",
      shows:
        "A map of cosines between all pairs of 256 positions of one table, the mean cosine at three distances, and how often one matrix leads from a position to a later one.",
      guide: "Warm: alike. No colour: nothing in common. Blue: opposite.",
      choose: "Numbers of the positions",
      tables: { sinusoidal: "waves", random: "random", learned: "learned by the model" },
      map: "Cosine of each position with each",
      position: "position",
      read: "positions {row} and {column}: {value}",
      alike: "How alike, on average",
      apart: "{distance} apart",
      matrix: "One matrix for a step",
      steps: "Steps further",
      fitted: "The matrix is fitted to the even positions and asked about the odd ones.",
      found: "Right, of the odd positions",
      percent: "{percent} %",
      distance: "distance",
      cosine: "mean cosine",
      table: "Mean cosine by distance: {name}",
    },
    idea: [
      "Random numbers are <em>names</em>. Waves are a <em>ruler</em>: neighbours are alike, far ones less, and one fixed matrix leads from every position to the one three further. It was fitted to the even positions and is right for all odd ones, since a step is a rotation (<a href='./rotation.html'>chapter 4</a>). A layer learns such a step once, and has it everywhere. For random numbers there is no such matrix.",
      "A <em>learned</em> table begins as names. In training its neighbours grow alike (<a href='./learned.html'>chapter 6</a>), but exact steps it hardly has.",
      "Near and far, in one sum with the word: then why do new models hardly ever add?",
    ],
  },
  rotation: {
    heading: "Then why did everyone move to rotation?",
    paragraphs: [
      "An “e” looks one back, at an “h”, as in “the”. Slide the pair along the text. What the two have to do with each other does not change; only where they stand.",
    ],
    predict: {
      question: "What does their score do in the model with waves? (One point more is 2.7 times the attention.)",
      options: ["it stays the same", "it wobbles by less than a point", "it wanders by more than ten points"],
      answer: 2,
      reveal:
        "The sum carries the absolute position into every score, wanted or not. The other line has the same two characters with queries and keys rotated: it is flat.",
    },
    figure: {
      title: "The same pair, everywhere in the text",
      shows:
        "Two lines over the position in the text: the score of the same two characters with positions added, which wanders, and with rotation, which is flat.",
      guide:
        "Rotated: queries and keys of the characters alone, turned by the library’s RoPE. The model was not trained for that; what counts is the shape of the line.",
      head: "Head",
      distance: "Characters back",
      chart: "“{query}” looks at “{key}”, {distance} back, head {head}",
      position: "position",
      score: "score",
      added: "added",
      rotated: "rotated",
      moved: "rotated, most minus least",
      range: "{low} to {high}",
      lowest: "least",
      highest: "most",
    },
    idea: [
      "A model that adds must learn, for every place anew, to look past where a pair stands. It manages, as far as its training reached. <em>Rotation</em> (RoPE) does not add: it turns query and key by an angle that grows with the position. Lengths stay; of the two angles only the difference is left, which is the distance. What training had to find, the formula now guarantees (<a href='./rope.html'>chapter 8</a>).",
    ],
  },
  ending: {
    heading: "To remember",
    paragraphs: [
      "<strong>There is room.</strong> In hundreds of dimensions a word and a wave are nearly perpendicular: their sum holds both, as long as there are dimensions enough.",
      "<strong>Nobody takes the sum apart.</strong> A head’s matrices listen to the directions that they need, and training arranges the rest.",
      "<strong>Waves are a ruler, rotation is a better one.</strong> Any numbers can name a position; waves also say how far. Rotation says it without touching the word.",
    ],
    commands: [],
    idea: [],
    onward: [
      {
        href: "./adding.html",
        title: "Chapter 5: Why add?",
        summary: "Take sums of your own apart, set the sizes, and see what concatenation would cost.",
      },
      {
        href: "./rotation.html",
        title: "Chapter 4: a step is a rotation",
        summary: "Why one matrix is enough for “three further”.",
      },
      {
        href: "./rope.html",
        title: "Chapter 8: RoPE",
        summary: "Rotation from its idea to its code.",
      },
      {
        href: "./babble.html",
        title: "The other article: why models babble",
        summary: "What happens to all this behind the last trained position.",
      },
    ],
  },
  sources: [
    {
      cite: "Vaswani et al., Attention Is All You Need, 2017, section 3.5",
      url: "https://arxiv.org/abs/1706.03762",
      note: "The waves, and the hope that a fixed offset is a linear function of them.",
    },
    {
      cite: "Ke, He and Liu, Rethinking Positional Encoding in Language Pre-training (TUPE), 2020",
      url: "https://arxiv.org/abs/2006.15595",
      note: "The four terms in a trained BERT, and a model without the mixed ones.",
    },
    {
      cite: "Wang and Chen, What Do Position Embeddings Learn?, 2020",
      url: "https://arxiv.org/abs/2010.04903",
      note: "Positions read back from the tables of BERT, RoBERTa and GPT-2.",
    },
    {
      cite: "Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding, 2021",
      url: "https://arxiv.org/abs/2104.09864",
      note: "Rotation instead of addition.",
    },
  ],
} satisfies ArticleText;
