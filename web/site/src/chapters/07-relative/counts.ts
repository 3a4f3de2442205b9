// How many numbers each method learns, from the library's own account of its parameters.
import type { Posenc } from "../../lib/engine.svelte.ts";

export interface ModelSize {
  length: number;
  heads: number;
  dim: number;
  layers: number;
  clip: number;
}

export const methodNames = [
  "sinusoidal",
  "learned",
  "shaw",
  "transformer-xl",
  "t5",
  "deberta",
  "rope",
  "alibi",
] as const;
export type MethodName = (typeof methodNames)[number];

/** Names that are the same in every language. */
export const properNames: Partial<Record<MethodName, string>> = {
  shaw: "Shaw",
  "transformer-xl": "Transformer-XL",
  deberta: "DeBERTa",
  rope: "RoPE",
  alibi: "ALiBi",
};

export interface MethodCount {
  name: MethodName;
  /** "keys 33 × 64" */
  shapes: { parameter: string; size: string }[];
  /** Numbers in one place. */
  one: number;
  /** How many places keep numbers of their own. */
  times: number;
}

const size = (dims: readonly number[]) => dims.reduce((product, dim) => product * dim, 1);

/** Only the shapes are wanted: with a deviation of 0 nothing is drawn, which for a long table takes half a second. */
const empty = { std: 0 };

function create(pe: Posenc, name: MethodName, { length, heads, dim, clip }: ModelSize) {
  const width = heads * dim;
  if (name === "learned") return pe.create({ kind: name, length, dim: width, ...empty });
  if (name === "sinusoidal") return pe.create({ kind: name, dim: width });
  if (name === "shaw") return pe.create({ kind: name, dim, maxDistance: clip, ...empty });
  if (name === "transformer-xl") return pe.create({ kind: name, dim, heads, ...empty });
  if (name === "deberta") return pe.create({ kind: name, dim, heads, buckets: 256, ...empty });
  if (name === "t5") return pe.create({ kind: name, heads, ...empty });
  return name === "rope" ? pe.create({ kind: name, dim }) : pe.create({ kind: name, heads });
}

/** Methods that sit in the attention of each layer and learn numbers there. T5's are shared by all layers. */
export const inEachLayer: readonly MethodName[] = ["shaw", "transformer-xl"];
/** What the library can hold as parameters, but a formula gives. */
const byFormula: readonly MethodName[] = ["alibi"];

function shapesOf(pe: Posenc, name: MethodName, model: ModelSize): [string, readonly number[]][] {
  const encoding = create(pe, name, model);
  try {
    return Object.entries(encoding.parameters).map(([parameter, { dims }]) => [parameter, [...dims]]);
  } finally {
    encoding.dispose();
  }
}

function learnedParameters(pe: Posenc, name: MethodName, model: ModelSize) {
  if (byFormula.includes(name)) return [];
  const parameters = shapesOf(pe, name, model);
  // DeBERTa's keys and queries of distances are two projections of one learned table.
  return name === "deberta" ? parameters.slice(0, 1) : parameters;
}

export function methodCounts(pe: Posenc, model: ModelSize): MethodCount[] {
  return methodNames.map((name) => {
    const parameters = learnedParameters(pe, name, model);
    return {
      name,
      shapes: parameters.map(([parameter, dims]) => ({ parameter, size: dims.join(" × ") })),
      one: parameters.reduce((sum, [, dims]) => sum + size(dims), 0),
      times: inEachLayer.includes(name) ? model.layers : 1,
    };
  });
}
