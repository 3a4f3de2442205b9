// What chapter 1 folds away: English.

export const furtherEn = {
  matrix: {
    heading: "The weights move along",
    paragraphs: [
      "Let $P$ be the matrix that reorders the rows of a sentence. The reordered sentence has the queries $PQ$, the keys $PK$ and the values $PV$. Its scores are $PQ\\,(PK)^{\\top} = P\\,QK^{\\top} P^{\\top}$: the same numbers as before, rows and columns reordered alike. The softmax works on each row by itself and does not care about the order within it, so the same holds for the weights: $A$ becomes $\\link{moved}{P A P^{\\top}}$. Multiply by the values, use $P^{\\top} P = I$, and the $P$ is on the outside:",
      "$$\\link{computed}{f(PX)} = \\link{moved}{\\bigl(P A P^{\\top}\\bigr)}\\,(P V) = P\\,(A V)$$",
      "The figure does it in numbers. The first matrix holds the weights of the original sentence. The second is <span data-link='moved'>the same matrix with its rows and columns moved</span> to the new order, and nothing computed. For the third, the <span data-link='computed'>weights of the new sentence</span> have been computed afresh.",
    ],
    points: [
      "<em>Point at a cell</em> of one matrix: the same pair of words lights up in all three, and without positions its weight is the same everywhere.",
      "<em>Give the words positions</em>, and the third matrix is no longer the second: the scores now depend on who stands where.",
      "<em>Switch on the causal mask</em> without positions. The weights change even now. That is the crack through which some order leaks in: the next section.",
    ],
    figure: {
      title: "Attention weights, moved and computed afresh",
      shows:
        "Three matrices of attention weights: of the original sentence, the same with rows and columns reordered, and of the reordered sentence computed afresh; and the largest difference between the last two.",
      words: "The words, in order",
      help: "The same sentence as above. Drag one word onto another, or use the arrow keys.",
      reverse: "Turn the sentence round",
      back: "Original order",
      tooFew: "Type at least two words above.",
      method: "Positions",
      methods: { none: "none", sinusoidal: "sinusoidal", rope: "RoPE" },
      causal: "Causal mask (no looking ahead)",
      original: "Original",
      moved: "Moved",
      computed: "Computed afresh",
      read: "{query} → {key}: {weight}",
      hint: "Point at a cell, or move the mark with the arrow keys.",
      matrixLabel: "{title}: one row per query, one column per key",
      same: "Moved and computed agree. Largest difference: {largest}",
      different: "Moved and computed differ. Largest difference: {largest}",
      untouched: "This is still the original order. Move a word.",
      query: "query",
      key: "key",
      exact: "exactly 0",
    },
  },
  leak: {
    heading: "The mask that leaks",
    paragraphs: [
      "Models that write a text word by word use a <em>causal mask</em>: every word sees itself and the words before it, and none of those after it. The mask belongs to the positions, not to the words. When the words are reordered it stays where it is, and $f(PX) = P\\,f(X)$ no longer holds, even without any position encoding.",
      "How much can a word learn from that? Take a start word, followed by one and the same word again and again, and let all keys fit equally well. Then every word divides its attention evenly among the words it can see. The weight that the <span data-link='share'>start word</span> gets from the word at <span data-link='place'>position</span> $m$, counted from 0, is",
      "$$\\link{share}{w_m} = \\frac{1}{\\link{place}{m} + 1}$$",
      "and the next layer can read the position off: $m = 1 / w_m - 1$. Without a mask the start word gets $1/n$ from everyone, and there is nothing to read.",
      "Language models trained without any position encoding do learn where their words stand, and this is thought to be how (the papers call such models NoPos or NoPE, see the sources). But the signal grows faint: between positions 1000 and 1001 the share changes by a millionth. Nearly all large models add a position encoding, and the next chapters are about how.",
    ],
    points: [
      "<em>With the mask</em> each row of weights is a little longer than the one above it, and the share of the start word falls from position to position. (The colours end at 0.5: the 1 of the first row looks like the 0.5 of the second.)",
      "<em>Without the mask</em> all rows are the same. The line is flat: every position looks like every other.",
    ],
    figure: {
      title: "What a word can learn from how much it sees",
      shows:
        "Left, the attention weights of a start word followed by copies of one word, with or without a causal mask. Right, the weight on the start word by position: 1/(m+1) with the mask, flat without it.",
      count: "Words n",
      causal: "Causal mask",
      weights: "All weights",
      weightsLabel: "Attention weights: one row per position that looks, one column per position looked at",
      looking: "position that looks",
      seen: "position looked at",
      readWeights: "position {row} gives position {column} the weight {weight}",
      share: "Weight on the start word",
      shareLabel: "Weight on the start word, by position",
      masked: "with mask",
      open: "without mask",
      place: "position m",
      weight: "weight",
      readShare: "position {place}: {masked} with mask, {open} without",
      guessMasked:
        "A layer that sees only {weight} can work out: 1\u00A0/\u00A0{weight}\u00A0−\u00A01\u00A0=\u00A0{guess}. This is position {place}.",
      guessOpen: "A layer that sees only {weight} cannot tell: all {count} positions give the same.",
    },
  },
  stacks: {
    heading: "Encoder and decoder: where positions enter",
    paragraphs: [
      "The first Transformer translated, with two stacks of layers. The <em>encoder</em> reads the sentence in one language, the <em>decoder</em> writes it in the other, word by word. Positions are added to the word vectors at the bottom of both: the encoder counts the words of the source, the decoder those of the translation.",
      "The decoder also looks at what the encoder has made of the source. In this <em>cross-attention</em> the words of the translation send the queries, and those of the source have the keys and values. No positions are added here; they are there only as far as the vectors have carried them up. An encoding of distances has little to say, as the third word of a translation stands at no distance from the fifth word of its source. T5, which scores distances within both stacks, uses no positions in its cross-attention.",
      "BERT is an encoder alone. GPT and most models that write text are a decoder alone, without cross-attention; so are the models above.",
      "One often reads that the encoder turns the sentence into one vector. It keeps a vector for each word, and the decoder’s cross-attention looks at all of them. One vector of a fixed length for the whole sentence is what translating networks had before attention, and attention was introduced to be rid of it.",
    ],
  },
};
