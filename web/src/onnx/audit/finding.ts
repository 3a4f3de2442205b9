// What an audit says.
import type { Carrier } from "../carrier.js";
import type { RewriteOptions } from "../options.js";

/**
 * What a finding is about.
 *
 * | code | what is wrong |
 * |---|---|
 * | `angles-float16` | position · frequency is computed in 16 bits: angles lose their precision as texts get longer |
 * | `table-error` | a table's cosines and sines are not those of its own frequencies |
 * | `unknown-frequencies` | frequencies follow no rule that is known, and no config says what they should be |
 * | `rows` | a table ends, and how: before the model's length, or at it |
 * | `scaling-ignored` | the config scales the rotation, the graph does not |
 * | `original-length` | scaled as the config says, but from another original length |
 * | `frozen-scaling` | dynamic NTK or LongRoPE was fixed to the length it was exported at |
 * | `attention-factor` | cosines and sines have another magnitude than the config's |
 * | `base` | another base than the config's |
 * | `layer-base` | layers turn as the config's other kind of layers do |
 * | `frequencies` | frequencies differ from the config's in another way |
 * | `width` | more or fewer features turn than the config says |
 * | `pairing` | other features make pairs: right only if the weights were permuted |
 * | `nope-layer-rotated` | layers turn that have no positions |
 * | `layer-not-rotated` | layers do not turn that should |
 * | `window-lost` | layers see everything where the config has a sliding window |
 * | `window-size` | layers have another window than the config's |
 * | `slopes` | ALiBi's slopes are not the config's |
 * | `buckets` | T5's or DeBERTa's buckets are not the config's |
 * | `not-found` | nothing in the graph carries the positions that the config describes |
 * | `not-changeable` | positions that `rewrite` leaves as they are, and their name |
 * | `unexplained` | a cosine and a sine by position that belong to no known component |
 * | `buckets-float16` | logarithms of distances are computed in 16 bits: at the ends of buckets some fall into the next |
 * | `config-unread` | the config could not be read: why |
 * | `config-assumed` | the config's model type is unknown: `fields` of the encoding are taken to be Llama's |
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

/** Something that an audit has to say of a model's positions. */
export interface Finding {
  /** "error": outputs are wrong; "warning": they may be, or are for some lengths; "note": good to know. */
  readonly severity: "error" | "warning" | "note";
  /** What kind of fault it is. */
  readonly code: FindingCode;
  /** What it is, how large, and what it does to long texts. */
  readonly message: string;
  /** Where it is; undefined: in the model as a whole. */
  readonly carrier?: Carrier;
  /** Names of what is assumed or ignored; undefined for other codes. */
  readonly fields?: readonly string[];
  /** What `rewrite(pe, …)` mends it with; undefined: nothing that a rewrite does. */
  readonly rewrite?: RewriteOptions;
}

/** A few digits of a number. */
export const few = (value: number): string => String(Number(value.toPrecision(3)));

/** "layer 3", "some layers", "layers 0-4, 6". */
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

/** "rotary frequencies of layers 0-4". */
export function nameCarrier({ family, form, layers, where }: Carrier): string {
  const at = layers.length > 0 ? nameLayers(layers) : `node ${where.nodes[0] ?? "?"}`;
  return `${family} ${form} of ${at}`;
}
