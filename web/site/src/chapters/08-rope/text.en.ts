// The RoPE chapter: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";
import { further } from "./text.further-en.ts";
import { invent } from "./text.invent-en.ts";

export const en = {
  question: "Turn each word’s query and key like the hands of clocks, and two words know how far apart they are.",
  idea: [
    "A position is a row of clocks, each running at its own speed: hold the clocks of two positions side by side, and they show how far apart the two are. <em>Rotary position embedding</em> (RoPE) takes this literally. The numbers of a query are taken two by two, and so are those of a key. Two numbers are a hand on a dial, and the word’s position turns it.",
    "Drag the bar between the words: both hands turn, and the angle between them stays. Positions reach attention through this angle alone.",
  ],
  hands: {
    heading: "Two hands, one angle",
    paragraphs: [
      "Position $m$ turns the query’s hand, position $n$ the key’s, both at the speed $\\theta_i$ of <span data-link='pair'>pair $i$</span>. The pair’s share of the score is the product of both lengths and the cosine of the angle between the hands:",
      "$$s_i = |q_i|\\,|k_i|\\,\\cos\\bigl(\\varphi_i + (n - m)\\,\\link{pair}{\\theta_i}\\bigr)$$",
      "$\\varphi_i$ is the angle that the words bring along. The positions add $(n - m)\\,\\theta_i$ and nothing else. The score is the sum of all 32 shares.",
    ],
    points: [
      "A <em>fast</em> pair (0, 1, 2) swings to and fro within a few positions: it tells near neighbours apart.",
      "A <em>slow</em> pair hardly moves on this ruler: it can carry what the words mean, almost wherever they stand.",
    ],
    why: [
      {
        title: "Why is only the difference left?",
        paragraphs: [
          "The dot product of two hands depends on their lengths and on the angle between them. A turn changes no lengths. If the query’s hand turns by $m\\theta_i$ and the key’s by $n\\theta_i$, the angle between them grows by $n\\theta_i - m\\theta_i$. With $R_m$ for the turn of all pairs at position $m$:",
          "$$(R_m\\, q) \\cdot (R_n\\, k) = q \\cdot (R_{n-m}\\, k)$$",
        ],
      },
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
      read: "Query at {left}, key at {right}: this pair adds {share} to the score",
      share: "share",
      distance: "key position − query position",
      curveLabel: "Share of this pair in the score, by distance",
      readCurve: "distance {distance}: share {share}",
      strip: "All 32 shares; together they make the score of {score}. Point at one to choose its pair.",
      sharesLabel: "Share of each pair in the score",
      pairName: "pair",
    },
  },
  shift: {
    heading: "Shift everything",
    paragraphs: [
      "Put a long text in front of a sentence: all its positions move up alike. What the words are to one another has not changed.",
    ],
    predict: {
      question: "Whose attention weights change?",
      options: ["RoPE’s", "Those of sinusoids that are added", "Both"],
      answer: 1,
      reveal:
        "An added sinusoid is part of the vector: words meet absolute positions in the dot product, and the weights drift. With RoPE the rounding of 32-bit numbers is left, a few parts in ten million. ALiBi, the next chapter’s, sees distances only, too.",
    },
    figure: {
      title: "The same sentence, further on",
      shows:
        "Four matrices of attention weights for the sentence at shifted positions, and below each the largest change of a weight.",
      slider: "Positions moved up by",
      change: "Largest change of a weight",
      exact: "exactly 0",
    },
    points: [
      "<em>RoPE shows attention distances only.</em> And at a distance that training never showed? <a href='./babble.html'>Then the model babbles</a>: why, and how to repair it, in ten minutes.",
    ],
  },
  invent,
  apart: {
    heading: "Far apart",
    paragraphs: [
      "With distance the fast hands point anywhere and cancel out; only the slow ones still agree. So scores fall as words move apart, it is often said: <em>long-term decay</em>. Drag the words. Then switch on word vectors with mean zero: that takes away the part which all word vectors of this page have in common.",
    ],
    predict: {
      question: "Without that part, does the score of two different words still fall with distance, on average?",
      options: ["Yes", "No", "It grows"],
      answer: 1,
      reveal:
        "Different words then have nothing in common, and their average score is about 0 at any distance. A word with itself still decays. What decays is the agreement of query and key.",
    },
    points: [
      "The first curve is not symmetric: as a rule, where query and key differ, RoPE tells <em>before</em> from <em>after</em>.",
      "Decay need not be why RoPE works. Barbero and others (2024) show that a head can be made to prefer any distance. In the model they studied, fast pairs make heads that look at a position, such as the word before; slow pairs carry meaning.",
    ],
    figure: {
      title: "Two words on a ruler, and their score",
      shows:
        "A ruler with a query and a key that can be dragged, the score of the two, its curve over all distances, and the average score of many words by distance.",
      query: "Query",
      key: "Key",
      both: "Both words",
      zeroMean: "Word vectors with mean zero",
      score: "score",
      ruler: "Query “{query}” at {left}, key “{key}” at {right}: distance {distance}, score {score}",
      curveTitle: "These two words",
      curveLabel: "Score of these two words by distance",
      distance: "key position − query position",
      readCurve: "distance {distance}: score {score}",
      meanTitle: "Average of 100 pairs of words",
      meanLabel: "Average score of 100 pairs of words by distance",
      meanDistance: "distance",
      kinds: { same: "a word with itself", different: "two different words" },
    },
  },
  ...further,
  code: {
    paragraphs: [
      "Rotates one query and one key, with the places of the two words on the ruler and the base, as you have set them above, and shows that a common shift changes nothing.",
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
        "“Which numbers make a pair?” names two layouts. A model was trained interleaved and is run with the half layout, queries and keys alike. What do you see?",
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
      note: "Equations 13 to 16 define the rotation; section 3.4.1 derives it, 3.4.3 discusses the decay with distance.",
    },
    {
      cite: "Su, Transformer升级之路：2、博采众长的旋转式位置编码, 2021",
      url: "https://kexue.fm/archives/8265",
      note: "The derivation, in Chinese.",
    },
    {
      cite: "Barbero et al., Round and Round We Go! What makes Rotary Positional Encodings useful?, 2024",
      url: "https://arxiv.org/abs/2410.06205",
      note: "What the quick and the slow pairs are used for, and why decay is not the point.",
    },
    {
      cite: "Men et al., Base of RoPE Bounds Context Length, 2024",
      url: "https://arxiv.org/abs/2405.14591",
      note: "The sum of cosines, and the bounds that follow from it.",
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
    {
      cite: "Yang et al., Baichuan 2: Open Large-scale Language Models, 2023",
      url: "https://arxiv.org/abs/2309.10305",
      note: "RoPE in the 7B model, ALiBi in the 13B model.",
    },
    {
      cite: "THUDM, ChatGLM-6B, 2023",
      url: "https://huggingface.co/THUDM/chatglm-6b",
      note: "Two positions for each token.",
    },
    { cite: "Qwen Team, Qwen2.5 Technical Report, 2024", url: "https://arxiv.org/abs/2412.15115" },
    {
      cite: "DeepSeek-AI, DeepSeek-V2, 2024",
      url: "https://arxiv.org/abs/2405.04434",
      note: "Latent attention and decoupled RoPE.",
    },
  ],
} satisfies ChapterText;
