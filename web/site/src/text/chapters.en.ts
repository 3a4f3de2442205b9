// The chapters, in reading order: how they are called and what each is about. English.

export const chaptersEn = {
  order: {
    title: "Why order matters",
    summary: "Attention reads a bag of words. Drag them about, and see that it does not notice.",
  },
  counting: {
    title: "From counting to waves",
    summary:
      "One-hot, integers, fractions, bits, sines, sines with cosines: six ways to number words, and what breaks in five.",
  },
  sinusoidal: {
    title: "Sinusoidal",
    summary:
      "A row of clocks, written down as a table of waves and added to the words. Stretch it, and change its base.",
  },
  rotation: {
    title: "Relative by rotation",
    summary: "One matrix moves every position by k steps, and a dot product measures distance.",
  },
  adding: {
    title: "Why add?",
    summary: "Words plus positions make four terms in every score. Why they do not drown one another.",
  },
  learned: {
    title: "Learned positions",
    summary: "Train a table in your browser, watch its rows find their order, and see what lies past the last one.",
  },
  relative: {
    title: "Relative positions",
    summary: "Shaw, Transformer-XL and T5 look at distances instead of places: clips, shifts and buckets.",
  },
  rope: {
    title: "RoPE and attention",
    summary: "Queries and keys turn like clock hands; what is left of two turns is their difference.",
  },
  alibi: {
    title: "ALiBi",
    summary: "A straight penalty for distance, steeper in some heads than in others. What can a head still see?",
  },
  "long-context": {
    title: "Long context",
    summary: "Interpolation, NTK, YaRN, Llama 3.1, LongRoPE: which pairs each rule slows, and where float32 gives up.",
  },
  images: {
    title: "Images and video",
    summary: "Rows, columns and frames: two- and three-dimensional positions, and how to resize a learned table.",
  },
  models: {
    title: "Who uses what",
    summary: "Published models from 2017 to today and their encodings. Paste a config and see what it means.",
  },
  speed: {
    title: "How fast is it here?",
    summary: "posenc against plain JavaScript, measured on the machine in front of you.",
  },
};

export type ChapterName = keyof typeof chaptersEn;
