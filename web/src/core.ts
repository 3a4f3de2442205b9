/**
 * Tables, rotations and biases alone, from a build of their own: less than two thirds of the download. What is here has the
 * same names and gives the same bits as in the whole library.
 * @module posenc/core
 */
import { describeKinds } from "./base/kinds.js";
import type { KindDescription } from "./base/description.js";
import type { KindsOf, Spec } from "./base/specs.gen.js";
import { classesAlone } from "./encodings/alone.js";
import { createEncoding } from "./encodings/create.js";
import type { CreatedFrom, EncodingOfFamily } from "./encodings/kinds.js";
import { located, makeInit } from "./init.js";
import { Library } from "./library.js";

export { BiasEncoding } from "./encodings/bias.js";
export { AlibiBias, BucketBias, WindowBias } from "./encodings/biases.js";
export { NoEncoding } from "./encodings/none.js";
export { Encoding } from "./encodings/encoding.js";
export { PosencError, type ErrorCode } from "./base/errors.js";
export { RotaryEncoding } from "./encodings/rotary.js";
export { TableEncoding } from "./encodings/table.js";
export { LearnedTable, SinusoidalTable } from "./encodings/tables.js";
export { WasmTensor, type WasmTensorOf } from "./tensors/tensor.js";
export { ParameterTensor } from "./encodings/parameters.js";
export type { AnyEncoding, CreatedFrom, EncodingOf, EncodingOfFamily } from "./encodings/kinds.js";
export type * from "./base/call-options.js";
export type * from "./base/description.js";
export type * from "./base/specs.gen.js";
export type * from "./base/types.js";

/** The families of encodings that stand alone. */
export type CoreFamily = "table" | "rotary" | "bias";
/** Their kinds. */
export type CoreKind = KindsOf[CoreFamily];

const isAlone = ({ family }: KindDescription): boolean => family in classesAlone.families;

/** One running instance of the small build. */
export class PosencCore extends Library {
  /** Every kind of encoding that this build has: its family, its fields with type, default and range, its learned numbers. */
  describe(): KindDescription[] {
    return describeKinds().filter(isAlone);
  }

  /**
   * An encoding from its spec, as `Posenc.create` makes it; relative ones are part of attention: unsupported.
   * `backward`, `step` and `zeroGradients` are unsupported, too.
   * Throws: invalid-spec, naming the field: unknown, missing, of the wrong type or out of range.
   */
  create<K extends CoreKind>(spec: { kind: K } & Extract<Spec, { kind: K }>): CreatedFrom<K>;
  create(spec: Extract<Spec, { kind: CoreKind }>): EncodingOfFamily[CoreFamily];
  create(spec: Spec): unknown {
    return createEncoding(this.core, spec, classesAlone);
  }
}

const builtIn = (variant: "simd" | "scalar"): URL =>
  variant === "scalar"
    ? located(() => new URL("./posenc.core.scalar.wasm", import.meta.url))
    : located(() => new URL("./posenc.core.simd.wasm", import.meta.url));

/**
 * Starts the library: the fastest build that this engine runs correctly, or the given source. The same request gives the
 * same instance; a failed one can be repeated. Nothing happens before the call. Node finds the builds on its disk.
 * Throws: load-failed with the address and the remedy.
 */
export const init = makeInit(Object.assign(builtIn, { variants: ["simd", "scalar"] as const }), PosencCore);
