// How a model that was trained interleaved can be run: rightly, and wrongly in two ways.

export const runs = ["trained", "mixed", "both", "permuted"] as const;
export type LayoutRun = (typeof runs)[number];

/** How far both words are moved at most. */
export const shifts = 64;
