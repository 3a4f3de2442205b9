// The article on babbling: English.
import type { ArticleText } from "../article-text.ts";
import { manyEn, shortEn } from "./text.trials-en.ts";
import { writerEn } from "./text.writer-en.ts";

export const en = {
  promise:
    "It reads well, it answers well, and somewhere past 4096 tokens it turns to gibberish. Here you break a small model the same way, find the part that fails, try three repairs and see what each costs. You leave with a command for <strong>your own file</strong>.",
  minutes: "10",
  beginning: "And Moses said unto the people, ",
  writer: writerEn,
  break: {
    heading: "Does it really break?",
    paragraphs: [
      "This page has a language model of its own. It is tiny, but built like yours: layers, attention, and RoPE, the usual rule that tells attention how far apart two things are. It reads single characters where yours reads tokens, pieces of words, and was trained on texts of 256 of them. <strong>Its 256 is your 4096.</strong>",
      "We measure its <em>loss</em>: how much the next character surprises it. Low is good.",
    ],
    predict: {
      question: "The model reads on, past character 256. What happens to its guesses?",
      options: ["They get a little worse", "They soon collapse", "They stay as good as they were"],
      answer: 1,
      reveal:
        "Up to 256 all is well. Within the next hundred characters the guesses are ruined. Now give it a beginning, and watch it write.",
    },
    figure: {
      title: "Past the edge",
      shows:
        "A line chart of the model’s loss by the place in the text, with the trained length marked. Below, a text that the model writes itself, with the place where the trained length ends.",
      caption:
        "A point every 32 characters: the mean loss of six passages that the model has never read, in nats (0 = never surprised, 1 = each character had one chance in 2.7).",
      chart: "Loss by place in the text",
      place: "characters",
      loss: "loss (nats)",
      trained: "trained",
      read: "characters {place}: loss {nats}",
    },
    idea: [
      "Not tired, not a little worse: broken, and within a few lines. Yet the model is the same before 256 and after it. Not one of its numbers has changed. So what has?",
      "Three suspects: its <strong>memory</strong>, its <strong>attention</strong>, its sense of <strong>position</strong>. Let us take them away, one at a time.",
    ],
  },
  memory: {
    heading: "Is its memory full?",
    paragraphs: [
      "Maybe there is simply too much text. Then a short text must be safe. Take 200 characters, fewer than in training, and change only their <em>position numbers</em>: where the model is told that each of them is.",
    ],
    predict: {
      question: "Which of these makes the model babble about 200 characters?",
      options: ["Number them from 10 000 on", "Leave a hole of 400 in the middle", "Neither: 200 is short"],
      answer: 1,
      reveal: "Hardly anything to remember, and it babbles. The five-digit numbers did no harm at all.",
    },
    figure: shortEn,
    idea: [
      "Memory is innocent: a text shorter than any in training was enough to break it. Large position numbers are innocent, too: RoPE shows attention only <em>how far apart</em> two characters are, and moving both by 10 000 changes nothing there.",
      "The hole changed that one thing. Characters that were 100 apart were now told 500. Large distances look guilty. But in a long text two things grow: the distances, and the crowd. Could the crowd alone confuse it?",
    ],
  },
  attention: {
    heading: "Is the crowd too large for attention?",
    paragraphs: [
      "The other way round, then. A long text of 512 characters, every one of them in view. Only we tell attention a white lie: whatever stands more than 192 back counts as <em>192 back</em>.",
    ],
    predict: {
      question: "Twice the usual crowd, but no unusual distance. What does the model do?",
      options: ["It babbles: the crowd is too large", "It reads as well as ever", "Something halfway"],
      answer: 1,
      reveal: "It has twice as much to look at as in any lesson, and reads on as if nothing were the matter.",
    },
    figure: manyEn,
    idea: [
      "Attention is innocent. It copes with the crowd. It fails only when it is told a <strong>distance that it never met in training</strong>.",
      "So it is the positions. But 300 is only a number, and so is 200. Why should one be understood and the other be poison?",
    ],
  },
  clocks: {
    heading: "What is so strange about a new distance?",
    paragraphs: [
      "To the model a distance is no number. It is a row of clocks, here 16. At distance 0 all hands point up. Then each turns at its own speed: the quickest goes round every six characters, the slowest would need tens of thousands.",
    ],
    predict: {
      question: "A distance of 500. Which clocks show a time that they never showed in training?",
      options: ["The quick ones", "The slow ones", "All of them"],
      answer: 1,
      reveal:
        "A quick clock went round many times in every lesson: its hand has been everywhere. A slow one started at the top and never came round.",
    },
    figure: {
      title: "Clocks that never came round",
      shows:
        "Sixteen clocks from the quickest to the slowest. A shaded sector is what each has shown in training, the hand is where it points at the chosen distance.",
      guide:
        "The number under a clock: characters for one turn. Shaded = what it showed in training, at distances up to 256. A dashed hand points where it never did. A clock that has come round (353 at a distance of 500) points where it did before.",
      distance: "Distance",
      known: "known",
      fresh: "new",
      count: "Distance {distance}: {count} of {clocks} clocks show a time that they never showed in training.",
      countNone: "Distance {distance}: every clock shows a time that it has shown before.",
      large: "Llama 2, trained on 4096 tokens: {count} of its {clocks} clocks never came round once.",
      table: "The clocks at distance {distance}",
      clock: "clock",
      turn: "characters for one turn",
      inTraining: "turns in training",
      state: "time",
    },
    idea: [
      "There it is. Training taught the model what each hand means, from the top to where it was at 256. Past that, slow hands point where no hand has ever pointed. The weights still answer, with nonsense.",
      "That is why it broke so soon: the first new distances are enough. And it tells you what a repair must do: <strong>never show a clock a time that it does not know</strong>. There are three ways to do that.",
    ],
  },
  repairs: {
    heading: "How do you repair it?",
    paragraphs: [
      "<strong>Stretch.</strong> Slow the slow clocks down, so that 1024 characters carry them no farther than 256 did. YaRN is the usual recipe.",
      "<strong>Window.</strong> Look back 256 characters and not one more. (Programs that stream keep the first few tokens, too: many models rest their attention there.)",
      "<strong>Group.</strong> Count exactly nearby, and in groups far away, so that far counts as near. This is SelfExtend. ReRoPE goes further: beyond its window everything has the same distance, as in our white lie.",
    ],
    predict: {
      question: "Nothing is free. Which repair makes the model worse on short texts, where nothing was broken?",
      options: ["Stretch", "Window", "Group"],
      answer: 0,
      reveal:
        "The quick clocks stay as they are, but those in between turn more slowly than in training: what is near gets blurred.",
    },
    figure: {
      title: "Three repairs and their prices",
      shows:
        "The model as it was trained and under three repairs: bars of its loss on texts of 256 and of 1024 characters, and the time of a token. Below, a text that the repaired model writes.",
      guide: "Bar = loss; dashed = usual, as trained. Nothing was trained again.",
      caption:
        "Time: one more token after 4095 others, measured with the English model as an ONNX file in onnxruntime-web; × 1.0 is the file as it was exported.",
      names: { none: "Not repaired", stretch: "Stretch", window: "Window", group: "Group" },
      rules: {
        none: "as trained on 256 characters",
        stretch: "YaRN: slow clocks 4 times slower",
        window: "only the last 256 characters",
        group: "SelfExtend: far counts in groups",
      },
      near: "short: 256",
      far: "long: 1024",
      time: "time per token",
      times: "× {times}",
      repair: "repair",
      table: "Loss on short and on long texts, and the time of a token",
      choose: "Let it write on, repaired with",
    },
    idea: [
      "All three cure the babble. Their prices: <strong>stretch</strong> blurs what is near (a few hundred steps of training bring that back) and reaches only as far as you stretched. <strong>Group</strong> has to count in two ways, near and far, so that a token takes up to twice as long; and what is far loses its exact order.",
      "The <strong>window</strong> seems to be free: low loss, no extra time. Suspicious, is it not?",
    ],
  },
  remembers: {
    heading: "Is the cheapest repair the best?",
    paragraphs: [
      "One more test. A password of 16 letters is hidden in the text. 768 characters later it begins again. Will the model finish it?",
    ],
    predict: {
      question: "Which repaired models still find the password?",
      options: ["All three: their loss is low", "Stretch and group", "Window and group"],
      answer: 1,
      reveal:
        "The window does not look so far back. What it cannot see it has forgotten, and its loss never said a word.",
    },
    figure: {
      title: "Low loss, long memory?",
      shows:
        "Two line charts for the three repairs: the loss by the length of the text, and the share of a hidden password that is found by its distance.",
      guide: "Loss: lower is better. Password: higher is better. Pale band = hidden under another line.",
      lossTitle: "Loss by length",
      needleTitle: "Password found, by distance",
      length: "characters read",
      loss: "loss (nats)",
      distance: "characters back",
      found: "share found (1 = all)",
      trained: "trained",
      readLoss: "{length} characters · {values}",
      readNeedle: "{distance} back · {values}",
      share: "{percent} %",
      result: "{percent} % found, {distance} back",
    },
    idea: [
      "That is the window’s price: <strong>it forgets</strong>. The loss cannot show it, because to guess the next character one mostly needs the last few dozen. <strong>A flat loss is not a long memory.</strong> So whichever repair you take: ask your model for something far back.",
    ],
  },
  ending: {
    heading: "Now your own file",
    paragraphs: [
      "Your model babbles because <strong>distances beyond its training turn its slow clocks to times that they never showed</strong>. Three repairs keep them at times that they know:",
      "<strong>Stretch</strong> if you can train a little, or need only a few times the length. Price: near is blurred.",
      "<strong>Window</strong> if only recent text matters, as in a chat. Price: it forgets.",
      "<strong>Group</strong> if it must find things far back, untrained. Price: time, and far order is coarse.",
      "Have a folder with your model as an ONNX file, the format of onnxruntime and transformers.js? First look, then repair. The original stays as it is.",
    ],
    commands: [
      {
        title: "What positions does it have?",
        lines: "npx posenc inspect my-model",
        note: "Lists the rotation, the speeds of its clocks (<code>base</code>, scaling), and what is wrong with it. It also reads .gguf files, those of llama.cpp.",
      },
      {
        title: "Stretch: YaRN × 4",
        lines: "npx posenc rewrite my-model --yarn 4 -o my-model-stretched",
        note: "With <code>--explain</code> in place of <code>-o …</code> nothing is written: it prints the same change as fields of config.json and as options of llama.cpp.",
      },
      {
        title: "Window of 4096 tokens",
        lines: "npx posenc rewrite my-model --window 4096 -o my-model-window",
      },
      {
        title: "Group: SelfExtend, good to 16 384 tokens",
        lines: `npx posenc rewrite my-model --remap '{"kind":"self-extend","group":8,"window":1024}' -o my-model-grouped`,
        note: "The largest distance must be one that training had: at 16 384 it counts as <span class='kept'>1024 + (16 384 − 1024) / 8 = 2944</span>, below 4096.",
      },
    ],
    idea: ["Then hide a password in a long text, and ask for it."],
    onward: [
      {
        href: "./long-context.html",
        title: "Long context",
        summary: "All rules side by side, fine-tuning, and passwords of your own to hide.",
      },
      {
        href: "./rope.html",
        title: "RoPE and attention",
        summary: "Where the clocks come from: invent them yourself.",
      },
      {
        href: "./why.html",
        title: "Why do positional encodings work at all?",
        summary: "The other article: a real model’s sums of word and wave, taken apart.",
      },
      {
        href: "./inspector.html",
        title: "Inspect a model",
        summary: "The same commands without a terminal: drop your file into the page.",
      },
      {
        href: "./api/documents/Longer_context_for_ONNX_models.html",
        title: "Longer context for ONNX models",
        summary: "Every option of the command, and a table of losses and passwords by rule.",
      },
    ],
  },
  sources: [
    {
      cite: "Peng et al. 2023, YaRN: Efficient Context Window Extension of Large Language Models",
      url: "https://arxiv.org/abs/2309.00071",
      note: "Stretching the slow clocks alone.",
    },
    {
      cite: "Xiao et al. 2023, Efficient Streaming Language Models with Attention Sinks",
      url: "https://arxiv.org/abs/2309.17453",
      note: "A window that keeps the first tokens.",
    },
    {
      cite: "Jin et al. 2024, LLM Maybe LongLM: Self-Extend LLM Context Window Without Tuning",
      url: "https://arxiv.org/abs/2401.01325",
      note: "Far distances in groups.",
    },
  ],
} satisfies ArticleText;
