// The chapter on long contexts: English.
import type { ChapterText } from "../../lib/chapter-text.ts";
import { arenaEn } from "./text.arena-en.ts";
import { digitsEn } from "./text.digits-en.ts";
import { farEn } from "./text.far-en.ts";
import { shaderEn } from "./text.shader-en.ts";
import { learnersEn } from "./text.learners-en.ts";
import { needleEn } from "./text.needle-en.ts";

export const en = {
  question:
    "All of these models were trained on texts of 256 characters. Now they read sixteen times as much: which of them go on, and which <strong>remember</strong>?",
  idea: [
    "RoPE marks a position by a row of clock hands, some quick, some slow. Beyond the 256 characters of its training it loses the thread at once: <strong>its slow clocks reach angles that they never showed in training</strong>; the quick ones have shown every angle. Rules such as <em>YaRN</em> slow the slow clocks and leave the quick ones alone; <em>SelfExtend</em> counts far as near. Going on beyond the trained length is called <em>length extrapolation</em>.",
    "But what is a low loss worth? The losses of the <em>window</em> and SelfExtend all but coincide. But the window finds no needle more than 256 characters back, as it does not look there. <strong>A flat loss is not a long memory.</strong>",
  ],
  arena: arenaEn,
  needle: needleEn,
  unseen: {
    heading: "Clocks past what they saw",
    paragraphs: [
      "A position is a row of clocks, each running at its own speed: hold the clocks of two positions side by side, and they show how far apart the two are. RoPE turns each pair of numbers by one of the clocks. Here is a larger model, trained on texts of 4096 tokens (words or parts of words; the arena’s models count characters). Now two words stand 9000 apart.",
    ],
    predict: {
      question: "Which clocks stand at an angle that they never showed in training?",
      options: ["the quick ones", "the slow ones", "all of them"],
      answer: 1,
      reveal:
        "A quick clock went round hundreds of times in every training text: it has shown every angle. A slow one never came round.",
    },
    points: [
      "<em>The shaded sector</em> is what a clock has shown in training. Slow hands leave it, and they break the model, though the quick ones turn much farther.",
      "<em>Choose a rule</em>, and the slow hands come back.",
    ],
    why: [
      {
        title: "How often does a clock go round?",
        paragraphs: [
          "In a training text of $L_0$ tokens, pair $i$ with wavelength $\\lambda_i = 2\\pi/\\theta_i$ makes this many turns; where they are less than 1, the pair has seen a part of its circle only:",
          "$$\\link{turns}{r_i} = \\frac{L_0}{\\lambda_i} = \\frac{L_0\\,\\theta_i}{2\\pi}$$",
        ],
      },
      {
        title: "Why does the curve of scores look so harmless?",
        paragraphs: [
          "That curve is folded under the dials. It is a plain mean over all pairs, which has no surprises in store. A model’s score is not: its weights have set the slow pairs off against each other on the sectors they know. Chen and others show how scores explode right behind them, and prove a bound for interpolation that is some 600 times smaller. PI’s curve is the trained one, pulled apart; YaRN’s starts higher, as it makes attention sharper.",
        ],
      },
    ],
    figure: {
      title: "Known and unknown angles",
      shows:
        "Six dials with the sector of angles known from training and a hand at the present angle; folded below, the score of equal vectors by distance, with the trained length marked.",
      guide:
        "Each dial is one clock, from the quickest on the left to the slowest. Shaded = where its hand stood in training. Hand = where it stands at this distance; outside of the shaded sector it is dashed, and its dial says “new”.",
      rule: "Rule",
      rules: { rope: "none", "rope-linear": "PI", "rope-ntk": "NTK", "rope-yarn": "YaRN", "rope-llama3": "Llama 3.1" },
      distance: "Distance",
      length: "Trained length L₀",
      factor: "Factor s",
      base: "Base b",
      pair: "pair {pair}",
      turns: "{turns} turns in training",
      known: "known",
      unknown: "new",
      count: "At this distance {count} of {pairs} clocks stand at an angle never seen in training.",
      countNone: "No clock stands at an angle never seen in training, at this distance.",
      more: "Lengths and factor, and the scores that come of them",
      trainedMark: "trained",
      chartTitle: "Score of equal vectors by distance",
      chartLabel: "Score of equal vectors by distance, trained frequencies and the chosen rule",
      plain: "trained frequencies",
      scaled: "with {rule}",
      score: "score",
      distanceAxis: "distance",
      read: "distance {distance}: {values}",
      table: "Angles at distance {distance}",
      columns: {
        pair: "pair",
        turns: "turns in training",
        angle: "angle now, radians",
        seen: "largest angle in training",
        state: "known?",
      },
    },
  },
  choose: {
    heading: "How to choose",
    paragraphs: [
      "<em>A published model</em>: the rule and the factor in its config. It was trained or tuned with them.",
      "<em>Longer texts without training</em>: YaRN with the smallest factor that is enough, or dynamic NTK, whose base grows with the text; or SelfExtend and ReRoPE, where the program has them.",
      "<em>Some training is possible</em>: train on with the rule. In the arena 300 steps with YaRN ×4 were enough for a loss of 1.00 nats at 1024 characters, with every needle found.",
      "<em>A stream that need not remember</em>: a window, with the first few tokens kept in sight: trained models rest much of their attention on those.",
      "In each case, test what it remembers, and not its loss alone. The same story in ten minutes, with one model and six guesses: <a href='./babble.html'>Why does my model babble after 4096 tokens?</a>",
    ],
  },
  lab: {
    heading: "What the rules do to the clocks",
    paragraphs: [
      "<strong>Quick clocks run on, slow clocks are slowed</strong> (high frequencies extrapolate, low ones interpolate). A quick clock has shown every angle, and it tells neighbours apart. A slow clock has to be slowed by the factor $\\link{factor}{s}$ by which texts become longer, so that its hand stays in its sector. The rules differ in where they draw the line.",
    ],
    points: [
      "<em>Position interpolation</em> (PI) slows all clocks: nothing new turns up, but neighbours stand closer together than ever in training.",
      "<em>NTK-aware</em> scaling takes a larger base. The first clock stays, the last slows by $s$, the others lie between.",
      "<em>YaRN</em> and <em>Llama 3.1</em> count turns: a clock that often went round stays, one that never did slows by $s$. <em>NTK-by-parts</em> came before YaRN and is much like it; <em>LongRoPE</em> has a divisor for each clock, found by search.",
      "<em>Not every remedy slows clocks down.</em> SelfExtend and ReRoPE leave the speeds alone and count far distances as near ones. Some models are trained on with a <em>smaller</em> base, so that every clock comes round. Others have layers without positions.",
    ],
    why: [
      {
        title: "The rules as formulas",
        paragraphs: [
          "Each rule but LongRoPE multiplies the frequency of pair $i$ by some $\\link{ratio}{\\rho_i}$ between $1/s$ and 1:",
          "$$\\theta_i' = \\link{ratio}{\\rho_i}\\,\\theta_i, \\qquad \\tfrac{1}{\\link{factor}{s}} \\le \\link{ratio}{\\rho_i} \\le 1$$",
          "PI takes $\\rho = 1/s$ for all. NTK-aware scaling enlarges the base to $b \\cdot s^{d/(d-2)}$. YaRN and Llama 3.1 blend, by the turns $r_i$ from above:",
          "$$\\link{ratio}{\\rho_i} = \\gamma_i + \\frac{1 - \\gamma_i}{\\link{factor}{s}}, \\qquad \\gamma_i = \\begin{cases} 1 & \\quad \\link{turns}{r_i} \\gg 1 \\\\ 0 & \\quad \\link{turns}{r_i} < 1 \\end{cases}$$",
          "YaRN goes from 32 turns to 1, in its paper along the number of turns, in its published code and in transformers along the number of the pair; Llama 3.1 goes from 4 turns to 1 along the number of turns. NTK-by-parts, a step on the way to YaRN, goes from 16 turns to 0.75 in its authors’ code, by way of NTK-aware scaling. LongRoPE has no formula: a search finds one divisor for each pair, one list for short texts and one for long. For Phi‑3 they climb in leaps, and for a factor of 32 end above 64.",
        ],
      },
      {
        title: "Is a larger base not enough?",
        paragraphs: [
          "It is the other way, and the model is trained with it: Code Llama went on training with $10^6$, Llama 3 had 500 000. Many more pairs then never come round, and the model has learned to live with that.",
        ],
      },
    ],
    figure: {
      title: "The scaling lab",
      shows:
        "Two line charts over the pairs: by what each rule multiplies the frequency of a pair, and the wavelengths before and after on a logarithmic scale with lines at the trained and at the extended length.",
      guide:
        "From left to right: clocks from the quickest to the slowest. A line shows by what a rule multiplies each clock’s speed; 1 = left alone.",
      models: "A published model",
      more: "Wavelengths, published models, width of a head",
      rule: "Rule",
      rules: {
        "rope-linear": "PI",
        "rope-ntk": "NTK",
        "rope-ntk-by-parts": "NTK-by-parts",
        "rope-yarn": "YaRN",
        "rope-llama3": "Llama 3.1",
        "rope-longrope": "LongRoPE",
      },
      factor: "Factor s",
      length: "Trained length L₀",
      base: "Base b",
      dim: "Head width d",
      others: "Draw the other rules, too",
      longrope:
        "LongRoPE’s divisors were found by search, for one model: these are for Phi‑3 mini, with d = 96, b = 10 000, L₀ = 4096 and s = 32. The width stays at 96 here; for other values nobody has searched.",
      ratioTitle: "New frequency / old frequency",
      ratioLabel: "Ratio of new to old frequency by pair, one line for each rule",
      ratio: "ratio",
      pair: "pair",
      readRatio: "pair {pair}: {turns} turns in training; {values}",
      waveTitle: "Wavelengths",
      waveLabel: "Wavelength of each pair in tokens, before and after",
      wave: "tokens per turn",
      plain: "as trained",
      trained: "L₀",
      extended: "s · L₀",
      readWave: "pair {pair}: one turn in {plain} tokens as trained, in {scaled} with {rule}",
      summary:
        "{never} of {pairs} pairs never came round in training: at some greater distance each of them is at a new angle. {rule}: {runs}.",
      changes: { unchanged: "unchanged", blended: "blended", slowed: "slowed by s", faster: "faster", still: "still" },
      run: "{pairs} {change}",
      comma: ", ",
      table: "Pairs under {rule}",
      columns: {
        pair: "pair",
        turns: "turns in L₀",
        plain: "wavelength as trained",
        scaled: "wavelength now",
        ratio: "ratio",
      },
    },
  },
  learners: learnersEn,
  digits: digitsEn,
  dynamic: {
    heading: "A rule that follows the length",
    paragraphs: [
      "A fixed factor changes short texts as well, for which nothing was wrong. <strong>Dynamic NTK</strong> leaves them alone. Up to $L_0$ tokens nothing happens; beyond, the base grows with the length $L$ of the text:",
      "$$b' = b \\left(\\frac{\\link{factor}{s}\\,\\link{length}{L}}{L_0} - (\\link{factor}{s} - 1)\\right)^{d/(d-2)}$$",
      "With $s = 1$ the bracket is $L/L_0$: the last pair slows by just as much as the text has grown. That is the rule of the YaRN paper; a larger $s$, which the Transformers library allows, makes it steeper.",
      "But now an angle depends on how long the text has become, and the keys in the cache were turned when it was shorter. Use them as they are, and query and key no longer speak of the same clocks.",
    ],
    points: [
      "<em>Left of the trained length</em> all lines are at 1. To the right the slow pairs fall most.",
      "<em>Let the text grow</em> and leave the keys as they were cached: their scores leave the true curve. Near keys are no better off than far ones, for what counts is the place at which they were turned, and that is far along.",
      "<em>Turn them again</em>: each key is turned on by the difference of its old and its new angle, in one pass over the cache. The result lies on the true curve, down to rounding.",
      "<em>LongRoPE</em> has the same problem once, where the text passes $L_0$ and the list changes. The Transformers library’s Phi‑3 throws the cache away at that moment and computes all keys anew.",
      "<em>Documents as files</em>: keys that can be turned again need not be computed again. <a href='./documents.html'>A page beside the chapters</a> keeps those of three texts as files and puts them together in any order.",
    ],
    figure: {
      title: "Frequencies that depend on the length, and the keys in the cache",
      shows:
        "A line chart of the frequencies of five pairs, relative to training, by length of the text; and the scores of a query with cached keys by distance: left as they were, turned again, and computed anew.",
      factor: "Factor s",
      cached: "Keys cached at",
      now: "The text now has",
      tokens: "{count} tokens",
      frequencyTitle: "Frequencies by length of the text",
      frequencyLabel: "Frequency relative to training by length of the text, five pairs",
      length: "length of the text",
      frequency: "frequency, relative",
      pair: "pair {pair}",
      readFrequency: "{length} tokens: {values}",
      scoreTitle: "Scores of the last token with the cached keys",
      scoreLabel: "Score by distance: cached keys left as they were, turned again, computed anew",
      distance: "distance",
      score: "score",
      stale: "left as cached",
      turned: "turned again",
      fresh: "computed anew",
      entry: "{name}: {value}",
      readScore: "distance {distance}: {values}",
      result: "Largest error of a score: {stale} with the keys left as they were, {turned} after turning them again.",
      trainedMark: "trained",
      nowMark: "now",
      table: "Scores by distance",
    },
  },
  ...farEn,
  shader: shaderEn,
  code: {
    paragraphs: [
      "How many pairs never came round, what each rule does to them, and how far off float32 is at a million. The numbers at the top are those of the lab.",
    ],
  },
  quiz: [
    {
      question:
        "Position interpolation with factor 8. The angle of pair 0 between two neighbouring tokens used to be 1 radian. What is it now?",
      options: [
        { text: "8 radians", why: "Interpolation slows down; it does not speed up." },
        {
          text: "1/8 radian",
          why: "Every frequency is divided by 8, also that of the quick pairs. That is why fine-tuning is needed, and why later rules spare the quick pairs.",
        },
        {
          text: "1 radian, only slow pairs change",
          why: "That is the idea of NTK-by-parts, YaRN and Llama 3.1. Interpolation treats all pairs alike.",
        },
      ],
      answer: 1,
    },
    {
      question: "Which pairs get into trouble first when a text becomes longer than in training?",
      options: [
        {
          text: "The quick ones, as they turn the farthest",
          why: "They have been all round the circle: every angle is known to them.",
        },
        {
          text: "All of them alike",
          why: "The dials show the difference: what counts is whether a pair came round in training.",
        },
        {
          text: "The slow ones, which have seen a part of the circle only",
          why: "Their angles beyond the trained length are new to every weight.",
        },
      ],
      answer: 2,
    },
    {
      question:
        "A model was trained on 256 characters. After a change its loss is as low at 4096 characters as before. Does it now remember what stands 2000 characters back?",
      options: [
        {
          text: "Yes: it could not guess so well without the whole text",
          why: "Most characters follow from the last few. A window of 256 guesses them as well.",
        },
        {
          text: "That is open: the needle has to be tried",
          why: "A window and SelfExtend have nearly the same loss. One forgets, the other finds the password.",
        },
        {
          text: "No: nothing helps beyond the trained length",
          why: "SelfExtend, and YaRN with a factor large enough, find passwords much farther back.",
        },
      ],
      answer: 1,
    },
  ],
  sources: [
    {
      cite: "Chen et al., Extending Context Window of Large Language Models via Positional Interpolation, 2023, equation 4",
      url: "https://arxiv.org/abs/2306.15595",
    },
    {
      cite: "Peng et al., YaRN: Efficient Context Window Extension of Large Language Models, 2023, section 3",
      url: "https://arxiv.org/abs/2309.00071",
      note: "Also describes NTK-aware, NTK-by-parts and dynamic scaling, which were first posted in online forums.",
    },
    {
      cite: "Ding et al., LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens, 2024",
      url: "https://arxiv.org/abs/2402.13753",
    },
    {
      cite: "Grattafiori et al., The Llama 3 Herd of Models, 2024",
      url: "https://arxiv.org/abs/2407.21783",
      note: "Base 500 000 is in the paper; the blend between 1 and 4 turns is in the published code and configs of Llama 3.1.",
    },
    {
      cite: "Liu et al., Scaling Laws of RoPE-based Extrapolation, 2023",
      url: "https://arxiv.org/abs/2310.05209",
      note: "Pairs that do, and do not, come round in training.",
    },
    {
      cite: "Rozière et al., Code Llama: Open Foundation Models for Code, 2023",
      url: "https://arxiv.org/abs/2308.12950",
    },
    {
      cite: "Abdin et al., Phi-3 Technical Report, 2024",
      url: "https://arxiv.org/abs/2404.14219",
      note: "LongRoPE in a published model; the lists are in its config.",
    },
    {
      cite: "Su, Transformer升级之路：10、RoPE是一种β进制编码 (RoPE is an encoding in base β), 2023",
      url: "https://kexue.fm/archives/9675",
      note: "Positions as digits; extrapolation, interpolation and the change of base. Mixed bases: <a href='https://kexue.fm/archives/9706'>part 11</a>.",
    },
    {
      cite: "Su, Transformer升级之路：12、无限外推的ReRoPE？ (ReRoPE), 2023",
      url: "https://kexue.fm/archives/9708",
    },
    {
      cite: "Jin et al., LLM Maybe LongLM: SelfExtend LLM Context Window Without Tuning, 2024",
      url: "https://arxiv.org/abs/2401.01325",
    },
    {
      cite: "Xiao et al., Efficient Streaming Language Models with Attention Sinks, 2023",
      url: "https://arxiv.org/abs/2309.17453",
      note: "A window that keeps the first tokens in sight.",
    },
    {
      cite: "Press et al., Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation, 2021",
      url: "https://arxiv.org/abs/2108.12409",
    },
    {
      cite: "Yang et al., RoPE to NoPE and Back Again: A New Hybrid Attention Strategy, 2025",
      url: "https://arxiv.org/abs/2501.18795",
      note: "Layers without positions among layers with RoPE.",
    },
    {
      cite: "EleutherAI, GPT-NeoX, issue 1003, 2023",
      url: "https://github.com/EleutherAI/gpt-neox/issues/1003",
      note: "Angles computed in float16 and bfloat16, and how far off they were.",
    },
    { cite: "DeepSeek-AI, DeepSeek-V3 Technical Report, 2024", url: "https://arxiv.org/abs/2412.19437" },
    {
      cite: "Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding, 2021",
      url: "https://arxiv.org/abs/2104.09864",
    },
  ],
} satisfies ChapterText;
