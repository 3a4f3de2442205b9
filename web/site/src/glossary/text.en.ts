// The glossary: English.
import type { TermName } from "./terms.ts";

const meanings: Record<TermName, string> = {
  token: "The piece of text that a model reads at once: a word, a part of a word, a character.",
  position: "The number of a token’s place in the text, counted from 0.",
  "positional-encoding":
    "Numbers that tell a model where each token stands. Attention without them sees which words there are, but hardly their order.",
  embedding: "The list of numbers that stands for a token inside a model. All vectors of a model are equally long.",
  dimension: "One of the numbers of a vector, or how many there are: a vector of dimension 512 has 512 numbers.",
  attention:
    "The part of a Transformer in which every token collects information from others: a weighted mean of their values.",
  query: "What a token asks for: its vector times a learned matrix. Queries are compared with keys.",
  key: "What a token offers to be found by: its vector times another learned matrix.",
  value: "What a token passes on once it is attended to. RoPE turns queries and keys, and leaves values alone.",
  "attention-score":
    "The dot product of a query and a key, scaled, before softmax. Positions act here: on the vectors, or as a bias.",
  "attention-weight":
    "A score after softmax: the share that a key’s value has in the output. All weights of a query sum to 1.",
  softmax: "Makes weights of scores: each becomes its exponential, divided by the sum of all.",
  "dot-product": "Multiply two vectors number by number and add up. Large where they point the same way.",
  head: "One of several attentions beside each other in a layer, each with queries, keys and values of its own.",
  "causal-mask": "Hides all later tokens from each token, so that a model cannot look at what it has to predict.",
  nope: "A Transformer without any positions. With a causal mask it can still count what it sees, and learn some order from that.",
  equivariance:
    "Change the order of the inputs, and the outputs change their order along with them, and in nothing else. Attention without positions has this.",
  parameters: "How many numbers are learned. RoPE and ALiBi add none, a learned table adds length times dimension.",
  learnable: "Found by training instead of given by a formula.",
  "encoder-decoder":
    "The encoder reads a whole text and gives one vector for each token; the decoder writes another text, token by token, and attends to those vectors.",
  "one-hot": "A vector of zeros with a single 1 at the place that is meant. As long as the longest text.",
  integer: "The position itself as a number. It grows without bound and soon drowns everything else.",
  normalized:
    "The position divided by the length, between 0 and 1. The step to the next word then depends on how long the text is.",
  binary:
    "The position in bits: the last changes at every word, the first ones hardly ever. Sines do the same smoothly.",
  "beta-ary":
    "Numbers written with β as base, as ours are with ten. The pairs of a sinusoid are like digits: fast ones for units, slow ones for large steps.",
  sinusoidal:
    "Sines and cosines of the position at many frequencies, added to the word vectors; from the Transformer paper of 2017.",
  base: "The number whose powers give the frequencies: 10\u202F000 in the paper, 500\u202F000 in Llama 3. A larger one makes slow pairs slower.",
  frequency: "By what angle a pair turns from one position to the next, in radians.",
  wavelength: "After how many positions a pair is back where it was: 2π divided by its frequency.",
  "high-frequency":
    "Pairs that turn many times within the trained length. They tell near positions apart, and have seen all their angles in training.",
  "low-frequency":
    "Pairs that do not finish one turn within the trained length. Beyond it they reach angles nobody has seen: rules for long contexts slow them down.",
  pair: "Two dimensions that hold the sine and the cosine of one angle, or that RoPE turns together: a clock hand.",
  angle: "Position times frequency: where the hand of a pair stands.",
  "rotation-matrix":
    "Turns a pair by an angle without changing its length: cosines on the diagonal, sine and minus sine beside it.",
  absolute: "Each position has a code of its own, whatever else is in the text: tables, learned or computed.",
  relative: "What counts is how far two tokens are apart, which attention gets told for each query and key.",
  distance: "The position of the key minus that of the query, or the other way round: papers and code differ.",
  "long-term-decay":
    "The score of two equal vectors falls, with ripples, as they move apart. It holds for dot products of sinusoids and for RoPE with equal vectors; trained models need not follow it.",
  concatenation: "Putting two vectors end to end instead of adding them: no mixing, at the price of more dimensions.",
  orthogonal:
    "At right angles. Random vectors of many dimensions almost are, which is why a sum can be taken apart again.",
  dropout: "Sets a random part of the numbers to zero during training, so that a model does not rely on single ones.",
  "learned-table":
    "A row of learned numbers for every position up to a fixed length. Past the last row there is nothing.",
  clipping: "All distances beyond a limit count as the limit: far is far.",
  bucket: "A range of distances that shares one learned number: near distances have one each, far ones share.",
  bias: "A number added to a score that depends on the distance alone; in T5 it is learned for each bucket and head.",
  "transformer-xl":
    "Splits the score into four terms, with sinusoids of the distance in place of positions and two learned vectors; XLNet does the same.",
  deberta: "Words look at distances and distances look at words: two position terms beside that of the contents.",
  alibi: "Subtracts from each score the distance times a fixed slope of the head. Nothing is learned.",
  slope: "How much a head of ALiBi takes off per position: a power of two, steep in the first heads, flat in the last.",
  rope: "Turns each pair of a query and of a key by an angle that grows with the position. Their dot product then depends on the difference alone.",
  "partial-rope": "Only some dimensions of a head are turned; the others compare contents without regard to position.",
  layout:
    "Which two dimensions form a pair: number k and number k + d/2 (half), or neighbours (interleaved). Weights fit only one of them.",
  complex: "A pair seen as one number x + iy. Turning it is one multiplication by $e^{i m\\theta}$.",
  extrapolation: "Use outside the range that was seen in training; interpolation stays within it.",
  "length-extrapolation": "Texts longer than any in training: train short, test long.",
  generalization: "Doing well on what was not in training.",
  "context-length": "How many tokens a model was trained to read at once, or may read after an extension.",
  "position-interpolation":
    "All positions divided by one factor, so that a longer text fits into the trained range of angles.",
  ntk: "A larger base instead of smaller positions: high frequencies stay as they are, low ones are interpolated.",
  "dynamic-ntk":
    "The base follows the length of the present text. Keys that are cached in turned form then no longer fit.",
  yarn: "Interpolates low frequencies, keeps high ones, blends between, and sharpens attention by a factor.",
  longrope: "A searched factor for every pair, one list for short texts and one for long.",
  "attention-factor":
    "YaRN makes queries and keys a little longer, so that scores grow; with factor s by 0.1 ln s + 1 on each side.",
  logn: "Multiplies scores by the logarithm of the length in use, so that weights do not thin out among many keys.",
  "sliding-window": "Each token sees only so many before it. Cheap and steady in loss, blind to everything older.",
  needle: "Hide a fact far back in a text and ask for it. A model can predict well on average and still fail this.",
  perplexity:
    "How surprised a model is by the next token on average. Perplexity is the exponential of the loss; lower is better.",
  "kv-cache":
    "Keys and values of earlier tokens, kept while a text is written, so that only the new token is computed.",
  padding:
    "Filler tokens that make texts of a batch equally long. They are hidden by a mask, and must not be counted as positions.",
  "position-ids": "The list of positions that is handed to a model along with the tokens. It need not be 0, 1, 2, …",
  precision:
    "Numbers of 16 bits. bfloat16 holds whole numbers up to 256 exactly, float16 up to 2048: too few for positions.",
  "fine-tuning": "A short further training, for instance with scaled positions on long texts.",
  patch: "A square piece of an image, read as one token.",
  "two-dimensional": "A row and a column for each patch, each with a part of the dimensions.",
  resize: "Makes a learned grid of rows fit another image size, by interpolating between its neighbours.",
  "window-bias": "A learned number for each offset of row and column within a window, as in Swin.",
  axial: "Some pairs turn by the row, some by the column, some by the frame.",
  mrope: "Time, row and column for every token. For text all three are equal, and it is plain RoPE.",
  simd: "Instructions that compute with four and more numbers at once.",
};

export const en = {
  title: "Glossary",
  lead: "The words of the field in English and Chinese. Type a word of either language, or what others call it.",
  find: "Find a term",
  shown: "{count} of {all} terms",
  none: "No term of that name. Try a shorter word, or the other language.",
  columns: { term: "Term", other: "Chinese", meaning: "What it is", at: "Explained in" },
  also: "Also: {names}",
  meanings,
};
