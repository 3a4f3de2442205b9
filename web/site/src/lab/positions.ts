// The positions of the small language models, as they were trained and with rules that were switched on afterwards.
import type { AttentionOptions, Spec } from "posenc";
import type { Posenc } from "../lib/engine.svelte.ts";
import type { Weight } from "./safetensors.ts";

/** What the models were trained with. */
export type TrainedWith = "none" | "sinusoidal" | "learned" | "t5" | "alibi" | "rope";

/** A rule for longer texts; nothing is trained again. Numbers are a factor, a window, or a group and a window. */
export type Rule =
  | { name: "default" | "interp" }
  | { name: "linear" | "ntk" | "yarn" | "dynamic" | "window" | "rerope"; value: number }
  | { name: "selfextend"; group: number; window: number };

/** Whether a rule places characters by the length of the whole text: a longer text is then read otherwise from its first one on. */
export const knowsLength = ({ name }: Rule): boolean => name === "interp" || name === "dynamic";

/** All that a forward pass needs to know of positions. */
export interface Placement {
  /** The characters' own vectors are multiplied by this before rows are added: sinusoidal models have √width. */
  embeddingScale: number;
  /** Rows that are added to the characters' vectors [characters, width]. */
  rows?: Float32Array;
  attention: Pick<AttentionOptions, "encoding" | "window" | "remap" | "at">;
  dispose(): void;
}

const width = 128;
const heads = 4;
export const headDim = 32;
export const trainedLength = 256;

const ropeSpec = (rule: Rule): Spec => {
  const spec = { dim: headDim };
  const factor = "value" in rule ? rule.value : 1;
  if (rule.name === "linear") return { ...spec, kind: "rope-linear", factor };
  if (rule.name === "ntk") return { ...spec, kind: "rope-ntk", factor };
  if (rule.name === "yarn") return { ...spec, kind: "rope-yarn", factor, originalLength: trainedLength };
  if (rule.name === "dynamic") return { ...spec, kind: "rope-dynamic", factor, originalLength: trainedLength };
  return { ...spec, kind: "rope" };
};

/** What is done inside attention whatever the encoding is. */
function overAttention(rule: Rule): Placement["attention"] {
  if (rule.name === "window") return { window: rule.value };
  if (rule.name === "rerope") return { remap: { kind: "rerope", window: rule.value } };
  if (rule.name === "selfextend") return { remap: { kind: "self-extend", group: rule.group, window: rule.window } };
  return {};
}

/** Where the characters stand: 0, 1, 2 … of so many, or at places of their own. */
export type Places = number | number[];

const countOf = (places: Places) => (typeof places === "number" ? places : places.length);

/** Rows of a table; their memory in wasm is given back at once. */
function rowsOf(pe: Posenc, spec: Spec & { kind: "sinusoidal" | "learned" }, places: Places): Float32Array {
  const table = pe.create(spec);
  try {
    const at = typeof places === "number" ? { length: places } : { positions: places };
    return Float32Array.from(table.table(at).data);
  } finally {
    table.dispose();
  }
}

/** The trained rows, stretched over more places; the first and the last stay. */
const stretched = (pe: Posenc, { shape, values }: Weight, length: number): Float32Array =>
  Float32Array.from(pe.resizeTable({ data: values, dims: [...shape] }, { length, alignCorners: true }).data);

type WeightOf = (name: string) => Weight;

function addedRows(pe: Posenc, trained: TrainedWith, rule: Rule, weightOf: WeightOf, places: Places): Float32Array {
  if (trained === "sinusoidal") return rowsOf(pe, { kind: "sinusoidal", dim: width }, places);
  const rows = weightOf("embed_positions");
  if (rule.name === "interp" && countOf(places) > trainedLength) return stretched(pe, rows, countOf(places));
  return rowsOf(pe, { kind: "learned", length: trainedLength, dim: width, weights: rows.values }, places);
}

/** Vectors of characters are multiplied by this before rows are added. */
export const embeddingScaleOf = (trained: TrainedWith): number => (trained === "sinusoidal" ? Math.sqrt(width) : 1);

/**
 * @param weightOf the model's weights, by names such as "embed_positions"
 * @param places how many characters it reads, or where they stand
 */
export function place(pe: Posenc, trained: TrainedWith, rule: Rule, weightOf: WeightOf, places: Places): Placement {
  const attention = { ...overAttention(rule), ...(typeof places === "number" ? {} : { at: { positions: places } }) };
  const plain = { embeddingScale: embeddingScaleOf(trained), attention, dispose: () => undefined };
  if (trained === "none") return { ...plain, attention: overAttention(rule) };
  if (trained === "sinusoidal" || trained === "learned")
    return { ...plain, attention: overAttention(rule), rows: addedRows(pe, trained, rule, weightOf, places) };
  const encoding =
    trained === "alibi"
      ? pe.create({ kind: "alibi", heads })
      : trained === "t5"
        ? pe.create({ kind: "t5", heads, bidirectional: false, weights: weightOf("relative_attention_bias").values })
        : pe.create(ropeSpec(rule));
  return { ...plain, attention: { ...attention, encoding }, dispose: () => encoding.dispose() };
}

/** RoPE, but for one pair that does not turn. */
export function ropeWithout(pe: Posenc, pair: number) {
  const frequencyFactors = Array.from({ length: headDim / 2 }, (_, index) => (index === pair ? 1e9 : 1));
  return pe.create({ kind: "rope", dim: headDim, frequencyFactors });
}
