// Positional components that posenc can name but not change: relative encodings, networks, sinusoids of masks, convolutions.
// Loaded on demand: see find.ts.
import type { Constant, Flow, Step } from "../../read/flow.js";
import { findConvolutions } from "./convolution.js";
import type { FoundNamed, Named } from "./facts.js";
import { findOffsets } from "./offsets.js";
import { findRemapped } from "./remapped.js";
import { findRotaryInputs } from "./rotary-inputs.js";
import { scoresOf } from "./scores.js";
import { findShaw } from "./shaw.js";
import { Sources } from "./sources.js";
import { findMaskSinusoids, unexplainedSinusoids } from "./mask-sinusoids.js";
import { findTransformerXl } from "./xl.js";
import type { Sites } from "../sites.js";
import type { Files } from "../../read/values.js";

const notes: Readonly<Record<FoundNamed["form"], string>> = {
  shaw: "Shaw's relative positions, distance vectors multiplied with queries or keys",
  "transformer-xl": "relative sinusoids of Transformer-XL",
  decomposed: "relative positions of rows and of columns, added to the scores (SAM, MViT v2)",
  offsets: "biases of the scores by offset, read from a table",
  network: "biases of the scores by offset, computed by a network (Swin V2)",
  "computed-from-mask": "sinusoids of rows and columns that are counted in a mask (DETR)",
  inputs:
    "rotary tables are inputs of the graph, rope_cos and rope_sin, which withRotaryTables of posenc/transformers feeds",
  remapped: "distances of far tokens are remapped, by a second product of queries and keys",
  convolution: "positions of a wide convolution that is added to its own input (wav2vec 2.0)",
};

/** The facts that are needed about components of other finders. */
type Others<K> = ReadonlyMap<K, { readonly constants: readonly Constant[]; readonly steps: readonly Step[] }>;

/**
 * Finds the components that cannot be changed, and cosines and sines by position that no component has.
 *
 * @param others Components that other finders found. A bias or a relative encoding among them is not found again; `replaced`
 * are those that have a better name now.
 */
export async function findNamed<K extends { readonly family: string }>(
  flow: Flow,
  files: Files,
  sites: Sites,
  others: Others<K>,
): Promise<{ found: FoundNamed[]; replaced: K[]; unexplained: string | undefined }> {
  const at: Named = { flow, files, sites, sources: new Sources() };
  const scores = scoresOf(flow, sites);
  const relative = [...(await findTransformerXl(at, scores)), ...(await findShaw(at, scores))];
  const met = constantsOf(relative);
  const taken = new Set(met);
  for (const [{ family }, { constants }] of others) if (family === "bias") for (const one of constants) taken.add(one);
  const biases = await findOffsets(at, scores, taken);
  const added = constantsOf(biases);
  const replaced = [...others].flatMap(([other, { constants }]) => {
    // Tables that are used in the scores are not added to tokens.
    const isNamed = (one: Constant): boolean => met.has(one) || (other.family === "table" && added.has(one));
    return constants.length > 0 && constants.every(isNamed) ? [other] : [];
  });
  const found = [...relative, ...biases, ...findConvolutions(at), ...findRotaryInputs(at), ...findRemapped(at)];
  const all = [...found, ...others.values()];
  const known = { constants: constantsOf(all), steps: new Set(all.flatMap(({ steps }) => steps)) };
  const masks = await findMaskSinusoids(at, known);
  for (const { steps } of masks) for (const step of steps) known.steps.add(step);
  const loose = unexplainedSinusoids(at, known);
  const named = [...found, ...masks].map((one) => ({ ...one, note: notes[one.form] }));
  return { found: named, replaced, unexplained: loose.length > 0 ? explained(loose) : undefined };
}

const constantsOf = (all: readonly { readonly constants: readonly Constant[] }[]): Set<Constant> =>
  new Set(all.flatMap(({ constants }) => constants));

function explained(steps: readonly Step[]): string {
  const most = 4;
  const names = steps.slice(0, most).map(({ node }) => node.name || node.outputs[0] || node.op);
  const list = `${names.join(", ")}${steps.length > most ? `, and ${steps.length - most} more` : ""}`;
  return `The graph has an unknown cosine and sine of positions: nodes ${list}.`;
}
