// The RoPE chapter: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";
import { further } from "./text.further-en.ts";

export const en = {
  question:
    "“The dog bites the man” and “the man bites the dog” have the same words. Here you can swap words, shift whole sentences and pull two words apart, and watch which kinds of attention <strong>notice</strong>.",
  idea: [
    "So far, positions were added: to the words, or to their scores. Rotary position embedding (RoPE) adds nothing at all: it <em>turns</em>. Queries and keys are rotated by an angle that grows with their position, just before they are compared.",
    "Two clocks that run at the same speed always keep the same angle between their hands, whatever the time is. In the same way two turned vectors know how far apart they are, and nothing else about where they stand.",
  ],
  swap: {
    heading: "Does attention see the order?",
    paragraphs: [
      "Attention compares every word with every other word: the score of a query $q$ and a key $k$ is the dot product $q \\cdot k$, a softmax turns a row of scores into weights, and each output is the weighted mean of the values. Nothing in that says <em>where</em> a word stands.",
      "Below, one sentence goes through attention four times: without positions, with sinusoidal encoding added to the word vectors, with RoPE, and with ALiBi (the next chapter). Swap two words and see whose output changes.",
    ],
    points: [
      "<em>Without positions</em> the weights move along with the words: each word’s output is what it was, down to rounding. To this attention both sentences are one bag of words.",
      "<em>With positions</em> the outputs change, each method in its own way: sinusoidal and RoPE soften with distance, ALiBi takes off a fixed amount per step, the <em>slope</em> of its head.",
      "<em>ALiBi</em> knows how far, but not which way. Mirror a sentence, as 猫追老鼠 becomes 老鼠追猫, and every distance stays: the outputs do, too. The causal mask, with which ALiBi is used in practice, supplies the direction. Try it.",
      "Switch on the <em>causal mask</em> with no positions: outputs change even now. A word that may only look back learns something about its place from how much it can see.",
    ],
    figure: {
      title: "One sentence, four kinds of attention",
      shows:
        "Four matrices of attention weights for one sentence: without positions, with sinusoidal encoding, with RoPE and with ALiBi. Below each, how far every word’s output has moved since the words were swapped.",
      caption:
        "The word vectors are made up: $64$ numbers, one part shared by all words and one part drawn from the word’s letters, so that the same word always has the same vector. It serves as query, key and value. The stronger the colour, the larger the weight; all four panels share one scale.",
      help: "Drag one word onto another, or press one and then the other. Arrow keys move the focused word.",
      words: "The words, in order",
      sentence: "Your sentence",
      examples: "Examples",
      sentences: ["the dog bites the man", "the cat sat on the mat", "猫 追 老鼠", "我爱你", "狗咬人", "人咬狗"],
      swapEnds: "Swap “{first}” and “{second}”",
      back: "Original order",
      causal: "Causal mask (no looking ahead)",
      head: "ALiBi head",
      headValue: "{head} (slope {slope})",
      methods: {
        none: "No positions",
        sinusoidal: "Sinusoidal",
        rope: "RoPE",
        alibi: "ALiBi",
      },
      methodNotes: {
        none: "words only",
        sinusoidal: "added to the vectors",
        rope: "rotates queries and keys",
        alibi: "a penalty for distance",
      },
      queryName: "query",
      keyName: "key",
      matrixLabel: "Attention weights, {method}: one row per query",
      read: "{query} → {key}: {weight}",
      untouched: "Swap two words to compare.",
      allSame: "Every word’s output is the same as before.",
      someSame: "{changed} of {count} outputs changed.",
      same: "same",
      largest: "largest difference {difference}",
      each: "Change of each word’s output",
    },
  },
  rotate: {
    heading: "Turn, do not add",
    paragraphs: [
      "Rotary position embedding leaves the word vectors alone. It takes the numbers of each query and key in pairs and <em>turns</em> every pair like the hand of a clock. The angle $m\\theta_i$ grows with the position $m$, for each pair $i$ at a speed of its own:",
      "$$\\begin{aligned} x' &= x\\,\\cos(\\link{position}{m}\\theta_i) - y\\,\\sin(\\link{position}{m}\\theta_i) \\\\ y' &= x\\,\\sin(\\link{position}{m}\\theta_i) + y\\,\\cos(\\link{position}{m}\\theta_i) \\end{aligned}$$",
      "The speeds $\\theta_i = \\link{base}{b}^{-2i/d}$ are the frequencies of the sinusoidal encoding, for the $d$ numbers of a head. Write $R_m$ for the turn of all pairs at position $m$. It changes no lengths, and in a dot product of two turned vectors only the <em>difference</em> of the turns is left:",
      "$$(R_m\\, q) \\cdot (R_n\\, k) = q \\cdot (R_{n-m}\\, k)$$",
    ],
    figure: {
      title: "How far six pairs have turned at a position",
      shows:
        "Six dials. On each, a hand shows how far RoPE turns that pair at the chosen position; later pairs turn more slowly.",
      position: "Position m",
      pair: "pair {pair}",
      pairColumn: "pair",
      angle: "angle",
      note: "{angle} per step",
    },
  },
  shift: {
    heading: "Shift everything",
    paragraphs: [
      "Put a long text in front of the sentence: all its positions move up by the same amount. What the words are to one another has not changed, and one would like their attention not to change either.",
    ],
    points: [
      "<em>RoPE and ALiBi</em> see distances only. With RoPE at most the rounding of 32-bit numbers is left: a few parts in ten million, and sometimes nothing at all.",
      "<em>Sinusoidal</em> encoding is part of the vector, so that words meet absolute positions in the dot product, and the weights drift.",
    ],
    figure: {
      title: "The same sentence, further on",
      shows:
        "Four matrices of attention weights for the sentence at shifted positions, and below each the largest change of a weight.",
      slider: "Positions moved up by",
      change: "Largest change of a weight",
      exact: "exactly 0",
    },
  },
  apart: {
    heading: "Pull two words apart",
    paragraphs: [
      "One query, one key, and a ruler. Drag either of them: the score changes. Drag the bar between them: both move, and the score stays where it is.",
    ],
    points: [
      "The first curve is not symmetric: RoPE can tell <em>before</em> from <em>after</em>, unless query and key are alike.",
      "The second curve leaves the words out: it is the mean of $\\cos((n-m)\\,\\theta_i)$ over all pairs. Near is strong, far is weak, with a slow decay.",
      "The words of this page share a part, as if all vectors were $1 + 0.4$ times noise: that is why the first curve decays as well. With vectors whose mean is zero it does not on average, and Barbero and others (2024) argue that decay is not why RoPE works: in the model they studied, quick pairs make heads that look at a position, and slow pairs carry meaning.",
      "A <em>larger base</em> makes the slow pairs slower and the decay longer. That is why models for long texts use $b = 500\\,000$ and more.",
    ],
    figure: {
      title: "Two words on a ruler, and their score",
      shows:
        "A ruler with a query and a key that can be dragged, the score of the two, its curve over all distances, and the mean of cosines by distance.",
      query: "Query",
      key: "Key",
      both: "Both words",
      base: "Base b",
      score: "score",
      ruler: "Query “{query}” at {left}, key “{key}” at {right}: distance {distance}, score {score}",
      curveTitle: "These two words",
      curveLabel: "Score of these two words by distance",
      distance: "key position − query position",
      readCurve: "distance {distance}: score {score}",
      profileTitle: "In general",
      profileLabel: "Mean of the cosines of all pairs by distance",
      profile: "mean of cosines",
      profileDistance: "distance",
      readProfile: "distance {distance}: {score}",
    },
  },
  ...further,
  code: {
    paragraphs: [
      "Rotates one query and one key, with the places and the base that you have set above, and shows that a common shift changes nothing.",
    ],
  },
  quiz: [
    {
      question: "Query and key both move on by 1000 positions. What happens to their score under RoPE?",
      options: [
        {
          text: "Nothing, down to rounding.",
          why: "Both turn on by the same angle, and the dot product sees only the difference of the turns.",
        },
        {
          text: "It decays.",
          why: "The score changes with the distance between the two, and the distance is the same.",
        },
        {
          text: "It becomes random.",
          why: "The angles are large, but their difference is exactly what it was.",
        },
      ],
      answer: 0,
    },
    {
      question: "What does RoPE do to the length of a query vector?",
      options: [
        {
          text: "It grows with the position.",
          why: "A rotation changes directions, not lengths.",
        },
        {
          text: "It stays the same.",
          why: "Every pair is turned, and a turn keeps lengths.",
        },
        {
          text: "It is normalised to 1.",
          why: "Nothing is divided; whatever length there was remains.",
        },
      ],
      answer: 1,
    },
    {
      question: "Why do models for long texts use a base of 500 000 or more?",
      options: [
        {
          text: "To make computation cheaper.",
          why: "The cost is the same for every base.",
        },
        {
          text: "So that the slow pairs turn more slowly and far distances stay distinct.",
          why: "With a larger base the slow wavelengths exceed the context, and the decay reaches further.",
        },
        {
          text: "Because float32 cannot hold smaller bases.",
          why: "It can hold any of them.",
        },
      ],
      answer: 1,
    },
    {
      question:
        "A model was trained interleaved and is run with the half layout, queries and keys alike. What do you see?",
      options: [
        {
          text: "An error, because the shapes do not fit.",
          why: "Both layouts have the same shapes; nothing complains.",
        },
        {
          text: "Scores that still depend on the distance only, but are not those of training.",
          why: "Both turn alike, so distances are all that counts. But other numbers are paired, and each pair turns at another speed.",
        },
        {
          text: "The same scores, as the order of the terms in a dot product does not matter.",
          why: "That is true only if the weights are permuted, too: then the pairs are the same again.",
        },
      ],
      answer: 1,
    },
  ],
  sources: [
    {
      cite: "Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding, 2021, section 3",
      url: "https://arxiv.org/abs/2104.09864",
      note: "Equations 13 to 16 define the rotation; section 3.4.3 discusses the decay with distance.",
    },
    {
      cite: "Barbero et al., Round and Round We Go! What makes Rotary Positional Encodings useful?, 2024",
      url: "https://arxiv.org/abs/2410.06205",
      note: "What the quick and the slow pairs are used for, and why decay is not the point.",
    },
    {
      cite: "Press et al., Train Short, Test Long (ALiBi), 2021",
      url: "https://arxiv.org/abs/2108.12409",
    },
    {
      cite: "Grattafiori et al., The Llama 3 Herd of Models, 2024, section 3.2",
      url: "https://arxiv.org/abs/2407.21783",
      note: "A base of 500 000 for long contexts.",
    },
    {
      cite: "Black et al., GPT-NeoX-20B: An Open-Source Autoregressive Language Model, 2022, section 2.1.1",
      url: "https://arxiv.org/abs/2204.06745",
      note: "Rotary embedding of the first quarter of each head’s dimensions.",
    },
    {
      cite: "Wang, Komatsuzaki, GPT-J-6B, 2021",
      url: "https://github.com/kingoflolz/mesh-transformer-jax",
      note: "Interleaved pairs, 64 of the 256 dimensions of a head.",
    },
    {
      cite: "Hugging Face, convert_llama_weights_to_hf.py, function permute",
      url: "https://github.com/huggingface/transformers/blob/main/src/transformers/models/llama/convert_llama_weights_to_hf.py",
      note: "Llama’s interleaved weights, reordered for the half layout.",
    },
  ],
} satisfies ChapterText;
