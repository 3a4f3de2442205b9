// Changes fixed numbers in the shape of a Reshape when the shape of its input changes.
import type { At } from "./at.js";
import {
  aligned,
  fixed,
  isFixed,
  isSame,
  numberOf,
  over,
  productOf,
  type Dim,
  type Group,
  type Size,
} from "./sizes.js";

type Given = readonly (Dim | undefined)[];

/** Returns the requested shape of a Reshape with its counts of tokens, patches and pixels changed. */
export function followGroups(at: At, given: Given): Given {
  const [data, old] = [at.dims(0), at.oldDims(0)];
  const made = at.pass.before?.of(at.step.outs[0]!).dims;
  if (!at.pass.before) return given;
  // If shapes are unknown, only the number of tokens is changed.
  if (!data || !old || !made || made.length !== given.length || data.length !== old.length)
    return at.pass.isTouched(at.step) ? withCounts(at, given) : given;
  if (data.every((dim, i) => isSame(dim.size, old[i]!.size))) return given;
  const out = [...given];
  const sizes = (dims: readonly Dim[]): Size[] => dims.map((dim) => dim.size);
  for (const group of aligned(sizes(old), sizes(made)))
    if (group.ins.some((axis) => !isSame(data[axis]!.size, old[axis]!.size))) followGroup(at, out, made, group);
  return out;
}

/** Changes all numbers of tokens that are constants in the file. */
const withCounts = (at: At, given: Given): Given =>
  given.map((one) => {
    const next = at.pass.plan!.image.tokens.get(numberOf(one) ?? -1);
    return next !== undefined && one?.from && at.pass.plan!.want(one.from, next) ? { size: fixed(next) } : one;
  });

function followGroup(at: At, out: (Dim | undefined)[], made: readonly Dim[], { ins, outs, isClosed }: Group): void {
  const wanted = isClosed ? productOf(ins.map((axis) => at.dims(0)![axis]!.size)) : undefined;
  const axes = outs.filter((axis) => numberOf(made[axis]) !== 1);
  const current = axes.map((axis) => out[axis]);
  if (current.some((one) => !one)) return;
  const choice = [...choices(at, current as Dim[], wanted)].find((sizes) => fits(sizes, wanted));
  for (const [i, axis] of axes.entries()) {
    const [one, size] = [current[i]!, choice?.[i]];
    if (!size || isSame(size, one.size) || !isFixed(size)) continue;
    const words = (): string => `has ${numberOf(one)} fixed, which would have to be ${size.factor}`;
    out[axis] = at.follow(one, size.factor, words);
  }
}

/** Whether sizes have the wanted product; -1 takes the rest. */
function fits(sizes: readonly Size[], wanted: Size | undefined): boolean {
  if (!wanted) return true;
  const others = sizes.filter((size) => size.factor !== -1);
  const product = productOf(others);
  if (!product) return false;
  return others.length < sizes.length ? over(wanted, product) !== undefined : isSame(product, wanted);
}

type Numbers = readonly (number | undefined)[];

/** Returns the possible new sizes of a group, most likely first. */
function* choices(at: At, current: readonly Dim[], wanted: Size | undefined): Generator<readonly Size[]> {
  const sizes = current.map((one) => one.size);
  const { counts, sides } = at.pass.plan!.image;
  const replaced = (numbers: Numbers): Size[] =>
    sizes.map((size, i) => (numbers[i] === undefined ? size : fixed(numbers[i])));
  const known = current.map((one) => counts.get(numberOf(one) ?? -1));
  if (known.some((number) => number !== undefined)) yield replaced(known);
  if (wanted)
    for (const numbers of grids(current.map((one) => sides.get(numberOf(one) ?? -1)))) yield replaced(numbers);
  yield sizes;
  // A single dim must be the product.
  if (wanted && sizes.length === 1 && sizes[0]!.factor !== -1) yield [wanted];
}

/** Returns heights and widths for two sides, then for one. */
function* grids(sides: readonly (readonly [number, number] | undefined)[]): Generator<Numbers> {
  const [first, second] = sides.flatMap((side, i) => (side ? [i] : []));
  if (first === undefined) return;
  const at = (i: number, number: number | undefined): Numbers => sides.map((_, k) => (k === i ? number : undefined));
  const [height, width] = sides[first]!;
  if (second !== undefined) {
    const [otherHeight, otherWidth] = sides[second]!;
    yield at(first, height).with(second, otherWidth);
    yield at(first, width).with(second, otherHeight);
  }
  // Patches come before the pixels in them.
  yield at(first, height);
  yield at(first, width);
  if (second !== undefined) yield* [at(second, sides[second]![0]), at(second, sides[second]![1])];
}
