// What all encodings share: creation from a spec, the handle in the core, disposal.
import { checkAttached, isNumberArray } from "../base/arrays.js";
import { Operation, type OptimizerFields } from "../base/calls.gen.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { defaultsOf, learnedOf } from "../base/kinds.js";
import { inspected } from "../base/inspected.js";
import { hide, printed } from "../base/printing.js";
import type { Family, Kind, Spec } from "../base/specs.gen.js";
import type { Filled, Float16Tensor } from "../base/types.js";
import { toType } from "../tensors/conversion.js";
import { is16Bit } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";
import {
  checkParameter,
  namedParameters,
  nothingLearned,
  parameterTensor,
  type ParameterInput,
  type ParameterTensor,
} from "./parameters.js";
import type { StepOptions } from "./training.js";

const separator = { field: "\x1e", part: "\x1f" };

/** Replaces separators of the encoded spec in a text. */
const plain = (text: string): string => text.replace(/[\x1e\x1f]/g, " ");

/** Encodes one field as the core reads it: `name, type, text`; numbers go to a separate list. */
function encodeField(name: string, value: unknown, numbers: number[]): string {
  const part = (type: string, text: string | number = ""): string =>
    [plain(name), type, plain(String(text))].join(separator.part);
  if (typeof value === "number") return (numbers.push(value), part("n"));
  if (typeof value === "boolean") return (numbers.push(Number(value)), part("b"));
  if (typeof value === "string") return part("t", value);
  if (value === null) return part("0");
  if (isNumberArray(value)) {
    checkAttached(value, name);
    const list = Array.from(value as ArrayLike<unknown>);
    if (list.every((item) => typeof item === "number")) {
      // Not spread: the number of arguments of a call is limited.
      for (const item of list) numbers.push(item as number);
      return part("l", list.length);
    }
  }
  return part("x", show(value));
}

/**
 * How learned parameters start. `given`: a bit for each parameter whose values follow; `shapesAlone`: values are never
 * needed.
 */
export interface Beginning {
  given?: number;
  shapesAlone?: boolean;
  /** Whether a call that needs the object may be running. */
  duringCall?: boolean;
}

/** Returns a number whose bit i is set if `given` has the name of parameter i. */
export function bitsOf(names: readonly string[], given: Iterable<string>): number {
  const set = new Set(given);
  return names.reduce((bits, name, index) => bits + (set.has(name) ? 2 ** index : 0), 0);
}

/** Creates the core's object for a spec and returns its handle. Throws `invalid-spec` with the field. */
export function createHandle(core: Core, spec: unknown, beginning: Beginning = {}): number {
  const { given = 0, shapesAlone = false, duringCall } = beginning;
  if (spec === null || typeof spec !== "object" || Array.isArray(spec))
    throw new PosencError(
      "invalid-spec",
      `spec: must be an object such as { kind: "rope", dim: 64 }, got ${show(spec)}`,
      "spec",
    );
  const { kind, ...fields } = spec as Record<string, unknown>;
  if (typeof kind !== "string")
    throw new PosencError(
      "invalid-spec",
      `kind: must be a string, got ${show(kind)}; a spec is { kind: "rope", dim: 64 }, a config.json goes to fromConfig`,
      "kind",
    );
  const numbers: number[] = [];
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const text = [plain(kind), ...present.map(([name, value]) => encodeField(name, value, numbers))].join(
    separator.field,
  );
  const bytes = new TextEncoder().encode(text);
  const create = (): number => {
    const address = core.borrowDoubles(numbers, "spec");
    const [start, handle] = [core.borrow(bytes.length), core.borrow(8)];
    core.bytes(start, bytes.length).set(bytes);
    const list = { address, length: numbers.length };
    core.call(Operation.createEncoding, { address: start, length: bytes.length }, list, given, shapesAlone, handle);
    return core.doubles(handle, 1)[0]!;
  };
  return duringCall ? core.joinCall(create) : core.withScratch(create);
}

/** Throws if the value is not an encoding; `create` makes one of a spec. */
export function checkEncoding(encoding: unknown): asserts encoding is Encoding<any> {
  if (encoding instanceof Encoding) return;
  const hint = typeof (encoding as { kind?: unknown } | null)?.kind === "string" ? "; pass pe.create(spec)" : "";
  throw invalid("encoding", `must come from create(), got ${show(encoding)}${hint}`);
}

/** Fills a new encoding and returns it; disposes it if that throws. */
export function filled<E extends Encoding<any>>(encoding: E, fill: (encoding: E) => void): E {
  try {
    fill(encoding);
    return encoding;
  } catch (error) {
    encoding.dispose();
    throw error;
  }
}

interface Holding {
  core: Core;
  /** Handle of the core's object; 0 after it was destroyed. */
  handle: number;
  /** The spec of an object without values: it is replaced as soon as values are needed. */
  unfilled?: object | undefined;
}

function destroy(holding: Holding): void {
  if (holding.handle) holding.core.destroyEncoding(holding.handle);
  holding.handle = 0;
}

// Not for encodings whose values have a view outside (`keep`): it may still be in use.
const abandoned = typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry<Holding>(destroy);

/** Calls that write numbers about an encoding. */
type NumbersCall = Operation.tableFacts | Operation.tableFrequencies | Operation.rotaryFacts | Operation.biasFacts;

/**
 * An encoding that is ready for use, created by `pe.create` or `pe.fromConfig`.
 *
 * Unreachable encodings are garbage-collected, so that `dispose()` is optional for a few of them. The collector does not run
 * during synchronous code: a loop that creates many must `dispose()` them. It never frees an encoding if the `data` of its
 * parameters or gradients were read, because such views must stay valid.
 */
export abstract class Encoding<S extends Spec = Spec> {
  /** Its family, one of four, by which TypeScript distinguishes the classes. */
  abstract readonly family: Family;
  /** The spec with all defaults filled in, frozen; lists are plain arrays. Any instance's `create` takes it. */
  readonly spec: Filled<S>;
  /**
   * Set by `fromConfig`: fields of the spec that neither the config, the options nor the model type determine. They have Llama's
   * values: "pairing" is "half", "rotaryDim" is the whole head, "dim" is the hidden size divided by the number of heads.
   */
  assumed: readonly string[] = [];
  /**
   * Set by `fromConfig`: names of fields of the config about positions that the encoding does not express. `layers` returns the
   * fields of single layers. Unknown fields, and parameters that the rope type does not use, have no effect.
   */
  ignored: readonly string[] = [];
  /** @internal */
  readonly core: Core;
  private readonly holding!: Holding;
  private readonly tensors!: [values?: Record<string, ParameterTensor>, gradients?: Record<string, ParameterTensor>];

  /** @internal */
  constructor(core: Core, handle: number, spec: object) {
    this.core = core;
    hide(this, "holding", { core, handle } satisfies Holding);
    hide(this, "tensors", []);
    const given = Object.entries(spec)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, isNumberArray(value) ? Object.freeze(Array.from<unknown>(value)) : value]);
    const defaults = defaultsOf((spec as { kind: Kind }).kind);
    this.spec = Object.freeze({ ...defaults, ...Object.fromEntries(given) }) as never;
    abandoned?.register(this, this.holding, this.holding);
  }

  /** The learned parameters by name, in wasm memory: write into their `data` to change them. Most kinds have none. */
  get parameters(): Readonly<Record<string, ParameterTensor>> {
    return this.learned(0);
  }

  /**
   * The gradient of each parameter, of the same dims, in wasm memory. Backward calls add to them; the first one after a `step`
   * starts from zeros.
   * @throws {PosencError} `out-of-memory`, `disposed`.
   */
  get gradients(): Readonly<Record<string, ParameterTensor>> {
    return this.learned(1);
  }

  /** Returns the spec, without learned parameters: save the `data` of `parameters` with it. */
  toJSON(): object {
    return this.spec;
  }

  /**
   * Sets all gradients to zero.
   *
   * @returns The encoding.
   * @throws {PosencError} `out-of-memory`, `disposed`; `not-loaded`.
   */
  zeroGradients(): this {
    this.core.withScratch(() => this.core.call(Operation.zeroGradients, this.handle));
    return this;
  }

  /**
   * Moves the parameters against their gradients. The next `backward` call starts from zero: PyTorch's `optimizer.step()`
   * followed by `optimizer.zero_grad()`. Until then `gradients` keeps its values.
   *
   * All `backward` calls since the last step add up. The state of the optimizer is kept with the encoding; another optimizer
   * starts with a new state.
   * @param options Optimizer (`"sgd"`, `"adam"`, `"adamw"`) and its `learningRate`.
   * @returns The encoding.
   * @throws {PosencError} `unsupported` if the encoding has no parameters; `invalid-argument`, `out-of-memory`.
   * @see Kingma & Ba 2014, arXiv:1412.6980; Loshchilov & Hutter 2017, arXiv:1711.05101
   */
  step(options: StepOptions): this {
    const { readStep } = this.core.parts.use<{ readStep(options: StepOptions): () => OptimizerFields }>("training");
    const step = readStep(options);
    if (this.learnedNames().length === 0) throw nothingLearned("step");
    this.core.withScratch(() => this.core.call(Operation.optimizerStep, this.handle, ...step()));
    return this;
  }

  /** @internal The parameters' names, in the core's order. */
  protected learnedNames(): readonly string[] {
    return learnedOf(this.kind);
  }

  private learned(which: 0 | 1): Record<string, ParameterTensor> {
    const names = this.learnedNames();
    const owner = {
      core: () => (this.handleIn(this.core), this.core),
      keep: () => abandoned?.unregister(this.holding),
    };
    if (names.length > 0) owner.core();
    return (this.tensors[which] ??= Object.fromEntries(
      names
        .map((name, index) => [name, parameterTensor(owner, this.handle, index, which === 1)] as const)
        // Empty parameters belong to other forms of the kind.
        .filter(([, tensor]) => tensor.size > 0),
    ));
  }

  /**
   * Replaces learned parameters by the values of a checkpoint.
   *
   * With one parameter pass its data, else { name: data } for one or more of them. Dims of 1 may be missing or extra. If a value
   * does not fit, no parameter changes.
   * @param data Tensors of the parameters' dims, or their values, row-major; finite.
   * @returns The encoding.
   * @throws {PosencError} `shape-mismatch` if dims or the number of values do not fit; `invalid-argument` if a name is unknown or
   * a value is not finite; `unsupported` if the encoding has no parameters; `disposed`, `out-of-memory`.
   * @example
   * pe.create({ kind: "t5", heads: 8 }).load({ weights });
   */
  load(data: ParameterInput): this {
    const { holding } = this;
    const { unfilled } = holding;
    // Shapes decide what `data` is for, before any value is drawn.
    holding.unfilled = undefined;
    try {
      const entries = namedParameters(Object.keys(this.parameters), data);
      if (unfilled) this.fill(unfilled, bitsOf(this.learnedNames(), new Map(entries).keys()));
      return this.replace(entries);
    } catch (error) {
      if (unfilled && holding.handle) this.fillWhenRead(unfilled);
      throw error;
    }
  }

  private replace(entries: [string, unknown][]): this {
    const { parameters } = this;
    const checked = entries.map(([name, given]) => {
      const { type } = (given ?? {}) as { type?: unknown };
      const floats = is16Bit(type) ? toType(this.core, given as Float16Tensor, name, "float32") : given;
      return [name, checkParameter(parameters[name]!, floats, name)] as const;
    });
    for (const [name, values] of checked) parameters[name]!.numbers().set(values);
    return this;
  }

  /** "Encoding". Frameworks with reactive proxies (Vue) leave objects with a tag as they are. */
  get [Symbol.toStringTag](): string {
    return "Encoding";
  }

  /** Returns the text that consoles show: class and fields. */
  toString(): string {
    return this[inspected]();
  }

  /** @internal */
  [inspected](): string {
    return printed(this, { kind: this.kind, ...(this.spec as object) }) + (this.isDisposed ? " (disposed)" : "");
  }

  /** The kind, as in the spec. */
  get kind(): S["kind"] {
    return (this.spec as unknown as S).kind;
  }

  /** @internal Its parameters have no values so far; first values are drawn when a call needs them. */
  fillWhenRead(spec: object): void {
    this.holding.unfilled = spec;
    this.tensors.length = 0;
  }

  /** Draws first values, except for the parameters whose bits in `given` are set. */
  private fill(spec: object, given = 0): void {
    const { holding } = this;
    const handle = createHandle(holding.core, spec, { given, duringCall: true });
    holding.core.destroyEncoding(holding.handle);
    holding.handle = handle;
    holding.unfilled = undefined;
    this.tensors.length = 0;
  }

  /** @internal Whether its memory was freed. */
  get isDisposed(): boolean {
    return this.holding.handle === 0;
  }

  /** @internal The core's object; another instance's core cannot use it. */
  handleIn(core: Core): number {
    const { unfilled } = this.holding;
    if (unfilled && this.holding.handle && core.id === this.core.id) this.fill(unfilled);
    const { handle } = this.holding;
    if (!handle) throw new PosencError("disposed", `${this.kind}: used after dispose()`, "encoding");
    if (core.id !== this.core.id) throw invalid("encoding", "belongs to another instance of the library");
    if (!core.handles.includes(handle)) core.handles.push(handle);
    return handle;
  }

  protected get handle(): number {
    return this.handleIn(this.core);
  }

  /** @internal Returns the `count` numbers that a call of the core writes about this encoding. */
  numbersOf(operation: NumbersCall, count: number): Float64Array {
    return this.core.withScratch(() => {
      const address = this.core.borrow(8 * count);
      this.core.call(operation, this.handle, address);
      return this.core.doubles(address, count).slice();
    });
  }

  /** Frees its wasm memory; calls after that throw `disposed`. `using` does it, too. A second `dispose()` has no effect. */
  dispose(): void {
    if (!this.holding.handle) return;
    this.core.assertIdle();
    abandoned?.unregister(this.holding);
    destroy(this.holding);
  }

  /** Calls `dispose()` at the end of a block with `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/**
 * Copies methods that only some classes of a family have to the class of the family, at run time only. A program without types
 * that calls one of them gets an error that says what is missing.
 */
export function addFallbackMethods(family: { prototype: object }, ...classes: { prototype: object }[]): void {
  for (const { prototype } of classes)
    for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (!Object.hasOwn(family.prototype, name)) Object.defineProperty(family.prototype, name, member);
}
