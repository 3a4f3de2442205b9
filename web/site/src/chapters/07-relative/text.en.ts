// The chapter on relative positions: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "A table of positions ends at its last row, and “one word back” must be learned anew at every position: what if attention asked only <strong>how far apart</strong> two words are?",
  idea: [
    "Press the three views one after the other. Seen as two positions, every pair of words is a case of its own, and a longer text is full of new ones. Seen as a distance (negative is back, positive is on), a whole diagonal is one case: “one word back” is learned once and holds everywhere in the text.",
    "That is a <em>relative</em> encoding: a vector, or just a number, for each distance instead of each position. A distance belongs to two words, so it cannot be added to either. It comes in where they meet, in the score that says how much one word attends to another: a number is added to the score, a vector is added to the key first.",
  ],
  clip: {
    heading: "Clipping: far is far",
    paragraphs: [
      "Even so, a longer text has new distances. Shaw and colleagues (2018) <em>clip</em> them: whatever is farther than $K$ counts as $K$. Their guess was that the exact distance no longer matters out there. A short list of learned vectors then serves texts of any length.",
    ],
    points: [
      "<em>Choose “a clipped distance”</em> in the <a href='#figure-clip'>figure at the top</a> and point at a cell: all cells of the same case light up. Beyond $K$ it is a whole corner.",
      "<em>Make $K$ small</em> and the corners grow. At $K = 0$ one case is left, and with it all order is gone. In the paper the quality of translation hardly changed from $K = 2$ on.",
    ],
    figure: {
      title: "How many cases are there to learn?",
      shows:
        "A grid of all pairs of words of a sentence. Cells of the same colour and label are one case: each pair of positions, each distance, or each distance after clipping.",
      see: "A pair of words, seen as",
      views: { pairs: "two positions", distances: "a distance", clipped: "a clipped distance" },
      words: "Words",
      clip: "Clip K",
      cases: "cases in this text",
      long: "in a text of 1000 words",
      grid: "All pairs of words: one row for each word that asks, one column for each that is asked",
      pair: "“{query}” asks “{key}”: position {row} and position {column}, a case of its own",
      distance: "“{query}” asks “{key}”: {distance}, like {count} of the {all} pairs",
      query: "asks",
      key: "is asked",
      sentence: "one day the old fox saw a crow with some cheese in her beak and sang",
      gridTable: "The case of each pair of words",
    },
  },
  buckets: {
    heading: "Buckets: near is exact, far is rough",
    paragraphs: [
      "The model T5 (2019) adds a single learned number to each score, its <em>bias</em>. Which one depends on the <em>bucket</em> that the distance falls into. Small distances have a bucket each; farther out the buckets become wider and wider, and whatever lies at or beyond the largest distance falls into the last. (For short, the word that asks is called the <em>query</em> here, the one that is asked the <em>key</em>.)",
    ],
    points: [
      "<em>Point at a distance</em> and see all that share its bucket. Near the query they are alone; far out, dozens move together.",
      "On a <em>logarithmic</em> ruler the far buckets are about equally wide. That is how we speak, too: three words ago, some twenty words ago, long ago.",
    ],
    why: [
      {
        title: "How is the bucket computed?",
        paragraphs: [
          "Half of the buckets hold one distance each. From there on the number of the bucket grows only like the logarithm of the distance:",
          "$$\\link{bucket}{\\mathrm{bucket}(r)} = \\begin{cases} r & r < e \\\\ \\min(e + \\lfloor s \\rfloor, n-1) & r \\ge e \\end{cases}$$",
          "$$s = \\frac{\\ln (r/e)}{\\ln (\\link{largest}{D}/e)}\\,(n-e)$$",
          "Here $r$ is the distance, $n$ the number of buckets on one side, $e = n/2$ how many of them are exact, and $D$ the largest distance. An encoder, which reads in both directions, gives each side half of the buckets, and one is never used: that of distance 0 on the side of the future. A decoder looks back only and has them all for the past; later words fall into bucket 0, and a mask hides them.",
          "The numbers in the matrix are drawn at random, as before training. T5 learns one for each bucket and each head (each of the comparisons that attention makes side by side), and shares them among all layers.",
        ],
      },
      {
        title: "How far do T5’s buckets carry a language model?",
        paragraphs: [
          "With nothing trained again: the <a href='./long-context.html#v=2&amp;arena.shown=t5.alibi.rope&amp;at=arena'>arena</a> of chapter 10 has measured it.",
        ],
      },
    ],
    figure: {
      title: "A ruler of buckets",
      shows: "Distances from far before the query to far after it, coloured by bucket, and the bias matrix of one head",
      buckets: "Buckets",
      largest: "Largest distance D",
      bidirectional: "Both directions",
      reach: "Ruler to distance",
      logarithmic: "Logarithmic ruler",
      ruler: "Bucket of each distance",
      read: "distance {distance}: bucket {bucket}, shared by {count} of the distances shown ({from} … {to})",
      readStairs: "distance {distance}: bucket {bucket}",
      distance: "key − query",
      stairsTitle: "Bucket by distance",
      bucket: "bucket",
      matrixTitle: "Bias of one head, not yet trained",
      matrix: "Bias for each query and key",
      readBias: "query {query}, key {key}: bucket {bucket}, bias {bias}",
      query: "query",
      key: "key",
      refused: "posenc cannot make this:",
      tableBuckets: "The buckets and their distances",
      from: "from",
      to: "to",
      size: "distances",
      help: "Hover, tap or use the arrow keys (with Shift: ten at a time).",
    },
  },
  learn: {
    heading: "Train on short texts, use on long ones",
    paragraphs: [
      "Three learners are trained in your browser on texts of 16 words and examined on 64: a table of positions, Shaw’s vectors, T5’s numbers. Each word is to answer with the word before it. An error of 0 is perfect; 1 is as bad as answering nothing.",
    ],
    predict: {
      question: "Which of them still finds the word before at position 60?",
      options: ["the table", "Shaw’s vectors", "Shaw’s vectors and T5’s numbers", "all three"],
      answer: 1,
      reveal:
        "Shaw’s vectors, for the longest text as for the shortest, as long as $K$ is smaller than the training texts: then even the vector of “$K$ or farther” has been trained. The table has rows there that training never touched. T5 lies between the two.",
    },
    points: [
      "<em>T5 lets some weight slip to far words</em>: it has buckets up to distance 128, and texts of 16 words never reach the far ones. Their numbers stay where they began, above those of near distances that training pushed down. Make its <em>largest distance</em> 12, and that stops.",
      "Choose <em>the mean of its half</em> as the task. Whether a word is in the first half is no question of distances. The table learns it for 16 words and loses it on longer texts; the other two never learn it, and on 64 words Shaw’s vectors do worse than answering nothing. Relative is better where distance is what counts.",
      "<em>RoPE</em>, in the next chapter, is relative as well, and has nothing to learn for it.",
    ],
    figure: {
      nothing: "nothing answered",
      trainedMark: "trained",
      title: "Three learners, one examination",
      shows:
        "What each distance is worth after training, and the error at each position of longer texts for a learned table, Shaw’s vectors and T5’s bias",
      task: "Each word is to answer with",
      tasks: { previous: "the word before", neighbours: "the mean of its neighbours", halves: "the mean of its half" },
      reach: "How far",
      length: "Words in training texts",
      exam: "Words in examined texts",
      clip: "Shaw’s clip K",
      last: "T5’s largest distance",
      again: "Train again",
      training: "Training",
      scoreTitle: "What a distance is worth",
      scoreChart: "Score of each distance after training, for Shaw’s vectors and T5’s bias",
      score: "score (distance 0 = 0)",
      distance: "key − query",
      readScore: "distance {distance}: Shaw {shaw}, T5 {t5}",
      errorTitle: "Error at each position",
      notAsked: "not asked",
      errorChart: "Error at each position of the examined texts, compared with answering nothing",
      error: "error",
      readError: "position {position}: table {table}, Shaw {shaw}, T5 {t5}",
      table: "learned table",
      beyond: "mean error beyond {length} words:",
    },
  },
  scores: {
    heading: "Shaw’s vectors in the score",
    paragraphs: [
      "In Shaw’s encoding each distance has a learned vector $a$ that joins the key, and a second one that joins the value (what the word hands over once it is attended to). Query and key are vectors made from the two words:",
      "$$e_{ij} = \\frac{\\link{query}{q_i} \\cdot \\left(k_j + \\link{vector}{a_{\\,\\mathrm{clip}(j-i,\\,-K,\\,K)}}\\right)}{\\sqrt{d}}$$",
      "The grid shows the scores that posenc’s <code>shaw</code> gives. Nothing here is trained; the queries are the words’ own vectors, which are made up. The paper saw no benefit from absolute positions beside the relative ones.",
    ],
    points: [
      "Each row has a <span data-link='query'>query</span> of its own, so that the stripes are not quite even: what a <span data-link='vector'>distance</span> is worth depends on who asks. With the same word everywhere they are even.",
    ],
    why: [
      {
        title: "Must the vectors be learned? NEZHA",
        paragraphs: [
          "No. NEZHA (2019), a Chinese BERT, puts fixed sinusoids of the distance in the place of Shaw’s learned vectors, at keys and at values. The authors chose them because they may carry over to texts longer than those of the training. In posenc it is the kind <code>nezha</code>.",
        ],
      },
    ],
    figure: {
      title: "What a distance adds to each score",
      shows: "A grid of the scores of all pairs of words, before scaling",
      words: "Words",
      clip: "Clip K",
      same: "The same word everywhere",
      content: "With the words’ own part q · k",
      vectors: "vectors for the keys:",
      scores: "Scores of all pairs of words",
      readScore: "{query} → {key}, distance {distance}: {score}; {count} of {all} pairs share its vector",
      query: "query",
      key: "key",
      scoreTable: "Scores of the pairs",
    },
  },
  terms: {
    heading: "Transformer-XL: four terms, rewritten",
    paragraphs: [
      "When positions are added to words, a score falls into four terms. Transformer-XL keeps the four and replaces what was absolute in them. The key’s position becomes a sinusoid of the <em>distance</em>, $R_{i-j}$ (here and in the next section the past counts as positive), with a projection $W_{k,R}$ of its own; the query’s position, which no longer means anything, becomes a learned vector: $u$ where it met a word, $v$ where it met a position.",
      "$$\\begin{aligned} A_{ij} = {} & \\link{content}{q_i \\cdot k_j} && \\quad (a) \\\\ & + \\link{place}{q_i \\cdot W_{k,R}\\, R_{i-j}} && \\quad (b) \\\\ & + \\link{u}{u \\cdot k_j} && \\quad (c) \\\\ & + \\link{v}{v \\cdot W_{k,R}\\, R_{i-j}} && \\quad (d) \\end{aligned}$$",
      "It also gave models a <em>memory</em>: the vectors of the text piece before stay, in every layer, and are looked at again as keys and values. Absolute positions cannot do that, because both pieces would count from 0. In each layer a word sees one piece further back, so that the reach grows with the number of layers times the length of the memory.",
    ],
    points: [
      "(a) is <em>what</em> meets what. (b) is a word that asks for a distance. (c) has <em>equal rows</em>: some keys are interesting to everyone. (d) is the same <em>along each diagonal</em>: some distances are.",
      "<em>Add memory</em>: columns appear on the left, for keys that stand before the first query. Nothing that was there changes.",
    ],
    figure: {
      title: "The four terms of a score",
      shows: "Five matrices of queries and keys: the four terms of Transformer-XL’s score and their sum",
      queries: "New words (queries)",
      memory: "Words in memory",
      names: {
        content: "(a) content · content",
        place: "(b) content · distance",
        u: "(c) u · content",
        v: "(d) v · distance",
        sum: "Sum: the score",
      },
      matrix: "{name}: one row per query, one column per key",
      read: "query {query}, key {key}, distance {distance}: {terms} ≈ {sum}",
      query: "query",
      key: "key",
      note: "Untrained numbers. All five share one colour scale. Keys after the query are shown too; a causal mask hides them in practice.",
    },
  },
  shift: {
    heading: "The shift",
    paragraphs: [
      "Terms (b) and (d) need a product of every query with the distance to every key. Written down pair by pair that would be a vector for each pair. But there are only as many <em>distances</em> as keys: multiply every query with every distance, once, and you have all products, only not in the right columns. In row $i$ they stand too far to the right. So each row is pushed to the left by as many places as there are queries after it:",
      "$$\\mathrm{out}[i, j] = x[i,\\; j + (\\link{queries}{T_q} - 1 - i)]$$",
      "In code no row is pushed by itself. One puts a column of zeros in front, reads the same memory in rows as long as there are queries, drops the first of them, and reads the rest in rows of the old length: it costs a copy.",
    ],
    points: [
      "Before the shift a <em>column</em> is a distance. Press <em>By key, shifted</em>: now a column is a key and each <em>diagonal</em> is a distance.",
      "What falls off on the left comes in again on the right, one row up: junk. It stands at keys that come after the query, so that a causal mask hides it.",
      "With <em>memory</em> there are more distances than queries, and the last row still does not move.",
    ],
    figure: {
      title: "Push the rows into place",
      shows:
        "A grid of scores, one row for each query, before and after the shift; each cell is labelled with its distance",
      queries: "Queries",
      memory: "Words in memory",
      states: { before: "By distance", after: "By key, shifted" },
      state: "Columns",
      grid: "Distance that each cell holds",
      before: "query {query}, column {column}: distance {distance}",
      after: "query {query}, key {key}: distance {distance}",
      junk: "query {query}, key {key}: junk from the row below, hidden by the causal mask",
      distanceColumns: "a column for each distance, farthest first",
      keyColumns: "one column for each key",
      query: "query",
      legend: { value: "distance", junk: "junk" },
      table: "Distance in each cell",
      tableColumn: "column",
      hidden: "junk",
    },
  },
  deberta: {
    heading: "DeBERTa: both ways at once",
    paragraphs: [
      "DeBERTa asks the question in both directions. A word’s query meets a vector of the distance, as with Shaw; besides, a vector of the distance asks the other word’s key. The authors call this <em>disentangled</em>: in attention, contents and positions are never merged into one vector, and the fourth term, position against position, is left out because it says little where positions are relative. Three terms are added, so the sum is divided by $\\sqrt{3d}$ instead of $\\sqrt{d}$.",
      "$$A_{ij} = q_i \\cdot k_j + q_i \\cdot K^r_{\\delta(i,j)} + k_j \\cdot Q^r_{\\delta(j,i)}$$",
      "Here $\\delta(i,j)$ is the distance from $i$ to $j$, clipped much as with Shaw; $K^r$ holds the vectors of the distances as keys, $Q^r$ those as queries. Versions 2 and 3 sort far distances into logarithmic buckets as well. In posenc all of this is the kind <code>deberta</code>.",
    ],
  },
  count: {
    heading: "What it costs in numbers",
    paragraphs: [
      "How many numbers does a model have to learn for its positions? Set the size of a model, and posenc lists the parameters of each method.",
    ],
    points: [
      "The <em>table</em> is the only one that grows with the length of the text.",
      "At usual sizes <em>T5</em> is by far the thriftiest of those that learn at all. <em>Transformer-XL</em> looks expensive, but almost all of it is one projection matrix in each layer.",
      "<em>RoPE</em> is relative, too, and learns nothing. It turns queries and keys so that only the difference of two turns is left. That is the next chapter.",
    ],
    figure: {
      title: "Learned numbers by method",
      shows: "A table of encodings with the shapes and the number of their learned parameters",
      length: "Length of texts",
      heads: "Heads",
      dim: "Width of a head",
      layers: "Layers",
      clip: "Clip K (Shaw)",
      method: "Method",
      shape: "Learned, in one place",
      one: "Numbers",
      times: "Kept",
      total: "In the model",
      once: "once",
      eachLayer: "in each layer",
      nothing: "nothing",
      methods: {
        sinusoidal: "Sinusoidal",
        learned: "Learned table",
        t5: "T5 bias",
      },
      parameters: {
        weights: "weights",
        keys: "keys",
        values: "values",
        projection: "projection",
        positionKeys: "distances",
      },
      comma: ", ",
      notes: {
        shaw: "keys and values; the heads of a layer may share them",
        "transformer-xl": "u and v may be shared by the layers",
        deberta: "as in versions 2 and 3: one table of 512 distances, projected by the weights of the words",
        alibi: "slopes come from a formula",
      },
      table: "Learned numbers by method",
    },
  },
  history: {
    heading: "Since when, and what for",
    paragraphs: [
      "Relative positions are often dated 2020 to 2022. They began in 2018: Shaw’s paper is of March, the Music Transformer of September 2018; Transformer-XL followed in January 2019, NEZHA in August and T5 in October 2019, DeBERTa in June 2020. RoPE and ALiBi are of 2021.",
      "<em>Translation</em> was the first use: Shaw’s vectors gained 1.3 BLEU from English to German and 0.3 from English to French over sinusoids (BLEU compares a translation with those of people, 0 to 100). <em>Music</em> came next, where a motif returns at a distance, and Transformer-XL wrote language <em>longer than it was trained on</em>. <em>Summaries</em>: T5 was tested on those of news, LongT5 (2021) on those of long documents; both keep the buckets.",
    ],
  },
  code: {
    paragraphs: [
      "Shaw’s row and T5’s bucket for each distance, and Transformer-XL’s shift of scores in columns of distances.",
    ],
  },
  quiz: [
    {
      question:
        "Shaw’s encoding with $K = 4$ is used on texts of 1000 words. How many vectors does it have for the distances of keys?",
      options: [
        { text: "5", why: "That would be the past alone: distances −4 to 0. Keys after the query have vectors, too." },
        { text: "9", why: "−4 to 4. Whatever is farther counts as −4 or 4." },
        { text: "1999", why: "Without clipping it would be: −999 to 999." },
      ],
      answer: 1,
    },
    {
      question: "Which of these can one not tell from the distance of two words, sign included?",
      options: [
        { text: "Whether one stands just before the other", why: "That is distance −1, everywhere in the text." },
        { text: "Which of the two comes first", why: "The sign tells: −3 is not 3." },
        {
          text: "Whether they stand in the first half of the text",
          why: "The distance is the same wherever the two stand.",
        },
      ],
      answer: 2,
    },
    {
      question: "T5’s buckets reach to distance 128, the training texts to 32 words. What is wrong on longer texts?",
      options: [
        {
          text: "Distances of more than 31 raise an error",
          why: "Every distance has a bucket; nothing is refused.",
        },
        {
          text: "Some far buckets hold numbers that training never touched",
          why: "They keep their first values, which need not fit those that were trained.",
        },
        { text: "Nothing: biases extrapolate by themselves", why: "Only as far as their buckets were trained." },
      ],
      answer: 1,
    },
  ],
  sources: [
    {
      cite: "Shaw et al., Self-Attention with Relative Position Representations, 2018, sections 3.1 and 3.2, eq. 3 and 4, table 2",
      url: "https://arxiv.org/abs/1803.02155",
    },
    {
      cite: "Dai et al., Transformer-XL, 2019, sections 3.2 and 3.3, appendix B",
      url: "https://arxiv.org/abs/1901.02860",
      note: "segment recurrence, the four terms, the shift",
    },
    {
      cite: "Huang et al., Music Transformer, 2018, section 3.4.1",
      url: "https://arxiv.org/abs/1809.04281",
      note: "the same shift, found earlier for Shaw’s vectors (“skewing”)",
    },
    {
      cite: "Raffel et al., Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer, 2020, section 2.1",
      url: "https://arxiv.org/abs/1910.10683",
      note: "32 buckets, distances up to 128, shared by all layers",
    },
    { cite: "He et al., DeBERTa, 2020, section 3.1, eq. 2 to 4", url: "https://arxiv.org/abs/2006.03654" },
    {
      cite: "Wei et al., NEZHA: Neural Contextualized Representation for Chinese Language Understanding, 2019",
      url: "https://arxiv.org/abs/1909.00204",
      note: "fixed sinusoids of the distance, in keys and values",
    },
    {
      cite: "Guo et al., LongT5: Efficient Text-To-Text Transformer for Long Sequences, 2021",
      url: "https://arxiv.org/abs/2112.07916",
    },
    {
      cite: "Microsoft, DeBERTa: code of versions 1 to 3",
      url: "https://github.com/microsoft/DeBERTa",
      note: "logarithmic buckets of versions 2 and 3",
    },
  ],
} satisfies ChapterText;
