// Relative by rotation: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "A position is a row of clocks, each running at its own speed: hold the clocks of two positions side by side, and they <strong>show how far apart the two are</strong>.",
  idea: [
    "Let both words walk on. All hands run, and no wedge changes: how far the two hands of a clock stand apart depends on the speed of the clock and on the distance of the words, wherever the words are.",
    "So “three words further on” is one fixed turn of each clock, at the beginning of a text and at its end. And one number measures how well the hands agree: the <em>dot product</em>, two vectors multiplied number by number and added up. On one clock it is the cosine of the wedge: 1 where the hands agree, 0 at a right angle, −1 where they are opposite. The wedges depend on the distance alone, and so does their sum.",
  ],
  apart: {
    heading: "Same distance, same wedges",
    paragraphs: [
      "Each clock is two numbers of the position’s vector, the sine and the cosine of the angle of its hand: <em>a pair</em>. Four pairs make a vector of eight numbers; real models have hundreds of numbers, and clocks from quick to very slow.",
    ],
    points: [
      "<em>Move the words apart</em>: the quick clocks disagree at once, the slow ones much later.",
      "<em>Make the distance negative</em>: the second word now comes first. The wedges open to the other side.",
    ],
    figure: {
      title: "Two words, two hands on every clock",
      shows:
        "Four clocks, one for each pair of numbers of the encoding. On each a dashed hand for the first word and a solid one for the second, with the wedge between them; under each how well the hands agree, and below all the sum.",
      guide:
        "Dashed hand = first word, solid hand = second word; the wedge between them shows how far apart the two are. Bar under a clock: to the right the hands agree, to the left they point apart.",
      start: "The first word stands at m",
      step: "The second stands k places later",
      walk: "Let both walk on",
      stop: "Stop",
      first: "first word: position {position}",
      second: "second word: position {position}",
      clock: "clock {clock}",
      clockName: "clock",
      apart: "{angle} apart",
      agreement: "How well the hands agree:",
      all: "all",
    },
  },
  turn: {
    heading: "One matrix moves every position",
    paragraphs: [
      "What a network does most is to multiply by a <em>matrix</em>, a table of numbers; in a model most are learned, but this one need not be. It turns all hands by $k$ steps. Nearly all of it is zeros: each clock has a block of 2 × 2 numbers on the diagonal. With $\\mathrm{PE}(m)$ for the vector of position $m$:",
      "$$\\mathrm{PE}(m+k) = \\link{step}{T_k}\\, \\mathrm{PE}(\\link{start}{m})$$",
    ],
    predict: {
      question:
        "The first word moves from position 5 to 205, the second stays three words further on. What becomes of the matrix?",
      options: ["It stays as it is", "All its numbers change", "Only those of the quick clocks change"],
      answer: 0,
      reveal:
        "Slide $m$: the hands run and the matrix stands still. Slide $k$: now it turns. The matrix holds how far to go; it does not need to know from where.",
    },
    points: [
      "<em>The last two rows</em> agree. One is the matrix times $\\mathrm{PE}(m)$, the other is read from the encoding; 32-bit rounding makes the difference.",
      "<em>A negative $k$</em> goes back.",
    ],
    why: [
      {
        title: "Why is it a turn?",
        paragraphs: [
          "Pair $i$ holds the sine and the cosine of $m\\omega_i$, with the speed $\\omega_i = b^{-2i/d}$. Write $\\alpha = m\\omega_i$ and $\\beta = k\\omega_i$. Two school formulas, and one look at them as a matrix:",
          "$$\\begin{aligned} \\sin(\\alpha + \\beta) &= \\cos\\beta\\,\\sin\\alpha + \\sin\\beta\\,\\cos\\alpha \\\\ \\cos(\\alpha + \\beta) &= -\\sin\\beta\\,\\sin\\alpha + \\cos\\beta\\,\\cos\\alpha \\\\ \\begin{bmatrix} \\sin(\\alpha+\\beta) \\\\ \\cos(\\alpha+\\beta) \\end{bmatrix} &= \\link{step}{\\begin{bmatrix} \\cos\\beta & \\sin\\beta \\\\ -\\sin\\beta & \\cos\\beta \\end{bmatrix}} \\begin{bmatrix} \\sin\\link{start}{\\alpha} \\\\ \\cos\\link{start}{\\alpha} \\end{bmatrix} \\end{aligned}$$",
          "The <span data-link='start'>position $m$</span> stands only in the vector, the <span data-link='step'>step $k$</span> only in the matrix; call it $R(\\beta)$. One such block for each pair on the diagonal is $T_k$:",
          "$$\\link{step}{T_k} = \\begin{bmatrix} R(k\\omega_0) & & \\\\ & \\ddots & \\\\ & & R(k\\omega_{d/2-1}) \\end{bmatrix}$$",
        ],
      },
      {
        title: "Could the speeds be learned?",
        paragraphs: [
          "Yes, and $k$ steps would still be a turn: nothing above needs the formula for $\\omega_i$. Wang and colleagues (2019) train a frequency, an amplitude and a starting angle for every word and dimension. In posenc the frequencies of <code>fourier</code> are numbers that can be trained, after the random Fourier features of Tancik and colleagues (2020). The first Transformer keeps them fixed; chapter 10 shows why very slow clocks are hard to train.",
        ],
      },
    ],
    figure: {
      title: "Hands and matrix",
      shows:
        "A clock for each pair of the encoding, with its hand at position m and at position m + k; beside them the matrix T_k as coloured cells; below them the vectors PE(m), T_k PE(m) and PE(m + k) and the difference of the last two.",
      start: "Start m",
      step: "Step k",
      dim: "Dimensions d",
      base: "Base b",
      clock: "clock {clock}",
      note: "turns by {angle}",
      matrix: "The matrix $T_k$",
      matrixName: "Matrix Tₖ",
      matrixLabel: "The matrix Tₖ, {dim} by {dim}: blocks of two by two on the diagonal, zeros elsewhere",
      from: "PE(m)",
      moved: "Tₖ PE(m)",
      to: "PE(m + k)",
      error: "Largest difference between Tₖ PE(m) and PE(m + k):",
      dimension: "dimension",
      vectors: "The three vectors",
      caption:
        "Dashed: the hand at $m$. Solid: the hand at $m + k$. The base starts at 100 instead of 10\u00A0000, so that slow hands can be seen to move.",
    },
  },
  pairs: {
    heading: "The sum falls with distance",
    paragraphs: [
      "Now all distances at once. Each row of the picture is a clock, each column a distance. The curves below add the rows up. The sum falls with the distance, though only roughly; all wedges together tell the distance exactly.",
    ],
    predict: {
      question:
        "Whose position has the higher dot product with a word’s own: the third word before it, or the third after it?",
      options: ["the third before", "the third after", "both the same"],
      answer: 2,
      reveal:
        "The picture is its own mirror image: a wedge to the left is as wide as one to the right. The sum tells roughly how far, and not which way.",
    },
    points: [
      "<em>The <span data-link='quick'>quick pairs</span></em> make the narrow peak: they tell a word from its neighbours, and nothing further out.",
      "<em>The <span data-link='slow'>slow pairs</span></em> make the broad hill. Its curve is level around the middle, as they cannot tell 3 from 4, and comes down farther out: they tell near from far.",
    ],
    why: [
      {
        title: "Why does the sum depend on the distance alone?",
        paragraphs: [
          "Turning two vectors alike changes neither their lengths nor the angle between them, so their dot product stays. As a formula, each pair adds one cosine:",
          "$$\\begin{aligned} \\mathrm{PE}(m)\\cdot\\mathrm{PE}(n) &= \\sum_i \\big(\\sin m\\omega_i \\sin n\\omega_i \\\\ &\\qquad\\; + \\cos m\\omega_i \\cos n\\omega_i\\big) \\\\ &= \\sum_i \\cos\\big((m-n)\\,\\omega_i\\big) \\end{aligned}$$",
          "Left and right are alike because $\\cos(-x) = \\cos x$.",
        ],
      },
    ],
    figure: {
      title: "Pair by pair",
      shows:
        "A heat map with a row for each pair and a column for each distance, showing what the pair adds to the dot product; below it curves of the sum of all pairs, of the quick and of the slow ones.",
      guide:
        "Row = clock, with the quickest on top (pair 0 is clock 1). Column = distance. Warm colours = the hands agree, blue = they point apart. The line across divides the quick pairs from the slow ones.",
      dim: "Dimensions d",
      base: "Base b",
      split: "Quick: the first",
      reach: "Distances up to",
      pair: "pair",
      distance: "distance",
      read: "pair {pair}, distance {distance}: {value}",
      map: "What each pair adds, by distance",
      all: "all pairs",
      quick: "quick pairs",
      slow: "slow pairs",
      sum: "dot product",
      curves: "Dot product by distance: all pairs, quick pairs, slow pairs",
    },
  },
  direction: {
    heading: "Before or after: a head can learn it",
    paragraphs: [
      "So far the third word before and the third after look the same. A <em>head</em>, one of several ways in which attention compares words, can break the tie: it first turns one of the two by $c$ steps, and then compares. What a head does to positions is one learned matrix between the word that asks (its <em>query</em>) and the word that is asked (its <em>key</em>). Here are three such matrices.",
    ],
    points: [
      "<em>The identity</em>, which changes nothing: symmetric, and each position likes itself best.",
      "<em>A turn by $c$ steps</em>: the line of the highest scores, the strongest in colour, moves: the head looks $c$ words back. Heads that look at the previous word have been found in trained models.",
      "<em>A <span data-link='between'>random matrix</span></em>: the score depends on where one stands. With added positions a head <em>can</em> learn to see distances, but it need not. RoPE, in chapter 8, turns the queries and keys themselves, and then every head sees them.",
    ],
    why: [
      {
        title: "What is between the two, as a formula?",
        paragraphs: [
          "A head does not compare the vectors as they are. The word that asks is multiplied by one learned matrix, the word that is asked by another. A query is $W_q\\,\\mathrm{PE}(m)$, a key $W_k\\,\\mathrm{PE}(n)$. Their dot product has the product of the two matrices in its middle:",
          "$$\\mathrm{PE}(m)^{\\mathsf T}\\, \\link{between}{W_q^{\\mathsf T} W_k}\\, \\mathrm{PE}(n)$$",
          "If it is the turn $T_c$, the score of $m$ and $n$ is the dot product of $m$ and $n + c$, highest at $n = m - c$. The diagonals have one value each only if the matrix keeps the pairs apart and does to each what a turn (and a stretching) does.",
        ],
      },
    ],
    figure: {
      title: "What stands between query and key",
      shows:
        "A heat map of the scores of all pairs of positions with a chosen matrix between them, a curve of one query’s scores over all keys, and two measurements: how unlike its mirror image the picture is and how much values vary along a diagonal.",
      guide:
        "Row = the word that asks, column = the word that is asked. The stronger the warm colour, the higher the score; blue is below 0.",
      between: "Between them",
      identity: "identity",
      turn: "turn by c",
      random: "random matrix",
      back: "Look back c",
      seed: "Random matrix no.",
      query: "query at m",
      key: "key at n",
      read: "query at {row}, key at {column} ({distance}): {value}",
      readRow: "key at {column} ({distance}): {value}",
      before: "{steps} before",
      after: "{steps} after",
      same: "itself",
      scores: "Scores of all queries and keys",
      row: "Scores of the query at {row}",
      rowLabel: "Scores of the query at position {row} by key position",
      score: "score",
      highest: "The query at {row} scores highest with the key at",
      highestKey: "{key} ({distance})",
      mirror: "Largest difference between mirrored cells",
      diagonal: "Largest spread along a diagonal",
    },
  },
  compose: {
    heading: "Steps add up",
    paragraphs: [
      "Go on by $j$ and then by $k$: you have gone on by $j + k$. The matrices know it too, because angles of turns add:",
      "$$\\begin{aligned} T_j\\, T_k &= T_{j+k} \\\\ T_0 &= I \\\\ T_{-k} &= T_k^{-1} = T_k^{\\mathsf T} \\end{aligned}$$",
      "Whoever can go one step can go any number of them, and the way back is the same matrix with rows and columns exchanged.",
    ],
    points: [
      "<em>There and back</em>: with $k = -j$ the product is the identity, ones on the diagonal and nothing else.",
      "<em>The order does not matter</em>: $T_j T_k = T_k T_j$, as it is with steps along a line. Rotations in space do not commute in general. These do, because each stays within the plane of its own pair.",
    ],
    figure: {
      title: "Two steps are one",
      shows: "Three matrices as coloured cells: T_j, T_k and their product, which is compared with T_(j + k).",
      first: "First step j",
      second: "Second step k",
      back: "There and back: k = −j",
      firstName: "Tⱼ, j = {step}",
      secondName: "Tₖ, k = {step}",
      productName: "Tⱼ Tₖ",
      error: "Largest difference between Tⱼ Tₖ and the matrix of j + k = {sum} steps:",
      label: "{name}: coloured cells",
      dimension: "dimension",
    },
  },
  learn: {
    heading: "Can a linear layer find the matrix?",
    paragraphs: [
      "The authors of the Transformer hypothesized that this encoding “would allow the model to easily learn to attend by relative positions”. It can be tried. A matrix $W$ of random numbers is shown positions and asked for the position $k$ further on. Its error is the mean square of $W\\,\\mathrm{PE}(m) - \\mathrm{PE}(m+k)$; in 300 steps each number is moved a little in the direction that makes the error smaller (by the optimizer Adam, which suits the size of the move to each number).",
      "Nobody tells $W$ about blocks, sines or rotations. Then it is tested at positions 500 to 563, which it has never seen.",
    ],
    points: [
      "<em>With base 100</em> it does not find just any matrix that works. It finds $T_k$, cell by cell, and is right at position 500 as well.",
      "<em>With base 10 000</em> it does well where it was trained and fails at 500. In 64 positions the slow hands hardly move, so the examples do not say how they turn, and the layer makes something up. The chapter on long context meets this trouble again.",
      "<em>Show it more positions</em> and the slow hands have more time to give themselves away.",
    ],
    figure: {
      title: "Train it here",
      shows:
        "The weights of the layer after a number of training steps beside T_k, and curves of its largest error at the positions it was trained on and at positions 500 to 563.",
      steps: "Training steps",
      play: "Train",
      again: "Train again",
      step: "Step k to be learned",
      base: "Base b",
      seen: "Positions shown: 0 to",
      weights: "W after {steps} steps",
      target: "Tₖ",
      weightsLabel: "Weights of the layer after {steps} steps, as coloured cells",
      targetLabel: "The matrix Tₖ as coloured cells",
      trained: "at positions it has seen",
      far: "at positions 500–\u2060563",
      distance: "largest difference between W and Tₖ",
      axis: "training step",
      error: "largest error (logarithmic)",
      curves: "Largest error of the layer by training step",
      read: "after {steps} steps: {trained} at positions it has seen, {far} at 500–\u2060563; W differs from Tₖ by {distance}",
      dimension: "dimension",
    },
  },
  decay: {
    heading: "How fast does the dot product fall?",
    paragraphs: [
      "Draw the distance on a logarithmic axis and, beyond the first few steps, the curve is nearly a straight line. The wavelengths are spread evenly over the powers of ten from $2\\pi$ to $2\\pi b$, and each power of ten of distance throws the same share of them out of step. For many pairs and distances well between 1 and $b$,",
      "$$\\frac{\\mathrm{PE}(m)\\cdot\\mathrm{PE}(m+\\delta)}{d/2} \\approx 1 - \\frac{\\ln \\delta + 0.577}{\\ln b}$$",
      "(0.577 is Euler’s constant.) With $b = 10\\,000$ every factor of ten costs a quarter of the height, and the line meets zero at $\\delta \\approx 0.56\\,b$. So the base sets how far this ruler reaches, and $d$ how smooth it is.",
    ],
    points: [
      "<em>Vary the base</em>: the lines have the same start and other slopes. A larger base reaches further and tells neighbours apart less sharply.",
      "<em>Vary the dimensions</em>: the slope stays. With 8 dimensions there are only four cosines, and the line dances.",
      "<em>Far out</em>, past the longest wavelength, the curve wanders about zero and may come up again. A dot product there says nothing about distance.",
    ],
    figure: {
      title: "Distance on a logarithmic scale",
      shows:
        "Curves of the dot product, divided by its value at distance 0, over distances from 1 to 1 000 000 on a logarithmic axis, for several bases or several numbers of dimensions.",
      vary: "Compare",
      bases: "bases",
      dims: "dimensions",
      dim: "Dimensions d",
      base: "Base b",
      baseName: "b = {value}",
      entry: "{name}: {value}",
      dimName: "d = {value}",
      distance: "distance (logarithmic)",
      value: "dot product / (d/2)",
      straight: "1 − (ln δ + 0.577) / ln b, b = {base}",
      curves: "Dot product by distance",
      read: "distance {distance}: {values}",
    },
  },
  code: {
    paragraphs: [
      "<code>shift(k)</code> gives $T_k$ as one two-by-two block per pair; the sample multiplies them by hand. <code>similarity</code> multiplies every row of a table with every other.",
    ],
  },
  quiz: [
    {
      question: "Which numbers must one know to write down the matrix $T_3$?",
      options: [
        {
          text: "The position $m$ one starts from",
          why: "The position is in the vector that the matrix is applied to, never in the matrix.",
        },
        {
          text: "The frequencies of the pairs, that is $d$ and the base",
          why: "Block $i$ holds the sine and cosine of $3\\omega_i$, and $\\omega_i = b^{-2i/d}$.",
        },
        { text: "The length of the text", why: "Neither the encoding nor its shift depends on the length." },
      ],
      answer: 1,
    },
    {
      question: "The dot product of positions 10 and 14 is some number. Which pair of positions has the same?",
      options: [
        { text: "10 and 18", why: "They are 8 apart." },
        {
          text: "20 and 28",
          why: "Doubling everything doubles the distance, and each cosine gets twice the angle.",
        },
        { text: "907 and 903", why: "4 apart. Neither the place nor the order of the two matters." },
        {
          text: "None: every pair of positions has its own",
          why: "Rotating both vectors alike leaves their dot product as it is.",
        },
      ],
      answer: 2,
    },
    {
      question: "How can a head with sinusoidal positions look at the word before?",
      options: [
        {
          text: "It cannot, because the dot product is symmetric",
          why: "So it is while nothing stands between the two. A learned matrix breaks the tie.",
        },
        {
          text: "It learns to turn one of the two by about one step before it compares",
          why: "The key then acts as if it stood one place further on, and matches the query behind it best.",
        },
        {
          text: "It needs a mask",
          why: "A mask hides the future. It does not single out one word of the past.",
        },
      ],
      answer: 1,
    },
  ],
  sources: [
    {
      cite: "Vaswani et al., Attention Is All You Need, 2017, section 3.5",
      url: "https://arxiv.org/abs/1706.03762",
      note: "The encoding, and the guess that relative positions are easy to learn because PE(pos + k) is a linear function of PE(pos).",
    },
    {
      cite: "Yan, Deng, Li and Qiu, TENER: Adapting Transformer Encoder for Named Entity Recognition, 2019, section 3.2",
      url: "https://arxiv.org/abs/1911.04474",
      note: "The dot product depends on the distance alone and has no direction; what projections do to it.",
    },
    {
      cite: "Clark, Khandelwal, Levy and Manning, What Does BERT Look At?, 2019, section 3.1",
      url: "https://arxiv.org/abs/1906.04341",
      note: "Heads that look at the previous or the next token. BERT’s positions are learned, not sinusoidal.",
    },
    {
      cite: "Chi, Fan, Rudnicky and Ramadge, Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis, 2022",
      url: "https://arxiv.org/abs/2212.10356",
      note: "Sandwich: the dot products of sinusoidal positions as an attention bias of their own.",
    },
    {
      cite: "Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding, 2021",
      url: "https://arxiv.org/abs/2104.09864",
      note: "The same rotations, applied to queries and keys.",
    },
    {
      cite: "Wang et al., Encoding Word Order in Complex Embeddings, 2019",
      url: "https://arxiv.org/abs/1912.12333",
      note: "Sines whose frequencies are learned, for every word and dimension.",
    },
    {
      cite: "Tancik et al., Fourier Features Let Networks Learn High Frequency Functions in Low Dimensional Domains, 2020",
      url: "https://arxiv.org/abs/2006.10739",
      note: "Sines of coordinates with random frequencies.",
    },
  ],
} satisfies ChapterText;
