// Why add?: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "A word’s vector says what it means, a position’s vector says where it stands, and the Transformer simply <strong>adds the two</strong>: can anyone still tell them apart?",
  idea: [
    "Only the sum was looked at. It was compared with 64 words and with 64 positions, by dot products, as attention compares; and the right word and the right position stand out.",
    "So adding need not destroy the word, if there is <em>room</em> enough (hundreds of dimensions) and the <em>sizes</em> of the two match. <em>Training</em> takes care of the mix-ups that remain. <a href='./why.html'>An article</a> takes the sums of a real model apart.",
  ],
  unmix: {
    heading: "What is small is drowned",
    paragraphs: [
      "Nobody can take 7 apart: it may be 3 + 4 or 5 + 2. But a vector is many numbers at once, and there are only so many words and so many positions. Each of them can be compared with the sum.",
    ],
    points: [
      "<em>With few dimensions</em> the position is lost first: neighbouring positions look alike, and the numbers of the word push the peak aside.",
      "<em>Set the size of the words’ numbers to 10</em> and nearly every position is lost; set it to 0.1, and about half of the words are. In between, at about 0.3 in 256 dimensions, both are found every time.",
    ],
    why: [
      {
        title: "Why does the paper multiply word vectors by $\\sqrt d$?",
        paragraphs: [
          "For the sizes, probably; it does not say. The numbers of a sinusoidal position have a mean square of $\\tfrac12$, always. <a href='https://github.com/tensorflow/tensor2tensor/blob/master/tensor2tensor/layers/modalities.py'>Tensor2Tensor</a>, the library that came with the paper, draws word vectors with a deviation of $1/\\sqrt{d}$: without the factor the words would start out much shorter than the positions.",
        ],
      },
    ],
    figure: {
      title: "Can the two be told apart?",
      shows:
        "A word’s vector, a position’s vector and their sum as rows of coloured cells; two curves with the dot product of the sum with each of 64 words and with each of 64 positions; below them how many of all 4096 sums are taken apart correctly.",
      dim: "Dimensions d",
      wordScale: "Size of the words’ numbers",
      word: "Word",
      position: "Position",
      words: "Compared with the words",
      positions: "Compared with the positions",
      match: "match",
      foundWord: "best word: {found}, {verdict}",
      foundPosition: "best position: {found}, {verdict}",
      right: "right",
      wrong: "wrong",
      sum: "their sum",
      firstNumbers: "{count} of {dim} numbers",
      vocabulary:
        "dog cat fox crow fish bird horse sheep wolf bear mouse snake tree leaf rose grass river sea rain snow wind sun moon star stone sand gold iron house door roof road bridge boat king queen child friend baker smith bread milk salt apple wine cheese knife pot book song word name red blue green old new long run sing sleep see give hold",
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
  cosines: {
    heading: "There is room in high dimensions",
    paragraphs: [
      "Two arrows drawn at random on paper meet at any angle. With every dimension it becomes harder to be alike, because they would have to agree everywhere; in hundreds of dimensions nearly any two that are drawn at random are almost perpendicular. And the dot product of perpendicular vectors is 0: neither notices the other. Each bar counts real pairs, of 200 random words with 50 positions.",
    ],
    predict: {
      question: "Vectors of 512 random numbers: within how many degrees of a right angle are 95 of 100 pairs?",
      options: ["about 45°", "about 20°", "about 5°"],
      answer: 2,
      reveal: "Set $d$ to 512 and read the angles under the bars. With 4 dimensions it is nearly any angle.",
    },
    points: [
      "<em>The heap</em> becomes narrower with $\\sqrt d$: four times the dimensions, half the width.",
      "<em>Positions with positions</em> have much in common, near ones most of all. That is what makes them a ruler.",
    ],
    why: [
      {
        title: "How wide is the heap, exactly?",
        paragraphs: [
          "The cosine of the angle spreads about zero with a deviation of",
          "$$\\sqrt{\\mathrm{E}\\left[\\cos^2\\right]} = \\frac{1}{\\sqrt{d}}$$",
          "exactly, if the direction of one of the two is purely random; the other may be what it likes, a sinusoidal position for one.",
        ],
      },
      {
        title: "Are trained words random?",
        paragraphs: [
          "No. They share a common part and a few strong directions (Mu and colleagues, 2017). The picture is what a model starts from: a reason why it has room to keep things apart, no proof that it does.",
        ],
      },
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
  concat: {
    heading: "And side by side?",
    paragraphs: [
      "Stacking the two vectors, one on top of the other (<em>concatenation</em>), keeps each in numbers of its own. But what comes next is a matrix, and a matrix takes them apart again: one half of it multiplies the word, the other the position, and the results are added. Here for a word $x$ and a position $e$:",
      "$$\\begin{bmatrix} \\link{wordblock}{W} & \\link{placeblock}{V} \\end{bmatrix} \\begin{bmatrix} x \\\\ e \\end{bmatrix} = \\link{wordblock}{W}x + \\link{placeblock}{V}e$$",
      "With $V = W$ that is $W(x + e)$: adding is concatenation with the <em>same</em> weights for both. With weights of its own for the position a model can do more. It pays with more weights or, if the vectors stay stacked, with wider vectors in all its layers.",
    ],
    points: [
      "<em>Same weights</em>: the scores of the two panels (dot products, as attention takes them) agree, number by number.",
      "<em>Own weights</em>: scores that no addition with this $W$ has.",
      "<em>Kept apart</em>: half of each vector that is compared comes from the word, half from the position, and no word meets a position. Addition can be taught the same, if training puts words and positions into different dimensions; that costs no parameter.",
    ],
    why: [
      {
        title: "Is a word’s vector made that way, too?",
        paragraphs: [
          "Yes. Let $o_a$ be a vector of zeros with a single 1, at the number of the word (<em>one-hot</em>), and $o_m$ the same for the position. A matrix times a one-hot vector is one of its columns: a vector looked up in a table, which is what an <em>embedding</em> is. Concatenate the two and multiply by one matrix:",
          "$$\\begin{bmatrix} W & V \\end{bmatrix} \\begin{bmatrix} o_a \\\\ o_m \\end{bmatrix} = W o_a + V o_m = x_a + e_m$$",
          "Word plus position <em>is</em> concatenation, of one-hot vectors. With a learned table both $W$ and $V$ are trained; with sinusoids $V$ is filled in by the formula and stays.",
        ],
      },
      {
        title: "What does the width cost?",
        paragraphs: [
          "The matrices of one layer hold about 12 times the square of the width: 4 times in attention, 8 times in the two matrices after it (Kaplan and colleagues, 2020, table 1). Twice the width is four times the parameters.",
        ],
      },
    ],
    figure: {
      title: "Added and concatenated",
      guide: "Scores before softmax: each row is a query, each column a key. Warm is above 0, blue below.",
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
      cross: "Largest word · position term, concatenated",
      costs: "Cost in numbers",
      costName: "numbers",
      width: "width of vectors",
      head: "a head’s query and key",
      layer: "a layer: 12\u00A0×\u00A0width²",
      times: "{factor}×",
      words: ["the", "dog", "bites", "the", "man"],
    },
  },
  terms: {
    heading: "One score, four terms",
    paragraphs: [
      "Attention multiplies a vector by one learned matrix, $W_q$, where it asks (the <em>query</em>) and by another, $W_k$, where it is asked (the <em>key</em>); the dot product of the two is the score. A query is made from $x + e$, word plus position; a key from $y + f$. Between them stands $M = W_q^{\\mathsf T} W_k$, the two matrices in one. Multiply out:",
      "$$\\begin{aligned} (x+e)^{\\mathsf T} M\\, (y+f) = {} & \\link{ww}{x^{\\mathsf T} M\\, y} + \\link{wp}{x^{\\mathsf T} M\\, f} \\\\ & {} + \\link{pw}{e^{\\mathsf T} M\\, y} + \\link{pp}{e^{\\mathsf T} M\\, f} \\end{aligned}$$",
      "<span data-link='ww'>What does this word want from that word?</span> <span data-link='wp'>What does this word want from that position?</span> <span data-link='pw'>What does this position want from that word?</span> <span data-link='pp'>What does this position want from that position?</span> One matrix $M$ has to answer all four questions.",
    ],
    points: [
      "<em>With the identity</em> between them, word · word and position · position stand out. The two cross terms are faint: words and positions are nearly perpendicular.",
      "<em>With random matrices</em> all four are noise of the same kind. Perpendicular vectors do not help if a matrix turns one towards the other. A model that has learned nothing yet looks like this.",
      "<em>A head</em>, one of the comparisons that attention makes side by side, <em>can choose.</em> The positions of this sentence span a few of the 64 dimensions. A matrix that throws these away sees words only, and the three other terms vanish; one that keeps nothing else sees positions, and faint traces of words. A linear layer can learn either.",
      "<em>Without</em> $\\sqrt d$ the term of the positions drowns that of the words.",
    ],
    why: [
      {
        title: "What can any model know of two positions? A Taylor series",
        paragraphs: [
          "Take any smooth function $F$ of two words $x$ and $y$, and add positions $e$ and $f$. Up to second order:",
          "$$\\begin{aligned} F(x + e,\\; y + f) \\approx {} & F(x, y) + \\frac{\\partial F}{\\partial x}\\, e + \\frac{\\partial F}{\\partial y}\\, f \\\\ & {} + \\tfrac12\\, e^{\\mathsf T} \\frac{\\partial^2 F}{\\partial x^2}\\, e + \\tfrac12\\, f^{\\mathsf T} \\frac{\\partial^2 F}{\\partial y^2}\\, f \\\\ & {} + e^{\\mathsf T} \\frac{\\partial^2 F}{\\partial x\\, \\partial y}\\, f \\end{aligned}$$",
          "The first line and the second know one position at a time. Only the last term, the cross term, holds both, so that a distance can be seen there and nowhere earlier: it would have to be a function of $m - n$. If the matrix in its middle is the identity, it is the dot product of the two positions, and that is what rotation gives (chapter 4). In attention’s score this term is exact: position · position. The argument is Su Jianlin’s (2021). It takes positions for small changes, which beside words they are not; it shows what to look for, and proves nothing about a trained model.",
        ],
      },
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
  size: {
    heading: "Untying the terms",
    paragraphs: [
      "<strong>TUPE</strong> (2020) found the two cross terms of a trained BERT to be nearly even over all positions, with little to tell, and removed them: words are compared with words and positions with positions, each with matrices of their own, and the two results are added. <strong>DeBERTa</strong> (2020) keeps the cross terms, but gives the positions matrices of their own and makes them relative; what it leaves out is position with position. Both report better results than the models they started from. <strong>RoPE</strong> adds nothing at all and turns queries and keys.",
      "So adding is no law of nature. It is cheap: no wider vectors, one line of code at the input, and with sinusoids no new parameters. The first Transformer, BERT, GPT‑2 and GPT‑3 add.",
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
        "A word vector and a position vector of length 20 each, in 400 dimensions, have nothing to do with each other. How large is their dot product, typically? (“How wide is the heap, exactly?” helps.)",
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
        "The numbers of the word vectors are much smaller than those of the positions that are added to them. What happens?",
      options: [
        {
          text: "The positions dominate the sum at first",
          why: "What is small is drowned. Making the words larger evens it out: the paper multiplies them by $\\sqrt d$.",
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
    {
      cite: "Kaplan et al., Scaling Laws for Neural Language Models, 2020, section 2.1, table 1",
      url: "https://arxiv.org/abs/2001.08361",
      note: "12 times the square of the width in each layer.",
    },
    {
      cite: "Su Jianlin, Transformer升级之路：1、Sinusoidal位置编码追根溯源, 2021",
      url: "https://kexue.fm/archives/8231",
      note: "The Taylor series (in Chinese).",
    },
    {
      cite: "Devlin et al., BERT, 2018, section 3 and figure 2",
      url: "https://arxiv.org/abs/1810.04805",
      note: "The input is the sum of token, segment and position embeddings.",
    },
    {
      cite: "Radford et al., GPT-2, 2019: model.py",
      url: "https://github.com/openai/gpt-2/blob/master/src/model.py",
      note: "Positions are added; GPT-3 (Brown et al., 2020, section 2.1) keeps the architecture.",
    },
  ],
} satisfies ChapterText;
