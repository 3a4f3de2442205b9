// Evaluates small integer tensors that a graph computes from shapes.
import { mostElements, type At, type Rule } from "./at.js";
import type { Fact } from "./facts.js";
import { fixed, isFixed, numberOf, over, productOf, times, type Dim, type Size } from "./sizes.js";

type Elements = readonly (Dim | undefined)[];
type Combine = (a: Size, b: Size) => Size | undefined;

const ofNumbers =
  (combine: (a: number, b: number) => number): Combine =>
  (a, b) => {
    const number = isFixed(a) && isFixed(b) ? combine(a.factor, b.factor) : NaN;
    return Number.isSafeInteger(number) ? fixed(number) : undefined;
  };
const combines: Record<string, Combine> = {
  Add: ofNumbers((a, b) => a + b),
  Sub: ofNumbers((a, b) => a - b),
  Mul: times,
  Div: (a, b) => over(a, b) ?? ofNumbers((x, y) => (y === 0 ? NaN : Math.trunc(x / y)))(a, b),
  Mod: ofNumbers((a, b) => (b === 0 ? NaN : a - b * Math.floor(a / b))),
  Max: ofNumbers(Math.max),
  Min: ofNumbers(Math.min),
  Equal: ofNumbers((a, b) => Number(a === b)),
};
/** Neutral elements: the result keeps the source of the other operand. */
const neutral: Record<string, number> = { Add: 0, Sub: 0, Mul: 1, Div: 1 };

function combined(op: string, a: Dim | undefined, b: Dim | undefined): Dim | undefined {
  const size = a && b && combines[op]!(a.size, b.size);
  if (!size) return undefined;
  const none = neutral[op];
  const from =
    none !== undefined && numberOf(b) === none
      ? a.from
      : (op === "Add" || op === "Mul") && numberOf(a) === none
        ? b.from
        : undefined;
  return { size, from };
}

/** Combines two lists, of which one may have a single element. */
function paired<T>(a: Elements, b: Elements, make: (a: Dim | undefined, b: Dim | undefined) => T): T[] | undefined {
  if (a.length !== b.length && a.length !== 1 && b.length !== 1) return undefined;
  const length = Math.max(a.length, b.length);
  return Array.from({ length }, (_, i) => make(a[a.length === 1 ? 0 : i], b[b.length === 1 ? 0 : i]));
}

export const arithmetic: Rule = (at) => {
  const { op, ins } = at.step;
  let { dims, elements } = at.in(0);
  if (op === "Neg") return [{ dims, elements: elements?.map((one) => combined("Mul", one, { size: fixed(-1) })) }];
  for (let i = 1; i < ins.length; i++) {
    const next = at.in(i);
    dims = at.broadcast(dims, next.dims);
    elements = elements && next.elements && paired(elements, next.elements, (a, b) => combined(op, a, b));
  }
  return [{ dims, elements }];
};

/** The rule of Cast: whole numbers stay unchanged. */
export const castOf: Rule = (at) => [at.in(0)];

export const whereOf: Rule = (at) => {
  const dims = at.broadcast(at.dims(0), at.broadcast(at.dims(1), at.dims(2)));
  const [conditions, ifTrue, ifFalse] = [at.elements(0), at.elements(1), at.elements(2)];
  if (!conditions || !ifTrue || !ifFalse) return [{ dims }];
  const choices = paired(ifTrue, ifFalse, (a, b) => [a, b] as const);
  if (!choices || (choices.length !== conditions.length && conditions.length !== 1)) return [{ dims }];
  return [
    {
      dims,
      elements: choices.map(([a, b], i) => {
        const condition = numberOf(conditions[conditions.length === 1 ? 0 : i]);
        return condition === undefined ? undefined : condition ? a : b;
      }),
    },
  ];
};

export const shapeOf: Rule = (at) => {
  const dims = at.dims(0);
  if (!dims) return [];
  const end = at.integer("end", dims.length);
  const elements = dims.slice(at.integer("start", 0), end);
  return [listed(at, elements)];
};
export const sizeOf: Rule = (at) => {
  const size = productOf((at.dims(0) ?? []).map((dim) => dim.size));
  return [{ dims: [], elements: at.dims(0) && size ? [{ size }] : [undefined] }];
};

/** Returns a list with these elements. */
export const listed = (at: At, elements: Elements): Fact => ({
  dims: [at.fixed(elements.length, 0)],
  elements: elements.length <= mostElements ? elements : undefined,
});

export const constantOfShape: Rule = (at) => {
  const elements = at.elements(0);
  if (!elements) {
    const rank = numberOf(at.dims(0)?.[0]);
    const isShort = rank !== undefined && rank <= mostElements;
    return isShort ? [{ dims: Array.from({ length: rank }, (_, i) => at.unknown(i)) }] : [];
  }
  const dims = elements.map((one, i) => (one && one.size.factor >= 0 ? one : at.unknown(i)));
  const count = dims.length === 1 ? numberOf(dims[0]) : dims.length === 0 ? 1 : undefined;
  const filling = at.pass.filledWith(at.step);
  if (count === undefined || count > mostElements || filling === undefined) return [{ dims }];
  const one = Number.isSafeInteger(filling) ? { size: fixed(filling) } : undefined;
  return [{ dims, elements: Array<Dim | undefined>(count).fill(one) }];
};

export const range: Rule = (at) => {
  const [start, limit, delta] = [0, 1, 2].map((i) => at.elements(i)?.[0]);
  const [first, last, step] = [numberOf(start), numberOf(limit), numberOf(delta)];
  if (first === 0 && step === 1 && limit && limit.size.factor >= 0) return [{ dims: [limit] }];
  if (first === undefined || last === undefined || !step) return [{ dims: [at.unknown(0)] }];
  return [{ dims: [at.fixed(Math.max(0, Math.ceil((last - first) / step)), 0)] }];
};
