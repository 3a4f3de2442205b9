// Chapter 1, why order matters: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";
import { modelEn } from "./text.model-en.ts";

export const en = {
  question:
    "“The dog bites the man” and “the man bites the dog” are made of the same words. Would a Transformer <strong>notice</strong> the difference?",
  idea: [
    "Attention in three sentences. Every word sends out a <em>query</em> $q$, which says what it looks for, and carries a <em>key</em> $k$, which says what it has to offer, and a <em>value</em> $v$, which is what it passes on. The dot product $q \\cdot k$ measures how well a query and a key fit, and a softmax turns all the scores of one query into weights that add up to 1. The output of a word is the mean of all values with these weights.",
    "Now look for the <em>place</em> of a word in those three sentences. It is not there. Query, key and value are made from the word alone, and a mean does not care in which order its terms are added. So a word gets the same output wherever it stands: to attention, a sentence is a bag of words.",
    "In this chapter you can try that, see why it is so, find the one crack through which some order leaks in, and draw up the list of what a position signal should be able to do. The chapters that follow are the answers people have found.",
  ],
  words: {
    heading: "Drag the words",
    paragraphs: [
      "Below, the output of each word is a strip of coloured cells, one cell per number. The upper strip is the <span data-link='original'>output in the original sentence</span>, the lower one the <span data-link='reordered'>output of the same word in your order</span>. In the first panel attention works without positions, in the second one with them. The dog and the man have already changed places; give the words any other order and compare.",
      "Here is what the first panel shows, as a formula: write the sentence as a matrix $X$ with one row per word, and the reordering as a permutation matrix $P$, so that $PX$ has the same rows in another order. Attention without positions is a function $f$ with",
      "$$\\link{reordered}{f(P X)} = P\\,\\link{original}{f(X)}$$",
      "for every $P$. Such a function is called <em>permutation-equivariant</em>: reorder its input, and its output is reordered in the same way; nothing else happens. Normalisation and the feed-forward layers of a Transformer treat each word by itself, so that a whole stack of layers is equivariant, too.",
      "A classifier often goes one step further and pools: it takes the mean of all $n$ outputs as the vector of the sentence. Then even the reordering is gone. Write the sum of all rows as a product with a row of ones, $\\mathbf{1}^{\\top}$; a sum does not care about the order, $\\mathbf{1}^{\\top} P = \\mathbf{1}^{\\top}$, and so",
      "$$\\frac{1}{n}\\,\\mathbf{1}^{\\top} f(P X) = \\frac{1}{n}\\,\\mathbf{1}^{\\top} f(X)$$",
      "The pooled vector is <em>invariant</em>. The two sentences about the dog and the man get one and the same vector, and no layer after it can ever tell them apart.",
    ],
    points: [
      "<em>Without positions</em> both strips of every word agree. What is left, a few ten-millionths, is rounding: the same numbers were added in another order.",
      "<em>The two “the”</em> of “the dog bites the man” get the same output, although one belongs to the dog and the other to the man. With positions they differ.",
      "<em>With positions</em> even words that stayed where they were change, because their neighbours have moved.",
      "<em>ALiBi</em> misses one thing: turn a sentence round completely, as 猫追老鼠 becomes 老鼠追猫, and every distance stays what it was. ALiBi knows how far, not which way; in practice a causal mask tells it.",
    ],
    figure: {
      title: "The outputs of attention, word by word",
      shows:
        "A sentence whose words can be reordered. For each word, two strips of colours: its attention output in the original sentence and in the new order, and the largest difference between them; once without positions, once with a position encoding.",
      caption:
        "The word vectors are made up: 64 numbers, of which a part is shared by all words and a part is drawn from the letters of the word. The same word always has the same vector, and it serves as query, key and value. Strips show the first 32 numbers.",
      sentence: "Your sentence",
      examples: "Examples",
      sentences: ["the dog bites the man", "the cat sat on the mat", "猫 追 老鼠", "我爱你", "狗咬人", "人咬狗"],
      words: "The words, in order",
      help: "Drag one word onto another, or press one and then the other. Arrow keys move the focused word.",
      swapEnds: "Swap “{first}” and “{second}”",
      back: "Original order",
      tooFew: "Type at least two words.",
      none: "Without positions",
      with: "With positions",
      method: "Positions by",
      methods: { sinusoidal: "Sinusoidal", rope: "RoPE", alibi: "ALiBi" },
      pooled: "mean",
      strip: "Output of “{word}”: {difference}",
      before: "original",
      now: "your order",
      untouched: "Reorder the words to compare.",
      same: "same",
      allSame: "All {count} outputs as before. Largest difference: {largest}",
      changed: "{changed} of {count} outputs have changed. Largest difference: {largest}",
      word: "word",
      difference: "difference {method}",
    },
  },
  matrix: {
    heading: "The weights move along",
    paragraphs: [
      "Why must it be so? The reordered sentence has the queries $PQ$, the keys $PK$ and the values $PV$. Its scores are $PQ\\,(PK)^{\\top} = P\\,QK^{\\top} P^{\\top}$: the same numbers as before, rows and columns reordered alike. The softmax works on each row by itself and does not care about the order within it, so the same holds for the weights: $A$ becomes $\\link{moved}{P A P^{\\top}}$. Multiply by the values, use $P^{\\top} P = I$, and the $P$ is on the outside:",
      "$$\\link{computed}{f(PX)} = \\link{moved}{\\bigl(P A P^{\\top}\\bigr)}\\,(P V) = P\\,(A V)$$",
      "The figure does it in numbers. The first matrix holds the weights of the original sentence. The second is <span data-link='moved'>the same matrix with its rows and columns moved</span> to the new order, and nothing computed. For the third, the <span data-link='computed'>weights of the new sentence</span> have been computed afresh.",
    ],
    points: [
      "<em>Point at a cell</em> of one matrix: the same pair of words lights up in all three, and without positions its weight is the same everywhere.",
      "<em>Give the words positions</em>, and the third matrix is no longer the second: the scores now depend on who stands where.",
      "<em>Switch on the causal mask</em> without positions. The weights change even now. That is the crack mentioned above.",
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
      "Models that write a text word by word use a <em>causal mask</em>: every word sees itself and the words before it, and none of those after it. The mask belongs to the places, not to the words. When the words are reordered it stays where it is, and $f(PX) = P\\,f(X)$ no longer holds, even without any position encoding.",
      "How much can a word learn from that? Take a start word, followed by one and the same word again and again, and let all keys fit equally well. Then every word divides its attention evenly among the words it can see. The weight that the <span data-link='share'>start word</span> gets from the word at <span data-link='place'>place</span> $m$, counted from 0, is",
      "$$\\link{share}{w_m} = \\frac{1}{\\link{place}{m} + 1}$$",
      "and the next layer can read the place off: $m = 1 / w_m - 1$. Without a mask the start word gets $1/n$ from everyone, and there is nothing to read.",
      "Language models trained without any position encoding do learn where their words stand, and this is thought to be how (the papers call such models NoPos or NoPE, see the sources). But the signal grows faint: between places 1000 and 1001 the share changes by a millionth. Nearly all large models add a position encoding, and the next chapters are about how.",
    ],
    points: [
      "<em>With the mask</em> each row of weights is a little longer than the one above it, and the share of the start word falls from place to place. (The colours end at 0.5: the 1 of the first row looks like the 0.5 of the second.)",
      "<em>Without the mask</em> all rows are the same. The line is flat: every place looks like every other.",
    ],
    figure: {
      title: "What a word can learn from how much it sees",
      shows:
        "Left, the attention weights of a start word followed by copies of one word, with or without a causal mask. Right, the weight on the start word by place: 1/(m+1) with the mask, flat without it.",
      count: "Words n",
      causal: "Causal mask",
      weights: "All weights",
      weightsLabel: "Attention weights: one row per place that looks, one column per place looked at",
      looking: "place that looks",
      seen: "place looked at",
      readWeights: "place {row} gives place {column} the weight {weight}",
      share: "Weight on the start word",
      shareLabel: "Weight on the start word, by place",
      masked: "with mask",
      open: "without mask",
      place: "place m",
      weight: "weight",
      readShare: "place {place}: {masked} with mask, {open} without",
      guessMasked:
        "A layer that sees only {weight} can work out: 1\u00A0/\u00A0{weight}\u00A0−\u00A01\u00A0=\u00A0{guess}. This is place {place}.",
      guessOpen: "A layer that sees only {weight} cannot tell: all {count} places give the same.",
    },
  },
  needs: {
    heading: "What a position signal should be able to do",
    paragraphs: [
      "If attention is to know the order, something has to tell it. Most encodings give every place $m$ a vector of its own and add it to the word or turn the word by it; some change the scores. Whatever the way, five questions decide how good the signal is:",
      "<strong>Unique.</strong> Do different places get different signals?",
      "<strong>Bounded.</strong> Do the numbers stay small, however long the text?",
      "<strong>Relative.</strong> Is a step of one word the same step everywhere, and are two steps more than one, so that distances can be read off?",
      "<strong>Longer.</strong> Does the signal go on beyond the length the model was made for, and does it leave the places before that as they were?",
      "<strong>Learned or fixed.</strong> Does it have to be learned from data, or does it follow from a rule? Neither is wrong: a rule costs nothing and need not end, a learned table adapts to its task.",
      "The table asks nine encodings, and every answer is computed while you look: on the first $n$ places, and on a text four times as long. Choose a row to see the numbers behind it.",
    ],
    points: [
      "<em>Counting</em> in its various forms fails somewhere each time. The next chapter shows where, and why the failures lead to waves.",
      "<em>A learned table</em> is shown before training, as random numbers. Training may bring some order into it, but it cannot make up for the rows that are not there.",
      "<em>ALiBi</em> is not bounded, on purpose: it takes off ever more from the score of far words, until they count for nothing.",
      "<em>A tick under “longer”</em> means that there is a signal, not that a model trained on short texts can use it. That is the matter of chapter 10.",
    ],
    figure: {
      title: "Nine encodings, five questions",
      shows:
        "A table of nine position encodings, with a tick or a cross for each of five properties, and the measured numbers for the chosen encoding.",
      length: "Length n",
      encoding: "encoding",
      checks: { unique: "unique", bounded: "bounded", relative: "relative", longer: "longer", learned: "learned" },
      yes: "yes",
      no: "no",
      kinds: {
        "one-hot": "One-hot",
        integer: "Integer",
        normalized: "Normalised",
        binary: "Binary",
        periodic: "Periodic",
        sinusoidal: "Sinusoidal",
        learned: "Learned",
        rope: "RoPE",
        alibi: "ALiBi",
      },
      notes: {
        learned: "The table is shown before training, as random numbers.",
        rope: "RoPE has no vectors for places. Here a vector of ones is turned to every place, and the results are compared.",
        alibi: "ALiBi has no vectors for places. Here a “place” is a distance, and its vector the biases of 8 heads.",
      },
      chapter: "Chapter {number}: {title}",
      details: "{kind}: the numbers behind it",
      choose: "Show the numbers of {kind}",
      unique: {
        yes: "The most similar two of {count} places are {first} and {second}, at a distance of {distance}.",
        no: "Places {first} and {second} get the same vector.",
      },
      bounded: {
        yes: "The largest size is {near}, and in a text four times as long {far}.",
        no: "The largest size is {near}, but in a text four times as long {far}.",
        single: "The largest size is {near}.",
      },
      relative: {
        yes: "One step is {low} long, everywhere; two steps are {two}.",
        uneven: "One step is between {low} and {high} long, depending on where it is taken.",
        flat: "One step is {low} long, but two steps are no longer: {two}.",
        stretched: "One step is {low} long, but {high} in a text four times as long.",
      },
      longer: {
        yes: "Place {far} has a signal, and the first {count} places are as they were.",
        no: "There is no signal from place {count} on.",
        changed: "Place {place} had {before}; in a text four times as long it has {after}.",
      },
      learned: { yes: "{count} numbers have to be learned.", no: "A fixed rule: nothing has to be learned." },
    },
  },
  model: modelEn,
  code: {
    paragraphs: [
      "The five words go through attention in two orders. The program prints how much the output of “dog” changes: not at all without positions, noticeably with RoPE, and also under a causal mask.",
    ],
  },
  quiz: [
    {
      question:
        "A Transformer encoder without positions reads “the dog bites the man” and “the man bites the dog”. What is true?",
      options: [
        {
          text: "All outputs are zero.",
          why: "The outputs are ordinary vectors, means of the values. They only do not depend on the order.",
        },
        {
          text: "Each word gets the same output in both sentences.",
          why: "$f(PX) = P f(X)$. The outputs stand in another order, but “dog” has the same vector in both.",
        },
        {
          text: "The outputs differ a little, because the neighbours differ.",
          why: "Without positions there are no neighbours. Every word sees the same bag of words, the one next to it no better than the farthest.",
        },
      ],
      answer: 1,
    },
    {
      question: "Why does the causal mask break the equivariance?",
      options: [
        {
          text: "It changes the word vectors.",
          why: "The vectors stay what they are. The mask only hides some keys.",
        },
        {
          text: "It makes the weights add up to less than 1.",
          why: "The softmax runs over the keys that are visible, and the weights of each row still add up to 1.",
        },
        {
          text: "Which keys are hidden depends on the places, and the mask is not reordered with the words.",
          why: "A word moved to the front suddenly sees fewer words.",
        },
      ],
      answer: 2,
    },
    {
      question: "In “the dog bites the man”, attention has no positions. What about the outputs of the two “the”?",
      options: [
        {
          text: "They are the same.",
          why: "The same word has the same query, and it sees the same keys and values. Only positions can tell the two apart.",
        },
        {
          text: "They differ, because one stands before “dog” and the other before “man”.",
          why: "“before” means nothing here. Both see dog, bites and man in the same way.",
        },
        {
          text: "The second one is weaker, because it comes later.",
          why: "“later” means nothing here, either.",
        },
      ],
      answer: 0,
    },
  ],
  sources: [
    {
      cite: "Vaswani et al., Attention Is All You Need, 2017, sections 3.2 and 3.5",
      url: "https://arxiv.org/abs/1706.03762",
      note: "Attention, and why a model without recurrence and convolution needs positions.",
    },
    {
      cite: "Zaheer et al., Deep Sets, 2017",
      url: "https://arxiv.org/abs/1703.06114",
      note: "Functions of sets: permutation invariance and equivariance.",
    },
    {
      cite: "Yun et al., Are Transformers universal approximators of sequence-to-sequence functions?, 2020",
      url: "https://arxiv.org/abs/1912.10077",
      note: "Transformers without positions are permutation-equivariant; with positions they can approximate any continuous sequence-to-sequence function on a compact domain.",
    },
    {
      cite: "Haviv et al., Transformer Language Models without Positional Encodings Still Learn Positional Information, 2022",
      url: "https://arxiv.org/abs/2203.16634",
      note: "Such models know positions all the same; the authors suppose that the causal mask lets them infer how many words came before.",
    },
    {
      cite: "Kazemnejad et al., The Impact of Positional Encoding on Length Generalization in Transformers, 2023, theorems 1 and 2",
      url: "https://arxiv.org/abs/2305.19466",
      note: "How a causal model without encoding can recover places and distances.",
    },
    {
      cite: "Dufter, Schmitt and Schütze, Position Information in Transformers: An Overview, 2022",
      url: "https://arxiv.org/abs/2102.11090",
    },
    {
      cite: "Fleetwood, You could have designed state of the art positional encoding, 2024",
      url: "https://huggingface.co/blog/designing-positional-encoding",
      note: "A list of desirable properties, and a path that leads to RoPE.",
    },
  ],
} satisfies ChapterText;
