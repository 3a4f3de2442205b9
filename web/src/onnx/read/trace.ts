// Walks through a graph: to the origin of a value before changes of its form, type or order, and to its users.
import { attributeOf, type Constant, type Step, type Value } from "./flow.js";

/** Operators whose result has the elements of their first input unchanged. */
export const formOps = new Set([
  "Cast",
  "Expand",
  "Flatten",
  "Identity",
  "Reshape",
  "Squeeze",
  "Tile",
  "Transpose",
  "Unsqueeze",
]);
const isSame = (step: Step): boolean => step.op === "Concat" && step.ins.every((value) => value === step.ins[0]);

/** The value before a chain of form changes, and the type that the last cast of the chain gives. */
interface Origin {
  readonly value: Value;
  readonly type: number | undefined;
}

/**
 * Returns the value that a step passes on: its first input, the element inserted into a sequence, or the output of a
 * Loop's body.
 */
function sourceOf({ op, ins, outs, branches }: Step, value: Value): Value | undefined {
  if (op === "SequenceInsert") return ins[1];
  // The first output of a Loop's body is its condition.
  return op === "Loop" ? branches[0]?.[outs.indexOf(value) + 1] : ins[0];
}

/** Finds the start of chains of form changes. The result is cached for each value: finding all of them is linear. */
class Origins {
  private readonly known = new WeakMap<Value, Origin>();
  constructor(private readonly passes: (step: Step) => boolean) {}

  of(value: Value): Origin {
    const way: Value[] = [];
    let at = value;
    let origin: Origin | undefined = this.known.get(at);
    while (!origin) {
      way.push(at);
      const before = at.maker && this.passes(at.maker) ? sourceOf(at.maker, at) : undefined;
      if (before) origin = this.known.get((at = before));
      else origin = { value: at, type: undefined };
    }
    for (const one of way.reverse()) this.known.set(one, (origin = withCast(one, origin)));
    return origin;
  }
}

function withCast({ maker }: Value, origin: Origin): Origin {
  const type = maker?.op === "Cast" && maker !== origin.value.maker ? attributeOf(maker.node, "to")?.i : undefined;
  return type === undefined ? origin : { value: origin.value, type };
}

/** One instance for each set of operators. */
const originsBy = (passes: (step: Step, ops: ReadonlySet<string>) => boolean) => {
  const made = new WeakMap<ReadonlySet<string>, Origins>();
  return (ops: ReadonlySet<string>): Origins => {
    const origins = made.get(ops) ?? new Origins((step) => passes(step, ops));
    made.set(ops, origins);
    return origins;
  };
};
const throughForms = originsBy(({ op }, ops) => ops.has(op));
const throughRepeats = originsBy((step, ops) => ops.has(step.op) || isSame(step));

/** Returns the value before steps that change only the form. */
export const beforeForms = (value: Value): Value => throughRepeats(formOps).of(value).value;

/** Returns the step before steps that change only the form. */
export const makerOf = (value: Value | undefined, ops: ReadonlySet<string> = formOps): Step | undefined =>
  value && throughRepeats(ops).of(value).value.maker;

/** A constant after form changes and casts. */
export interface Arrival {
  readonly constant: Constant;
  /** TensorProto.DataType, after casts. */
  readonly type: number;
  readonly value: Value;
}

/** Returns the constant before form changes; undefined: there is none. */
export function sourceConstant(value: Value | undefined, ops: ReadonlySet<string> = formOps): Arrival | undefined {
  if (!value) return undefined;
  const { value: at, type } = throughForms(ops).of(value);
  const { constant } = at;
  return constant && { constant, type: type ?? constant.tensor.type, value: at };
}

/** Returns the constant if it has a single element. */
export function scalarOf(value: Value | undefined): Constant | undefined {
  const constant = sourceConstant(value)?.constant;
  return constant && constant.tensor.dims.every((dim) => dim === 1) ? constant : undefined;
}

/**
 * Walks over the values that are computed from some values, at most `most`. `stop` returns whether to stop at a step.
 */
export function forward(
  from: readonly Value[],
  stop: (step: Step, by: Value) => boolean,
  most: number = Infinity,
): void {
  const seen = new Set<Value>(from);
  const left = [...seen];
  const visit = (value: Value): void => {
    if (seen.has(value) || seen.size >= most) return;
    left.push(value);
    seen.add(value);
  };
  for (let value = left.pop(); value; value = left.pop()) {
    value.becomes.forEach(visit);
    for (const step of value.users) if (!stop(step, value)) step.outs.forEach(visit);
  }
}

/** Whether a step passes on the elements of `by`; its other inputs are shapes or indices. */
export const carries = (ops: ReadonlySet<string>, { op, ins }: Step, by: Value): boolean =>
  ops.has(op) && ins[0] === by;

/** Returns the steps with some operators that use a value, directly or after form changes. */
export function usersOf(value: Value, operators: readonly string[], forms: ReadonlySet<string> = formOps): Step[] {
  const users: Step[] = [];
  forward([value], (step, by) => {
    if (operators.includes(step.op)) users.push(step);
    return !carries(forms, step, by);
  });
  return users;
}

/**
 * Collects bits over all steps downstream of values. `bitsOf` returns the bits of a step that uses a value, or
 * undefined to continue with the outputs of the step. Bits are cached for each value: asking for all values is linear.
 */
export class Following {
  private readonly known = new WeakMap<Value, number>();
  constructor(private readonly bitsOf: (step: Step, by: Value) => number | undefined) {}

  of(values: readonly Value[]): number {
    const left = [...values];
    for (let value = left.at(-1); value; value = left.at(-1)) {
      if (this.known.has(value)) {
        left.pop();
        continue;
      }
      let bits = 0;
      const { length } = left;
      const ask = (one: Value): void => {
        const known = this.known.get(one);
        if (known === undefined) left.push(one);
        else bits |= known;
      };
      value.becomes.forEach(ask);
      for (const step of value.users) {
        const own = this.bitsOf(step, value);
        if (own === undefined) step.outs.forEach(ask);
        else bits |= own;
      }
      if (left.length === length) this.known.set(value, bits);
    }
    return values.reduce((all, value) => all | this.known.get(value)!, 0);
  }
}

/** Walks over the values from which a value is computed, nearest first. `stop` returns whether to stop at a value. */
export function backward(from: Value | undefined, stop: (value: Value) => boolean, most = 400): void {
  const seen = new Set<Value>();
  const visit = (values: readonly (Value | undefined)[]): void => {
    for (const value of values) {
      if (seen.size >= most) return;
      if (value) seen.add(value);
    }
  };
  visit([from]);
  // The loop also visits values that are added to the set meanwhile.
  for (const value of seen) {
    if (stop(value) || !value.maker) continue;
    visit(value.maker.ins);
    value.maker.branches.forEach(visit);
  }
}
