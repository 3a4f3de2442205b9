// The pages beside the chapters: the one list of them. Further ones need an entry here and words in `pages` of text.*.ts.

/** The component of each page, as a path in src; its texts lie beside it: `text.en.ts`, `text.zh-CN.ts`. */
export const sidePages = {
  index: "start/Start",
  babble: "articles/babble/Babble",
  why: "articles/why/Why",
  inspector: "inspector/Inspector",
  glossary: "glossary/Glossary",
  mistakes: "mistakes/Mistakes",
  documents: "documents/Documents",
  revise: "revise/Revise",
  film: "film/Film",
  teach: "teach/Teach",
} as const;

export type SidePageName = keyof typeof sidePages;

export const isSidePage = (page: string): page is SidePageName => Object.hasOwn(sidePages, page);

/** Those that follow one question from a guess to an answer. */
export const isArticle = (page: SidePageName): boolean => sidePages[page].startsWith("articles/");

export const sidePageNames = Object.keys(sidePages) as SidePageName[];

/** Those that are linked from every page; the start page has a place of its own. */
export const extraPageNames = sidePageNames.filter((page) => page !== "index");
