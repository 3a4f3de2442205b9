import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { principal } from "../src/chapters/06-learned/principal.ts";
import { readSafetensors } from "../src/lab/safetensors.ts";

const name = "virtual:learned-rows";

/**
 * The table of positions of the lab's English model, in its three principal directions. The model has 1.6 MB, its table of 256 rows 64 KB,
 * and what is drawn of it 6 KB.
 */
export function learnedRows(root: string): Plugin {
  const path = join(root, "lab/models/en-learned.safetensors");
  return {
    name: "posenc-site:learned-rows",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      this.addWatchFile(path);
      const weights = readSafetensors(new Uint8Array(readFileSync(path)).buffer);
      const { values, shape } = weights.get("model.embed_positions.weight")!;
      const { points, shares } = principal(values, shape[1]);
      const rounded = (list: ArrayLike<number>) =>
        JSON.stringify(Array.from(list, (value) => Number(value.toFixed(4))));
      return `export const points = ${rounded(points)};\nexport const shares = ${rounded(shares)};`;
    },
  };
}
