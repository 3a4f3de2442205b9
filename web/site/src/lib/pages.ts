// The pages, in reading order. Each has an HTML file per language, a folder in pages/ and a name in text/.

export const pages = ["index", "sinusoidal", "rope"] as const;
export type PageName = (typeof pages)[number];
