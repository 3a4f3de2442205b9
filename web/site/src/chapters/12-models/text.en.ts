// The chapter on published models: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";
import { names } from "./names.en.ts";
import { furtherEn } from "./text.further-en.ts";

export const en = {
  question:
    "So many ways to say where a word stands: <strong>which of them do the models that we use have</strong>, and why those?",
  idea: [
    "Every mark is a model, at the year of its source; shape and colour tell its positions. The story in short: fixed waves at first; then tables of learned rows, as long as texts were short; relative biases, where length mattered; and since about 2021 rotation, which needs no parameters, looks at distances, and can be stretched afterwards.",
    "A position is a row of clocks, then, in most language models of today. They differ in how fast their clocks run, and in whether the slow ones were slowed down further for long texts.",
  ],
  atlas: {
    heading: "An atlas of models",
    paragraphs: [
      "Search for a name, a maker or a method, filter, or walk through the marks with the arrow keys. The encoding of each model is read from its configuration by posenc, where one is published.",
    ],
    figure: {
      title: "Models and their encodings, 2017 to today",
      shows:
        "A timeline with one column per year and one mark per model, stacked; shape and colour stand for the group of the encoding. Below it a list of the models that match the search, and the details of the chosen one.",
      search: "Search",
      searchHint: "name, family, encoding …",
      family: "Family",
      kind: "Encoding",
      modality: "Works on",
      all: "all",
      modalities: { text: "text", image: "images, video", "image-text": "text and images", audio: "sound" },
      groups: {
        waves: "sinusoids, fixed waves",
        learned: "learned table",
        relative: "biases, relative",
        rope: "RoPE",
        scaled: "RoPE, scaled",
        axes: "RoPE, several axes",
      },
      timelineLabel: "Models by year. Left and right arrow: the previous and next model; Page Up and Page Down: a year",
      mark: "{name}, {year}: {kind}",
      shown: "{count} of {all} models",
      nothing: "No model matches. Take back a filter or shorten the search.",
      methods: "Methods that posenc has and none of these models uses",
      reset: "Show all",
      listLabel: "Models that match",
      help: "Click a mark or a line of the list. In the timeline the arrow keys go from model to model.",
      year: "Year",
      context: "made for {count} positions",
      contextNone: "no length given",
      checked: "Its numbers were checked against {where}.",
      unchecked: "Taken from memory of the published files, with no reference to compare with: {what}.",
      vector: "reference vectors of the original code",
      uncheckedWhat: { spec: "the encoding", contextLength: "the length" },
      source: "Source: ",
      part: "Part shown: {part}",
      useConfig: "Explain its config.json below",
      tableCaption: "Models that match",
      tableColumns: { model: "model", year: "year", kind: "encoding", context: "positions", source: "source" },
      countCaption: "Models by year and group",
    },
    points: [
      "Choose <em>learned table</em>: BERT, GPT‑2, ViT. After 2022 they are nearly gone from new language models; image encoders, where a grid has a fixed size and can be resized, kept them longer.",
      "<em>Sinusoids</em> come back outside of text: Whisper’s encoder, the time steps of diffusion models, MAE.",
      "<em>RoPE</em> enters the large language models with GPT-J in 2021 and, with Llama in 2023, becomes the rule. From then on models differ mostly by base and by <em>scaling</em>: Code Llama, YaRN, Llama 3.1, DeepSeek‑V3. (The mark in 2020 is a speech model, at the year of its paper; a later version of the paper added it.)",
      "Among the last shapes to appear are rotations over <em>several axes</em>, for images, video and mixed sequences.",
    ],
    why: [
      {
        title: "Why does it matter how often a clock turns?",
        paragraphs: [
          "A pair of wavelength $\\link{wavelength}{\\lambda_i}$ has, after $\\link{context}{L}$ positions, made",
          "$$\\text{turns}_i = \\frac{\\link{context}{L}}{\\link{wavelength}{\\lambda_i}}, \\qquad \\lambda_i = \\frac{2\\pi}{\\theta_i}$$",
          "turns. Pairs with less than one full turn never repeat inside the context: they can tell the beginning of a text from its end. Models for long texts raise the base, or slow pairs down, to have enough of those.",
        ],
      },
    ],
  },
  choose: {
    heading: "Which one should I take?",
    paragraphs: [
      "There is no best encoding, but there are good beginnings. Say what the model is for. The answer is posenc’s own suggestion with its reason, and the models of the atlas that made the same choice.",
    ],
    figure: {
      title: "What is it for?",
      shows:
        "A choice of nine tasks. For the chosen one: the recommended encoding with its reason, code that makes it, what would do as well, and the models of the atlas that use it.",
      question: "The model is to …",
      recommended: "Recommended",
      reason: "Why",
      code: "In posenc",
      alternatives: "Would do as well",
      models: "{count} models of the atlas are of this family",
      show: "Show {name} in the atlas",
      table: "Recommendations",
      columns: { use: "task", kind: "encoding", alternatives: "alternatives", models: "models" },
    },
    points: [
      "A new language model today would start with <em>RoPE</em> and a large base, because everything around it, from caches to scaling rules, is made for that.",
      "If you have a trained model, the choice is made: change its encoding and you have to train again. Only the <em>scaling rules</em> were made to be added afterwards.",
    ],
    why: [
      {
        title: "“ALiBi or RoPE for long texts”: what common advice leaves out",
        paragraphs: [
          "Introductions often end with such a table. <em>Short texts, such as classification: learned.</em> True, up to the last row of the table; a longer text has no rows at all.",
          "<em>Long texts: RoPE or ALiBi, of unlimited length.</em> Neither is. RoPE’s loss rises right behind the trained length unless its clocks are slowed down, and ALiBi’s stays flat while it no longer looks that far: both are measured in the <a href='./long-context.html#figure-arena'>arena</a>.",
          "<em>Distances: relative.</em> RoPE and ALiBi are relative, too; what the advice means are learned biases or vectors, as in T5.",
          "<em>Small and light: ALiBi.</em> It has no parameters; neither have RoPE and sinusoids. It needs a score to add to, which not every fast attention kernel offers.",
          "<em>Must run anywhere: sinusoidal.</em> Its table has a row for any position. Whether a model copes with rows that it was not trained on is another question, and usually it does not.",
        ],
      },
    ],
  },
  config: {
    heading: "Read a config.json",
    paragraphs: [
      "A model’s configuration says what its positions are: <code>rope_theta</code> is the base, <code>rope_scaling</code> (or <code>rope_parameters</code>) the rule that stretches it, <code>max_position_embeddings</code> the length. Paste one, or take an example: posenc reads it, explains it and compares it with another model. Nothing that you paste leaves this page.",
      'The <a href="./inspector.html">inspector</a>, a page of its own, goes through a model layer by layer and reads .onnx files, too.',
    ],
    predict: {
      question: "Llama 2 has a rope_theta of 10 000, Llama 3 one of 500 000. How do the clocks of Llama 3 differ?",
      options: ["all run faster", "the slow ones run slower still", "there are more of them"],
      answer: 1,
      reveal:
        "The first clock keeps its speed, and each one after it is slowed down more than the one before. Take Llama 3.1 8B among the examples and look at the curve.",
    },
    figure: {
      title: "What do these fields mean?",
      shows:
        "A text field with a config.json, and beside it what posenc makes of it: the kind of encoding, its numbers, for rotations a curve of how long each pair takes to turn once; below, what differs from another model.",
      input: "config.json",
      examples: "Examples",
      part: "Part of the model",
      parts: {
        whole: "as a whole",
        full_attention: "layers that see everything",
        sliding_attention: "layers with a window",
        vision: "image encoder",
        decoder: "decoder",
        stage1: "stage 1",
      },
      versus: "Compare with",
      explained: "What it means",
      difference: "Against {name}",
      notJson: "This is not valid JSON yet.",
      empty: "Paste a config.json, or choose an example.",
      refused: "posenc cannot tell the encoding from these fields. It says:",
      hints: {
        "invalid-argument": "A field is missing or contradicts another one. Compare with an example above.",
        unsupported: "This form of positions is not known to posenc.",
        "invalid-spec": "A number is outside of what the encoding allows.",
        other: "Something else went wrong.",
      },
      verdicts: {
        yes: "Interchangeable: both compute the same numbers.",
        scores: "Interchangeable for scores: attention sees the same, although the vectors differ.",
        permuted: "Interchangeable once the rows of the query and key weights are put into the other order.",
        causal: "Interchangeable under a causal mask.",
        no: "Not interchangeable: a trained model needs its own.",
      },
      fields: { field: "field", own: "this config", other: "{name}", most: "where they differ most" },
      none: "–",
      list: "{count} numbers",
      tableCaption: "What posenc reads",
    },
    points: [
      "Take <em>Qwen2.5 with YaRN</em> and compare it with plain Qwen2.5: the fast pairs are untouched, the slow ones turn at a quarter of their speed, and scores are multiplied by about 1.3.",
      "Delete a field, such as <code>hidden_size</code>: the message names what is missing. A model with two kinds of layers, such as Gemma 3, has <em>two</em> encodings: choose the part.",
    ],
  },
  ...furtherEn,
  explained: {
    spec: "The encoding as a spec",
    summary: "In words",
    rows: {
      kind: "Encoding",
      head: "Features that turn",
      headValue: "{turning} of {dim} in a head",
      pairs: "Pairs",
      pairing: "Layout",
      pairings: {
        half: "first half with second half",
        interleaved: "neighbours",
        "interleaved-to-half": "neighbours in, halves out",
      },
      base: "Base",
      wavelengths: "Wavelengths",
      wavelengthsValue: "{first} to {last} positions",
      turning: "Turn at least once",
      turningValue: "{count} of {pairs} pairs in {length} positions",
      unchanged: "Unchanged",
      blended: "Blended",
      slowed: "Slowed down",
      faster: "Turn faster",
      still: "Stand still",
      run: "pairs {span}",
      runRatio: "pairs {span}, speed × {high} to {low}",
      runOne: "pairs {span}, speed × {low}",
      magnitude: "Scores are multiplied by",
      dim: "Features",
      rows: "Rows",
      rowsValue: "{count} positions, no more",
      shiftable: "A shift is a rotation",
      yes: "yes",
      heads: "Heads",
      slopes: "Slopes",
      slopesValue: "{first} to {last}",
      half: "A key’s weight halves after",
      halfValue: "{first} to {last} positions, by head",
      learned: "Learned numbers",
      regime: "From {from} positions on",
    },
    chart: "How long each pair takes to turn once",
    pair: "pair",
    wavelength: "wavelength",
    contextLine: "context",
    read: "pair {pair}: once in {wavelength} positions",
    biasChart: "What three heads add to the score of a key, by its distance",
    head: "head {head}",
    distance: "distance back",
    bias: "bias",
    working: "Computing …",
  },
  names,
  code: {
    paragraphs: [
      "The atlas as data, a configuration explained and compared, and a recommendation: <code>posenc/models</code> needs no WebAssembly and no network.",
    ],
  },
  quiz: [
    {
      question: "A config.json has rope_theta 10000, head width 128 and no rope_scaling. What is its encoding?",
      options: [
        {
          text: "Sinusoids with base 10 000, added to the words",
          why: "The same frequencies, but rope_theta is the base of a rotation: queries and keys turn.",
        },
        {
          text: "Plain RoPE with 64 pairs",
          why: "Theta is the base, 128 features make 64 pairs, and nothing is scaled.",
        },
        {
          text: "A learned table of 10 000 rows",
          why: "The base is no length. Learned tables are told by max_position_embeddings alone.",
        },
      ],
      answer: 1,
    },
    {
      question:
        "Two models agree in every number, but one pairs neighbouring features and the other the first half with the second (chapter 8, “Which numbers make a pair?”). Can they share weights?",
      options: [
        {
          text: "Yes, as they are",
          why: "The wrong features would turn together: scores would be wrong, without any error.",
        },
        {
          text: "Yes, once the rows of the query and key weights are permuted",
          why: "That only renames the features of each head. posenc has permuteWeights for it.",
        },
        {
          text: "No, never",
          why: "The rotation is the same up to the order of the features, and that order can be changed in the weights.",
        },
      ],
      answer: 1,
    },
    {
      question: "Why did language models give up learned tables, while image encoders kept them longer?",
      options: [
        {
          text: "Images have more positions than texts",
          why: "The other way round: a picture has a few hundred patches, a text may have a hundred thousand tokens.",
        },
        {
          text: "Learned tables cannot be trained on text",
          why: "BERT and GPT-2 were trained with them and worked well, up to their last row.",
        },
        {
          text: "A grid can be resized; a text simply goes on past the last row",
          why: "A larger picture is the same scene in finer steps, a longer text is more text.",
        },
      ],
      answer: 2,
    },
  ],
  sources: [
    {
      cite: "Vaswani et al., Attention Is All You Need, 2017, section 3.5",
      url: "https://arxiv.org/abs/1706.03762",
      note: "sinusoids",
    },
    {
      cite: "Devlin et al., BERT, 2018, appendix A.2",
      url: "https://arxiv.org/abs/1810.04805",
      note: "learned positions",
    },
    {
      cite: "Raffel et al., T5, 2019, section 2.1",
      url: "https://arxiv.org/abs/1910.10683",
      note: "a bias for each bucket of distances",
    },
    { cite: "Su et al., RoFormer, 2021, section 3", url: "https://arxiv.org/abs/2104.09864", note: "RoPE" },
    {
      cite: "Press et al., Train Short, Test Long, 2021, section 3",
      url: "https://arxiv.org/abs/2108.12409",
      note: "ALiBi",
    },
    {
      cite: "Touvron et al., LLaMA, 2023, section 2.2",
      url: "https://arxiv.org/abs/2302.13971",
      note: "RoPE in place of absolute positions",
    },
    { cite: "Peng et al., YaRN, 2023, section 3", url: "https://arxiv.org/abs/2309.00071", note: "scaling rules" },
    {
      cite: "Llama Team, The Llama 3 Herd of Models, 2024, section 3.2",
      url: "https://arxiv.org/abs/2407.21783",
      note: "base 500 000",
    },
    { cite: "Wei et al., NEZHA, 2019", url: "https://arxiv.org/abs/1909.00204", note: "sinusoids of distances" },
    {
      cite: "Bai et al., Qwen Technical Report, 2023",
      url: "https://arxiv.org/abs/2309.16609",
      note: "dynamic NTK, LogN",
    },
    {
      cite: "Yang et al., Qwen2.5-1M Technical Report, 2025",
      url: "https://arxiv.org/abs/2501.15383",
      note: "dual chunk attention",
    },
    {
      cite: "DeepSeek-AI, DeepSeek-V2, 2024, section 2.1.3",
      url: "https://arxiv.org/abs/2405.04434",
      note: "latent attention with a part that turns",
    },
    {
      cite: "Yang et al., Baichuan 2, 2023",
      url: "https://arxiv.org/abs/2309.10305",
      note: "RoPE in 7B, ALiBi in 13B",
    },
    {
      cite: "Beltagy et al., Longformer, 2020",
      url: "https://arxiv.org/abs/2004.05150",
      note: "learned rows copied for longer documents; summaries",
    },
    {
      cite: "Zhou et al., Informer, 2020",
      url: "https://arxiv.org/abs/2012.07436",
      note: "positions and calendar for time series",
    },
    { cite: "Ansari et al., Chronos, 2024", url: "https://arxiv.org/abs/2403.07815", note: "time series with T5" },
    {
      cite: "Kang and McAuley, Self-Attentive Sequential Recommendation (SASRec), 2018",
      url: "https://arxiv.org/abs/1808.09781",
      note: "learned positions for a user’s steps",
    },
    {
      cite: "Zhai et al., Actions Speak Louder than Words (HSTU), 2024",
      url: "https://arxiv.org/abs/2402.17152",
      note: "biases by position and by time",
    },
  ],
} satisfies ChapterText;
