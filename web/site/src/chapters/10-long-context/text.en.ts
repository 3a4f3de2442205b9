// The chapter on long contexts: English.
import type { ChapterText } from "../../lib/chapter-text.ts";
import { arenaEn } from "./text.arena-en.ts";
import { farEn } from "./text.far-en.ts";
import { learnersEn } from "./text.learners-en.ts";
import { needleEn } from "./text.needle-en.ts";

export const en = {
  question:
    "A model was trained on 4096 tokens, and now it gets 32 768. RoPE can turn its pairs as far as one likes. Why does the model fail all the same, and which turns must be slowed down so that it does not?",
  idea: [
    "RoPE is a row of clocks. The quick ones went round hundreds of times in every training text: whatever angle comes, they have seen it. The slow ones never came round once. In a longer text they reach angles that no weight was ever trained on.",
    "The remedies of this chapter slow clocks down, so that the longer text brings no new angles. They differ in which ones. (There are others: Liu and others train on with a <em>smaller</em> base, so that every clock comes round.) Slow all of them and neighbours stand too close together; slow only those that never came round, and what is near stays sharp.",
    "Two things remain. With more keys to choose from, attention has to become sharper. And far out, at a million tokens, the angles grow too large for 32-bit numbers: the last figure measures by how much.",
  ],
  arena: arenaEn,
  learners: learnersEn,
  needle: needleEn,
  unseen: {
    heading: "Angles nobody has seen",
    paragraphs: [
      "In a training text of $L_0$ tokens two words are at most $L_0 - 1$ places apart. Pair $i$, with wavelength $\\lambda_i = 2\\pi/\\theta_i$, makes this many turns over the length of the text:",
      "$$\\link{turns}{r_i} = \\frac{L_0}{\\lambda_i} = \\frac{L_0\\,\\theta_i}{2\\pi}$$",
      "Where $r_i$ is less than 1, the pair has seen a part of its circle only: the sector drawn on the dial. The hand stands at the angle between a query and a key at the distance you choose. Beyond the trained length the slow hands leave their sectors. Choose a rule, and they come back.",
    ],
    points: [
      "<em>No rule, far distance</em>: quick hands are always on known ground, slow hands are not. It is the slow pairs that break, though quick ones turn much farther.",
      "<em>Position interpolation</em> brings every hand back, at a price: the quick hands make an eighth of their step, too, and neighbours look like the same place. The curve is the trained one, pulled apart.",
      "<em>NTK-aware</em> scaling leaves the first pair alone and slows the last one by all of the factor; some pairs between them still leave their sectors. <em>YaRN</em> and <em>Llama 3</em> let none out. (YaRN’s curve starts higher: more about that below.)",
      "<em>The curve</em> is a plain mean over all pairs, which has no surprises in store. A model’s score is not: its weights have set the slow pairs off against each other on the sectors they know. Chen and others show how scores explode right behind them, and prove a bound for interpolation that is some 600 times smaller.",
    ],
    figure: {
      title: "Known and unknown angles",
      shows:
        "Six dials with the sector of angles known from training and a hand at the present angle; below, the score of equal vectors by distance, with the trained length marked.",
      caption:
        "Shaded sector: angles that occurred in training. A hand outside of it is drawn dashed, and its dial says “new”.",
      rule: "Rule",
      rules: { rope: "none", "rope-linear": "PI", "rope-ntk": "NTK", "rope-yarn": "YaRN", "rope-llama3": "Llama 3" },
      distance: "Distance",
      length: "Trained length L₀",
      factor: "Factor s",
      base: "Base b",
      pair: "pair {pair}",
      turns: "{turns} turns in training",
      known: "known",
      unknown: "new",
      count: "{count} of {pairs} pairs stand at an angle that training never brought.",
      countNone: "No pair stands at an angle that training never brought.",
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
  lab: {
    heading: "Which pairs to slow down",
    paragraphs: [
      "Each rule but the last multiplies the frequency of pair $i$ by some $\\link{ratio}{\\rho_i}$ between $1/s$ and 1, where $s$ is the factor by which texts become longer:",
      "$$\\theta_i' = \\link{ratio}{\\rho_i}\\,\\theta_i, \\qquad \\tfrac{1}{\\link{factor}{s}} \\le \\link{ratio}{\\rho_i} \\le 1$$",
      "<strong>Position interpolation</strong> (PI) takes $\\rho = 1/s$ for all. <strong>NTK-aware</strong> scaling enlarges the base to $b \\cdot s^{d/(d-2)}$: the first pair stays, the last slows by exactly $s$, the others lie between. <strong>YaRN</strong> and <strong>Llama 3</strong> ask how often a pair turned in training, the $r_i$ from above: often, and it stays; less than once, and it is divided by $s$; between, a blend:",
      "$$\\link{ratio}{\\rho_i} = \\gamma_i + \\frac{1 - \\gamma_i}{\\link{factor}{s}}, \\qquad \\gamma_i = \\begin{cases} 1 & \\quad \\link{turns}{r_i} \\gg 1 \\\\ 0 & \\quad \\link{turns}{r_i} < 1 \\end{cases}$$",
      "YaRN goes from 32 turns to 1, in its paper along the number of turns, in its published code and in transformers along the number of the pair; Llama 3 goes from 4 turns to 1 along the number of turns. <strong>NTK-by-parts</strong>, a step on the way to YaRN, goes from 16 turns to 0.75 in its authors’ code, by way of NTK-aware scaling. <strong>LongRoPE</strong> has no formula: a search finds one divisor for each pair, one list for short texts and one for long.",
    ],
    points: [
      "<em>Upper chart</em>: 1 means untouched. PI is a flat line. NTK slopes all the way. YaRN and Llama 3 are steps, and the step stands where pairs stop turning round in the trained length.",
      "<em>Lower chart</em>: pairs above the line $L_0$ never came round in training. PI, YaRN and Llama 3 push them up by the factor $s$, so that in the long text they get as far as they got before, and no farther.",
      "<em>Change the trained length or the base</em>: PI and NTK do not notice. YaRN and Llama 3 move their step.",
      "<em>Take Phi‑3</em>: LongRoPE’s divisors climb in leaps, and for a factor of 32 they end above 64. A search need not look tidy.",
      "<em>A larger base</em> is the other way, and the model is trained with it: Code Llama went on training with $10^6$, Llama 3 had 500 000. Many more pairs then never come round, and the model has learned to live with that.",
    ],
    figure: {
      title: "The scaling lab",
      shows:
        "Two line charts over the pairs: by what each rule multiplies the frequency of a pair, and the wavelengths before and after on a logarithmic scale with lines at the trained and at the extended length.",
      models: "A published model",
      rule: "Rule",
      rules: {
        "rope-linear": "PI",
        "rope-ntk": "NTK",
        "rope-ntk-by-parts": "NTK-by-parts",
        "rope-yarn": "YaRN",
        "rope-llama3": "Llama 3",
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
      summary: "{never} of {pairs} pairs never came round in training. {rule}: {runs}.",
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
          why: "That is the idea of NTK-by-parts, YaRN and Llama 3. Interpolation treats all pairs alike.",
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
        "A program uses dynamic NTK and keeps turned keys in its cache. The text grows beyond the trained length. What should it do?",
      options: [
        {
          text: "Turn the cached keys on from the old to the new angles, or cache them unturned",
          why: "<code>rerotate</code> does the first in one pass.",
        },
        {
          text: "Nothing: RoPE scores depend on distances only",
          why: "Only as long as query and key are turned with the same frequencies. Here they change with the length.",
        },
        {
          text: "Multiply the scores by the attention factor",
          why: "Dynamic NTK has none, and a factor cannot mend wrong angles.",
        },
      ],
      answer: 0,
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
    { cite: "DeepSeek-AI, DeepSeek-V3 Technical Report, 2024", url: "https://arxiv.org/abs/2412.19437" },
    {
      cite: "Su et al., RoFormer: Enhanced Transformer with Rotary Position Embedding, 2021",
      url: "https://arxiv.org/abs/2104.09864",
    },
  ],
} satisfies ChapterText;
