// Which features of a head form a pair, found by how the graph separates them before it multiplies them.
import { attributeOf, type Step, type Value } from "../read/flow.js";
import { constantValues } from "../read/constant-values.js";
import { formOps, forward, sourceConstant } from "../read/trace.js";
import type { Files } from "../read/values.js";

export type Pairing = "half" | "interleaved";

/** Maximum numbers of products that are examined, of values that are visited to find them, and of steps before each. */
const mostProducts = 9;
const mostFollowed = 400;
const mostSteps = 24;

/** Products of features with cosines or sines. */
interface Products {
  readonly steps: readonly Step[];
  /** All values on the way that are computed from the cosines and sines. */
  readonly cosSinUsers: ReadonlySet<Value>;
}

function productsOf(users: readonly Value[]): Products {
  const steps: Step[] = [];
  const cosSinUsers = new Set<Value>(users);
  forward(
    users,
    (step) => {
      const isEnd = step.op === "Mul" || steps.length === mostProducts;
      if (step.op === "Mul" && steps.length < mostProducts) steps.push(step);
      if (!isEnd) step.outs.forEach((out) => cosSinUsers.add(out));
      return isEnd;
    },
    mostFollowed,
  );
  return { steps, cosSinUsers };
}

const passes = new Set([...formOps, "Neg"]);

/** Returns the steps that select features of a head. */
function selectionsBefore(features: Value): Step[] {
  const found: Step[] = [];
  const left = [features];
  for (let visited = 0; visited < mostSteps && left.length > 0; visited++) {
    const { maker } = left.shift()!;
    if (!maker) continue;
    const { op, ins } = maker;
    if (op === "Slice" || op === "Split" || op === "Gather" || op === "MatMul") found.push(maker);
    else if (op === "Concat") for (const value of ins) value && left.push(value);
    else if (passes.has(op) && ins[0]) left.push(ins[0]);
  }
  return found;
}

/** Returns the last dim of features, if an earlier Reshape sets it. */
async function lastDim(features: Value | undefined, files: Files): Promise<number | undefined> {
  let at = features?.maker;
  for (let left = mostSteps; at && left > 0 && at.op !== "Reshape"; left--) {
    const perm = attributeOf(at.node, "perm")?.ints;
    const keepsLast =
      at.op === "Cast" || at.op === "Identity" || (at.op === "Transpose" && !!perm && perm.at(-1) === perm.length - 1);
    at = keepsLast ? at.ins[0]?.maker : undefined;
  }
  const shape = at?.ins[1];
  const last = shape?.maker?.op === "Concat" ? shape.maker.ins.at(-1) : shape;
  return (await constantValues(last, files))?.at(-1);
}

/** Maximum head dimension of a matrix that rotates. */
const mostFeatures = 512;

/**
 * Returns the pair layout of x · M, if M puts plus or minus the other feature of its pair in place of each feature. Of a
 * projection, whose x is not multiplied by cosines, nothing is read.
 */
async function pairingOfMatrix([x, matrix]: Step["ins"], files: Files): Promise<Pairing | undefined> {
  if (!x?.users.some(({ op }) => op === "Mul")) return undefined;
  const [rows = 0, columns, ...more] = sourceConstant(matrix)?.constant.tensor.dims ?? [];
  if (rows !== columns || more.length > 0 || rows % 2 || rows > mostFeatures) return undefined;
  const elements = await constantValues(matrix, files);
  if (!elements?.length) return undefined;
  const isPairOf = (other: (i: number) => number): boolean =>
    elements.every((element, i) => Math.abs(element) === Number(i % rows === other(Math.floor(i / rows))));
  if (isPairOf((i) => i ^ 1)) return "interleaved";
  return isPairOf((i) => (i + rows / 2) % rows) ? "half" : undefined;
}

async function pairingBy(take: Step, files: Files): Promise<Pairing | undefined> {
  const { op, ins } = take;
  if (op === "MatMul") return pairingOfMatrix(ins, files);
  if (op === "Slice" && (await constantValues(ins[4], files))?.includes(2)) return "interleaved";
  if ((await lastDim(ins[0], files)) === 2) return "interleaved";
  if (op !== "Gather") return "half";
  // A single index may select the queries from queries and keys; a permutation of features has several.
  const [first, second] = (await constantValues(ins[1], files)) ?? [];
  if (second === undefined) return undefined;
  return first === 1 && second === 0 ? "interleaved" : "half";
}

/**
 * Returns the pair layout; undefined: the graph does not show it. If one step selects the rotated features and another
 * one the pairs, the second one determines the layout.
 */
export async function pairingOf(files: Files, users: readonly Value[]): Promise<Pairing | undefined> {
  const { steps, cosSinUsers } = productsOf(users);
  let found: Pairing | undefined;
  for (const { ins } of steps)
    for (const value of ins)
      for (const take of value && !cosSinUsers.has(value) ? selectionsBefore(value) : []) {
        const pairing = await pairingBy(take, files);
        if (pairing === "interleaved") return pairing;
        found ??= pairing;
      }
  return found;
}
