// How long a chapter takes: what is read when nothing is unfolded, its figures and its quiz.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runnerImport, type Plugin } from "vite";
import { chapterFolders, pageOf } from "./pages.ts";

const name = "virtual:minutes";

const wordsPerMinute = 200;
/** Minutes for playing with a figure; and for the code and the quiz. */
const perFigure = 1.5;
const rest = 2;

/** All strings below a part of a text. */
function strings(part: unknown): string[] {
  if (typeof part === "string") return [part];
  return part && typeof part === "object" ? Object.values(part).flatMap(strings) : [];
}

const wordsIn = (parts: unknown[]) =>
  (
    parts
      .flatMap(strings)
      .join(" ")
      .match(/\p{L}[\p{L}’'-]*/gu) ?? []
  ).length;

async function minutesOf(folder: string): Promise<number> {
  const { module } = await runnerImport<Record<string, object>>(join(folder, "text.en.ts"));
  const text = Object.values(module)[0] as Record<string, Record<string, unknown>>;
  const source = readFileSync(join(folder, "Chapter.svelte"), "utf8");
  const open = [...source.matchAll(/<Section (opening )?text=\{text\.(\w+)\}/g)].map(([, , section]) => section!);
  const read = open.flatMap((section) => {
    const { paragraphs, points, predict } = text[section]!;
    return [paragraphs, points, predict];
  });
  const figures = open.filter((section) => "figure" in text[section]!).length;
  return Math.round(wordsIn([text["question"], text["idea"], ...read]) / wordsPerMinute + figures * perFigure + rest);
}

export function minutes(root: string): Plugin {
  return {
    name: "posenc-site:minutes",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    async load(id) {
      if (id !== `\0${name}`) return undefined;
      const all = await Promise.all(
        chapterFolders(root).map(async (folder) => [
          pageOf(folder),
          await minutesOf(join(root, "src", "chapters", folder)),
        ]),
      );
      return `export default ${JSON.stringify(Object.fromEntries(all))};`;
    },
  };
}
