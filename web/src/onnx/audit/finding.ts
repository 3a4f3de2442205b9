// Findings of an audit.
import type { PositionalComponent } from "../component.js";
import type { RewriteOptions } from "../options.js";

/**
 * Codes of findings.
 *
 * | code | what is wrong |
 * |---|---|
 * | `angles-float16` | position · frequency is computed in 16-bit floats: angles lose precision as texts get longer |
 * | `table-error` | a table's cosines and sines do not match its own frequencies |
 * | `unknown-frequencies` | frequencies follow no known rule, and no config says what they should be |
 * | `rows` | a table ends at the model's length or before it; the message says what happens there |
 * | `scaling-ignored` | the config scales the rotation, the graph does not |
 * | `original-length` | the rotation is scaled as in the config, but from another original length |
 * | `frozen-scaling` | dynamic NTK or LongRoPE was fixed to the length at export |
 * | `attention-factor` | cosines and sines have another magnitude than in the config |
 * | `base` | the base differs from the config |
 * | `layer-base` | layers rotate as another kind of layer in the config does |
 * | `frequencies` | frequencies differ from the config in another way |
 * | `width` | more or fewer features are rotated than in the config |
 * | `pairing` | other features form pairs: correct only if the weights were permuted |
 * | `nope-layer-rotated` | layers without positions are rotated |
 * | `layer-not-rotated` | layers that should be rotated are not |
 * | `window-lost` | layers attend to all tokens although the config has a sliding window |
 * | `window-size` | layers have another window than in the config |
 * | `slopes` | ALiBi's slopes differ from the config |
 * | `buckets` | buckets of T5 or DeBERTa differ from the config |
 * | `not-found` | no component of the graph matches the positional encoding in the config |
 * | `not-changeable` | a positional component that `rewrite` leaves unchanged, with its name |
 * | `unexplained` | cosines and sines of positions that belong to no known component |
 * | `buckets-float16` | logarithms of distances are computed in 16-bit floats: near the ends of buckets some fall into the next one |
 * | `config-unread` | the config could not be read, with the reason |
 * | `config-assumed` | the config's model type is unknown: `fields` of the encoding are assumed as in Llama |
 * | `config-ignored` | `fields` of the config about positions that have no effect |
 */
export type FindingCode =
  | "angles-float16"
  | "attention-factor"
  | "base"
  | "buckets"
  | "buckets-float16"
  | "config-assumed"
  | "config-ignored"
  | "config-unread"
  | "frequencies"
  | "frozen-scaling"
  | "layer-base"
  | "layer-not-rotated"
  | "nope-layer-rotated"
  | "not-changeable"
  | "not-found"
  | "original-length"
  | "pairing"
  | "rows"
  | "scaling-ignored"
  | "slopes"
  | "table-error"
  | "unexplained"
  | "unknown-frequencies"
  | "width"
  | "window-lost"
  | "window-size";

/** One result of an audit of a model's positions. */
export interface Finding {
  /** "error": outputs are wrong; "warning": outputs may be wrong, or are for some lengths; "note": for information. */
  readonly severity: "error" | "warning" | "note";
  /** Code of the finding. */
  readonly code: FindingCode;
  /** What is wrong, by how much, and the effect on long texts. */
  readonly message: string;
  /** The component; undefined if the finding is about the whole model. */
  readonly component?: PositionalComponent;
  /** Names of assumed or ignored fields; undefined for other codes. */
  readonly fields?: readonly string[];
  /** Options with which `rewrite(pe, …)` fixes it; undefined if a rewrite cannot fix it. */
  readonly rewrite?: RewriteOptions;
}

/** Formats a number with a few digits. */
export const few = (value: number): string => String(Number(value.toPrecision(3)));

/** Formats layers: "layer 3", "some layers", "layers 0-4, 6". */
export function nameLayers(layers: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const layer of layers) {
    const run = runs.at(-1);
    if (run && run[1] === layer - 1) run[1] = layer;
    else runs.push([layer, layer]);
  }
  const text = runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
  if (layers.length === 0) return "some layers";
  return `${layers.length === 1 ? "layer" : "layers"} ${text}`;
}

/** Formats a component: "rotary frequencies of layers 0-4". */
export function nameComponent({ family, form, layers, where }: PositionalComponent): string {
  const at = layers.length > 0 ? nameLayers(layers) : `node ${where.nodes[0] ?? "?"}`;
  return `${family} ${form} of ${at}`;
}
