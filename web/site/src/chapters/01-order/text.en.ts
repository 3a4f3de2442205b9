// Chapter 1, why order matters: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";
import { furtherEn } from "./text.further-en.ts";
import { modelEn } from "./text.model-en.ts";

export const en = {
  question:
    "“The dog bites the man” and “the man bites the dog” are made of the same words: does a Transformer, the network behind today’s language models, <strong>notice</strong> the difference?",
  idea: [
    "Each strip is what the network’s <em>attention</em> makes of a word, numbers as colours: above <span data-link='original'>in the original sentence</span>, below <span data-link='reordered'>in your order</span>. Without positions the halves are alike wherever you put the word: attention cannot tell the sentences apart. With positions the network was told where each word stands, and the order counts.",
    "This is how attention works. To a network, a word is a row of numbers, a <em>vector</em>. From it the word makes a <em>query</em>, what it looks for; a <em>key</em>, what it offers; and a <em>value</em>, what it passes on. The <em>dot product</em> of a query and a key (multiply number by number, add up) says how well they fit. The <em>softmax</em> makes weights of these scores: positive, and 1 in sum. The output of a word is the mean of all values with these weights.",
    "Where in this is the word’s <em>position</em>, the number above it in the figure? Nowhere. A mean does not care in which order its terms are added. Attention by itself sees a bag of words. (With a <em>causal mask</em>, as in models that write, a word sees only the words before it, and a little of the order leaks in.)",
  ],
  words: {
    heading: "A bag of words",
    paragraphs: [],
    predict: {
      question:
        "swap “dog” and “man”. Without positions, how many of the five words get another output from attention?",
      options: ["none", "dog and man", "all five"],
      answer: 0,
      reveal: "They are swapped below: on the left nothing has changed, on the right every word has.",
    },
    points: [
      "<em>Drag any word.</em> Without positions nothing changes, but for an occasional rounding in the seventh digit.",
      "<em>The two “the”</em> are the same without positions, although one belongs to the dog and one to the man. With positions they differ.",
      "<em>With positions</em> even a word that stays where it is changes when its neighbours move.",
    ],
    why: [
      {
        title: "Why must it be so? The sentence as a matrix",
        paragraphs: [
          "Write the sentence as a matrix $X$, a table of numbers with one row per word, and the reordering as a permutation matrix $P$, so that $PX$ has the same rows in another order. Attention without positions is a function $f$ with",
          "$$\\link{reordered}{f(P X)} = P\\,\\link{original}{f(X)}$$",
          "for every $P$. Such a function is called <em>permutation-equivariant</em>: reorder its input, and its output is reordered in the same way; nothing else happens. Normalisation and the feed-forward layers of a Transformer treat each word by itself, so that a whole stack of layers is equivariant, too. The proof is in “The weights move along”, below.",
        ],
      },
      {
        title: "And if a model takes the mean of all outputs?",
        paragraphs: [
          "Classifiers often do: they <em>pool</em>. Then even the reordering is gone. Write the sum of all $n$ rows as a product with a row of ones, $\\mathbf{1}^{\\top}$; a sum does not care about the order, $\\mathbf{1}^{\\top} P = \\mathbf{1}^{\\top}$, and so",
          "$$\\frac{1}{n}\\,\\mathbf{1}^{\\top} f(P X) = \\frac{1}{n}\\,\\mathbf{1}^{\\top} f(X)$$",
          "The pooled vector, the last row of each panel, is <em>invariant</em>. The two sentences about the dog and the man get one and the same vector, and no layer after it can ever tell them apart.",
        ],
      },
      {
        title: "Why does ALiBi miss a sentence that is turned round?",
        paragraphs: [
          "Turn a sentence round completely, as 狗咬人, “dog bites man”, becomes 人咬狗, and every distance stays what it was. ALiBi knows how far, not which way. In practice a causal mask, which hides the words that come later, tells it.",
        ],
      },
    ],
    figure: {
      title: "Drag the words, and see what attention makes of them",
      shows:
        "A sentence whose words can be reordered. For each word, two strips of colours: its attention output in the original sentence and in the new order, and the largest difference between them; once without positions, once with a position encoding.",
      caption:
        "The word vectors are made up: 64 numbers, of which a part is shared by all words and a part is drawn from the letters of the word. The same word always has the same vector, and it serves as query, key and value. Strips show the first 32 numbers; the number at their right is the largest difference between the two. The row “mean” is the mean of all words’ outputs.",
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
  model: modelEn,
  needs: {
    heading: "What a position signal should be able to do",
    paragraphs: [
      "So attention has to be told the order. An <em>encoding</em> is a rule that gives every position $m$ a signal, in the simplest case a vector that is added to the word. Five questions decide how good it is:",
      "<strong>Unique:</strong> do different positions get different signals? <strong>Bounded:</strong> do the numbers stay small in a long text? <strong>Relative:</strong> is a step of one word the same everywhere, and are two steps more than one? <strong>Longer:</strong> does the signal go on beyond the length it was made for, and leave earlier positions as they were? <strong>Learned:</strong> does it come from data, or from a rule? Neither is wrong.",
      "Each answer is computed while you look, on the first $n$ positions and on a text four times as long.",
    ],
    why: [
      {
        title: "What the ticks do not say",
        paragraphs: [
          "A tick under “longer” means that there is a signal, not that a model trained on short texts can use it. That is the matter of chapter 10.",
          "The learned table is shown before training, as random numbers. Training may bring some order into it, but it cannot make up for the rows that are not there.",
          "ALiBi is not bounded, on purpose: it takes off ever more from the score of far words, until they count for nothing.",
        ],
      },
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
        rope: "RoPE has no vectors for positions. Here a vector of ones is turned to every position, and the results are compared.",
        alibi:
          "ALiBi has no vectors for positions. Here a “position” is a distance, and its vector the biases of 8 heads.",
      },
      chapter: "Chapter {number}: {title}",
      details: "{kind}: the numbers behind it",
      choose: "Show the numbers of {kind}",
      unique: {
        yes: "The most similar two of {count} positions are {first} and {second}, at a distance of {distance}.",
        no: "Positions {first} and {second} get the same vector.",
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
        yes: "Position {far} has a signal, and the first {count} positions are as they were.",
        no: "There is no signal from position {count} on.",
        changed: "Position {place} had {before}; in a text four times as long it has {after}.",
      },
      learned: { yes: "{count} numbers have to be learned.", no: "A fixed rule: nothing has to be learned." },
    },
  },
  thread: {
    heading: "One answer",
    paragraphs: [
      "<strong>A position is a row of clocks, each running at its own speed: hold the clocks of two positions side by side, and they show how far apart the two are.</strong> Most large language models of today tell positions in this way, which is called RoPE (chapter 8). How counting leads to a clock is the next chapter’s story.",
    ],
  },
  ...furtherEn,
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
          why: "The outputs stand in another order, but “dog” has the same vector in both.",
        },
        {
          text: "The outputs differ a little, because the neighbours differ.",
          why: "Without positions there are no neighbours. Every word sees the same bag of words, the one next to it no better than the farthest.",
        },
      ],
      answer: 1,
    },
    {
      question: "Under a causal mask a word sees only the words before it. Why does a little of the order leak in?",
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
          text: "How much a word sees depends on where it stands.",
          why: "A word moved to the front suddenly sees fewer words: the mask is not reordered with them.",
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
      cite: "Vaswani et al., Attention Is All You Need, 2017, sections 3.1, 3.2 and 3.5",
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
      note: "How a causal model without encoding can recover positions and distances.",
    },
    {
      cite: "Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to Align and Translate, 2015",
      url: "https://arxiv.org/abs/1409.0473",
      note: "Attention, introduced so that a sentence need not be squeezed into one vector of a fixed length.",
    },
    {
      cite: "Hugging Face Transformers, T5: class T5LayerCrossAttention",
      url: "https://github.com/huggingface/transformers/blob/main/src/transformers/models/t5/modeling_t5.py",
      note: "Cross-attention without a bias of distances.",
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
