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

declare module "virtual:models/*" {
  /** Some of the library's models, as the address names them. */
  export const models: Record<string, Pick<import("posenc/models").Model, "name" | "spec" | "contextLength">>;
}

declare module "*.js?sample" {
  const sample: import("./lib/code.ts").Sample;
  export default sample;
}
