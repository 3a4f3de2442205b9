// The second half of the RoPE chapter: English.

export const further = {
  hands: {
    heading: "Two hands, one angle",
    paragraphs: [
      "RoPE takes the numbers of a query and of a key in pairs. Look at a single one. In the query it is a hand of some length and direction, in the key another one. Position $m$ turns the query’s hand, position $n$ the key’s, both at the speed of <span data-link='pair'>pair $i$</span>. This pair’s share of the score, the dot product of the two hands, is the product of their lengths times the cosine of the angle between them:",
      "$$s_i = |q_i|\\,|k_i|\\,\\cos\\bigl(\\varphi_i + (n - m)\\,\\link{pair}{\\theta_i}\\bigr)$$",
      "$\\varphi_i$ is the angle that the words bring along. The positions add $(n - m)\\,\\theta_i$ and nothing else. The score is the sum of the shares of all pairs: $32$ cosines, from quick to very slow.",
    ],
    points: [
      "Drag the bar between the words: both hands turn, the angle between them stays, and so does the share.",
      "A <em>fast</em> pair (0, 1, 2) swings to and fro within a few positions: it tells near neighbours apart. A <em>slow</em> pair hardly moves on this ruler: it carries what the words mean, almost wherever they stand.",
      "The coloured strip shows all 32 shares at once. When the words are near to each other, the shares mostly agree; far apart the fast pairs point anywhere and cancel, and only the slow ones still add up. That is the decay which a figure below draws for all distances.",
    ],
    figure: {
      title: "One pair of a query and a key",
      shows:
        "A dial with the hands of one pair of a query and of a key, a ruler on which both can be moved, the share of this pair in the score by distance, and the shares of all 32 pairs.",
      words: { query: "cat", key: "mouse" },
      pair: "Pair i of 32",
      query: "Query",
      key: "Key",
      both: "Both words",
      read: "Query at {left}, key at {right}: share of this pair {share}, score of all pairs {score}",
      share: "share",
      distance: "key position − query position",
      curveLabel: "Share of this pair in the score, by distance",
      readCurve: "distance {distance}: share {share}",
      strip: "All 32 shares; together they make the score of {score}. Point at one to choose its pair.",
      sharesLabel: "Share of each pair in the score",
      pairName: "pair",
    },
  },
  layouts: {
    heading: "Which numbers make a pair?",
    paragraphs: [
      "The formula leaves open which two numbers turn together. Two layouts are in use. <em>Interleaved</em> takes neighbours: $(x_0, x_1), (x_2, x_3)$ and so on, as in the paper, in GPT-J and in Meta’s own Llama weights. <em>Half</em> takes a number of the first half with its partner in the second: $(x_0, x_{d/2}), (x_1, x_{d/2+1})$ and so on, as in GPT-NeoX and in the Llama weights of the transformers library.",
      "Neither is better. But a model has learned with one of them, and nothing in a file of weights says which. Take the wrong one, and nothing crashes: shapes fit, numbers look reasonable, the text gets worse. Here is a model trained interleaved, and four ways to run it. Distance stays as it is; both words move.",
    ],
    points: [
      "<em>Queries half, keys interleaved:</em> the score depends on where the words stand, not only on how far apart. The property that RoPE is made for has gone.",
      "<em>Both half:</em> the line is flat again, so every test of “distance only” passes. Yet it is not the line of training: other numbers make a pair, and they turn at other speeds. This is the bug that hides best. Change the distance and see how far it is off.",
      "<em>The cure</em> is to reorder, once, the rows of the matrices that make queries and keys: row $2k$ of a head becomes row $k$, row $2k + 1$ becomes row $k + d/2$. <code>pe.permuteWeights</code> does it. All scores are those of training again, since a dot product does not care about the order of its terms.",
    ],
    figure: {
      title: "The same weights, run in two layouts",
      shows:
        "Arcs join the numbers that turn together in the interleaved and in the half layout. Below, the score of two words at a fixed distance while both of them move, as trained and as run.",
      words: { query: "cat", key: "mouse" },
      layouts: { interleaved: "Interleaved: neighbours", half: "Half: first half with second half" },
      arcs: {
        interleaved: "Number 0 turns with 1, 2 with 3, 4 with 5, 6 with 7",
        half: "Number 0 turns with 4, 1 with 5, 2 with 6, 3 with 7",
      },
      run: "The model is run",
      runs: {
        trained: "as trained: interleaved",
        mixed: "queries half, keys interleaved",
        both: "both half",
        permuted: "both half, weights permuted",
      },
      distance: "Distance n − m",
      shift: "both words moved by",
      score: "score",
      chart: "Score at a fixed distance, by how far both words have moved",
      read: "query at {query}, key at {key}: as trained {trained}; {run} {score}",
      verdict: "Largest change as both words move: {moved}. Farthest off from training: {off}.",
      rounding: "only rounding",
    },
  },
  partial: {
    heading: "Turning only a part",
    paragraphs: [
      "Not every number has to turn. Many models rotate only the first <span data-link='rotary'>$r$</span> of the $d$ numbers of a head and leave the others alone: GPT-J 64 of 256, GPT-NeoX a quarter. The score falls into two parts:",
      "$$q \\cdot k \\;\\to\\; \\sum_{i < \\link{rotary}{r}/2} s_i(n - m) \\;+\\; \\sum_{j \\ge \\link{rotary}{r}} q_j\\,k_j$$",
      "The first sum, the shares $s_i$ of the pairs that turn, knows the distance; the second is the same at every distance. What stays put is free of position: a place for “these two words belong together, however far apart they are”.",
    ],
    points: [
      "With <em>all</em> numbers turning, the score falls as words move apart, even if they match. With <em>none</em>, position is invisible. In between, the flat part is there at every distance; the part that turns is added to it.",
      "The pairs that turn get frequencies of their own, $b^{-2i/r}$, from fastest to slowest: fewer pairs, spread over the same range. Giving them the first $r/2$ frequencies of a full rotation instead would be another, incompatible variant.",
    ],
    figure: {
      title: "The part that turns, and the part that stays",
      shows:
        "The 64 numbers of a query before and after the rotation, with the turning part marked, and the score by distance split into the part that turns and the part that stays the same.",
      words: { query: "cat", key: "mouse" },
      rotaryDim: "Numbers that turn, r",
      position: "Position m",
      before: "The query’s 64 numbers",
      after: "Rotated to position {position}",
      turns: "turns",
      stays: "stays",
      parts: { whole: "whole score", turning: "part that turns", still: "part that stays" },
      distance: "distance",
      score: "score",
      chart: "Score by distance, whole and in its two parts",
      read: "distance {distance}: {whole} ≈ {turning} that turns + {still} that stays",
      numbers: "The query’s numbers, before and after",
      number: "number",
    },
  },
  reading: {
    heading: "Reading a whole text",
    paragraphs: [
      "Now a longer text, yours if you like, through four heads, with RoPE and without. A word vector is made of a part that all words share and a part of the word’s own, as before; the heads see the two parts in different measure. Head 1 sees only what all words have in common. Head 4 sees only what the word has of its own.",
      "Point at a word: the others are coloured by how much it attends to them.",
    ],
    points: [
      "<em>Head 1 without positions</em> spreads its attention evenly: to it all words are the same. <em>With RoPE</em> it looks at the neighbours. All it knows is distance, and it comes from the rotation alone.",
      "<em>Head 4 without positions</em> finds every place where the same word stands, all of them alike. <em>With RoPE</em> it prefers the nearer ones.",
      "Heads of real models learn such mixtures: some follow the previous word, some look for a word that occurred before.",
    ],
    figure: {
      title: "Where a word looks, with RoPE and without",
      shows:
        "The words of a text twice, coloured by how much attention one chosen word pays to them, with RoPE and without positions, and both rows of weights as lines.",
      caption: "The sample is the beginning of Lewis Carroll’s <cite>Alice’s Adventures in Wonderland</cite> (1865).",
      own: "Your text (up to 240 words)",
      sample:
        "Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it, “and what is the use of a book,” thought Alice, “without pictures or conversations?”",
      head: "Head",
      heads: ["1: distance alone", "2: mostly distance", "3: mostly words", "4: words alone"],
      causal: "Causal mask (no looking ahead)",
      methods: { rope: "With RoPE", none: "Without positions" },
      panel: "{method}: the word that looks; arrow keys move it",
      read: "“{word}” looks at: {most}",
      place: "{word} ({distance}; {weight})",
      comma: ", ",
      nothing: "nothing but itself",
      tooShort: "Two words at least are needed.",
      chart: "Weights of the other words, along the text",
      chartRead: "“{word}” keeps for itself {rope} with RoPE, {none} without",
      word: "word",
      weight: "weight",
      table: "Weights of “{word}” in head {head}",
    },
  },
};
