// The API documentation, dist-site/api/: TypeDoc over web/src and over the method pages. It runs from any folder, offline
// and under the tutorial's strict Content-Security-Policy.
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { entryModules } from "./distributed.mjs";
import { writeTexts } from "./llms.mjs";
import { writeMethodPages } from "./method-pages.mjs";
import { ifChanged, inRoot, log } from "./prepare.mjs";

const built = inRoot("build", "docs");
const texts = inRoot("build", "texts");

/** The TypeScript file of each JavaScript entry of the package; posenc/inline has the exports of posenc. */
const entryPoints = () =>
  entryModules()
    .filter((name) => name !== "inline")
    .map((name) => inRoot("web", "src", `${name}.ts`));

/** Applies `change` to the text of HTML, without its tags and entities. */
const inText = (html, change) =>
  html.replace(/(<[^>]*>|&[^;\s]*;)|[^<&]+/g, (part, markup) => (markup ? part : change(part)));

/** Lets long names in code break where their words begin; `--options` and short names of kinds do not break at hyphens. */
const breakable = (code) =>
  inText(
    inText(code, (text) => text.replace(/--[a-z][a-z-]*|^(?=.{1,19}$)\w+(-\w+)+$/g, '<span class="whole">$&</span>')),
    (text) => text.replace(/\S{20,}/g, (name) => name.replace(/[_./(=,](?=\w)|[a-z](?=[A-Z])/g, "$&<wbr>")),
  );

/** Marks cells with much text: they stay wide enough to read where a table scrolls. */
const markLongCell = (cell, text) =>
  text.replace(/<[^>]*>/g, "").length > 30 ? cell.replace("<td", '<td class="long"') : cell;

/** TypeDoc leaves code out of the headings that it lists, and breaks words such as SelfExtend: writes them in full. */
function listHeadings(page) {
  const headings = page.matchAll(/<h[1-6] id="([^"]+)" class="tsd-anchor-link">([^]*?)<a href="#/g);
  const names = new Map(Array.from(headings, ([, id, text]) => [id, text.replace(/<[^>]*>/g, "")]));
  return page.replace(/(<a href="#([^"]+)"><span>).*?(?=<\/span>)/g, (link, start, id) =>
    names.has(id) ? start + names.get(id) : link,
  );
}

/** The theme's one inline script becomes a file, links to the tutorial fit the page's depth, and texts fit a phone. */
function adaptPages(app, { PageEvent, RendererEvent }) {
  app.renderer.on(PageEvent.END, (page) => {
    const base = "../".repeat(page.url.split("/").length - 1);
    page.contents = listHeadings(page.contents ?? "")
      .replace(/(?<!<pre>)<code>([^]*?)<\/code>/g, (_, code) => `<code>${breakable(code)}</code>`)
      .replace(/<td[^>]*>([^]*?)<\/td>/g, markLongCell)
      .replace(/<script>[^]*?<\/script>/, `<script src="${base}assets/theme.js"></script>`)
      .replaceAll('href="tutorial:', `href="${base}../`);
  });
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    copyFileSync(inRoot("web", "docs", "theme.js"), `${outputDirectory}/assets/theme.js`);
    // It adds an empty style element even to pages without filters.
    const script = `${outputDirectory}/assets/main.js`;
    const [before, after, ...more] = readFileSync(script, "utf8").split(
      'document.head.appendChild(document.createElement("style"))',
    );
    if (after === undefined || more.length) throw new Error("TypeDoc's main.js has changed: look at its style element");
    writeFileSync(script, `${before}document.createElement("style")${after}`);
  });
}

async function write() {
  // Imported late: slow to load, and often not needed.
  const typedoc = await import("typedoc");
  const { init } = await import("posenc");
  const pages = inRoot("build", "method-pages");
  const documents = await writeMethodPages(await init(), pages);
  writeTexts((await import("posenc/explain")).describe(), pages, documents, texts);
  const app = await typedoc.Application.bootstrap({
    name: "posenc",
    entryPoints: entryPoints(),
    tsconfig: inRoot("tsconfig.json"),
    readme: `${pages}/home.md`,
    projectDocuments: [...documents, "zh-CN/index"].map((name) => `${pages}/${name}.md`),
    highlightLanguages: [...typedoc.OptionDefaults.highlightLanguages, "cmake", "cpp", "python"],
    customCss: inRoot("web", "docs", "style.css"),
    favicon: inRoot("web", "site", "public", "favicon.svg"),
    navigationLinks: { Tutorial: "tutorial:index.html" },
    navigation: { includeCategories: true, includeGroups: false },
    categorizeByGroup: false,
    // Their style elements would need 'unsafe-inline'.
    visibilityFilters: {},
    excludeInternal: true,
    excludePrivate: true,
    excludeProtected: true,
    disableSources: true,
    hideGenerator: true,
    githubPages: false,
    logLevel: typedoc.LogLevel.Warn,
    validation: { notExported: false },
  });
  adaptPages(app, typedoc);
  const project = await app.convert();
  if (!project) throw new Error("cannot build the API documentation");
  app.validate(project);
  await app.generateDocs(project, built);
  if (app.logger.hasErrors()) throw new Error("the API documentation has errors");
}

/** Makes the documentation if its sources changed, and copies it to the tutorial's folder. */
export async function buildDocs() {
  const chapters = ["taught.ts", "chapters.en.ts"].map((name) => `web/site/src/text/${name}`);
  const inputs = ["web/src", "web/docs", ...chapters, "examples/kinds", "dist", "package.json"];
  await ifChanged("docs", inputs, "build/docs/index.html", async () => {
    log("building the API documentation");
    await write();
  });
  // Vite empties its folder, and pages may have been removed; a copy is cheap.
  const target = inRoot("dist-site", "api");
  rmSync(target, { recursive: true, force: true });
  cpSync(built, target, { recursive: true });
  cpSync(texts, inRoot("dist-site"), { recursive: true });
}
