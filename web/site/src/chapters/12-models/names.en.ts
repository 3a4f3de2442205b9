// Names of all kinds of encodings, and what one has to know about single models: English.
import { kinds } from "../../text/kinds.gen.ts";

export const names = {
  kinds,
  // How the names of models end, where they say which part or form it is.
  endings: {
    ", language model": ", language model",
    ", image encoder": ", image encoder",
    ", text side": ", text side",
    ", image side": ", image side",
    ", points and boxes": ", points and boxes",
    ", memory attention": ", memory attention",
    ", time step": ", time step",
    ", patches": ", patches",
    ", encoder": ", encoder",
    ", distilled": ", distilled",
    ", coordinates": ", coordinates",
    ", axial": ", axial",
    " (proteins)": " (proteins)",
    " (Chinese)": " (Chinese)",
    " (video)": " (video)",
    " (global layers)": " (global layers)",
    " with YaRN": " with YaRN",
    " with RoPE": " with RoPE",
    " with relative positions": " with relative positions",
  },
  notes: {
    "roberta-base": "Counting starts at 2: the table has two rows more than tokens fit.",
    "t5-small": "The decoder has a bias of its own, for keys behind only.",
    "bart-base": "Counting starts at 2.",
    "longformer-base": "Counting starts at 2.",
    "m2m100-418m": "Counting starts at 2, after the row of the padding.",
    "modernbert-base": "Shown are the layers that see everything; those with windows of 128 have base 10 000.",
    "opt-6.7b": "Counting starts at 2.",
    "falcon-7b": "Falcon 7B rotates; Falcon RW has ALiBi.",
    "mistral-7b-v0.1": "Each layer sees a window of 4096 tokens.",
    "gemma-3-4b": "Shown are the layers that see everything; the others see a window, with base 10 000 and no scaling.",
    "gemma-4": "The layers with windows turn all features, with base 10 000.",
    "glm-130b": "One axis of positions: GLM before it and ChatGLM‑6B after it have two.",
    "chatglm-6b": "Two axes: one counts the prompt and stops at its end, the other counts the answer.",
    "qwen-7b":
      "Beyond its length queries are scaled by the logarithm of the position, too (LogN); what is written keeps the prompt’s base.",
    "qwen2.5-7b-instruct-1m": "Beyond 262 144 tokens distances are folded back, chunk by chunk (dual chunk attention).",
    "deepseek-v2-lite": "Latent attention (MLA): 64 of a head’s 192 features turn, with one rotated key for all heads.",
    "deepseek-v3": "The scale of the softmax grows with the factor, too.",
    "detr-resnet-50": "Where images are padded, only visible pixels are counted.",
    "mae-base": "The class token’s row is zero.",
    "swin-tiny": "Stages differ in their heads; places are counted inside a window of 7 × 7.",
    "swinv2-tiny": "Stages differ in their heads; scores are cosines, scaled by a learned number.",
    "swin2sr-classical-x2": "Scores are cosines, scaled by a learned number.",
    "sam-vit-base-prompts": "The frequencies are random: load those of the checkpoint.",
    "sam-vit-base-vision": "Relative rows and columns are added to the scores, too.",
    "dinov2-base": "For other sizes the grid of 37 × 37 is resized.",
    "qwen2-vl-vision": "Patches come in blocks of 2 × 2.",
    "qwen3-vl-vision": "A learned grid of 48 × 48 is added to the patches, too.",
    "pixtral-12b-vision": "Mistral’s own weights turn neighbouring features.",
    "flux-1-dev": "Text stands at [0, 0, 0], patches at [0, row, column].",
    "krea-2": "Text stands at [0, 0, 0], patches at [0, row, column].",
    "ideogram-4": "Token n of the text stands at [n, n, n], patches at [65 536, 65 536 + row, 65 536 + column].",
    helios:
      "For earlier frames, which are kept at lower resolution, cosines and sines are averaged over the patches they cover.",
    "minimax-h3":
      "Time counts 40 per second, after the text; rows and columns span 32 · side / √area each, with 16 in the middle.",
    "qwen-image": "Rows and columns are counted from the middle of the image: negative before it.",
    "whisper-tiny": "The decoder has a learned table of 448 rows.",
  },
  uses: {
    "short-text": {
      name: "Classify or compare short texts",
      reason: "Texts have a known greatest length, and a row for each position learns what the task needs.",
    },
    "long-generation": {
      name: "Write long texts, chat",
      reason:
        "Scores depend on distances, nothing is learned, cached keys stay valid, and scaling rules extend it later.",
    },
    "context-extension": {
      name: "Give a trained model a longer context",
      reason:
        "Slow pairs are interpolated and fast ones kept, so that a trained model reaches further with little tuning.",
    },
    relative: {
      name: "Tasks where only distances count",
      reason:
        "What matters is how far apart two tokens are; a learned number or vector for each distance says so directly.",
    },
    lightweight: {
      name: "As few parts as possible",
      reason: "No parameters and nothing to rotate: one slope for each head, added to the scores.",
    },
    compatibility: {
      name: "Must run anywhere",
      reason:
        "A fixed table that any model and any framework can add to its features. It has rows for any position; whether a model copes with those it was not trained on is another question.",
    },
    vision: {
      name: "Images",
      reason:
        "A grid of fixed size, resized by interpolation for others; window biases and axial rotation know rows and columns.",
    },
    multimodal: {
      name: "Words and images together",
      reason: "Time, rows and columns turn different pairs, and text turns all of them alike: one sequence holds both.",
    },
    speech: {
      name: "Speech and sound",
      reason: "Frames are many and even: a fixed table does for whole clips, relative vectors for streams.",
    },
  },
};
