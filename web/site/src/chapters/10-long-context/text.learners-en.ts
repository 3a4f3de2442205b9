// Small learners in the chapter on long contexts: English.

export const learnersEn = {
  heading: "Train them yourself",
  paragraphs: [
    "The models of the arena were trained elsewhere. These are trained here, by your own machine: two layers of attention, on texts of at most 12 symbols, with the positional encoding you choose. Then they sit an examination on texts up to four times as long.",
  ],
  points: [
    "<em>Inside the shaded range</em> several learn nearly everything. Nothing there tells you who will go on: <strong>the lines to the right of it are the result.</strong>",
    "<em>Copy</em>, with seeds 1 to 3: RoPE writes 12 symbols nearly without a mistake, but of 20 it gets one or two right: such distances never came in its training. T5, Shaw, ALiBi and CoPE go on and fade. <em>Retrieve</em>: CoPE and Shaw still find the star among 48, and so does ALiBi, though one of its three seeds had not learned by the end.",
    "<em>Reverse</em> is the hardest: within 1600 steps only CoPE learned it with every seed, T5 with two of three, a learned table with one. <em>Count</em> needs no positions: without any, six of ten answers are right at 48, more than with any encoding; only CoPE is nearly always right as far as it was trained.",
    "<em>Take it with salt</em>: a learner has some twelve thousand numbers and a training of seconds. Other seeds shift the lines, more steps mend some failures. What did not learn here may learn in a larger model.",
  ],
  figure: {
    title: "Small learners",
    shows:
      "Two charts of small models that are trained in the page, one line for each positional encoding: the loss during the training, and the share of right answers by the length of the text, with the trained lengths shaded. Buttons choose task and encodings.",
    caption:
      "Two layers of causal attention with four heads of 8, width 32, no feed-forward part; Adam, rate 0.01 falling to 0. All learners of a seed begin with the same weights and read the same texts. Examined with texts that none was trained on. The learned table has rows for all lengths, but those beyond the training stay as they were drawn. T5 has 16 buckets up to distance 32, Shaw is clipped at 16, CoPE at 32, RoPE has base 100 as texts are short; each layer has its own. The same seed gives the same lines on the same machine.",
    task: "Task",
    tasks: { copy: "copy", retrieve: "retrieve", reverse: "reverse", count: "count" },
    wants: {
      copy: "After the bar: write the text once more.",
      retrieve: "After the bar: which letter stood right behind the star?",
      reverse: "After the bar: write the text from its end.",
      count: "At each place: how many stars so far (9 at most)? Examined at the last one.",
    },
    place: "place",
    read: "what it reads",
    written: "what it is to write",
    encodings: "Encodings to train",
    names: {
      none: "none",
      learned: "learned table",
      sinusoidal: "sinusoidal",
      shaw: "Shaw",
      t5: "T5",
      alibi: "ALiBi",
      rope: "RoPE",
      cope: "CoPE",
    },
    steps: "Training steps",
    seed: "Seed",
    train: "Train ({count} to go)",
    training: "Training …",
    lossTitle: "Loss during the training",
    lossLabel: "Loss by training step, one line for each encoding",
    step: "steps",
    loss: "nats",
    readLoss: "{step} steps: {values}",
    examTitle: "Right answers by length",
    examLabel: "Share of right answers by length of the text, one line for each encoding",
    length: "symbols in the text",
    right: "right",
    readExam: "{length} symbols: {values}",
    trained: "trained",
    question: {
      copy: "A guess first: trained on at most {trained} symbols, which of them will copy {longest} best?",
      retrieve:
        "A guess first: trained on at most {trained} symbols, which of them will find the star among {longest} best?",
      reverse: "A guess first: trained on at most {trained} symbols, which of them will reverse {longest} best?",
      count:
        "A guess first: trained on at most {trained} symbols, which of them will count the stars among {longest} best?",
    },
    result: "{name}: {near} % right at {trained} symbols, {far} % at {longest}",
    yourGuess: "your guess",
  },
};
