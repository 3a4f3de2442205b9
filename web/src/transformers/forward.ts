// Wraps the forward pass of a model, for all functions that change a model's inputs.
import { invalid, show } from "../base/errors.js";

/** Inputs of a model by name. */
export type Inputs = Record<string, any>;
type Forward = (self: any, inputs: any) => Promise<any>;

/** A model of transformers.js: the properties that are used here. */
export interface ModelLike {
  /** Runs the graph. */
  _forward: Forward;
  /** Sessions of the graphs by name. */
  readonly sessions: Readonly<Record<string, Session>>;
}

/** Session of a graph: the properties that are read here. */
export interface Session {
  /** Names of its inputs. */
  readonly inputNames: readonly string[];
  /** Name, type and shape of each input; undefined in older runtimes. */
  readonly inputMetadata?: readonly { name: string; type?: unknown; shape?: readonly (number | string)[] }[];
}

/** Undoes the change; also with `using`. */
export interface Undo {
  (): void;
  /** Undoes the change at the end of a block with `using`. */
  [Symbol.dispose](): void;
}

export const undoing = (undo: () => void): Undo => Object.assign(undo, { [Symbol.dispose]: undo });

/** The forward pass that a wrapper calls. */
export type Next = (inputs: Inputs) => Promise<any>;

/** Wrappers that must be outermost, as they change the inputs of all others. */
const outermost = new WeakSet<Forward>();

export function checkModel(model: ModelLike): void {
  if (typeof model?._forward !== "function" || typeof model.sessions !== "object")
    throw invalid("model", `must be a model of transformers.js (pipeline.model), got ${show(model)}`);
}

/** Wraps a model's forward pass with `change`. `end` is called after the wrapper was removed. */
export function wrapForward(
  model: ModelLike,
  change: (next: Next, inputs: Inputs) => Promise<any>,
  { end = () => {}, isLast = false }: { end?: () => void; isLast?: boolean } = {},
): Undo {
  const forward = model._forward;
  if (outermost.has(forward)) throw invalid("model", "has a rolling cache, which must come last; undo the cache first");
  const wrapped: Forward = async (self, inputs) => change((given) => forward.call(model, self, given), inputs);
  if (isLast) outermost.add(wrapped);
  model._forward = wrapped;
  return undoing(() => {
    if (model._forward === forward) return;
    if (model._forward !== wrapped) throw invalid("model", "was wrapped again; undo the later wrapper first");
    model._forward = forward;
    end();
  });
}
