// The HTML pages: one per chapter and language, and those beside the chapters. None of them lies on disk: they are made of page.html.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";
import type { ChapterName } from "../src/text/chapters.en.ts";
import { frame as en } from "../src/text/frame.en.ts";
import { frame as zhCN } from "../src/text/frame.zh-CN.ts";
import { isSidePage, sidePageNames, sidePages } from "../src/text/pages.ts";

export const locales = ["en", "zh-CN"] as const;
export type Locale = (typeof locales)[number];

const frames = { en, "zh-CN": zhCN };
const exported = { en: "en", "zh-CN": "zhCN" };

/** Folders of the chapters that can be shown, in reading order: "03-sinusoidal", … */
export function chapterFolders(root: string): string[] {
  const folder = join(root, "src", "chapters");
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "Chapter.svelte")))
    .sort();
}

export const pageOf = (folder: string) => folder.replace(/^\d+-/, "") as ChapterName;

const fileOf = (page: string, locale: Locale) => `${locale === "en" ? "" : "zh-CN/"}${page}.html`;

/** The title of a page as links to it show it. */
export function titleOf(page: string, locale: Locale): string {
  const { common, chapters } = frames[locale];
  if (page === "index") return common.siteTitle;
  return (isSidePage(page) ? common.pages[page] : chapters[page as ChapterName]).title;
}

/** The picture that stands beside links to a page, in the built folder (preview-images.ts). */
export const imageOf = (page: string, locale: Locale): string => `previews/${page}.${locale}.png`;

/** Where the site is published, if that is known: sites that show links ask for whole addresses. */
const origin = process.env["POSENC_SITE_ORIGIN"]?.replace(/\/?$/, "/");

function html(template: string, page: string, locale: Locale): string {
  const { common, chapters } = frames[locale];
  const { summary } = isSidePage(page) ? common.pages[page] : chapters[page as ChapterName];
  const title = titleOf(page, locale);
  const other = locale === "en" ? "zh-CN" : "en";
  const values: Record<string, string> = {
    page,
    locale,
    title: page === "index" ? title : `${title} · posenc`,
    description: summary,
    ogTitle: title,
    image: `${origin ?? (locale === "en" ? "./" : "../")}${imageOf(page, locale)}`,
    otherLocale: other,
    otherPage: locale === "en" ? `./zh-CN/${page}.html` : `../${page}.html`,
  };
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name]?.replaceAll('"', "&quot;") ?? whole);
}

/** The script of a page: its component and its text, and nothing of other chapters. */
function script(root: string, page: string, locale: Locale): string {
  const folder = chapterFolders(root).find((name) => pageOf(name) === page);
  const component = isSidePage(page) ? sidePages[page] : `chapters/${folder}/Chapter`;
  const texts = `/src/${dirname(component)}/text.${locale}.ts`;
  return `import Content from "/src/${component}.svelte";
import { ${exported[locale]} as text } from "${texts}";
import { frame } from "/src/text/frame.${locale}.ts";
import { open } from "/src/lib/open.ts";
const whole = async () => (await import("${texts}?whole")).${exported[locale]};
open(Content, text, { page: "${page}", locale: "${locale}", ...frame }, whole);`;
}

/** The page of the project, from what package.json has: git+https://….git, or an object with such a url. */
function repositoryOf(root: string): string | undefined {
  const { repository } = JSON.parse(readFileSync(join(root, "..", "..", "package.json"), "utf8")) as {
    repository?: string | { url: string };
  };
  const url = typeof repository === "object" ? repository.url : repository;
  return url?.replace(/^git\+/, "").replace(/\.git$/, "");
}

const scriptName = /^\/@page\/([\w-]+)\.(en|zh-CN)\.js$/;

/** In: the page that an address or a path below the root names. */
function parse(path: string): { page: string; locale: Locale } | undefined {
  const match = /^(zh-CN\/)?([\w-]*?)(?:\.html)?$/.exec(path.replace(/^\//, "").replace(/[?#].*$/, ""));
  return match ? { page: match[2] || "index", locale: match[1] ? "zh-CN" : "en" } : undefined;
}

/** All pages of a language. */
export const pageNames = (root: string): string[] => [...sidePageNames, ...chapterFolders(root).map(pageOf)];

/** What Vite builds: every page as a file that is not there. */
export const pageInputs = (root: string): string[] =>
  pageNames(root).flatMap((page) => locales.map((locale) => join(root, fileOf(page, locale))));

export function pages(root: string): Plugin {
  const template = () => readFileSync(join(root, "page.html"), "utf8");
  const isPage = (id: string) => id.endsWith(".html") && pageInputs(root).includes(id);
  return {
    name: "posenc-site:pages",
    enforce: "pre",
    resolveId(id) {
      if (scriptName.test(id) || isPage(id) || ["virtual:chapters", "virtual:project"].includes(id)) return id;
      return null;
    },
    load(id) {
      if (id === "virtual:chapters") return `export default ${JSON.stringify(chapterFolders(root).map(pageOf))};`;
      if (id === "virtual:project") return `export const repository = ${JSON.stringify(repositoryOf(root))};`;
      const named = scriptName.exec(id);
      if (named) return script(root, named[1], named[2] as Locale);
      const page = isPage(id) && parse(id.slice(root.length));
      return page ? html(template(), page.page, page.locale) : null;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const url = request.url ?? "/";
        const named = parse(url);
        if (!named || !isPage(join(root, fileOf(named.page, named.locale)))) return next();
        const page = html(template(), named.page, named.locale);
        server.transformIndexHtml(url, page).then((text) => {
          response.setHeader("Content-Type", "text/html; charset=utf-8");
          response.end(text);
        }, next);
      });
    },
  };
}
