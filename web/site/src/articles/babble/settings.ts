// What the reader sets in the figures of this article.

/** The repairs, each shown by one of the rules that make it. */
export const repairs = ["stretch", "window", "group"] as const;
export type Repair = (typeof repairs)[number];

/** Characters of a beginning. */
export const mostBeginning = 120;

export interface WriterSettings {
  beginning: string;
  seed: number;
}

export interface ClocksSettings {
  distance: number;
}

export interface RepairsSettings {
  repair: Repair;
}

/** The largest distance that the clocks are shown at. */
export const farthest = 1024;
