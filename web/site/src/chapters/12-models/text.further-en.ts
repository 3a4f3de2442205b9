// The chapter on published models, what is beside its main path: English.

export const furtherEn = {
  parts: {
    heading: "Encoder, decoder, or both",
    paragraphs: [
      "<em>Encoders</em> read a text or a picture as a whole: BERT, ViT, CLIP. Every word sees all others, so that without positions nothing tells the order. They mostly have learned tables; where a text is cut at 512 words anyway, a table cannot run out. NEZHA and DeBERTa have vectors for distances, Jina Embeddings 2 the symmetric ALiBi, and the newer ModernBERT turns.",
      "<em>Decoders</em> write one word after the other: GPT, Llama, Qwen, DeepSeek. A word sees only what came before it, and that alone tells a little of the order. GPT‑2 and OPT have learned tables, BLOOM and MPT have ALiBi; nearly all since Llama turn.",
      "<em>Both together</em> translate, summarise or write down speech: the first Transformer, T5, BART, Whisper. Each part counts from its own beginning. Where the decoder looks into the encoder, the two counts have nothing to do with one another: T5 adds no bias there. The parts may differ, too: Whisper’s encoder has sinusoids, its decoder a learned table.",
    ],
  },
  chinese: {
    heading: "From RoFormer to DeepSeek",
    paragraphs: [
      "<em>RoFormer</em> (2021) is where RoPE comes from; the weights published with it read Chinese. <em>NEZHA</em> (2019) had given BERT vectors of distances before, sinusoids that are not learned.",
      "<em>Baichuan</em> is two answers in one family: 7B turns, 13B has ALiBi, in the first version and in the second. <em>ChatGLM‑6B</em> turns by two axes, one for the prompt and one for the answer; from ChatGLM2 on there is one axis again, and half of each head turns.",
      "<em>Qwen</em> (2023) raises its base in steps in a longer text (dynamic NTK) and multiplies queries by the logarithm of the length (LogN), so that attention does not blur among more keys. Qwen2.5 has a base of a million, and YaRN for more. Qwen2.5‑1M cuts long texts into chunks and folds distances back, so that none is longer than in training (dual chunk attention).",
      "<em>DeepSeek</em>’s latent attention (MLA) keeps one short vector for each word and makes the keys of all heads from it. A rotation between would have to be undone for each position. So 128 features of a head do not turn, and 64 more do, with one rotated key that all heads share.",
    ],
  },
  beyond: {
    heading: "Beyond chat: from translation to recommendation",
    paragraphs: [
      "<em>Translation</em> is what the Transformer was made for, with sinusoids; Marian and M2M100 in the atlas still have them. Sentences are short, and any encoding of this course will do.",
      "<em>Summaries</em> need the whole document. Longformer made 4096 learned rows by copying the 512 of RoBERTa again and again, and did the same to BART’s for its encoder-decoder form, which summarises; then both were trained on.",
      "<em>Time series</em>: the calendar counts as much as the order. Informer adds learned vectors for hour, weekday, day and month to a sinusoidal position. Chronos turns numbers into tokens and takes T5 as it is, with its biases by distance.",
      "<em>Recommendation</em>: SASRec adds a learned row for each of a user’s latest steps; HSTU adds a bias by distance and one by the time between two of them.",
      "In all of these the question is what one step is: a word, a patch, an hour, a click. The encoding only counts what it is given.",
    ],
  },
};
