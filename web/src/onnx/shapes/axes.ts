// Shape rules of Concat, Squeeze, Unsqueeze, Transpose and Flatten.
import { mostElements, type Rule } from "./at.js";
import type { Dim } from "./sizes.js";
import { numberOf, productOf } from "./sizes.js";

export const concat: Rule = (at) => {
  const { ins } = at.step;
  const all = ins.map((_, i) => at.dims(i));
  const known = all.find((dims) => dims);
  const axis = known && at.axis(at.integer("axis", 0), known.length);
  if (!known || axis === undefined) return [];
  const dims: Dim[] = [...known];
  for (const other of all) {
    if (!other) continue;
    if (other.length !== known.length) at.fail(`cannot join ${at.shapes()}`);
    for (let i = 0; i < dims.length; i++) if (i !== axis) dims[i] = at.merged(dims[i]!, other[i]!);
  }
  const lengths = all.map((one) => numberOf(one?.[axis]));
  const sum = lengths.reduce<number>((total, length) => total + (length ?? NaN), 0);
  dims[axis] = ins.length === 1 ? dims[axis]! : at.fixed(sum, axis);
  return [{ dims, elements: joined(ins.map((_, i) => at.elements(i) ?? unknowns(numberOf(all[i]?.[0])))) }];
};

type Elements = readonly (Dim | undefined)[];
const unknowns = (length: number | undefined): Elements | undefined =>
  length !== undefined && length <= mostElements ? Array<undefined>(length).fill(undefined) : undefined;

function joined(lists: readonly (Elements | undefined)[]): Elements | undefined {
  const out: (Dim | undefined)[] = [];
  for (const list of lists) {
    if (!list || out.length + list.length > mostElements) return undefined;
    out.push(...list);
  }
  return out;
}

export const squeeze: Rule = (at) => {
  const { dims, elements } = at.in(0);
  const isGiven = at.has(1) || !!at.list("axes");
  const axes = at.listOrInput("axes", 1);
  if (!dims || (isGiven && !axes)) return [];
  if (!axes) {
    if (dims.some((dim) => numberOf(dim) === undefined)) return [];
    return [{ dims: dims.filter((dim) => numberOf(dim) !== 1), elements }];
  }
  const gone = new Set(axes.map((axis) => at.axis(axis, dims.length)));
  for (const axis of gone) {
    const length = axis === undefined ? undefined : numberOf(dims[axis]);
    if (length !== undefined && length !== 1) at.fail(`cannot remove axis ${axis} of ${at.shapes()}`);
  }
  return [{ dims: dims.filter((_, i) => !gone.has(i)), elements }];
};

export const unsqueeze: Rule = (at) => {
  const { dims, elements } = at.in(0);
  const axes = at.listOrInput("axes", 1);
  if (!dims || !axes || axes.length > mostElements) return [];
  const rank = dims.length + axes.length;
  const added = new Set(axes.map((axis) => at.axis(axis, rank)));
  if (added.has(undefined) || added.size !== axes.length) return [];
  let next = 0;
  const all = Array.from({ length: rank }, (_, i) => (added.has(i) ? at.fixed(1, i) : dims[next++]!));
  return [{ dims: all, elements: rank < 2 ? elements : undefined }];
};

export const transpose: Rule = (at) => {
  const dims = at.dims(0);
  if (!dims) return [];
  const order = at.list("perm") ?? dims.map((_, i) => dims.length - 1 - i);
  if (order.length !== dims.length) at.fail(`permutes ${order.length} dims, but the input is ${at.shapes()}`);
  if (order.some((axis) => dims[axis] === undefined)) return [];
  return [{ dims: order.map((axis) => dims[axis]!), elements: dims.length < 2 ? at.elements(0) : undefined }];
};

export const flatten: Rule = (at) => {
  const dims = at.dims(0);
  if (!dims) return [];
  const axis = at.integer("axis", 1);
  const split = axis < 0 ? axis + dims.length : axis;
  const parts = [dims.slice(0, split), dims.slice(split)];
  return [{ dims: parts.map((part, i) => at.sized(productOf(part.map((dim) => dim.size)), i)) }];
};
