// Why add?: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "A word vector says what a word means. The Transformer adds another vector to it, number by number. <strong>Why does that not destroy the word?</strong> And would it not be cleaner to put the two side by side?",
  idea: [
    "Nobody can take a sum apart without knowing more: 7 may be 3 + 4 or 5 + 2. But we do know more. There are only so many words and so many positions, and in a space of hundreds of dimensions two vectors that have nothing to do with each other are almost perpendicular. A dot product with a word hardly notices the position that was added, and the other way round.",
    "“Almost” is not “exactly”, though. Every attention score gets four terms instead of one: word with word, word with position, position with word, position with position. What becomes of them depends on the sizes of the two vectors and on the matrices that the model learns.",
    "So the honest answer has three parts: the room is large enough, the sizes must be right, and the model learns around the rest. Here you can measure each of them.",
  ],
  terms: {
    heading: "One score, four terms",
    paragraphs: [
      "A query is made from $x + e$, word plus position; a key from $y + f$. Between them stands the matrix $M = W_q^{\\mathsf T} W_k$. Multiply out:",
      "$$\\begin{aligned} (x+e)^{\\mathsf T} M\\, (y+f) = {} & \\link{ww}{x^{\\mathsf T} M\\, y} + \\link{wp}{x^{\\mathsf T} M\\, f} \\\\ & {} + \\link{pw}{e^{\\mathsf T} M\\, y} + \\link{pp}{e^{\\mathsf T} M\\, f} \\end{aligned}$$",
      "<span data-link='ww'>What does this word want from that word?</span> <span data-link='wp'>What does this word want from that place?</span> <span data-link='pw'>What does this place want from that word?</span> <span data-link='pp'>What does this place want from that place?</span> One matrix $M$ has to answer all four questions.",
      "The sizes matter. The numbers of a sinusoidal position have a mean square of $\\tfrac12$, always. The paper multiplies word vectors by $\\sqrt{d}$ before it adds the positions, and does not say why. A likely reason: <a href='https://github.com/tensorflow/tensor2tensor/blob/master/tensor2tensor/layers/modalities.py'>Tensor2Tensor</a>, the library that came with the paper, draws them with a deviation of $1/\\sqrt{d}$, and without the factor the words would start out much shorter than the positions.",
    ],
    points: [
      "<em>With the identity</em> between them, word · word and position · position stand out. The two cross terms are faint: words and positions are nearly perpendicular.",
      "<em>With random matrices</em> all four are noise of the same kind. Perpendicular vectors do not help if a matrix turns one towards the other. A model that has learned nothing yet looks like this.",
      "<em>A head can choose.</em> The positions of this sentence span a few of the 64 dimensions. A matrix that throws these away sees words only, and the three other terms vanish; one that keeps nothing else sees positions, and faint traces of words. A linear layer can learn either.",
      "<em>Without</em> $\\sqrt d$ the term of the positions drowns that of the words.",
    ],
    figure: {
      title: "The four terms, live",
      shows:
        "Four matrices of words against words, one for each term of the attention score, and a fifth one with their sum; bars show how large each term is on average.",
      sentence: "Your sentence",
      examples: "Examples",
      sentences: ["the dog bites the man", "the cat sat on the mat", "猫 追 老鼠", "我 喜欢 你"],
      empty: "Type a sentence with at least one letter or character.",
      wordScale: "Size of the words’ numbers",
      positionScale: "Positions, multiplied by",
      between: "Between query and key: M",
      identity: "identity",
      random: "random",
      words: "words only",
      positions: "positions only",
      raw: "as drawn: 1/√d",
      scaled: "times √d: 1",
      names: {
        contentContent: "word · word",
        contentPosition: "word · position",
        positionContent: "position · word",
        positionPosition: "position · position",
        score: "the score",
      },
      label: "{name}: one row per query, one column per key",
      read: "{query} → {key}: {words} + {wordPosition} + {positionWord} + {positions} ≈ {score}",
      share: "mean size",
      help: "Hover, tap or use the arrow keys in any of the five.",
      check: "Largest difference between the sum of the terms and the score of word + position:",
      word: "word",
    },
  },
  cosines: {
    heading: "There is room in high dimensions",
    paragraphs: [
      "Draw two random arrows on paper and they meet at any angle. In three dimensions angles near 90 degrees are more common than small ones, and with every dimension that is added it becomes harder to be alike: the two would have to agree everywhere. The cosine of the angle spreads about zero with a deviation of",
      "$$\\sqrt{\\mathrm{E}\\left[\\cos^2\\right]} = \\frac{1}{\\sqrt{d}}$$",
      "exactly, if the direction of one of the two is purely random; the other may be what it likes, a sinusoidal position for one. Count it yourself: here are 200 random words and 50 positions, and every bar is a count of real cosines.",
      "A word of caution. Trained word vectors are <em>not</em> purely random: they share a common part and a few strong directions. The picture is what a model starts from, and a reason why it has room to keep things apart, no proof that it does.",
    ],
    points: [
      "<em>At $d = 512$</em> nineteen angles out of twenty lie within about 5 degrees of a right angle.",
      "<em>A cross term</em> of the figure above is smaller than the lengths of its two vectors suggest, by about this factor.",
      "<em>Positions with positions</em> are quite another thing: they have much in common, near ones most of all. That is what makes them a ruler.",
    ],
    figure: {
      title: "How perpendicular are they?",
      shows: "A histogram of cosines between vectors, with marks at plus and minus one over the square root of d.",
      dim: "Dimensions d",
      what: "Cosines between",
      wordPosition: "words and positions",
      wordWord: "words",
      positionPosition: "positions",
      cosine: "cosine of the angle",
      count: "how many",
      measured: "Measured spread",
      theory: "1/√d",
      angles: "95 % of the angles lie between",
      range: "{low}° and {high}°",
      pairs: "{count} pairs",
      read: "cosines from {low} to {high}: {count}",
    },
  },
  unmix: {
    heading: "Taking the sum apart",
    paragraphs: [
      "If the sum had destroyed the word, nobody could find it again. Here are 64 words with random vectors and 64 positions. Choose one of each and look at their sum only. Compare it with every word and with every position by dot products, as attention would; the highest wins.",
    ],
    points: [
      "<em>The word is easy.</em> From 32 dimensions on it is found behind every position.",
      "<em>The place is harder</em>, because neighbours look alike. With few dimensions the word’s noise is enough to push the peak aside; with many the noise shrinks and the right place stands out.",
      "<em>Make the words ten times larger</em> and the place is lost; make them ten times smaller and most words are. Neither is destroyed by adding; it is drowned by being small. In between, at about 0.3 in 256 dimensions, both are found every time.",
    ],
    figure: {
      title: "Which word, which place?",
      shows:
        "Two curves for one sum of a word and a position: its dot product with each of 64 words and with each of 64 positions; below them how many of all 4096 sums are taken apart correctly.",
      dim: "Dimensions d",
      wordScale: "Size of the words’ numbers",
      word: "Word no.",
      position: "Position",
      words: "Compared with the words",
      positions: "Compared with the positions",
      match: "match",
      foundWord: "best word: {found} – {verdict}",
      foundPosition: "best position: {found} – {verdict}",
      right: "right",
      wrong: "wrong",
      rate: "Of all 4096 sums",
      rateWord: "the word is found in",
      ratePosition: "the position in",
      rateNear: "the position to within 1 in",
      wordAxis: "word",
      positionAxis: "position",
      number: "no.",
      readWord: "word {at}: {value}",
      readPosition: "position {at}: {value}",
    },
  },
  concat: {
    heading: "And side by side?",
    paragraphs: [
      "Concatenation keeps word and position in numbers of their own. The next thing that happens to them is a matrix, and a matrix on two stacked vectors is two matrices and a sum:",
      "$$\\begin{bmatrix} \\link{wordblock}{W} & \\link{placeblock}{V} \\end{bmatrix} \\begin{bmatrix} x \\\\ e \\end{bmatrix} = \\link{wordblock}{W}x + \\link{placeblock}{V}e$$",
      "With $V = W$ that is $W(x + e)$: addition is concatenation with the <em>same</em> weights for both. And concatenation is addition after each part has gone through a matrix of its own. It can do more, then: with $V$ of its own a model can keep the two apart from the first step on. It pays with a wider vector, through all its layers. The matrices of one layer hold about 12 times the square of that width: 4 times in attention, 8 times in the two matrices after it.",
    ],
    points: [
      "<em>Same weights</em>: the two panels agree, number by number.",
      "<em>Own weights</em>: another matrix for the positions gives scores that no addition with this $W$ has. That is the freedom one buys.",
      "<em>Kept apart</em>: half of each query is made from the word, half from the position. The cross terms are zero, exactly.",
      "<em>Addition can be taught the same</em>, if words and positions settle in different dimensions: then $W(x+e)$ has two blocks in it, too. Nobody reserves the dimensions; training finds the division, and its cost is not a single parameter.",
    ],
    figure: {
      title: "Added and concatenated",
      shows:
        "Two matrices of attention scores of the same sentence, from added and from concatenated positions, with their largest difference and the number of weights each takes.",
      weights: "Weights for the positions",
      same: "same: V = W",
      own: "own: V random",
      apart: "kept apart",
      dim: "Width of the words d",
      extra: "Width of the positions p",
      extraHint: "With V = W positions are as wide as words.",
      sum: "added",
      joined: "concatenated",
      label: "Scores with positions {name}: one row per query, one column per key",
      read: "{query} → {key}: added {added}, concatenated {joined}",
      word: "word",
      difference: "Largest difference of the scores",
      cross: "Largest cross term, concatenated",
      costs: "Cost in numbers",
      costName: "numbers",
      width: "width of vectors",
      head: "a head’s query and key",
      layer: "a layer: 12\u00A0×\u00A0width²",
      times: "× {factor}",
      words: ["the", "dog", "bites", "the", "man"],
    },
  },
  size: {
    heading: "Untying the terms",
    paragraphs: [
      "Not everyone is happy with four terms from one matrix. <strong>TUPE</strong> (2020) found the two cross terms of a trained BERT to be nearly even over all positions, with little to tell, and removed them: words are compared with words and positions with positions, each with matrices of their own, and the two results are added. <strong>DeBERTa</strong> (2020) keeps the cross terms, but gives the positions matrices of their own and makes them relative; what it leaves out is position with position. Both report better results than the models they started from. <strong>RoPE</strong> adds nothing at all and turns queries and keys.",
      "So adding is no law of nature. It is the cheapest thing that works: no new parameters, no wider vectors, one line of code at the input. Many models that everyone knows have used it, from the first Transformer and BERT to GPT‑2 and GPT‑3.",
    ],
  },
  dropout: {
    heading: "Dropout on the sum",
    paragraphs: [
      "In training, the paper applies dropout to the sums, with a rate of 0.1 in its base model: each number becomes 0 with probability $p$, and the others are divided by $1 - p$. On average nothing has changed:",
      "$$\\mathrm{E}\\left[\\link{drop}{\\mathrm{drop}(z)}\\right] = p \\cdot 0 + (1-p) \\cdot \\frac{z}{1-p} = z$$",
      "The model thus learns not to rely on any single number of a word or of a position; when the model is in use, dropout is switched off. A seed makes it repeatable: the same seed drops the same numbers on every machine.",
    ],
    points: [
      "<em>Each seed</em> punches other holes. What is left is a little stronger than before: that is the division.",
      "<em>Average many draws</em> and the holes fill up. The curve settles on the one without dropout, with an error that shrinks as one over the square root of the number of draws.",
      "<em>Training off</em>: the sums themselves, whatever the rate.",
    ],
    figure: {
      title: "Holes that average out",
      shows:
        "A heat map of words plus positions after dropout, averaged over a number of draws, and a curve of one row with and without dropout.",
      rate: "Rate p",
      seed: "First seed",
      draws: "Draws averaged",
      training: "Training",
      map: "Words plus positions, after dropout",
      row: "Row {row}",
      rowLabel: "The numbers of row {row}, with and without dropout",
      plain: "x + PE",
      dropped: "after dropout",
      value: "value",
      dimension: "dimension",
      position: "position",
      read: "position {row}, dimension {column}: {value} instead of {plain}",
      zeros: "Zeros in the last draw",
      factor: "The others are multiplied by",
      error: "Mean distance from x + PE",
    },
  },
  code: {
    paragraphs: [
      "<code>scoreTerms</code> gives the four terms; <code>addTo</code> adds positions in place, with dropout if asked; <code>concatTo</code> makes a wider tensor. The first values of a <code>learned</code> table serve as random words and matrices.",
    ],
  },
  quiz: [
    {
      question:
        "A word vector and a position vector of length 20 each, in 400 dimensions, have nothing to do with each other. How large is their dot product, typically?",
      options: [
        { text: "About 400", why: "That is $20 \\cdot 20$, the dot product of two parallel vectors." },
        { text: "About 20", why: "$20 \\cdot 20 / \\sqrt{400} = 20$, a twentieth of what parallel vectors have." },
        {
          text: "Exactly 0",
          why: "Almost perpendicular is not perpendicular. Only vectors that were made so have a dot product of 0.",
        },
      ],
      answer: 1,
    },
    {
      question: "When does concatenation give the same scores as addition?",
      options: [
        { text: "Always", why: "With weights of its own for the positions it gives scores that addition cannot." },
        {
          text: "When the matrices treat the position part as they treat the word part",
          why: "$Wx + We = W(x + e)$.",
        },
        {
          text: "Never: the vectors have different widths",
          why: "The vectors do, but queries and keys come out equally wide.",
        },
      ],
      answer: 1,
    },
    {
      question:
        "Word vectors are drawn with a deviation of $1/\\sqrt d$ and sinusoidal positions are added as they are. What happens?",
      options: [
        {
          text: "The positions dominate the sum at first",
          why: "A word has length about 1, a position $\\sqrt{d/2}$. Multiplying the words by $\\sqrt d$ evens it out.",
        },
        { text: "The words dominate the sum", why: "It is the other way round: their numbers are the smaller ones." },
        {
          text: "Nothing: the model scales as it likes",
          why: "It may learn to in the end, but it starts from a sum in which words hardly count.",
        },
      ],
      answer: 0,
    },
  ],
  sources: [
    {
      cite: "Vaswani et al., Attention Is All You Need, 2017, sections 3.4, 3.5 and 5.4",
      url: "https://arxiv.org/abs/1706.03762",
      note: "Word vectors times √d (3.4), positions added (3.5), dropout on the sums, 0.1 in the base model (5.4).",
    },
    {
      cite: "Ke, He and Liu, Rethinking Positional Encoding in Language Pre-training (TUPE), 2020, section 3.1",
      url: "https://arxiv.org/abs/2006.15595",
      note: "The four terms, and why to untie them.",
    },
    {
      cite: "He, Liu, Gao and Chen, DeBERTa: Decoding-enhanced BERT with Disentangled Attention, 2020, section 3.1",
      url: "https://arxiv.org/abs/2006.03654",
      note: "Three of the terms, with relative positions that have matrices of their own.",
    },
    {
      cite: "Mu, Bhat and Viswanath, All-but-the-Top: Simple and Effective Postprocessing for Word Representations, 2017",
      url: "https://arxiv.org/abs/1702.01417",
      note: "Trained word vectors share a common vector and a few dominating directions.",
    },
    {
      cite: "Vershynin, High-Dimensional Probability, 2018, section 3.2",
      url: "https://www.math.uci.edu/~rvershyn/papers/HDP-book/HDP-book.html",
      note: "Independent vectors in high dimensions are almost orthogonal.",
    },
  ],
} satisfies ChapterText;
