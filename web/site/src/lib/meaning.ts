// Colours that mean one thing everywhere: what attention compares, and each encoding. Everything else is numbered.

export const parts = ["position", "word", "query", "key", "value"] as const;
export const encodings = [
  "none",
  "sinusoidal",
  "learned",
  "rope",
  "alibi",
  "t5",
  "shaw",
  "transformer-xl",
  "cope",
] as const;

export type Part = (typeof parts)[number];
export type EncodingColour = (typeof encodings)[number];

/** The end of a class `series-…`, which sets `--mark`: 1 … 6 for lines that have no meaning beyond their figure. */
export type Colour = number | Part | EncodingColour;
