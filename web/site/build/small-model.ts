import { statSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";

const name = "virtual:small-model";

/** `virtual:small-model`: the addresses of a small model's files, by their names, and how large it is. */
export function smallModel(folder: string, paths: readonly string[]): Plugin {
  return {
    name: "posenc-site:small-model",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const files = paths.map((path) => join(folder, path));
      const imports = files.map((file, index) => `import file${index} from ${JSON.stringify(`${file}?url`)};`);
      const entries = files.map((file, index) => `${JSON.stringify(basename(file))}: file${index}`);
      const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
      return `${imports.join("\n")}
export const files = { ${entries.join(", ")} };
export const bytes = ${bytes};`;
    },
  };
}
