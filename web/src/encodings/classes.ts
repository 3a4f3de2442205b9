// The classes of encodings of the base: by family, and for kinds with special methods.
import type { Family, KindsWith, Spec } from "../base/specs.gen.js";
import type { Core } from "../wasm/core.js";
import { BiasEncoding } from "./bias.js";
import { AlibiBias, BucketBias, WindowBias } from "./biases.js";
import type { Encoding } from "./encoding.js";
import type { SpecialClasses } from "./kinds.js";
import { NoEncoding } from "./none.js";
import { RotaryEncoding } from "./rotary.js";
import { TableEncoding } from "./table.js";
import { LearnedTable, SinusoidalTable } from "./tables.js";

export type EncodingClass = new (core: Core, handle: number, spec: object) => Encoding<any>;

/** The classes of kinds with special methods, by the first of these. */
type Special = { [Call in keyof KindsWith]: new (...given: any) => SpecialClasses<Spec>[Call] };

/** The class of a family, and those of kinds with special methods. */
export interface Classes {
  family: EncodingClass;
  special: Partial<Special>;
}

export const baseClasses = {
  table: { family: TableEncoding, special: { shift: SinusoidalTable, weights: LearnedTable } },
  rotary: { family: RotaryEncoding, special: {} },
  bias: {
    family: BiasEncoding,
    special: { slopes: AlibiBias, buckets: BucketBias, resize: WindowBias, addTo: NoEncoding },
  },
} satisfies Record<Exclude<Family, "relative">, Classes>;

/** The classes that the base does not have. */
export type RelativeSpecial = Omit<Special, BaseCalls>;
type BaseCalls = {
  [Name in keyof typeof baseClasses]: keyof (typeof baseClasses)[Name]["special"];
}[keyof typeof baseClasses];
