// Do layerSpecs and exported graphs of the same models agree? Of the committed models, or of those in POSENC_ONNX_MODELS.
import { readdirSync, readFileSync } from "node:fs";
import { layerSpecs, type LayerSpec } from "posenc/config";
import { describe, expect, it } from "vitest";
import { modelFolders } from "../../fixtures/onnx-folders";
import { loosely } from "../helpers/library";
import { openModel } from "../helpers/onnx-models";
import type { PositionalComponent } from "../helpers/onnx-models";

const open = (folder: string, file: string) => {
  const dataFiles = readdirSync(folder).filter((name) => /onnx[._]data$/.test(name));
  const externalData = Object.fromEntries(dataFiles.map((name) => [name, readFileSync(`${folder}/${name}`)]));
  return openModel(readFileSync(`${folder}/${file}`), { externalData });
};

const families: Record<string, RegExp> = {
  rotary: /^rope/,
  bias: /^(alibi|t5)$/,
  relative: /^deberta$/,
  table: /^learned$/,
};
/** Do the config and the graph mean the same layers? Of frequencies that no rule makes, only which layers turn. */
function isSame({ spec }: LayerSpec, component: PositionalComponent): boolean {
  if (!spec || !families[component.family]?.test(spec.kind)) return false;
  const [stated, found] = [loosely(spec), loosely(component.spec ?? {})];
  const agrees = (name: string, wanted: unknown = stated[name]) =>
    wanted === undefined || found[name] === undefined || found[name] === wanted;
  // A graph shows what turns, not the whole head; and DINOv2's row of the class token lies apart.
  const isApart = found.length === stated.length - 1;
  return (
    agrees("base") &&
    agrees("bidirectional") &&
    agrees("dim", stated.rotaryDim ?? stated.dim) &&
    (isApart || agrees("length"))
  );
}

describe.each([...modelFolders])("%s", (name, root) => {
  const folder = `${root}/${name}`;
  const layers = layerSpecs(JSON.parse(readFileSync(`${folder}/config.json`, "utf8")));
  it.each(readdirSync(folder).filter((file) => file.endsWith(".onnx")))("%s", async (file) => {
    const { positions } = await open(folder, file);
    for (const component of positions) {
      const expected = layers.filter((layer) => isSame(layer, component)).map(({ layer }) => layer);
      expect([...component.layers]).toEqual(expected);
    }
    // A decoder alone has nothing of the encoder's.
    const parts = new Set(
      layers.filter((layer) => positions.some((one) => isSame(layer, one))).map(({ part }) => part),
    );
    const known = layers.filter(({ part, spec }) => parts.has(part) && spec);
    const found = new Set(positions.flatMap((component) => component.layers));
    expect([...found].sort()).toEqual([...new Set(known.map(({ layer }) => layer))]);
  });
});
