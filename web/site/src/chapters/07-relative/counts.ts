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

function specOf(name: MethodName, { length, heads, dim, clip }: ModelSize): Parameters<Posenc["create"]>[0] {
  const width = heads * dim;
  if (name === "learned") return { kind: name, length, dim: width, ...empty };
  if (name === "sinusoidal") return { kind: name, dim: width };
  if (name === "shaw") return { kind: name, dim, maxDistance: clip, ...empty };
  if (name === "transformer-xl") return { kind: name, dim, heads, ...empty };
  if (name === "deberta") return { kind: name, dim, heads, buckets: 256, ...empty };
  if (name === "t5") return { kind: name, heads, ...empty };
  return name === "rope" ? { kind: name, dim } : { kind: name, heads };
}

/** Methods that sit in the attention of each layer and learn numbers there. T5's are shared by all layers. */
export const inEachLayer: readonly MethodName[] = ["shaw", "transformer-xl"];
/** What the library can hold as parameters, but a formula gives. */
const byFormula: readonly MethodName[] = ["alibi"];

type Shapes = [string, readonly number[]][];

/** Shapes that were asked for, by spec: a slider changes a few methods only, and large tables take their time. */
const knownShapes = new Map<string, Shapes>();

function shapesOf(pe: Posenc, name: MethodName, model: ModelSize): Shapes {
  const spec = specOf(name, model);
  const key = JSON.stringify(spec);
  const known = knownShapes.get(key);
  if (known) return known;
  const encoding = pe.create(spec);
  try {
    const shapes = Object.entries(encoding.parameters).map(([parameter, { dims }]): Shapes[number] => [
      parameter,
      [...dims],
    ]);
    knownShapes.set(key, shapes);
    return shapes;
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
