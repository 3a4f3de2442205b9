// The chapter on learned tables: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "No formula: give every position a row of numbers, begin with noise, and let <strong>training</strong> fill them in. This is what became of 256 rows.",
  idea: [
    "Each point is one row: the 128 numbers that stand for a position in a small language model, which was trained to guess the next character of a text. So many numbers cannot be drawn; the picture takes the three directions in which the rows differ most. The line joins neighbours. Choose <em>noise</em> to see the tangle that such a table begins with.",
    "Nobody told the model that row 7 lies between 6 and 8. Each step moves only the rows that were read, each by a little, as word vectors are moved. Neighbouring places mostly have similar work to do, so their rows drift together, until the noise is a curve. (Where a task must tell neighbours apart, their rows stay different: “the word before”, below, is such a task.)",
    "It costs two things. Order must be found in the data. And there are exactly as many positions as there are rows: BERT has 512, GPT‑2 has 1024.",
  ],
  helix: {
    heading: "A curve",
    paragraphs: [
      "Neighbours lie side by side, and the whole is one bow; only the first few rows stand far off. The sinusoids of chapter 3 wind, because they were written as clocks.",
    ],
    why: [
      {
        title: "Is the curve a helix?",
        paragraphs: [
          "In GPT‑2, with far more text and 1024 rows, the curve winds round and round: a <em>helix</em>. It looks as if training had built clocks by itself; yet pictures of this kind make waves of any smooth curve (Shinn, in the sources), so that winding alone proves little. The rows of the small model make no full turn. Of the sinusoids a picture in three directions shows only about a third of how their rows differ.",
        ],
      },
      {
        title: "How do 128 numbers become three?",
        paragraphs: [
          "By <em>principal components</em>: of all directions in the space of 128 numbers, the three along which the rows differ most. For the trained table they hold most of what there is to see, for noise next to nothing. The line under the figure says how much.",
          "Beware of waves in such pictures: any smooth curve has principal components that look like waves, whether or not its model uses waves (Shinn 2023). That neighbours lie side by side is real: it needs no projection.",
        ],
      },
    ],
    figure: {
      title: "256 rows in space",
      shows:
        "The rows of a table of positions as points in space, joined in their order: noise, a trained table, or sinusoids. Dragging or the arrow keys turn them.",
      guide:
        "Colour: blue = first position, orange = last. The grey line is the curve’s shadow on the floor. Drag to turn it.",
      choose: "The table",
      tables: { noise: "noise", trained: "trained", sinusoidal: "sinusoids" },
      space: "The rows in space: drag, or use the arrow keys, to turn them",
      position: "Position",
      turn: "Turned by",
      share: "These three of the 128 directions hold {percent} % of the differences between the rows.",
      table: "Every eighth row: {name}",
      directions: ["direction 1", "direction 2", "direction 3"],
    },
  },
  train: {
    heading: "Train one yourself",
    paragraphs: [
      "Your machine trains a smaller table: 48 rows, and a task that needs positions. Words are random, so they say nothing about where to look; the rows alone decide which word looks at which. All the table ever hears is its <em>error</em>: how far the answers were off. It moves each number the way that makes the error smaller.",
    ],
    predict: {
      question:
        "Each word is to answer with the mean of itself and its two neighbours. Rows 10 and 11 begin as different noise. After the training they are",
      options: ["different, as before", "similar", "identical"],
      answer: 1,
      reveal:
        "Press “Train”. Words 10 and 11 have nearly the same words to look at: what helps one row helps the other. Nobody said that they are neighbours. The task did.",
    },
    points: [
      "<em>Neighbours</em>: nearby rows become similar. In the picture of rows against rows, the diagonal grows broad.",
      "<em>The word before</em>: every row must be told apart from every other, so they stay different; only their numbers become larger. The order shows in who looks at whom.",
      "<em>Its half</em>: each word answers with the mean of all the words in its half of the text. Two kinds of rows are enough, and two kinds remain.",
      "<em>Rows 24 to 47</em>, half of the table, keep their noise: the texts of the training have 24 words, and nobody ever read these rows.",
    ],
    why: [
      {
        title: "How do rows decide who looks at whom?",
        paragraphs: [
          "The first half of a row <em>asks</em> (it makes the query), the second half <em>is asked</em> (it makes the key). Each word's attention weights are the softmax of the dot products:",
          "$$\\link{weights}{a_{mn}} = \\operatorname{softmax}_{n}\\left(\\frac{\\link{rows}{W_{\\text{ask},m}} \\cdot \\link{rows}{W_{\\text{asked},n}}}{\\sqrt{d/2}}\\right)$$",
          "In a model the projections $W_q$ and $W_k$ decide what of a row asks and what is asked.",
        ],
      },
    ],
    figure: {
      title: "A table learns where to look",
      shows:
        "The error during training, and two pictures of the table at the chosen step: how alike its rows are, and which word each word looks at",
      guide:
        "Left: warm colours = two rows are alike, blue = opposite, no colour = they have nothing in common. Right: the stronger the colour, the more a word looks there. Example, a text of four words A B C D: the word before C is B, the mean of C’s neighbours is that of B, C and D, the mean of its half that of C and D.",
      task: "Each word is to answer with",
      tasks: { previous: "the word before", neighbours: "the mean of its neighbours", halves: "the mean of its half" },
      reach: "How far",
      reachBack: "{reach} back",
      reachAround: "{reach} on each side",
      length: "Words in each training text",
      dim: "Numbers in a row",
      steps: "Training steps",
      train: "Train",
      start: "Train again, from new noise",
      play: "Play from the beginning",
      pause: "Pause",
      training: "Training",
      step: "Step shown",
      stepName: "step",
      error: "error",
      errorAxis: "error (logarithmic)",
      chart: "Mean square error at each training step",
      readError: "step {step}: error {error}",
      similarTitle: "Rows against rows",
      similar: "Dot products of all rows of the table at the chosen step",
      readSimilar: "rows {row} and {column}: {value}",
      weightsTitle: "Who looks at whom",
      weights: "Attention weights of all positions at the chosen step",
      readWeights: "word {row} looks at word {column}: {value}",
      asking: "asking word",
      asked: "word that is asked",
      row: "row",
      lossTable: "Error during training",
      similarTable: "Dot products of the rows after step {step}",
      weightsTable: "Attention weights after step {step}",
    },
  },
  end: {
    heading: "Past the last row",
    paragraphs: [
      "A formula has a value everywhere, even between two positions. A table of 32 rows ends with row 31, and has nothing between two rows. Ask for one.",
    ],
    points: [
      "That is why such models have a <em>hard limit</em>: whoever has more tokens than the table has rows cuts the text into pieces. Stretching the table, so that one row becomes two, is no way out for texts: a model that looks one row back no longer finds the word before it. Language models do badly with it, as the <a href='./long-context.html#v=2&amp;arena.shown=learned.rope.stretched&amp;at=arena'>arena</a> of chapter 10 shows.",
      "What is missing is an encoding in which “one back” is the same at every place, rows or no rows. Sinusoids have this, but once they are added to words, nothing makes a model keep it. The encodings of the next chapter give attention the distance itself.",
    ],
    why: [
      {
        title: "And if nobody checks?",
        paragraphs: [
          "posenc refuses and says why. Where an index is not checked, a lookup past the end may read whatever lies behind the table; where negative indices count from the end, as in Python, position −1 quietly gets the last row.",
        ],
      },
    ],
    figure: {
      title: "Ask for a row",
      shows: "The row of a learned table and of a sinusoidal one at the chosen position, or what the library says",
      position: "Position m",
      learned: "Learned, 32 rows",
      sinusoidal: "Sinusoidal",
      strip: "{name}: the numbers of position {position}",
      refused: "There is no such row. posenc says ({code}):",
      table: "The rows at position {position}",
      tableName: "encoding",
    },
  },
  rows: {
    heading: "From noise to order",
    paragraphs: [
      "The table itself, before and after. Each row is a position; <span data-link='rows'>the left half of it asks, the right half is asked</span>. Pick a column, and see it below as a curve over the positions.",
    ],
    points: [
      "With the task <em>neighbours</em> the columns get bands: a number stays high over several positions, then low over several others. No formula asked for that, yet it looks a little like a sinusoid. Give each row only 4 numbers and the texts 40 words, and the bands become waves. In GPT‑2, with far more data, the rows have come to lie on a smooth curve: a helix.",
      "With <em>the word before</em> the columns stay jagged: to be told apart is all that matters, so there is no reason to be smooth.",
      "Look at the last positions: after the last trained row, both curves are one.",
    ],
    figure: {
      title: "The rows, before and after",
      shows: "The numbers of the table before training and at the chosen step, and one of its columns as a curve",
      before: "Before",
      after: "After step {step}",
      read: "row {row}, number {column}: {before} before, {after} after",
      number: "number in the row",
      columns: "number in the row (asks | is asked)",
      help: "Move over the table with mouse or finger, or use the arrow keys; the column under the cursor is the curve below.",
      curve: "Number {column} of each row, before and after training",
      value: "value",
      readCurve: "position {position}: {before} before, {after} after",
      tableBefore: "The table before training",
      tableAfter: "The table after step {step}",
    },
  },
  longer: {
    heading: "Longer than in training",
    paragraphs: [
      "Let the table have rows enough, but train it on short texts only. BERT was trained like that: nine tenths of the steps with 128 tokens and the last tenth with 512, “to learn the positional embeddings”, as the paper says. What would the far rows be without that last tenth?",
      "Below, the table that you have trained above is examined on longer texts. The usual cure is to <em>resize</em> it by interpolation: take the trained rows as points of a curve, stretch the curve, and read it off at as many places as are needed. Vision transformers do so for larger images.",
    ],
    points: [
      "<em>As it is</em>, the error jumps up after the last trained row, to about that of attention without any positions: noise knows nothing. With <em>own half</em> it is wrong from the first word on, because the halves of a longer text lie elsewhere.",
      "<em>Stretched</em>, the table keeps what is relative to the whole: “my half” stays my half, and “near me” stays near me, only that near now reaches farther. For images that is right: the patch in the middle stays in the middle.",
      "But “the word before” is lost. Stretched to twice the length, one step of the table is two words, and halfway between two rows that are perpendicular to each other lies a mixture of both.",
    ],
    figure: {
      title: "The error at each position",
      shows:
        "Mean square error by position, in texts longer than those of the training: the table as it is, stretched to the new length, and no positions",
      length: "Words in the examined texts",
      asIs: "as it is",
      resized: "stretched",
      none: "no positions",
      chart: "Mean square error of the answers at each position",
      error: "error",
      read: "position {position}: as it is {asIs}, stretched {resized}, no positions {none}",
      trained: "Trained on {length} words",
      inside: "mean error of the first {length} words",
      outside: "mean error of the other {count}",
      noneOutside: "none",
      tableCaption: "Mean square error by position",
    },
  },
  code: {
    paragraphs: [
      "The same training in full: attention forwards, <code>attentionBackward</code> for the gradients of queries and keys, <code>backward</code> to bring them to the rows, and <code>step</code> to move the rows. The two halves of the row are two tables here.",
    ],
  },
  quiz: [
    {
      question: "A table has 48 rows and was trained on texts of 24 words only. What is in rows 24 to 47?",
      options: [
        { text: "Zeros", why: "Tables begin with random numbers, and nothing has set these to zero." },
        {
          text: "The noise they began with",
          why: "A gradient reaches only the rows that were read, so these have never moved.",
        },
        {
          text: "A continuation of the first 24 rows",
          why: "Rows are independent of one another: nothing carries a pattern from row 23 on to row 24.",
        },
      ],
      answer: 1,
    },
    {
      question: "How can GPT-2, which has 1024 learned rows, see token number 1025?",
      options: [
        {
          text: "It cannot, unless the table is changed or the text is cut",
          why: "There is no such row. One can resize and train on, or use a window of the text.",
        },
        { text: "It computes the row from its neighbours", why: "Nothing computes rows: they are looked up." },
        {
          text: "The row of token 1 is used again",
          why: "If code wrapped around like this, two tokens would claim to stand at the same place.",
        },
      ],
      answer: 0,
    },
    {
      question: "Which of these tasks survives when the table is stretched to twice its length?",
      options: [
        { text: "The word before", why: "One row now spans two words: “one back” has become “half a row back”." },
        { text: "The word three back", why: "The same trouble: counts of words do not survive stretching." },
        {
          text: "First half or second half?",
          why: "It is relative to the whole text, and stretching keeps that.",
        },
      ],
      answer: 2,
    },
  ],
  sources: [
    {
      cite: "Gehring et al., Convolutional Sequence to Sequence Learning, 2017, section 3.1",
      url: "https://arxiv.org/abs/1705.03122",
      note: "a learned vector for each position, added to that of the word",
    },
    {
      cite: "Vaswani et al., Attention Is All You Need, 2017, section 3.5 and table 3, row (E)",
      url: "https://arxiv.org/abs/1706.03762",
      note: "learned rows instead of sinusoids: 25.7 BLEU instead of 25.8, the same perplexity",
    },
    {
      cite: "Devlin et al., BERT, 2018, appendix A.2",
      url: "https://arxiv.org/abs/1810.04805",
      note: "90 % of the steps with 128 tokens, the rest with 512, to learn the positional embeddings",
    },
    {
      cite: "Wang and Chen, What Do Position Embeddings Learn?, 2020",
      url: "https://arxiv.org/abs/2010.04903",
      note: "the tables of BERT, RoBERTa and GPT-2 under the microscope",
    },
    {
      cite: "Shinn, Phantom oscillations in principal component analysis, 2023",
      url: "https://doi.org/10.1073/pnas.2311420120",
      note: "why smooth curves look like waves in such pictures",
    },
    {
      cite: "Yedidia, GPT-2’s positional embedding matrix is a helix, 2023",
      url: "https://www.lesswrong.com/posts/qvWP3aBDBaqXvPNhS/gpt-2-s-positional-embedding-matrix-is-a-helix",
    },
    {
      cite: "Dosovitskiy et al., An Image is Worth 16x16 Words, 2020, section 3.2 and figure\u00A07",
      url: "https://arxiv.org/abs/2010.11929",
      note: "resizing the table for larger images; how alike its rows have become",
    },
  ],
} satisfies ChapterText;
