// Shape rules of MatMul, Gemm and Einsum.
import type { At, Rule } from "./at.js";
import type { Dim } from "./sizes.js";

function product(at: At, a: readonly Dim[], b: readonly Dim[]): readonly Dim[] | undefined {
  if (a.length === 0 || b.length === 0) return undefined;
  const left = a.length === 1 ? [at.fixed(1, 0), ...a] : a;
  const right = b.length === 1 ? [...b, at.fixed(1, 0)] : b;
  at.merged(left.at(-1)!, right.at(-2)!);
  const outer = at.broadcast(left.slice(0, -2), right.slice(0, -2))!;
  return [...outer, ...(a.length === 1 ? [] : [left.at(-2)!]), ...(b.length === 1 ? [] : [right.at(-1)!])];
}

export const matMul: Rule = (at) => {
  const [a, b] = [at.dims(0), at.dims(1)];
  return a && b ? [{ dims: product(at, a, b) }] : [];
};

const transposed = (dims: readonly Dim[], isTransposed: boolean): readonly Dim[] =>
  isTransposed && dims.length > 1 ? [...dims.slice(0, -2), dims.at(-1)!, dims.at(-2)!] : dims;

export const fusedMatMul: Rule = (at) => {
  const [a, b] = [at.dims(0), at.dims(1)];
  if (!a || !b || at.integer("transBatchA", 0) || at.integer("transBatchB", 0)) return [];
  return [
    { dims: product(at, transposed(a, at.integer("transA", 0) === 1), transposed(b, at.integer("transB", 0) === 1)) },
  ];
};

export const gemm: Rule = (at) => {
  const [a, b, c] = [at.dims(0), at.dims(1), at.dims(2)];
  if (a?.length !== 2 || b?.length !== 2) return [];
  const dims = product(at, transposed(a, at.integer("transA", 0) !== 0), transposed(b, at.integer("transB", 0) !== 0));
  if (c && c.length <= 2) at.broadcast(dims, c);
  return [{ dims }];
};

/** The rule of Einsum: "bhwc,hkc->bhwk". Equal letters have equal lengths. */
export const einsum: Rule = (at) => {
  const equation = at.text("equation", at.pass.pieces)?.replaceAll(" ", "");
  const [terms, result] = equation?.split("->") ?? [];
  const lists = terms?.split(",");
  if (!lists || result === undefined || lists.length !== at.step.ins.length) return [];
  if (![...lists, result].every((term) => /^[A-Za-z]*$/.test(term))) return [];
  const lengths = new Map<string, Dim>();
  for (const [i, term] of lists.entries()) {
    const dims = at.dims(i);
    if (dims?.length !== term.length) return [];
    for (const [axis, letter] of [...term].entries()) {
      const before = lengths.get(letter);
      lengths.set(letter, before ? at.broadcast([before], [dims[axis]!])![0]! : dims[axis]!);
    }
  }
  return [{ dims: [...result].map((letter, i) => lengths.get(letter) ?? at.unknown(i)) }];
};
