// The ALiBi chapter: English.
import type { ChapterText } from "../../lib/chapter-text.ts";

export const en = {
  question:
    "What if a position has no clocks at all, and attention simply charges every key for <strong>how far away it is</strong>?",
  idea: [
    "In RoPE a position is a row of clocks, each running at its own speed: hold the clocks of two positions side by side, and they show how far apart the two are. ALiBi, <em>attention with linear biases</em>, does without clocks. Attention gives every key a score; ALiBi takes points off it, a little for one step back, ten times as much for ten steps.",
    "A model looks at a text with several <em>heads</em> at once, and each has a price per step of its own, its <em>slope</em>. A steep head sees the last few words, a shallow one hundreds: change the head and watch the curve. Slopes are fixed before training, so there is nothing to learn, and no table can run out.",
  ],
  reach: {
    heading: "How far a head sees",
    paragraphs: [
      "All keys are equally good here, so that the price alone decides. Each step back multiplies the weight by the same number: the weight has a half-life, as an atom has. In the last of eight heads it is about 177 steps, and so half of all the weight lies on the nearest 178 keys.",
    ],
    points: [
      "<em>Lengthen the text</em>: hardly anything happens. Beyond the trained length, where the model has never looked, there is next to no weight. ALiBi copes with long texts by not looking there.",
      "<em>Read the price</em> under the chart. A far key can still win, but its words must make up for it: 10 000 words back, even the shallowest of eight heads has taken off 39 points.",
      "<em>Let the last slope go down to</em> $2^{-16}$, as MPT‑7B‑StoryWriter did for its 65 536 tokens: the last heads now see everything. Reach is a choice, and a model has to be trained with it.",
    ],
    why: [
      {
        title: "Why a half-life, and why straight lines on a logarithmic scale?",
        paragraphs: [
          "When all scores are equal, softmax leaves the bias alone. For a key at the distance $\\delta$:",
          "$$\\link{weight}{w(\\delta)} \\propto e^{-\\link{slope}{m}\\,\\link{distance}{\\delta}}$$",
          "After $(\\ln 2)/m$ steps the weight has halved, and in a long text half of all the weight lies within that distance. With a logarithmic weight every head is a straight line, the steeper the larger its slope. With logarithmic distance, too, all heads have the same shape, shifted: with eight heads each sees twice as far as the one before it.",
        ],
      },
    ],
    figure: {
      title: "What a head sees",
      shows:
        "A line chart of attention weight by distance for every head, the chosen one emphasised, with a mark at the distance that holds half of its weight and a line at the trained length.",
      heads: "Heads",
      head: "Head",
      headValue: "{head} (slope {slope})",
      length: "Text, in words",
      trained: "Trained with",
      lowest: "Last slope",
      axes: "Axes",
      axisChoices: { linear: "linear", weight: "log weight", both: "both log" },
      distance: "distance to the key",
      distanceFromOne: "steps to the key, itself counted",
      weight: "weight",
      chartLabel: "Attention weight by distance",
      chosen: "head {head}",
      others: "other heads",
      halfMark: "half",
      trainedMark: "trained",
      read: "{distance} back: weight {weight}. To weigh as much as the nearest key, the words must score {price} more.",
      half: "Half of the weight lies on the nearest {count} keys",
      most: "99 % on the nearest {count}",
      behind: "Beyond the trained length: {share} %",
      whole: "all {count}",
      keys: "keys (logarithmic)",
      readReach: "head {head}: half of the weight on {count} keys",
      reachTitle: "Keys that hold half of the weight",
      reachLabel: "Number of keys that hold half of the weight, for each head",
      table: "Reach of each head over {length} words",
      columns: {
        head: "head",
        slope: "slope",
        half: "keys with half of the weight",
        most: "with 99 %",
        behind: "beyond the trained length, %",
      },
    },
  },
  bias: {
    heading: "A price for every step",
    paragraphs: [
      "The query stands at place $i$, the key at place $j$. Head $h$ takes its slope times their distance off the score, before the softmax:",
      "$$s_{ij} = \\frac{q_i \\cdot k_j}{\\sqrt{d}} - \\link{slope}{m_h}\\,\\link{distance}{|i-j|}$$",
      "With eight heads the slopes are ½, ¼, ⅛ and so on, down to $2^{-8}$.",
    ],
    predict: {
      question:
        "Take the causal mask away, so that a word also sees what comes after it. Can ALiBi tell left from right?",
      options: ["yes", "no"],
      answer: 1,
      reveal:
        "Switch the mask off in the figure: both sides look the same. ALiBi knows how far away a key is, not on which side. In a language model the mask supplies the direction; encoders such as Jina Embeddings 2 use the symmetric form.",
    },
    points: [
      "<em>In the bias, every diagonal has one colour</em>: only the distance counts.",
      "<em>Change the head</em> from first to last: the band of weight around the diagonal widens, until the head sees nearly everything alike.",
    ],
    why: [
      {
        title: "Which slopes do six, twelve or twenty heads have?",
        paragraphs: [
          "With $H$ heads, $H$ a power of two, each slope is the same fraction of the one before it:",
          "$$\\link{slope}{m_h} = 2^{-8h/H}, \\qquad h = 1, \\dots, H$$",
          "For other numbers of heads the authors’ code takes the slopes of the next smaller power of two, and fills up with every other slope of the next larger one. Twelve heads have the eight slopes of eight heads and four more: $2^{-0.5}$, $2^{-1.5}$, $2^{-2.5}$ and $2^{-3.5}$. Set the number of heads to 12 and see.",
        ],
      },
      {
        title: "Why does BLOOM’s bias look quite different, and do the same?",
        paragraphs: [
          "Written <em>by key</em>, as BLOOM does, the bias of a column is the slope times the key’s place. Within a row all entries have changed by the same constant, which softmax does not see: the weights stay what they were. Without the mask that is no longer true, and every query runs to the end of the text.",
        ],
      },
    ],
    figure: {
      title: "The bias of one head, and the weights it makes",
      shows:
        "Two square heat maps: the bias of one head for every query and key, and the attention weights that follow when all scores are equal. Then the slopes of all heads on a logarithmic scale.",
      caption:
        "The words are all alike here: queries and keys are zero, so that the weights come from the bias and the mask alone. Colours of weights follow their square root: in the first rows few keys share all the weight, and the small weights of the others would not be seen beside them.",
      heads: "Heads H",
      head: "Head h",
      headValue: "{head} (slope {slope})",
      length: "Words",
      causal: "Causal mask",
      form: "Written",
      forms: { relative: "by distance", "key-absolute": "by key (BLOOM)" },
      query: "query i",
      key: "key j",
      biasTitle: "Bias",
      weightsTitle: "Weights",
      hidden: "hidden",
      biasLabel: "Bias for every query and key, head {head}",
      weightsLabel: "Attention weights of equal scores, head {head}",
      readRelative: "query {query}, key {key}: −{slope} × {distance} = {bias}",
      readKey: "query {query}, key {key}: {slope} × {key} = {bias}",
      readHidden: "query {query}, key {key}: comes later, hidden by the mask",
      readWeight: "query {query}, key {key}: weight {weight}",
      slopesTitle: "The slopes of all heads",
      slopesLabel: "Slope of each head; choose one",
      slope: "slope",
      slopeAxis: "slope (logarithmic)",
      columnHead: "head",
      readSlope: "head {head}: slope {slope}",
      regular: "each the same part of the one before",
      extra: "filled in from twice as many heads",
      table: "Bias of head {head}",
      tableQuery: "query {row}",
      tableKey: "key {column}",
    },
  },
  limits: {
    heading: "A flat loss is not a long memory",
    paragraphs: [
      "The paper is called “Train Short, Test Long”: train on short texts, use on long ones. It measures the <em>loss</em>: how badly the next word is guessed. But how much of a long text is used for that?",
    ],
    predict: {
      question:
        "A small model with ALiBi was trained on 256 characters and reads 4096. Does it still guess the next character well, and does it find a word that was hidden 2000 characters back?",
      options: ["both", "it guesses well, and does not find the word", "neither"],
      answer: 1,
      reveal:
        "Its loss stays flat to sixteen times the trained length. The hidden word is found at twice that length and never at eight times it. Both were measured: see the <a href='./long-context.html#v=2&amp;arena.shown=alibi.rope.window&amp;at=arena'>arena</a> of chapter 10.",
    },
    /** What follows from it, after the guess. */
    told: [
      "The authors looked into why their loss even fell on longer texts: texts are read in pieces, and the first words of a piece have little before them. Longer pieces mean fewer such words, and that alone makes guessing easier. The model may use no more context than it was trained with.",
      "A name on page one, asked for on page twenty, has to outscore everything in between by the slope times the distance.",
      "What speaks for ALiBi: no parameters, one number per score, and no break at word 2049 after a training on 2048. BLOOM, MPT, Baichuan2‑13B and Jina Embeddings 2 use it. Most newer language models turn instead, and stretch the turns for long texts: that is the next chapter.",
    ],
    why: [
      {
        title: "What others measured",
        paragraphs: [
          "Chi and others measured which words a prediction depends on, and found that ALiBi holds up as long as training covered that range.",
          "On reasoning and arithmetic with small decoder-only models, Kazemnejad and others found ALiBi, rotary and absolute encodings all poorly suited to longer inputs than trained; no encoding at all did better.",
        ],
      },
    ],
  },
  profiles: {
    heading: "Relatives: straight lines, stairs and curves",
    paragraphs: [
      "ALiBi is one of a family: all of them add a number to the score that depends on how far apart two words are. They differ in how that number falls.",
      "$$\\begin{aligned} \\text{ALiBi} &\\quad -m\\,\\delta \\\\ \\text{KERPLE, power} &\\quad -a\\,\\delta^{\\,p} \\\\ \\text{KERPLE, log} &\\quad -a\\,\\ln(1 + r\\,\\delta) \\\\ \\text{T5} &\\quad W_{\\mathrm{bucket}(\\delta)} \\\\ \\text{Sandwich} &\\quad c_h \\Bigl(\\textstyle\\sum_k \\cos(\\delta\\,\\theta_k) - \\tfrac{d}{2}\\Bigr) \\\\ \\text{FIRE} &\\quad f\\!\\left(\\frac{\\psi(\\delta)}{\\psi(\\max(L, i))}\\right) \\end{aligned}$$",
      "Here $\\delta$ is the distance. $a$, $p$, $r$, T5’s table $W$ and FIRE’s small network $f$ are learned; ALiBi and Sandwich learn nothing. Sandwich takes the sum of cosines that the sinusoidal encoding has in its dot products, times a fixed $c_h$ for each head. FIRE takes logarithms, $\\psi(x) = \\ln(1 + c\\,x)$, and divides by that of the query’s own place $i$, or of $L$ where $i$ is smaller; $c$ and $L$ are learned, too. So in a longer text the same distance counts for less.",
    ],
    points: [
      "<em>Set the exponent of KERPLE’s power form to 1</em>: it is a straight line, ALiBi with a learned slope. Below 1 it flattens out.",
      "<em>The logarithm never stops falling, but ever more slowly.</em> Look at the weights: the far keys together keep a share, while ALiBi’s line cuts them off.",
      "<em>T5 is a staircase.</em> Its stairs become wider with the distance, and the last one has no end: a far key costs no more than a less far one, however long the text.",
      "<em>Sandwich</em> falls quickly, then slowly, and its waves show.",
      "<em>Move the query on</em>: only FIRE’s curve changes.",
    ],
    figure: {
      title: "Six ways to fall with distance",
      shows:
        "A line chart of the bias, or of the attention weight of equal scores, by distance: ALiBi, two forms of KERPLE, T5, Sandwich and FIRE.",
      caption:
        "The numbers of T5 and FIRE are learned; here are stand-ins for those of a trained model. T5’s table holds, for each bucket, what KERPLE’s logarithm has at the bucket’s nearest distance. FIRE’s network is one hidden unit that multiplies by {scale}.",
      show: "Draw",
      shown: { bias: "bias", weights: "weights" },
      head: "Head (ALiBi, Sandwich)",
      headValue: "{head} of {heads}",
      amplitude: "KERPLE a",
      rate: "KERPLE r (log)",
      exponent: "KERPLE p (power)",
      query: "Query at",
      range: "Distances to",
      names: { alibi: "ALiBi", power: "KERPLE power", log: "KERPLE log", t5: "T5", sandwich: "Sandwich", fire: "FIRE" },
      distance: "distance",
      steps: "steps to the key, itself counted",
      bias: "bias",
      weight: "weight",
      chartLabel: "Bias or weight by distance, one line for each encoding",
      read: "distance {distance}: {values}",
      table: "By distance: {what}",
    },
  },
  code: {
    paragraphs: [
      "The slopes, how far one head reaches, and the same question asked of a text four times as long. The numbers at the top are those of the first figure.",
    ],
  },
  quiz: [
    {
      question:
        "A decoder has 8 heads with ALiBi. How much does head 1 (slope ½) take off the score of a key ten steps back?",
      options: [
        { text: "½", why: "That is the price of one step; ten steps cost ten times as much." },
        { text: "5", why: "½ times 10. The key’s weight is divided by e⁵, about 148." },
        { text: "2¹⁰", why: "The bias grows along a straight line. It is the weight that shrinks exponentially." },
        {
          text: "It depends on the word",
          why: "The price depends on the head and the distance only; the words are in the dot product.",
        },
      ],
      answer: 1,
    },
    {
      question:
        "BLOOM (see its folded question above) adds $m \\cdot j$, a number that depends on the key’s place alone. Why is that still ALiBi?",
      options: [
        {
          text: "Because softmax sees differences within a row only, and a whole row differs from −m(i − j) by one constant",
          why: "For j up to i, m·j = m·i − m(i − j), and m·i is the same in the whole row. The causal mask hides the keys for which that fails.",
        },
        {
          text: "Because BLOOM has learned slopes",
          why: "Its slopes are the fixed ones of the paper.",
        },
        {
          text: "It is not: far keys get more weight there",
          why: "Larger j is nearer to the query, since the mask hides everything after it. So near keys get more.",
        },
      ],
      answer: 0,
    },
    {
      question:
        "A model with ALiBi was trained on 1024 words, and its loss on 8192 words is just as low. What follows?",
      options: [
        {
          text: "It makes use of all 8192 words",
          why: "The figure shows that nearly all weight stays on near keys unless the words score far higher.",
        },
        {
          text: "Its slopes have adapted to the length",
          why: "The slopes are fixed before training and do not change with the text.",
        },
        {
          text: "It keeps working; whether it uses the far words must be measured separately",
          why: "A low loss is mostly earned nearby. Retrieval from afar needs a test of its own.",
        },
      ],
      answer: 2,
    },
  ],
  sources: [
    {
      cite: "Press, Smith, Lewis, Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation, 2021, section 3; analysis of longer inputs in appendix B",
      url: "https://arxiv.org/abs/2108.12409",
      note: "The slopes for other head counts are those of the authors’ published code.",
    },
    {
      cite: "Raffel et al., Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer (T5), 2019, section 2.1",
      url: "https://arxiv.org/abs/1910.10683",
    },
    {
      cite: "Chi et al., KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation, 2022",
      url: "https://arxiv.org/abs/2205.09921",
    },
    {
      cite: "Chi et al., Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis (Sandwich), 2022",
      url: "https://arxiv.org/abs/2212.10356",
    },
    {
      cite: "Li et al., Functional Interpolation for Relative Positions Improves Long Context Transformers (FIRE), 2023",
      url: "https://arxiv.org/abs/2310.04418",
    },
    {
      cite: "Kazemnejad et al., The Impact of Positional Encoding on Length Generalization in Transformers, 2023",
      url: "https://arxiv.org/abs/2305.19466",
    },
    {
      cite: "BigScience Workshop, BLOOM: A 176B-Parameter Open-Access Multilingual Language Model, 2022",
      url: "https://arxiv.org/abs/2211.05100",
    },
    {
      cite: "Günther et al., Jina Embeddings 2: 8192-Token General-Purpose Text Embeddings for Long Documents, 2023",
      url: "https://arxiv.org/abs/2310.19923",
      note: "The symmetric form, for an encoder.",
    },
  ],
} satisfies ChapterText;
