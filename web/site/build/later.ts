// The figures of a chapter but the one it opens with: their code comes after that one lives. And those of an article, after its words.
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const prefix = "virtual:later:";

/** A chapter, or an article. */
const isPage = /\/Chapter\.svelte$|\/articles\/[\w-]+\/(?!\w*Figure)\w+\.svelte$/;

/** An import of a figure that stands beside the chapter. */
const figureImport = /^(\s*import (\w+) from ")\.\/(\w+Figure\.svelte)";$/gm;

/** What stands under the title. */
const openings = (source: string) => (source.match(/<Section opening[^]*?<\/Section>/g) ?? []).join("");

/** For the browser: an empty box that gets the figure later. */
const inBrowser = (component: string, later: string) => `import Later from ${JSON.stringify(later)};
const load = () => import(${JSON.stringify(component)});
export default (anchor, given) => Later(anchor, { load, given });`;

/** For the page's text: the same box with the figure in it, marked so that the browser can take it over by itself. */
const inText = (component: string) => `import Component from ${JSON.stringify(component)};
export default (renderer, given) => {
  renderer.push('<div class="later"><!--[-->');
  Component(renderer, given);
  renderer.push("<!--]--></div>");
};`;

/** The development server has no prerendered text to take over: there all figures come at once. */
export function later(root: string): Plugin {
  let building = false;
  const box = join(root, "src", "components", "Later.svelte");
  return {
    name: "posenc-site:later",
    enforce: "pre",
    configResolved(config) {
      building = config.command === "build";
    },
    resolveId: (id) => (id.startsWith(prefix) ? id : null),
    load(id, options) {
      if (!id.startsWith(prefix)) return null;
      const component = id.slice(prefix.length, -".js".length);
      return options?.ssr ? inText(component) : inBrowser(component, box);
    },
    transform(code, id, options) {
      if (!isPage.test(id) || !(building || options?.ssr)) return null;
      const opening = openings(code);
      return code.replace(figureImport, (whole, start: string, name: string, file: string) =>
        opening.includes(`<${name} `) ? whole : `${start}${prefix}${join(dirname(id), file)}.js";`,
      );
    },
  };
}
