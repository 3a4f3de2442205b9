// Positional components that posenc can name but not change: relative encodings, networks, sinusoids of masks, convolutions.
// Loaded on demand: see find.ts.
import type { Spec } from "../base/specs.gen.js";
import type { Constant, Flow, Step } from "./flow.js";
import { findConvolutions } from "./named-convolution.js";
import { findOffsets } from "./named-offsets.js";
import { scoresOf } from "./named-scores.js";
import { findShaw } from "./named-shaw.js";
import { Sources } from "./named-sources.js";
import { findMaskSinusoids, unexplainedWaves } from "./named-waves.js";
import { findTransformerXl } from "./named-xl.js";
import type { Sites } from "./sites.js";
import type { DataType, Files } from "./values.js";

/** A component as it was found. */
export interface FoundNamed {
  readonly family: "bias" | "relative" | "table";
  readonly form: "shaw" | "transformer-xl" | "decomposed" | "offsets" | "network" | "computed-from-mask" | "convolution";
  readonly layers: readonly number[];
  readonly heads?: number;
  readonly dim?: number;
  readonly rows?: number;
  readonly type: DataType;
  readonly spec?: Spec;
  readonly constants: readonly Constant[];
  readonly steps: readonly Step[];
  /** Its name in words, for an audit. */
  readonly note: string;
}
/** A component without its name in words. */
export type Facts = Omit<FoundNamed, "note">;

const notes: Readonly<Record<FoundNamed["form"], string>> = {
  shaw: "relative positions of Shaw, vectors of distances that meet queries or keys",
  "transformer-xl": "relative sinusoids of Transformer-XL",
  decomposed: "relative positions of rows and of columns, added to the scores (SAM, MViT v2)",
  offsets: "biases of the scores by offset, read from a table",
  network: "biases of the scores by offset, computed by a network (Swin V2)",
  "computed-from-mask": "sinusoids of rows and columns that are counted in a mask (DETR)",
  convolution: "positions of a wide convolution that is added to its own input (wav2vec 2.0)",
};

/** What the finders look at. */
export interface Named {
  readonly flow: Flow;
  readonly files: Files;
  readonly sites: Sites;
  readonly sources: Sources;
}

/** Constants and steps of components that are known already. */
export interface Known {
  readonly constants: ReadonlySet<Constant>;
  readonly steps: ReadonlySet<Step>;
}

/**
 * Finds the components that cannot be changed, and cosines and sines by position that no component has.
 *
 * @param known Components that other finders found; they are not found again.
 */
export async function findNamed(
  flow: Flow,
  files: Files,
  sites: Sites,
  known: Known,
): Promise<{ found: FoundNamed[]; unexplained: string | undefined }> {
  const at: Named = { flow, files, sites, sources: new Sources() };
  const scores = scoresOf(flow, sites);
  const relative = [...(await findTransformerXl(at, scores)), ...(await findShaw(at, scores))];
  const taken = new Set([...known.constants, ...relative.flatMap(({ constants }) => constants)]);
  const biases = await findOffsets(at, scores, taken);
  const found = [...relative, ...biases, ...findConvolutions(at)];
  const steps = new Set([...known.steps, ...found.flatMap((one) => one.steps)]);
  const constants = new Set([...taken, ...biases.flatMap((one) => one.constants)]);
  const masks = await findMaskSinusoids(at, { constants, steps });
  for (const one of masks) for (const step of one.steps) steps.add(step);
  const loose = unexplainedWaves(at, { constants, steps });
  const all = [...found, ...masks].map((one) => ({ ...one, note: notes[one.form] }));
  return { found: all, unexplained: loose.length > 0 ? explained(loose) : undefined };
}

function explained(steps: readonly Step[]): string {
  const most = 4;
  const names = steps.slice(0, most).map(({ node }) => node.name || node.outputs[0] || node.op);
  const list = `${names.join(", ")}${steps.length > most ? `, and ${steps.length - most} more` : ""}`;
  return `A cosine and a sine by position are here that posenc does not understand: nodes ${list}.`;
}
