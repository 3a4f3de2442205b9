// The chapter on learned tables: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "Why look for a formula at all? Give every position a row of numbers and let <strong>training</strong> fill them in. What do the rows turn into, and what becomes of word 513 when there are 512 rows?",
  idea: [
    "A learned table is the plainest encoding there is: one vector for each position, $\\mathrm{PE}(m) = W_m$. To begin with, the numbers are noise. Then the error of every training step flows back through attention to the rows that took part, and each of them moves a little, just as word vectors do.",
    "BERT has 512 such rows, GPT‑2 has 1024, and a vision transformer (ViT) has one for each patch of its image and one for a token that stands for the whole. The authors of the first Transformer tried it beside their sinusoids and found nearly identical results.",
    "It has two prices. Rows know nothing of one another: that 7 lies between 6 and 8 must come from the data. And there are exactly as many positions as there are rows.",
  ],
  train: {
    heading: "Train one yourself",
    paragraphs: [
      "Here are a table of 48 rows, one attention head and a task that cannot be solved without positions. The words are random, new ones in every step, and say nothing about where to look: queries and keys are made from the rows alone. The first half of a row <em>asks</em>, the second half <em>is asked</em>. In a model the projections $W_q$ and $W_k$ decide what of a row asks and what is asked.",
      "$$\\link{weights}{a_{mn}} = \\operatorname{softmax}_{n}\\left(\\frac{\\link{rows}{W_{\\text{ask},m}} \\cdot \\link{rows}{W_{\\text{asked},n}}}{\\sqrt{d/2}}\\right)$$",
      "Nobody tells the table where the answers stand. All it has to go by is one number, the error: how far the words that came out are from the words that were wanted. Its gradient tells each number of the table which way to move.",
    ],
    points: [
      "<em>The word before.</em> Every row must be told apart from every other. Rows of noise are nearly perpendicular to begin with; training keeps them so and makes them much longer, as the ends of the colour scale show. Each position has a name of its own. To the eye the rows are noise as before, only louder: the order shows in who looks at whom. There the line lies as many places below the diagonal as the task looks back.",
      "<em>Neighbours.</em> Now rows that are near each other have the same work to do, and they become alike: the diagonal grows broad. Nobody said that 7 lies beside 8. The task did.",
      "<em>Own half.</em> Two kinds of rows are enough, and two kinds remain.",
      "<em>The last rows</em> keep their noise. No text of the training was long enough to read them, so no gradient ever came by. Make the texts longer and watch the structure grow to the edge.",
    ],
    figure: {
      title: "A table learns where to look",
      shows:
        "The error during training, and two pictures of the table at the chosen step: how alike its rows are, and which word each word looks at",
      task: "Each word is to answer with",
      tasks: { previous: "the word before", neighbours: "the mean of its neighbours", halves: "the mean of its half" },
      reach: "How far",
      reachBack: "{reach} back",
      reachAround: "{reach} on each side",
      length: "Words in each training text",
      dim: "Numbers in a row",
      steps: "Training steps",
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
      help: "Hover, tap or use the arrow keys; the column under the cursor is the curve below.",
      curve: "Number {column} of each row, before and after training",
      value: "value",
      readCurve: "position {position}: {before} before, {after} after",
      tableBefore: "The table before training",
      tableAfter: "The table after step {step}",
    },
  },
  end: {
    heading: "Past the last row",
    paragraphs: [
      "A formula has a value everywhere. A table has rows, and then it ends: there is no row 32 in a table of 32 rows (the last is row 31), and no row $2\\tfrac12$ either. Ask for one.",
    ],
    points: [
      "posenc refuses and says why. Not every library does: where an index is not checked, a lookup past the end may read whatever lies behind the table.",
      "That is why such models have a <em>hard limit</em>. BERT takes 512 tokens and GPT‑2 takes 1024; whoever has more cuts the text into pieces.",
    ],
    figure: {
      title: "Ask for a row",
      shows: "The row of a learned table and of a sinusoidal one at the chosen position, or what the library says",
      position: "Position m",
      learned: "Learned, 32 rows",
      sinusoidal: "Sinusoidal",
      strip: "{name}: the numbers of position {position}",
      refused: "posenc says ({code}):",
      table: "The rows at position {position}",
      tableName: "encoding",
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
      "What is missing is an encoding in which “one back” is the same at every place, rows or no rows. Relative positions are just that: the next chapter.",
      "With language models it is worse still: the <a href='./long-context.html#v=2&amp;arena.shown=learned.rope.stretched&amp;at=arena'>arena</a> of chapter 10 has one with a learned table, trained at 256 characters, as it is and stretched.",
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
