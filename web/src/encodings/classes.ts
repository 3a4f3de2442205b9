// The classes of encodings of the base: by family, and for kinds with special methods.
import type { Family, KindsWith } from "../base/specs.gen.js";
import type { Core } from "../wasm/core.js";
import { BiasEncoding } from "./bias.js";
import { AlibiBias, BucketBias, WindowBias } from "./biases.js";
import type { Encoding } from "./encoding.js";
import { NoEncoding } from "./none.js";
import { RotaryEncoding } from "./rotary.js";
import { TableEncoding } from "./table.js";
import { LearnedTable, SinusoidalTable } from "./tables.js";

export type EncodingClass = new (core: Core, handle: number, spec: object) => Encoding<any>;

/** The class of a family, and those of kinds with special methods. */
export interface Classes {
  family: EncodingClass;
  special: Partial<Record<keyof KindsWith, EncodingClass>>;
}

export const baseClasses: Record<Exclude<Family, "relative">, Classes> = {
  table: { family: TableEncoding, special: { shift: SinusoidalTable, weights: LearnedTable } },
  rotary: { family: RotaryEncoding, special: {} },
  bias: {
    family: BiasEncoding,
    special: { slopes: AlibiBias, buckets: BucketBias, resize: WindowBias, addTo: NoEncoding },
  },
};
