// The class of each kind: the class of its family, or a class with further methods.
import type { Kind, KindsOf, KindsWith, Spec } from "../base/specs.gen.js";
import type { BiasEncoding } from "./bias.js";
import type { AlibiBias, BucketBias, WindowBias } from "./biases.js";
import type { NoEncoding } from "./none.js";
import type { GatedRelative, GatedRowRelative, RowRelative, StateRelative } from "./gated.js";
import type { RelativeEncoding } from "./relative.js";
import type { BiasedRelative, BucketRelative, ContextRelative, PolarRelative } from "./relatives.js";
import type { RotaryEncoding } from "./rotary.js";
import type { TransformRelative } from "./transforms.js";
import type { TableEncoding } from "./table.js";
import type { LearnedTable, SinusoidalTable } from "./tables.js";

/** Classes by the member that distinguishes their kinds from others of the family. */
export interface SpecialClasses<S extends Spec> {
  shift: SinusoidalTable<S>;
  weights: LearnedTable<S>;
  slopes: AlibiBias<S>;
  buckets: BucketBias<S>;
  resize: WindowBias<S>;
  addTo: NoEncoding<S>;
  bucketOf: BucketRelative<S>;
  contextPositions: ContextRelative<S>;
  expand: PolarRelative<S>;
  logGates: GatedRelative<S>;
  biasOf: BiasedRelative<S>;
  biasOfRows: RowRelative<S>;
  gateRows: GatedRowRelative<S>;
  relativeLogits: StateRelative<S>;
  apply: TransformRelative<S>;
}

interface FamilyClasses<S extends Spec> {
  table: TableEncoding<S>;
  rotary: RotaryEncoding<S>;
  bias: BiasEncoding<S>;
  relative: RelativeEncoding<S>;
}

/** The name of the list that contains a kind. */
type NameOf<K extends Kind, Lists> = { [Name in keyof Lists]: K extends Lists[Name] ? Name : never }[keyof Lists];
type ClassOf<K extends Kind, S extends Spec> = [NameOf<K, KindsWith>] extends [never]
  ? FamilyClasses<S>[NameOf<K, KindsOf>]
  : SpecialClasses<S>[NameOf<K, KindsWith>];

/** The class that `create` returns for a kind. */
export type EncodingOf<K extends Kind> = K extends Kind ? ClassOf<K, Extract<Spec, { kind: K }>> : never;

/** The class of each family. */
export interface EncodingOfFamily {
  /** Added to the features or concatenated with them. */
  table: TableEncoding;
  /** Rotates queries and keys. */
  rotary: RotaryEncoding;
  /** Added to attention scores. */
  bias: BiasEncoding;
  /** Attention scores that depend on the content of queries and keys. */
  relative: RelativeEncoding;
}

/** An encoding of any family; check its `family` to narrow the type. */
export type AnyEncoding = EncodingOfFamily[keyof EncodingOfFamily];

/**
 * The class that `create` returns for a spec whose kind is one of `K`; if `K` includes all kinds of a family, the
 * family's class.
 */
export type CreatedFrom<K extends Kind> = {
  [Name in keyof KindsOf]: KindsOf[Name] extends K ? EncodingOfFamily[Name] : EncodingOf<Extract<K, KindsOf[Name]>>;
}[keyof KindsOf];
