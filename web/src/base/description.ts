// What is told of each kind: facts by `Posenc.describe`, words as well by `describe` of posenc/explain.
import type { Family, Kind } from "./specs.gen.js";

type FieldType = "integer" | "number" | "boolean" | "choice" | "numbers";
type Default = number | boolean | string | null;

/** One field of a spec. */
export interface FieldFacts {
  name: string;
  type: FieldType;
  required: boolean;
  default: Default;
  min: number | null;
  max: number | null;
  choices?: string[];
}

/** One kind of encoding, as `Posenc.describe` tells it. */
export interface KindDescription {
  kind: Kind;
  family: Family;
  fields: FieldFacts[];
  /** Learned numbers: `encoding.parameters`, `encoding.load`. */
  parameters: { name: string }[];
}

/** One field of a spec, in words as well. */
export interface FieldDescription extends FieldFacts {
  /** A value that may stand there. */
  example: number | boolean | string | number[] | null;
  unit: string;
  doc: string;
}

/** One kind of encoding, in words as well: `describe()` of posenc/explain. */
export interface Description extends KindDescription {
  title: string;
  /** TeX */
  formula: string;
  source: string;
  /** What goes in and comes out. */
  shapes: string;
  fields: FieldDescription[];
  parameters: ParameterDescription[];
}

export interface ParameterDescription {
  name: string;
  /** What its dims are: "buckets, heads". */
  axes: string;
  doc: string;
}

/** name, type, required, default, min, max, choices */
type Field = readonly [string, FieldType, 0 | 1, Default, number | null, number | null, (readonly string[])?];

/** Family, fields, names of learned numbers. */
export type KindFacts = readonly [Family, readonly Field[], readonly string[]];
