// The chapter on images and video: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question: "A word stands somewhere in a line; where does a <strong>patch of a picture</strong> stand?",
  idea: [
    "A vision Transformer cuts a picture into small squares, <em>patches</em>, and reads them like words. To attention they are a bag of patches, as a sentence was a bag of words. So each patch has to be told its place, and that is two numbers: a row and a column.",
    "A position is a row of clocks. A patch has <em>two sets of clocks</em>, one for its row and one for its column; held side by side, those of two patches show how far apart the two are both ways. A video adds a third set for time.",
  ],
  patches: {
    heading: "Two coordinates, two halves",
    paragraphs: [
      "Choose a patch. The maps show how similar the place of every other patch is to it. Half of the vector tells the <span data-link='row'>row</span>, half the <span data-link='column'>column</span>:",
      "$$\\mathrm{PE}(\\link{row}{r}, \\link{column}{c}) = \\bigl[\\, \\mathrm{PE}_{d/2}(\\link{row}{r}) \\;\\big|\\; \\mathrm{PE}_{d/2}(\\link{column}{c}) \\,\\bigr]$$",
      "<em>Axial RoPE</em> does the same to queries and keys: half of the pairs turn by the row, half by the column.",
    ],
    figure: {
      title: "How near is each patch to the chosen one?",
      shows:
        "A drawn landscape cut into patches, and three maps of the same grid. Each map is coloured by the similarity of every patch’s position to that of the chosen patch: two-dimensional sinusoids and axial RoPE give a soft spot with a cross of its row and column; numbering row by row gives horizontal stripes.",
      rows: "Rows",
      columns: "Columns",
      dim: "Dimensions d",
      base: "Base of RoPE",
      picture: "The picture",
      pictureLabel: "A picture cut into patches: hills, a sun, a house and a tree",
      mapLabel: "Similarity of all patches to the chosen one: {method}",
      methods: {
        grid: "2-D sinusoids",
        line: "Numbered row by row",
        axial: "Axial RoPE",
      },
      notes: {
        grid: "dot product of table rows",
        line: "1-D sinusoids over the patch number",
        axial: "score of equal queries and keys",
      },
      help: "Click a patch, or use the arrow keys (solid frame). Hovering, or Shift and the arrow keys, reads out another one (dashed).",
      chosen: "Chosen: row {row}, column {column} (from 0)",
      read: "Row {row}, column {column}: ",
      toRight: "one to the right",
      below: "one below",
      around: "row’s end → next row’s start",
      outside: "none",
      scale: "Similarity (a patch with itself: 1)",
      patch: "row {row}, column {column}",
      patchName: "patch",
      table: "Similarity to the patch in row {row}, column {column}",
      neighbours: "Similarity of neighbours",
      pair: "pair of patches",
    },
    points: [
      "<em>Numbered row by row</em>, like a text, two things go wrong. The patch below touches the chosen one and counts as a whole row away. And the last patch of a row counts as a neighbour of the first of the next, at the other end of the picture. Change the columns: the patch below gets more or less similar, although it has not moved.",
      "The two-dimensional maps have a <em>cross</em>: along its own row a patch keeps all of the similarity that rows contribute, however far away it is.",
    ],
    why: [
      {
        title: "Why is there a cross?",
        paragraphs: [
          "In the dot product of two patches’ vectors the two halves add up. Each half knows nothing but its own distance:",
          "$$\\begin{aligned} \\mathrm{PE}(r, c) \\cdot \\mathrm{PE}(r', c') &= \\sum_i \\cos\\bigl((\\link{row}{r - r'})\\,\\omega_i\\bigr) \\\\ &+ \\sum_i \\cos\\bigl((\\link{column}{c - c'})\\,\\omega_i\\bigr) \\end{aligned}$$",
          "In a sum, one half cannot take back what the other has given. RoPE-Mixed lets each pair turn by a blend of row and column instead.",
        ],
      },
      {
        title: "Why a base of 100?",
        paragraphs: [
          "Set the base of RoPE to 10 000: its map becomes that of the sinusoids, exactly. A score of two equal vectors after rotation is the same sum of cosines. Models for images often take a base of 100 (RoPE-ViT; DINOv3 too, with coordinates from −1 to 1): a grid of 16 or 32 places does not need waves of ten thousand.",
        ],
      },
      {
        title: "Why did the first ViT do well with numbers row by row?",
        paragraphs: [
          "It learned a table of <em>one</em> dimension, and a learned vector can be anything: in training those of one row or column of the picture came to resemble each other. The grid was found in the data. Fixed formulas have to be told.",
        ],
      },
    ],
  },
  mrope: {
    heading: "Words and pictures in one sequence",
    paragraphs: [
      "Language models that see get words and patches in one sequence. Qwen2-VL gives every token three positions, for <span data-link='time'>time</span>, <span data-link='height'>height</span> and <span data-link='width'>width</span>, and deals the clocks of each head out to them (<em>M-RoPE</em>). In a text all three are equal; in a picture they part. The word after a picture goes on from the largest number used so far, plus one.",
    ],
    predict: {
      question:
        "Five words come first, at the places 0 to 4, then a picture of 4 × 6 patches. Which place does the next word get?",
      options: ["11", "29", "6"],
      answer: 0,
      reveal:
        "The picture begins at 5, and its longer side has 6 places: 5 + 6 = 11. Its 24 patches take 24 tokens and only 6 positions, so a long conversation with many pictures stays inside the range that was trained.",
    },
    figure: {
      title: "Three positions for every token",
      shows:
        "A sequence of word tokens and grids of patches. Each token carries three numbers, its time, height and width. A line chart follows the three over the sequence: together in text, apart in images. Below, 64 pairs of a head as small clocks, each marked with the axis that it turns by.",
      what: "Sequence",
      whats: { image: "Text and an image", video: "Text and a video", two: "Text and two images" },
      rows: "Rows of patches",
      columns: "Columns of patches",
      frames: "Frames",
      order: "Pairs",
      orders: { chunked: "Qwen2-VL: in blocks", interleaved: "Qwen3-VL: in turns" },
      after: "Text goes on",
      afters: { spatial: "after rows and columns", maximum: "after the largest id" },
      before: ["Here", "is", "a", "picture", ":"],
      between: ["and", "another", ":"],
      behind: ["What", "is", "in", "it", "?"],
      sequence: "The tokens",
      sequenceLabel: "The tokens in order, each with its time, height and width",
      word: "“{word}”, token {index}: time {t}, height {h}, width {w}",
      patch: "Patch in frame {frame}, row {row}, column {column}, token {index}: time {t}, height {h}, width {w}",
      imagePatch: "Patch in row {row}, column {column}, token {index}: time {t}, height {h}, width {w}",
      next: "The next token stands at {next}. {count} tokens came before it: a difference of {delta} from counting one by one.",
      chart: "Position ids over the sequence",
      chartLabel: "Time, height and width of each token",
      token: "token",
      id: "position id",
      axes: { t: "time", h: "height", w: "width" },
      clocks: "The {pairs} pairs of a head at this token",
      clocksLabel:
        "{pairs} pairs of a head as clock hands: {t} turn by time, {h} by height, {w} by width; the first turns fastest",
      counts: "{t} pairs turn by time, {h} by height, {w} by width.",
      readChart: "token {index}: time {t}, height {h}, width {w}",
      help: "Click a token, or use the arrow keys.",
      frame: "Frame {frame}",
    },
    points: [
      "In the chart the three lines <em>run together in the text</em> and part in the picture. That is why such a model can be grown out of a language model: for text nothing changes.",
      "The clocks can be dealt out <em>in blocks</em> (Qwen2-VL): the quickest all belong to time, the slowest to width, and these hardly move within a picture. Or <em>in turns</em> (Qwen3-VL): every axis gets quick and slow ones. If a program mixes up the two, text still works, since its three numbers are equal; pictures silently get wrong positions.",
    ],
    why: [
      {
        title: "The formula, and where the text goes on after a video",
        paragraphs: [
          "A patch in frame $f$, row $r$ and column $c$ counts each axis from the place $s$ where its picture begins:",
          "$$(\\link{time}{t}, \\link{height}{h}, \\link{width}{w}) = (s + f,\\; s + r,\\; s + c)$$",
          "(Qwen2-VL first joins $2 \\times 2$ patches into one; a patch here is what comes of that.) Choose <em>the video</em> with more frames than rows and columns. By “after rows and columns” (Transformers v5) the text goes on at a number that the frames have already used; by “after the largest id” (the paper, Transformers v4, transformers.js) it does not. For images both are the same; a checkpoint wants the rule it was trained with.",
        ],
      },
    ],
  },
  resize: {
    heading: "A picture of another size",
    paragraphs: [
      "A learned table has one row for each place of the training grid: ViT’s has $14 \\times 14$ for pictures of 224 pixels. For a larger picture the table is treated as a small picture itself and <em>enlarged</em> like one: each new row is mixed from the rows around.",
    ],
    predict: {
      question: "The grid grows from 14 × 14 to 24 × 16. Where is the enlarged table most wrong?",
      options: ["in the middle", "at the rim", "everywhere alike"],
      answer: 1,
      reveal:
        "Look at the fourth map: the error sits at the top and bottom, where the grid grows most. Half of the neighbours are missing there, and the last row is repeated instead.",
    },
    figure: {
      title: "From 14 × 14 to any grid",
      shows:
        "Three maps of how similar the place of each patch is to a chosen one: on the trained 14 by 14 grid, on the resized grid, and as it should be there. A fourth map shows where the resized table is wrong, and a table compares the methods.",
      rows: "New rows",
      columns: "New columns",
      noise: "Noise in the table",
      mode: "Method",
      modes: {
        nearest: "Nearest",
        bilinear: "Bilinear",
        bicubic: "Bicubic",
        line: "As one line",
      },
      antialias: "Antialias (averages more when shrinking)",
      before: "Trained, 14 × 14",
      after: "Resized, {rows} × {columns}",
      truth: "As it should be",
      error: "Error of each patch’s vector",
      mapLabel: "Similarity to the chosen patch: {name}",
      errorHelp: "The last map: how far a patch’s vector is from the true one, root mean square over its numbers.",
      errorLabel: "Error of the resized vector of each patch",
      help: "Click a patch in any map, or use the arrow keys.",
      place: "Row {row}, column {column}: ",
      method: "method",
      rms: "error (root mean square)",
      withAntialias: "{method}, antialiased",
      comparison: "Error of every method, {rows} × {columns} from 14 × 14",
    },
    points: [
      "<em>Bicubic</em>, mixed from the 4 × 4 places around, follows a smooth table best. <em>Raise the noise</em> and bilinear, mixed from 2 × 2, wins: it passes on less of the noise.",
      "<em>As one line</em> forgets that there is a grid and stretches the 196 rows like a text. No error is raised; the table is just wrong.",
    ],
    why: [
      {
        title: "Where does a new place lie, and what is compared here?",
        paragraphs: [
          "New place $i$ of $n$ lies at",
          "$$x = \\Bigl(i + \\tfrac12\\Bigr)\\,\\frac{14}{n} - \\tfrac12$$",
          "of the old grid. To see how good that is, we need a table of which we know the truth in between: here sinusoids are loaded into a learned table, as if training had found them. Noise can be added, because learned tables are never that smooth.",
        ],
      },
      {
        title: "What do libraries do?",
        paragraphs: [
          "Bicubic is what the Transformers library does for ViT, DeiT and DINOv2. <em>Antialias</em> matters when the grid shrinks ($7 \\times 7$). With much noise, averaging over a wider area helps; without, it only smears the quick waves. When the grid grows only bicubic changes, a little: its antialiased form has a kernel of its own. The library timm has it on, Transformers has it off: the same checkpoint gives slightly different results. With a class token in front, keep it out of the grid: in posenc that is <code>prefix: 1</code>.",
        ],
      },
    ],
  },
  window: {
    heading: "Or only the distance: Swin",
    paragraphs: [
      "Swin attends inside small windows and learns one number for each <em>displacement</em>, to be added to the score. In a window of $M \\times M$ patches there are $M^4$ pairs of patches, but only $(2M-1)^2$ displacements, and all pairs with the same displacement share entry $e$ of a table:",
      "$$\\begin{aligned} e &= (\\link{row}{\\Delta r} + M - 1)(2M - 1) \\\\ &+ (\\link{column}{\\Delta c} + M - 1) \\end{aligned}$$",
      "with $\\Delta r$ and $\\Delta c$ the query’s row and column minus the key’s. It is T5’s table of distances, one dimension richer.",
    ],
    figure: {
      title: "Pairs that share an entry",
      shows:
        "A window of patches with an arrow from the query to the key, and fainter arrows for every other pair with the same displacement. Beside it the table of entries, one cell for each displacement, coloured by how many pairs share it; the entry in use is outlined.",
      size: "Window M",
      window: "The window",
      windowLabel: "Window of patches: the query, and the key that it looks at",
      table: "The table of entries",
      tableLabel: "Entries by displacement, with the number of pairs that share each",
      move: "What a click moves",
      query: "Query",
      key: "Key",
      rowOffset: "rows Δr",
      columnOffset: "columns Δc",
      help: "Click a patch, or use the arrow keys. A click in the table takes that displacement.",
      read: "Query ({queryRow}, {queryColumn}), key ({keyRow}, {keyColumn}): Δr = {rows}, Δc = {columns}: entry {entry}, shared by {count} pairs",
      totals: "{pairs} pairs of patches, {entries} entries",
      count: "pairs",
      tableCaption: "Pairs that share each entry",
    },
    points: [
      "The entry of displacement $(0, 0)$, a patch with itself, is shared by all $M^2$ patches; that of a corner looking at the opposite corner by one pair only.",
      "Rows and columns are <em>not</em> added up here: a diagonal has entries of its own, and no cross appears unless it is learned.",
      "A larger window needs entries that were never learned. They too are interpolated, as in the section before.",
    ],
  },
  video: {
    heading: "Time is one more axis",
    paragraphs: [
      "A video is a stack of pictures. The vector, or the pairs of a head, are shared out among three coordinates: time, row, column. Sinusoids give each axis a third unless told otherwise; video models that rotate choose the shares themselves: HunyuanVideo gives 16 of 128 features to time and 56 to each of the others.",
    ],
    figure: {
      title: "The same place, a moment later",
      shows:
        "Frames of a small animation with the sun crossing the sky, and below each frame a map of how similar each of its patches is to the chosen patch of the chosen frame. Similarity falls with the distance in space within a frame and in time from frame to frame.",
      frames: "Frames",
      method: "Encoding",
      methods: { table: "3-D sinusoids", axial: "Axial RoPE, three axes" },
      frame: "Frame {frame}",
      frameLabel: "Frame {frame} of the animation",
      mapLabel: "Similarity of the patches of frame {frame} to the chosen one",
      help: "Click a patch in any frame, or use the arrow keys; Page Up and Page Down change the frame.",
      read: "Frame {frame}, row {row}, column {column}: {value}",
      same: "same place",
      frameName: "frame",
      table: "Similarity of the same place in each frame to the chosen patch of frame {frame}",
    },
    points: [
      "Compare the two encodings. <em>Axial RoPE</em> stands here with the shares of HunyuanVideo: with so few features for <em>time</em>, frames stay even more similar to each other. Everything that space contributes is kept, however much later it is.",
    ],
  },
  code: {
    paragraphs: [
      "The neighbours of a patch for a grid and for a line, a table resized, and the ids of a sequence with an image.",
    ],
  },
  quiz: [
    {
      question:
        "A picture of 10 × 10 patches is numbered row by row and gets 1-D sinusoids. Which pair of patches looks nearest?",
      options: [
        {
          text: "A patch and the one below it",
          why: "They touch, but their numbers differ by 10: the encoding sees a distance of ten.",
        },
        {
          text: "The last patch of one row and the first of the next",
          why: "Their numbers differ by one, though they lie at opposite sides of the picture.",
        },
        {
          text: "Two neighbours on a diagonal",
          why: "Their numbers differ by 11 or by 9, more than those of any two neighbours in a row.",
        },
      ],
      answer: 1,
    },
    {
      question:
        "After three words comes one image of 6 × 6 tokens. At which position does M-RoPE put the first word after it?",
      options: [
        { text: "39", why: "So many tokens came before, but the image takes no more positions than it has rows." },
        { text: "9", why: "The image begins at 3 and has 6 rows and columns, 3 + 6 = 9." },
        {
          text: "4",
          why: "Time stands still in an image, but height and width go up to 8; the text goes on after them.",
        },
      ],
      answer: 1,
    },
    {
      question:
        "A ViT trained on 14 × 14 patches gets a picture of 28 × 28 patches. What is done with its learned table?",
      options: [
        {
          text: "Its 196 rows are stretched to 784 as one line",
          why: "Rows of the picture would be mixed with their wrong neighbours: the grid is lost.",
        },
        {
          text: "The missing rows are drawn at random",
          why: "They would have to be trained first; the picture would be told nothing true about most places.",
        },
        {
          text: "The grid is enlarged like a picture with d channels",
          why: "Bicubic or bilinear interpolation over rows and columns; the class token’s row stays as it is.",
        },
      ],
      answer: 2,
    },
  ],
  sources: [
    {
      cite: "Dosovitskiy et al., An Image is Worth 16x16 Words, 2020, section 3.1 and appendix D.4",
      url: "https://arxiv.org/abs/2010.11929",
      note: "patches, the learned table, one dimension against two, interpolation for other sizes (section 3.2)",
    },
    {
      cite: "Parmar et al., Image Transformer, 2018, section 3.1",
      url: "https://arxiv.org/abs/1802.05751",
      note: "sinusoids of rows and columns",
    },
    {
      cite: "Liu et al., Swin Transformer, 2021, section 3.2, equation 4",
      url: "https://arxiv.org/abs/2103.14030",
      note: "the bias by displacement",
    },
    {
      cite: "Heo et al., Rotary Position Embedding for Vision Transformer, 2024, section 3",
      url: "https://arxiv.org/abs/2403.13298",
      note: "axial RoPE, base 100, and frequencies that mix both axes",
    },
    { cite: "Wang et al., Qwen2-VL, 2024, section 2.1", url: "https://arxiv.org/abs/2409.12191", note: "M-RoPE" },
    {
      cite: "Bai et al., Qwen3-VL Technical Report, 2025",
      url: "https://arxiv.org/abs/2511.21631",
      note: "M-RoPE in turns",
    },
    {
      cite: "Kong et al., HunyuanVideo, 2024",
      url: "https://arxiv.org/abs/2412.03603",
      note: "rotation over time, height and width",
    },
  ],
} satisfies ChapterText;
