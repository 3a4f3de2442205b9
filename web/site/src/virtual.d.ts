declare module "virtual:chapters" {
  /** The chapters that are there, in reading order. */
  const chapters: import("./text/chapters.en.ts").ChapterName[];
  export default chapters;
}
