// What runs a model's graph, with something before it: shared by all that changes what a model is given.
import { invalid, show } from "../base/errors.js";

/** A model's inputs by name. */
export type Inputs = Record<string, any>;
type Forward = (self: any, inputs: any) => Promise<any>;

/** A model of transformers.js, as far as it matters here. */
export interface ModelLike {
  /** What runs the graph. */
  _forward: Forward;
  /** The graphs by name. */
  readonly sessions: Readonly<Record<string, Session>>;
}

/** A graph, as far as it matters here. */
export interface Session {
  /** What it takes. */
  readonly inputNames: readonly string[];
  /** The same with types and shapes; older runtimes do not tell. */
  readonly inputMetadata?: readonly { name: string; type?: unknown; shape?: readonly (number | string)[] }[];
}

/** Takes the change out again; also with `using`. */
export interface Undo {
  (): void;
  [Symbol.dispose](): void;
}

export const undoing = (undo: () => void): Undo => Object.assign(undo, { [Symbol.dispose]: undo });

/** A forward pass of what is wrapped. */
export type Next = (inputs: Inputs) => Promise<any>;

/** Those that change what all others are told. */
const outermost = new WeakSet<Forward>();

export function checkModel(model: ModelLike): void {
  if (typeof model?._forward !== "function" || typeof model.sessions !== "object")
    throw invalid("model", `must be a model of transformers.js (pipeline.model), got ${show(model)}`);
}

/** Puts `change` before a model's forward pass; `end` comes after it was taken out. */
export function wrapForward(
  model: ModelLike,
  change: (next: Next, inputs: Inputs) => Promise<any>,
  { end = () => {}, isLast = false }: { end?: () => void; isLast?: boolean } = {},
): Undo {
  const forward = model._forward;
  if (outermost.has(forward)) throw invalid("model", "has a rolling cache, which comes last: undo that first");
  const wrapped: Forward = async (self, inputs) => change((given) => forward.call(model, self, given), inputs);
  if (isLast) outermost.add(wrapped);
  model._forward = wrapped;
  return undoing(() => {
    if (model._forward === forward) return;
    if (model._forward !== wrapped) throw invalid("model", "was wrapped again since: undo that first");
    model._forward = forward;
    end();
  });
}
