/**
 * Tables, rotations and biases without attention, from a smaller build: less than two thirds of the download. Names are the
 * same as in the whole library, and results are bit-identical.
 * @module posenc/core
 */
import { describeKinds } from "./base/kinds.js";
import type { KindDescription } from "./base/description.js";
import type { KindsOf, Spec } from "./base/specs.gen.js";
import { coreClasses } from "./encodings/core-classes.js";
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

/** The families of encodings that work without attention. */
export type CoreFamily = "table" | "rotary" | "bias";
/** The kinds of encodings that work without attention. */
export type CoreKind = KindsOf[CoreFamily];

const isInCore = ({ family }: KindDescription): boolean => family in coreClasses.families;

/** A running instance of the small build. */
export class PosencCore extends Library {
  /**
   * Returns every kind of encoding of this build with its family, its fields (type, default, range) and its learned parameters.
   *
   * @returns One entry for each kind.
   */
  describe(): KindDescription[] {
    return describeKinds().filter(isInCore);
  }

  /**
   * Creates an encoding from its spec, as `Posenc.create` does.
   *
   * Encodings of this build cannot be trained: `backward`, `step` and `zeroGradients` throw `unsupported`.
   * @param spec The kind and its fields. `describe()` lists them with their defaults.
   * @returns The encoding, of the class of its kind. Free it with `dispose()` or `using`.
   * @throws {PosencError} `invalid-spec` if a field is unknown, missing, of the wrong type or out of range; `field` names it.
   * `unsupported` for relative encodings, which are part of attention. `shape-mismatch` or `invalid-argument` if a learned
   * parameter does not fit; `out-of-memory`.
   * @example
   * const rope = pe.create({ kind: "rope", dim: 64 });
   */
  create<K extends CoreKind>(spec: { kind: K } & Extract<Spec, { kind: K }>): CreatedFrom<K>;
  /**
   * Creates an encoding from a spec whose kind is known only at run time, such as one that was parsed from JSON.
   *
   * @param spec The kind and its fields.
   * @returns The encoding, of the class of its kind. Its `family` or `kind` narrows the type.
   * @throws {PosencError} As the first signature.
   */
  create(spec: Extract<Spec, { kind: CoreKind }>): EncodingOfFamily[CoreFamily];
  create(spec: Spec): unknown {
    return createEncoding(this.core, spec, coreClasses);
  }
}

const builtIn = (variant: "simd" | "scalar"): URL =>
  variant === "scalar"
    ? located(() => new URL("./posenc.core.scalar.wasm", import.meta.url))
    : located(() => new URL("./posenc.core.simd.wasm", import.meta.url));

/**
 * Starts the library with the fastest build that this engine runs correctly, or with the given one.
 *
 * Equal requests return the same instance, and a failed request can be repeated. Nothing is loaded before the call. Node reads
 * the builds from disk.
 * @param source The build: its address, a `Response`, its bytes or a `WebAssembly.Module`. Or { source, variant }, where
 * `variant` is "simd" or "scalar". Default: the .wasm file next to this module.
 * @returns The instance.
 * @throws {PosencError} `load-failed` with the address and the remedy if no build can be loaded; `invalid-argument` if the source
 * or an option is invalid.
 * @example
 * const pe = await init();
 */
export const init = makeInit(Object.assign(builtIn, { variants: ["simd", "scalar"] as const }), PosencCore);
