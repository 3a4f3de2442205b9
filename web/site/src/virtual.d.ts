declare module "virtual:chapters" {
  /** The chapters that are there, in reading order. */
  const chapters: import("./text/chapters.en.ts").ChapterName[];
  export default chapters;
}

declare module "virtual:project" {
  /** Where the project is published, if package.json says so. */
  export const repository: string | undefined;
}

declare module "virtual:learned-rows" {
  /** Rows of a learned table in its three principal directions, three numbers each; and the shares of the variance along these. */
  export const points: number[];
  export const shares: number[];
}

declare module "virtual:onnxruntime" {
  /** Of the gzipped WebAssembly. */
  export const address: string;
  export const bytes: number;
}

declare module "virtual:small-model" {
  /** Addresses by the names of the files. */
  export const files: Record<string, string>;
  /** Of all of them. */
  export const bytes: number;
}

declare module "virtual:models/*" {
  /** Some of the library's models, as the address names them. */
  export const models: Record<string, Pick<import("posenc/models").Model, "name" | "spec" | "contextLength">>;
}

declare module "*.js?sample" {
  const sample: import("./lib/code.ts").Sample;
  export default sample;
}

declare module "virtual:exercises" {
  /** By chapter, for each of its exercises, where it can be tried and what the placeholders in its words stand for. */
  const exercises: Record<
    import("./text/chapters.en.ts").ChapterName,
    { at: string; values: Record<string, string | number> }[]
  >;
  export default exercises;
}

declare module "virtual:minutes" {
  /** How long each chapter takes. */
  const minutes: Record<import("./text/chapters.en.ts").ChapterName, number>;
  export default minutes;
}

declare module "virtual:figures/*" {
  /** The figures of each chapter, in reading order, with their titles in one language. */
  const figures: Record<import("./text/chapters.en.ts").ChapterName, { name: string; title: string }[]>;
  export default figures;
}
