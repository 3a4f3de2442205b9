// The chapter on published models: English. `$…$` is TeX, turned into MathML when the site is built.
import type { ChapterText } from "../../lib/chapter-text.ts";
import { names } from "./names.en.ts";

export const en = {
  question:
    "So many ways to say where a word stands. <strong>Which of them do the models that we use have</strong>, and why those?",
  idea: [
    "You know the methods now. This chapter looks at what has become of them: a catalogue of published models since 2017 with the encoding of each, read from its published configuration by posenc.",
    "The story in short: sinusoids at first; then tables of learned rows, as long as texts were short; relative biases, where length mattered; and since about 2021 rotation, which needs no parameters, keeps cached keys valid and can be stretched afterwards.",
    "And the other way round: paste the <code>config.json</code> of any model and see what its numbers mean, or answer one question and get an encoding to begin with.",
  ],
  atlas: {
    heading: "An atlas of models",
    paragraphs: [
      "Every mark is a model; it stands at the year of its source. Its shape and colour tell the sort of encoding. Search, filter, or walk through them with the arrow keys.",
      "For rotations, the interesting number is how often each pair turns within the context. A pair of wavelength $\\link{wavelength}{\\lambda_i}$ has, after $\\link{context}{L}$ positions, made",
      "$$\\text{turns}_i = \\frac{\\link{context}{L}}{\\link{wavelength}{\\lambda_i}}, \\qquad \\lambda_i = \\frac{2\\pi}{\\theta_i}$$",
      "turns. Pairs with less than one turn never repeat inside the context: they can tell the beginning of a text from its end. Models for long texts raise the base, or slow pairs down, to have enough of those.",
    ],
    figure: {
      title: "Models and their encodings, 2017 to today",
      shows:
        "A timeline with one column per year and one mark per model, stacked; shape and colour stand for the group of the encoding. Below it a list of the models that match the search, and the details of the chosen one.",
      search: "Search",
      searchHint: "name, maker, encoding …",
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
      reset: "Show all",
      listLabel: "Models that match",
      help: "Click a mark or a line of the list. In the timeline the arrow keys go from model to model.",
      year: "Year",
      context: "made for {count} positions",
      contextNone: "no length given",
      unchecked:
        "Not compared with a reference vector or document here, but with memory of the published files: {what}.",
      uncheckedWhat: { spec: "the encoding", contextLength: "the length" },
      source: "Source",
      part: "Part shown: {part}",
      useConfig: "Explain its config.json below",
      tableCaption: "Models that match",
      tableColumns: { model: "model", year: "year", kind: "encoding", context: "positions", source: "source" },
      countCaption: "Models by year and group",
    },
    points: [
      "Choose <em>learned table</em>: BERT, GPT-2, ViT. After 2022 they are nearly gone from language models and live on in image encoders, where a grid has a fixed size and can be resized.",
      "<em>Sinusoids</em> come back outside of text: Whisper's encoder, the time steps of diffusion models, MAE.",
      "<em>RoPE</em> begins with GPT-J and, with Llama in 2023, becomes the rule. From then on the names differ mostly by base and by <em>scaling</em>: Code Llama, YaRN, Llama 3.1, DeepSeek-V3.",
      "The last column of shapes to appear are rotations over <em>several axes</em>, for images, video and mixed sequences.",
    ],
  },
  config: {
    heading: "Read a config.json",
    paragraphs: [
      "The configuration of a model says in a few fields what its positions are: <code>rope_theta</code> is the base, <code>rope_scaling</code> (or <code>rope_parameters</code> in newer files) the rule that stretches it, <code>max_position_embeddings</code> the length. The rest is implied by <code>model_type</code>: which features pair up, how much of a head turns, where counting begins.",
      "Paste a configuration, or take an example. posenc reads it, explains it and compares it with another model: could one encoding stand in for the other? Nothing that you paste leaves this page.",
    ],
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
        learned: "Both learn their numbers, in tables of different shapes: not interchangeable.",
      },
      fields: { field: "field", own: "this config", other: "{name}" },
      none: "–",
      list: "{count} numbers",
      tableCaption: "What posenc reads",
    },
    points: [
      "Take <em>Qwen2.5 with YaRN</em> and compare it with Qwen2.5: the fast pairs are untouched, the slow ones turn four times more slowly, and scores are multiplied by about 1.3.",
      "Delete a field, such as <code>hidden_size</code>: the message names what is missing.",
      "A model with two kinds of layers, such as Gemma 3, has <em>two</em> encodings. Choose the part.",
    ],
  },
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
      runRatio: "pairs {span}, speed × {low} to {high}",
      runOne: "pairs {span}, speed × {low}",
      magnitude: "Scores are multiplied by",
      dim: "Features",
      rows: "Rows",
      rowsValue: "{count} positions, no more",
      shiftable: "A shift is a rotation",
      yes: "yes",
      heads: "Heads",
      slopes: "Slopes",
      slopesValue: "{first} to {last}",
      half: "A key's weight halves after",
      halfValue: "{first} to {last} positions, by head",
      learned: "Learned numbers",
      regime: "From {from} positions on",
    },
    chart: "How long each pair takes to turn once",
    pair: "pair",
    wavelength: "wavelength",
    contextLine: "context",
    read: "pair {pair}: once in {wavelength} positions",
    working: "Computing …",
  },
  choose: {
    heading: "Which one should I take?",
    paragraphs: [
      "There is no best encoding, but there are good beginnings. Say what the model is for. The answer is that of the textbooks, with the models of the atlas that made the same choice.",
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
      models: "{count} models of the atlas do it like this",
      show: "Show {name} in the atlas",
      table: "Recommendations",
      columns: { use: "task", kind: "encoding", alternatives: "alternatives", models: "models" },
    },
    points: [
      "A new language model today would start with <em>RoPE</em> and a large base, because everything around it, from caches to scaling rules, is made for that.",
      "If you have a trained model, the choice is made: change its encoding and you have to train again. Only the <em>scaling rules</em> were made to be added afterwards.",
    ],
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
          text: "Sinusoids with base 10 000, added to the words",
          why: "The same frequencies, but rope_theta is the base of a rotation: queries and keys turn.",
        },
        {
          text: "Plain RoPE with 64 pairs",
          why: "Right: theta is the base, 128 features make 64 pairs, and nothing is scaled.",
        },
        {
          text: "A learned table of 10 000 rows",
          why: "The base is no length. Learned tables are told by max_position_embeddings alone.",
        },
      ],
      answer: 1,
    },
    {
      question:
        "Two models agree in every number, but one pairs neighbouring features and the other the first half with the second. Can they share weights?",
      options: [
        {
          text: "Yes, as they are",
          why: "The wrong features would turn together: scores would be wrong, without any error.",
        },
        {
          text: "Yes, once the rows of the query and key weights are permuted",
          why: "Right: that only renames the features of each head. posenc has permuteWeights for it.",
        },
        {
          text: "No, never",
          why: "The rotation is the same up to the order of the features, and that order can be changed in the weights.",
        },
      ],
      answer: 1,
    },
    {
      question: "Why did language models give up learned tables, while image encoders kept them?",
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
          why: "Right: a larger picture is the same scene in finer steps, a longer text is more text.",
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
      cite: "Devlin et al., BERT, 2018, section 3",
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
      cite: "Llama Team, The Llama 3 Herd of Models, 2024, section 3",
      url: "https://arxiv.org/abs/2407.21783",
      note: "base 500 000",
    },
  ],
} satisfies ChapterText;
