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

/** All that a forward pass needs to know of positions. */
export interface Placement {
  /** The characters' own vectors are multiplied by this before rows are added: sinusoidal models have √width. */
  embeddingScale: number;
  /** Rows that are added to the characters' vectors [characters, width]. */
  rows?: Float32Array;
  attention: Pick<AttentionOptions, "encoding" | "window" | "remap">;
  dispose(): void;
}

const width = 128;
const heads = 4;
const headDim = 32;
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

/** Rows of a table; their memory in wasm is given back at once. */
function rowsOf(pe: Posenc, spec: Spec & { kind: "sinusoidal" | "learned" }, length: number): Float32Array {
  const table = pe.create(spec);
  try {
    return Float32Array.from(table.table({ length }).data);
  } finally {
    table.dispose();
  }
}

/** The trained rows, stretched over more places; the first and the last stay. */
const stretched = (pe: Posenc, { shape, values }: Weight, length: number): Float32Array =>
  Float32Array.from(pe.resizeTable({ data: values, dims: [...shape] }, { length, alignCorners: true }).data);

function addedRows(pe: Posenc, trained: TrainedWith, rule: Rule, weightOf: (name: string) => Weight, length: number) {
  if (trained === "sinusoidal") return rowsOf(pe, { kind: "sinusoidal", dim: width }, length);
  const rows = weightOf("embed_positions");
  if (rule.name === "interp" && length > trainedLength) return stretched(pe, rows, length);
  return rowsOf(pe, { kind: "learned", length: trainedLength, dim: width, weights: rows.values }, length);
}

/**
 * @param weightOf the model's weights, by names such as "embed_positions"
 * @param length how many characters it reads
 */
export function place(
  pe: Posenc,
  trained: TrainedWith,
  rule: Rule,
  weightOf: (name: string) => Weight,
  length: number,
): Placement {
  const attention = overAttention(rule);
  const plain = { embeddingScale: 1, attention, dispose: () => undefined };
  if (trained === "none") return plain;
  if (trained === "sinusoidal" || trained === "learned")
    return {
      ...plain,
      embeddingScale: trained === "sinusoidal" ? Math.sqrt(width) : 1,
      rows: addedRows(pe, trained, rule, weightOf, length),
    };
  const encoding =
    trained === "alibi"
      ? pe.create({ kind: "alibi", heads })
      : trained === "t5"
        ? pe.create({ kind: "t5", heads, bidirectional: false, weights: weightOf("relative_attention_bias").values })
        : pe.create(ropeSpec(rule));
  return { ...plain, attention: { ...attention, encoding }, dispose: () => encoding.dispose() };
}
