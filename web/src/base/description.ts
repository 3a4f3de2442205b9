// What `describe()` tells of each kind.
import type { Family } from "./specs.gen.js";

/** One field of a spec, as `describe()` tells it. */
export interface FieldDescription {
  name: string;
  type: "integer" | "number" | "boolean" | "choice" | "numbers";
  required: boolean;
  default: number | boolean | string | null;
  /** A value that may stand there. */
  example: number | boolean | string | number[] | null;
  min: number | null;
  max: number | null;
  unit: string;
  doc: string;
  choices?: string[];
}

/** One kind of encoding, as `describe()` tells it. */
export interface Description {
  kind: string;
  family: Family;
  title: string;
  /** TeX */
  formula: string;
  source: string;
  /** What goes in and comes out. */
  shapes: string;
  fields: FieldDescription[];
  /** Learned numbers: `encoding.parameters`, `encoding.load`. */
  parameters: ParameterDescription[];
}

export interface ParameterDescription {
  name: string;
  /** What its dims are: "buckets, heads". */
  axes: string;
  doc: string;
}
