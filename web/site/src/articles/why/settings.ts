// What the article itself knows of its figures, without what they compute with.

export const modelNames = ["sinusoidal", "learned", "chinese"] as const;
export type ModelName = (typeof modelNames)[number];

/** What each is called in the lab. */
export const labName = { sinusoidal: "en-sinusoidal", learned: "en-learned", chinese: "zh-learned" } as const;

/** Numbers of a vector. */
export const width = 128;

/** Positions that the models know; so many characters are one window. */
export const length = 256;

/** How many of the first numbers of each vector are kept. */
export const cuts = [4, 8, 16, 32, 64, 128] as const;

export const tableNames = ["sinusoidal", "random", "learned"] as const;
export type TableName = (typeof tableNames)[number];
