// Shape rules of Reshape, Expand, Tile and Pad.
import { mostElements, type At, type Rule } from "./at.js";
import { followGroups } from "./follow.js";
import { differ, fixed, inWords, numberOf, over, productOf, times, type Dim, type Size } from "./sizes.js";

/** The rule of Reshape: [N, C, -1], where 0 keeps a dim. */
export const reshape: Rule = (at) => {
  const data = at.dims(0);
  const shape = shapeElements(at);
  if (!shape) return [{ dims: ofRank(at, at.has(1) ? numberOf(at.dims(1)?.[0]) : undefined) }];
  const keeps = at.integer("allowzero", 0) === 0;
  const given = shape.map((one, axis) => (keeps && numberOf(one) === 0 ? (data?.[axis] ?? at.unknown(axis)) : one));
  const dims = resolved(at, data, followGroups(at, given));
  return [{ dims, elements: dims.length < 2 ? at.elements(0) : undefined }];
};

function shapeElements(at: At): readonly (Dim | undefined)[] | undefined {
  if (at.has(1)) return at.elements(1);
  return at.list("shape")?.map((number) => ({ size: fixed(number) }));
}

const ofRank = (at: At, rank: number | undefined): Dim[] | undefined =>
  rank !== undefined && rank <= mostElements ? Array.from({ length: rank }, (_, axis) => at.unknown(axis)) : undefined;

/** Resolves -1, and checks the number of elements. */
function resolved(at: At, data: readonly Dim[] | undefined, given: readonly (Dim | undefined)[]): readonly Dim[] {
  const total = data && productOf(data.map((dim) => dim.size));
  const free = given.findIndex((one) => numberOf(one) === -1);
  const others = given.filter((_, axis) => axis !== free);
  const known = others.reduce<Size | undefined>((all, one) => times(all, one?.size), fixed(1));
  const words = (): string => `cannot make ${inWords(given)} of ${inWords(data!)}`;
  if (free < 0 && total && known && differ(total, known)) at.fail(words());
  const rest = total && known && known.factor > 0 ? over(total, known) : undefined;
  const isOdd =
    free >= 0 && !rest && total && known && known.factor > 0 && total.symbols.length + known.symbols.length === 0;
  if (isOdd) at.fail(words());
  return given.map((one, axis) => {
    if (axis === free) return at.sized(rest, axis);
    return one && one.size.factor >= 0 ? one : at.unknown(axis);
  });
}

export const expand: Rule = (at) => {
  const shape = at.elements(1);
  if (!shape) {
    const rank = numberOf(at.dims(1)?.[0]);
    const own = at.dims(0)?.length;
    return [{ dims: ofRank(at, rank === undefined || own === undefined ? undefined : Math.max(rank, own)) }];
  }
  return [
    {
      dims: at.broadcast(
        at.dims(0),
        shape.map((one, axis) => one ?? at.unknown(axis)),
      ),
    },
  ];
};

export const tile: Rule = (at) => {
  const [dims, repeats] = [at.dims(0), at.elements(1)];
  if (!dims) return [];
  return [
    {
      dims: dims.map((dim, axis) => {
        const times_ = repeats?.[axis];
        if (times_ && numberOf(dim) === 1) return times_;
        return numberOf(times_) === 1 ? dim : at.sized(times(dim.size, times_?.size), axis);
      }),
    },
  ];
};

export const pad: Rule = (at) => {
  const { dims, elements } = at.in(0);
  if (!dims) return [];
  const pads = at.listOrInput("pads", 1);
  const axes = at.has(3) ? at.integers(3) : dims.map((_, i) => i);
  if (!pads || !axes) return [{ dims: dims.map((_, i) => at.unknown(i)) }];
  const out = [...dims];
  for (const [i, given] of axes.entries()) {
    const axis = at.axis(given, dims.length);
    const more = (pads[i] ?? NaN) + (pads[i + axes.length] ?? NaN);
    if (axis === undefined || more === 0) continue;
    out[axis] = at.fixed((numberOf(dims[axis]) ?? NaN) + more, axis);
  }
  return [{ dims: out, elements: pads.every((count) => count === 0) ? elements : undefined }];
};
