// For the pages of teachers and of those who revise: the numbers in the solutions, computed by the library, and the list of all figures.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runnerImport, type Plugin } from "vite";
import { exercises } from "../src/teach/answers.ts";
import type { Tools } from "../src/teach/tools.ts";
import { chapterFolders, pageOf } from "./pages.ts";

const exercisesName = "virtual:exercises";
const figuresName = /^virtual:figures\/(en|zh-CN)$/;

/** By chapter, for each of its exercises, where it can be tried and what its placeholders stand for. */
async function solved(dist: string): Promise<Record<string, object[]>> {
  const load = (file: string) => import(pathToFileURL(join(dist, file)).href);
  const [{ init }, { explain }, { models, recommend }] = await Promise.all([
    load("inline.js"),
    load("explain.js"),
    load("models.js"),
  ]);
  const tools: Tools = { pe: await init({ parts: "all" }), explain, models, recommend };
  return Object.fromEntries(
    Object.entries(exercises).map(([chapter, all]) => [
      chapter,
      all.map(({ at, numbers }) => ({ at, values: numbers?.(tools) ?? {} })),
    ]),
  );
}

interface Named {
  name: string;
  title: string;
}

/** The figures of a chapter in reading order, as its component has them: `<Section text={text.a}><AFigure text={text.b.figure} …`. */
async function figuresOf(folder: string, locale: string): Promise<Named[]> {
  const { module } = await runnerImport<Record<string, object>>(join(folder, `text.${locale}.ts`));
  const text = Object.values(module)[0];
  const source = readFileSync(join(folder, "Chapter.svelte"), "utf8");
  const shown = [
    ...source.matchAll(/<Section [^>]*text=\{text\.(\w+)\}[^>]*>\s*<(\w+Figure)\s+(?:text=\{text\.([\w.]+)\})?/g),
  ];
  return shown.map(([, section, component, path = `${section}.figure`]) => {
    const figure = path.split(".").reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], text);
    const [, name] = /<Figure\s[^>]*?\bname="([\w-]+)"/.exec(
      readFileSync(join(folder, `${component}.svelte`), "utf8"),
    )!;
    return { name, title: (figure as Named).title };
  });
}

export function teach(root: string, dist: string): Plugin {
  let computed: ReturnType<typeof solved> | undefined;
  return {
    name: "posenc-site:teach",
    resolveId: (id) => (id === exercisesName || figuresName.test(id) ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${exercisesName}`) {
        computed ??= solved(dist);
        return `export default ${JSON.stringify(await computed)};`;
      }
      const locale = figuresName.exec(id.slice(1))?.[1];
      if (id[0] !== "\0" || !locale) return undefined;
      const all = await Promise.all(
        chapterFolders(root).map(async (folder) => [
          pageOf(folder),
          await figuresOf(join(root, "src", "chapters", folder), locale),
        ]),
      );
      return `export default ${JSON.stringify(Object.fromEntries(all))};`;
    },
  };
}
