// A sentence as words. Where Chinese is written without spaces there is more than one way to cut it, and the reader chooses.

export const maxWords = 9;
/** What a reader may type, in UTF-16 units: the address holds it. */
export const longestSentence = 400;

export const cuts = ["auto", "characters", "words"] as const;
/** "auto": as the spaces say, short sentences by characters, longer ones by words. */
export type Cut = (typeof cuts)[number];

export interface CutSentence {
  words: string[];
  /** Words beyond `maxWords`. */
  left: string[];
  /** Whether punctuation was passed over, which is no word. */
  passedOver: boolean;
  /** How Chinese was cut; undefined where there is none to cut. */
  unit: Exclude<Cut, "auto"> | undefined;
}

const space = /^\s+$/u;
/** Scripts that are written without spaces, a character or more to a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー]/u;
const picture = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u;
const edges = /^[\p{P}\p{C}]+|[\p{P}\p{C}]+$/gu;
const spacedWords =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー]\s+(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー])/u;

/** Up to so many characters, Chinese is cut into characters unless the reader says otherwise. */
const shortSentence = maxWords;
/** What stands between spaces is one word, if it is no longer than words are. */
const longestWord = 4;

function segmentsOf(text: string, granularity: "grapheme" | "word"): string[] {
  if (typeof Intl === "undefined" || !("Segmenter" in Intl)) return [...text];
  return Array.from(new Intl.Segmenter("zh", { granularity }).segment(text), ({ segment }) => segment);
}

type Kind = "unspaced" | "picture" | "other";
interface Run {
  kind: Kind;
  clusters: string[];
}

const kindOf = (cluster: string): Kind =>
  picture.test(cluster) ? "picture" : unspaced.test(cluster) ? "unspaced" : "other";

/** Neighbours of one kind, between spaces. A cluster is what readers take for one character: 𠮷 and 👩‍🚀 are. */
function runsOf(sentence: string): Run[] {
  const runs: Run[] = [];
  let open = false;
  for (const cluster of segmentsOf(sentence, "grapheme")) {
    const kind = kindOf(cluster);
    const last = runs[runs.length - 1];
    if (space.test(cluster)) open = false;
    else if (open && last.kind === kind) last.clusters.push(cluster);
    else runs.push({ kind, clusters: [cluster] });
    if (!space.test(cluster)) open = true;
  }
  return runs;
}

function wordsOf({ kind, clusters }: Run, unit: CutSentence["unit"], hasSpaces: boolean): string[] {
  const text = clusters.join("");
  if (kind === "picture") return clusters;
  if (kind === "other") return [text.replace(edges, "")];
  if (unit === "characters") return clusters;
  return hasSpaces && clusters.length <= longestWord ? [text] : segmentsOf(text, "word");
}

function unitOf(sentence: string, runs: Run[], cut: Cut): CutSentence["unit"] {
  const characters = runs.reduce((sum, { kind, clusters }) => sum + (kind === "unspaced" ? clusters.length : 0), 0);
  if (characters === 0) return undefined;
  if (cut !== "auto") return cut;
  return spacedWords.test(sentence) || characters > shortSentence ? "words" : "characters";
}

/** Spaces are borders, always; a picture is a word; punctuation is none. */
export function cutSentence(sentence: string, cut: Cut = "auto"): CutSentence {
  const runs = runsOf(sentence);
  const unit = unitOf(sentence, runs, cut);
  const hasSpaces = spacedWords.test(sentence);
  const all = runs.flatMap((run) => wordsOf(run, unit, hasSpaces));
  const words = all.filter((word) => word !== "");
  return {
    words: words.slice(0, maxWords),
    left: words.slice(maxWords),
    passedOver: runs.some(({ kind, clusters }) => kind === "other" && clusters.join("").search(edges) >= 0),
    unit,
  };
}

export const splitWords = (sentence: string, cut: Cut = "auto"): string[] => cutSentence(sentence, cut).words;
