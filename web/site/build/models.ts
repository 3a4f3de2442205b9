import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const prefix = "virtual:models/";

/**
 * `virtual:models/llama-3.1-8b,phi-3-mini-128k`: these of the library's models, with nothing but their names, specs and
 * lengths. A page that shows a few need not load all, and what reads their configs.
 */
export function models(dist: string): Plugin {
  return {
    name: "posenc-site:models",
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const { models: all } = await import(pathToFileURL(join(dist, "models.js")).href);
      const picked = id
        .slice(prefix.length + 1)
        .split(",")
        .map((name) => {
          if (!(name in all)) this.error(`posenc/models has no "${name}"`);
          const { name: title, spec, contextLength } = all[name];
          return [name, { name: title, spec, contextLength }];
        });
      return `export const models = ${JSON.stringify(Object.fromEntries(picked))};`;
    },
  };
}
