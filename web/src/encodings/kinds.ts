// Which classes create() and fromConfig() answer with.
import type { Kind, KindsOf, Spec } from "../base/specs.gen.js";
import type { BiasEncoding } from "./bias.js";
import type { RelativeEncoding } from "./relative.js";
import type { RotaryEncoding } from "./rotary.js";
import type { TableEncoding } from "./table.js";

type SpecOf<K extends Kind> = Extract<Spec, { kind: K }>;

/** The class that create() answers with for a kind. */
export type EncodingOf<K extends Kind> = K extends KindsOf["table"]
  ? TableEncoding<SpecOf<K>>
  : K extends KindsOf["rotary"]
    ? RotaryEncoding<SpecOf<K>>
    : K extends KindsOf["bias"]
      ? BiasEncoding<SpecOf<K>>
      : K extends KindsOf["relative"]
        ? RelativeEncoding<SpecOf<K>>
        : never;

/** The class of each family. */
export interface EncodingOfFamily {
  table: TableEncoding;
  rotary: RotaryEncoding;
  bias: BiasEncoding;
  relative: RelativeEncoding;
}

/** An encoding of any family: its `family` tells which. */
export type AnyEncoding = EncodingOfFamily[keyof EncodingOfFamily];
