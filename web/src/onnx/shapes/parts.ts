// Shape rules of Gather, Slice and Split.
import type { At, Rule } from "./at.js";
import { fixed, numberOf, type Dim } from "./sizes.js";

/** Returns the length of an axis in the file and now, if both are fixed and differ. */
function changedLength(at: At, axis: number): readonly [old: number, now: number] | undefined {
  const old = numberOf(at.oldDims(0)?.[axis]);
  const now = numberOf(at.dims(0)?.[axis]);
  return old === undefined || now === undefined || old === now ? undefined : [old, now];
}

export const gather: Rule = (at) => {
  const { dims, elements } = at.in(0);
  const index = at.in(1);
  const axis = dims && at.axis(at.integer("axis", 0), dims.length);
  if (!dims || axis === undefined || !index.dims) return [];
  checkIndices(at, axis);
  const picked = elements && index.dims.length < 2 && at.integers(1);
  return [
    {
      dims: [...dims.slice(0, axis), ...index.dims, ...dims.slice(axis + 1)],
      elements: picked ? picked.map((i) => elements.at(i)) : undefined,
    },
  ];
};

/** Rejects Gather of all tokens by constant indices. */
function checkIndices(at: At, axis: number): void {
  const [features, indices] = at.step.ins;
  const lengths = changedLength(at, axis);
  if (!lengths || !indices?.constant || features?.constant) return;
  const count = indices.constant.tensor.dims.reduce((all, dim) => all * dim, 1);
  const { counts } = at.pass.plan!.image;
  if (count > 1 && (count === lengths[0] || counts.has(count))) at.fail(`has ${count} indices fixed`);
}

export const gatherElements: Rule = (at) => [{ dims: at.dims(1) }];

export const gatherNd: Rule = (at) => {
  const [data, indices] = [at.dims(0), at.dims(1)];
  const depth = numberOf(indices?.at(-1));
  if (!data || !indices || depth === undefined) return [];
  return [{ dims: [...indices.slice(0, -1), ...data.slice(at.integer("batch_dims", 0) + depth)] }];
};

/** Bounds of slices from this value on mean the end. */
const farAway = 2 ** 31 - 1;

/** Number of elements of a slice of an axis. */
function sliced(length: number, start: number, end: number, step: number): number {
  const counted = (bound: number): number => (bound < 0 ? bound + length : bound);
  const within = (bound: number, low: number, high: number): number => Math.min(high, Math.max(low, counted(bound)));
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  return Math.max(0, Math.ceil((within(end, low, high) - within(start, Math.max(0, low), high)) / step));
}

/** Updates a bound of a slice that counts tokens or patches. */
function bound(at: At, axis: number, dim: Dim | undefined, isEnd: boolean): number | undefined {
  const number = numberOf(dim);
  const lengths = changedLength(at, axis);
  if (number === undefined || !lengths) return number;
  const [old, now] = lengths;
  const next = isEnd && number === old ? now : number < old ? at.pass.plan!.image.counts.get(number) : undefined;
  if (next === undefined) return number;
  const words = (): string => `has ${number} fixed as a bound of ${old}, which are ${now} now`;
  return numberOf(at.follow(dim!, next, words));
}

function sliceOf(at: At, axis: number, start: Dim | undefined, end: Dim | undefined, step: number | undefined): Dim {
  const dim = at.dims(0)![axis]!;
  const length = numberOf(dim);
  const [first, last] = [bound(at, axis, start, false), bound(at, axis, end, true)];
  if (first === 0 && step === 1 && last !== undefined && last >= farAway) return dim;
  // [0 : n] of an axis of length n.
  if (first === 0 && step === 1 && end && length === undefined && end.size === dim.size) return dim;
  if (length === undefined || first === undefined || last === undefined || !step) return at.unknown(axis);
  return at.fixed(sliced(length, first, last, step), axis);
}

export const slice: Rule = (at) => {
  const { dims, elements } = at.in(0);
  if (!dims) return [];
  const listed = (name: string): Dim[] | undefined => at.list(name)?.map((number) => ({ size: fixed(number) }));
  const starts = at.has(1) ? at.elements(1) : listed("starts");
  const ends = at.has(2) ? at.elements(2) : listed("ends");
  const count = starts?.length ?? ends?.length;
  const hasAxes = at.has(3) || !!at.list("axes");
  const axes = hasAxes
    ? at.listOrInput("axes", 3)
    : count === undefined
      ? undefined
      : dims.map((_, i) => i).slice(0, count);
  if (!axes) return [{ dims: dims.map((_, i) => at.unknown(i)) }];
  const steps = at.has(4) ? at.integers(4) : axes.map(() => 1);
  const out = [...dims];
  for (const [i, axis] of axes.entries()) {
    const which = at.axis(axis, dims.length);
    if (which !== undefined) out[which] = sliceOf(at, which, starts?.[i], ends?.[i], steps?.[i]);
  }
  return [{ dims: out, elements: elements && slicedElements(elements, out, starts?.[0], ends?.[0], steps?.[0]) }];
};

type Elements = readonly (Dim | undefined)[];
function slicedElements(
  elements: Elements,
  [dim]: readonly Dim[],
  start: Dim | undefined,
  end: Dim | undefined,
  step: number | undefined,
): Elements | undefined {
  const [first, last] = [numberOf(start), numberOf(end)];
  if (first === undefined || last === undefined || step !== 1) return undefined;
  const part = elements.slice(first, last >= farAway ? undefined : last);
  return part.length === numberOf(dim) ? part : undefined;
}

export const split: Rule = (at) => {
  const dims = at.dims(0);
  const axis = dims && at.axis(at.integer("axis", 0), dims.length);
  if (!dims || axis === undefined) return [];
  const count = at.step.outs.length;
  const listed = at.list("split")?.map((number): Dim => ({ size: fixed(number) }));
  const sizes = at.has(1) ? at.elements(1) : listed;
  const lengths = sizes || at.has(1) ? splitSizes(at, axis, sizes) : equalParts(at, axis, count);
  return at.step.outs.map((_, i) => ({ dims: dims.with(axis, lengths?.[i] ?? at.unknown(axis)) }));
};

/** Changes counts of tokens and patches in the sizes of a Split. */
function splitSizes(at: At, axis: number, sizes: Elements | undefined): Elements | undefined {
  const length = numberOf(at.dims(0)![axis]);
  const numbers = sizes?.map(numberOf);
  if (length === undefined || !sizes || !numbers?.every((number) => number !== undefined)) return sizes;
  const sum = (all: readonly number[]): number => all.reduce((total, number) => total + number, 0);
  if (sum(numbers) === length) return sizes;
  const next = numbers.map((number) => at.pass.plan?.image.counts.get(number) ?? number);
  const words = (): string => `cannot split ${length} into ${numbers.join(" + ")}`;
  if (!changedLength(at, axis) || sum(next) !== length) return at.fail(words());
  return sizes.map((one, i) => (next[i] === numbers[i] ? one : at.follow(one!, next[i]!, words)));
}

function equalParts(at: At, axis: number, count: number): Dim[] | undefined {
  const length = numberOf(at.dims(0)![axis]);
  if (length === undefined || count === 0) return undefined;
  const part = Math.ceil(length / count);
  return Array.from({ length: count }, (_, i) => at.fixed(Math.max(0, Math.min(part, length - i * part)), axis));
}
