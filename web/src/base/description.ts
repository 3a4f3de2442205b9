// What is told of each kind: facts by `Posenc.describe`, words as well by `describe` of posenc/explain.
import type { Family, Kind } from "./specs.gen.js";

type FieldType = "integer" | "number" | "boolean" | "choice" | "numbers";
type Default = number | boolean | string | null;

/** One field of a spec. */
export interface FieldFacts {
  /** As it stands in the spec. */
  name: string;
  /** What its values are; "choice": one of `choices`. */
  type: FieldType;
  /** Must a spec have it? */
  required: boolean;
  /** What it is where a spec leaves it out; null: nothing, or required. */
  default: Default;
  /** Least value; null: none. */
  min: number | null;
  /** Largest value; null: none. */
  max: number | null;
  /** The values of a "choice". */
  choices?: string[];
}

/** One kind of encoding, as `Posenc.describe` tells it. */
export interface KindDescription {
  /** For `pe.create`. */
  kind: Kind;
  /** Which of the four families it is of. */
  family: Family;
  /** What its spec takes. */
  fields: FieldFacts[];
  /** Learned numbers: `encoding.parameters`, `encoding.load`. */
  parameters: { name: string }[];
  /** What its class has, and other kinds of the family have not: "shift", "weights" … Empty for most. */
  calls: string[];
}

/** One field of a spec, in words as well. */
export interface FieldDescription extends FieldFacts {
  /** A value that may stand there. */
  example: number | boolean | string | number[] | null;
  /** What it counts, "" for plain numbers. */
  unit: string;
  /** What it is, in a sentence. */
  doc: string;
}

/** One kind of encoding, in words as well: `describe()` of posenc/explain. */
export interface Description extends KindDescription {
  /** What it is usually called. */
  title: string;
  /** TeX */
  formula: string;
  /** Paper and equation. */
  source: string;
  /** What goes in and comes out. */
  shapes: string;
  /** What its spec takes. */
  fields: FieldDescription[];
  parameters: ParameterDescription[];
}

/** Learned numbers of a kind, as `describe()` tells them. */
export interface ParameterDescription {
  /** As in `encoding.parameters`, and in the spec. */
  name: string;
  /** What its dims are: "buckets, heads". */
  axes: string;
  /** What they are, in a sentence. */
  doc: string;
}

/** What `describe()` says of a kind beside its title and what its fields are. */
export interface KindProse extends Pick<Description, "formula" | "source" | "shapes" | "parameters"> {
  /** By name. */
  fields: Record<string, Pick<FieldDescription, "unit" | "example">>;
}

/** name, type, required, default, min, max, choices */
type Field = readonly [string, FieldType, 0 | 1, Default, number | null, number | null, (readonly string[])?];

/** Family, fields, names of learned numbers, calls that others of the family have not. */
export type KindFacts = readonly [Family, readonly Field[], readonly string[], readonly string[]];
