// Descriptions of kinds: facts by `Posenc.describe`, with texts by `describe` of posenc/explain.
import type { Family, Kind } from "./specs.gen.js";

type FieldType = "integer" | "number" | "boolean" | "choice" | "numbers";
type Default = number | boolean | string | null;

/** One field of a spec. */
export interface FieldFacts {
  /** Name of the field in the spec. */
  name: string;
  /** Type of its values. "numbers" is a list; "choice" is one of `choices`. */
  type: FieldType;
  /** Whether each spec must have the field. */
  required: boolean;
  /** Value if a spec omits the field; null: no value, or the field is required. */
  default: Default;
  /** Smallest value; null: no limit. */
  min: number | null;
  /** Largest value; null: no limit. */
  max: number | null;
  /** The values of a "choice". */
  choices?: string[];
}

/** One kind of encoding, as `Posenc.describe` returns it. */
export interface KindDescription {
  /** Name of the kind, for `pe.create`. */
  kind: Kind;
  /** Family of the kind, one of four. */
  family: Family;
  /** Fields of its spec. */
  fields: FieldFacts[];
  /** Its learned parameters, for `encoding.parameters` and `encoding.load`. */
  parameters: { name: string }[];
  /** Methods that its class has and other kinds of the family do not: "shift", "weights" … Empty for most kinds. */
  calls: string[];
}

/** One field of a spec, with texts. */
export interface FieldDescription extends FieldFacts {
  /** A valid value. */
  example: number | boolean | string | number[] | null;
  /** Unit of the values, "" for plain numbers. */
  unit: string;
  /** Description in one sentence. */
  doc: string;
}

/** One kind of encoding with texts, as `describe()` of posenc/explain returns it. */
export interface Description extends KindDescription {
  /** Usual name of the encoding. */
  title: string;
  /** Formula in TeX. */
  formula: string;
  /** Paper and equation. */
  source: string;
  /** Shapes of inputs and results. */
  shapes: string;
  /** Fields of its spec. */
  fields: FieldDescription[];
  /** Its learned parameters. */
  parameters: ParameterDescription[];
}

/** One learned parameter of a kind, as `describe()` returns it. */
export interface ParameterDescription {
  /** Name of the parameter in `encoding.parameters` and in the spec. */
  name: string;
  /** Names of its dims: "buckets, heads". */
  axes: string;
  /** Description in one sentence. */
  doc: string;
}

/** Texts of a kind that `describe()` adds, except title and descriptions of fields. */
export interface KindProse extends Pick<Description, "formula" | "source" | "shapes" | "parameters"> {
  /** Unit and example of each field, by name. */
  fields: Record<string, Pick<FieldDescription, "unit" | "example">>;
}

/** name, type, required, min, max, choices */
export type FieldLimits = readonly [string, FieldType, 0 | 1, number | null, number | null, (readonly string[])?];

/** Family, fields with their defaults, names of learned parameters, methods that other kinds of the family do not have. */
export type KindFacts = readonly [Family, Readonly<Record<string, Default>>, readonly string[], readonly string[]];
