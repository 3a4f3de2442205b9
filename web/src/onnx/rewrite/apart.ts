// Fused attention in its parts, as new nodes: products, masks and the softmax are steps of their own.
import { attributeOf, integerOf, type Step, type Value } from "../read/flow.js";
import { declaredOf, featureType, Ranks } from "../read/ranks.js";
import type { DataType } from "../read/values.js";
import { exportEager, fusedInputs, fusedName } from "./fused.js";
import { lowestOf, maskType, visibleIn } from "./masks.js";
import type { NewNodes } from "./new-nodes.js";
import { lengthsOf } from "./token-distances.js";

/** Queries and keys of a layer, as new nodes read them. */
export interface Sides {
  /** [batch, heads, queries, dim] */
  readonly queries: string;
  /** [batch, key heads, keys, dim]: with the cache, rotated. */
  readonly keys: string;
  /** Returns the second factor of the product with queries for some keys. */
  readonly factorOf: (keys: string) => string;
}

/** Fused attention in parts. */
export interface Apart extends Sides {
  /** Adds all from the scores [batch, heads, queries, keys], before they are scaled, to the outputs of the operator. */
  readonly finish: (scores: string) => void;
}

/** Operators that can be replaced by their parts, with the indices of inputs that these cannot express. */
const notExpressed: Readonly<Record<string, readonly number[]>> = {
  "com.microsoft GroupQueryAttention": [9, 11, 12, 13],
  "com.microsoft MultiHeadAttention": [3, 4, 8, 9],
  " Attention": [6],
};
const mostOutputs = 3;

/** Oldest operator set with the new nodes. */
const leastOpset = 13;

/** Returns why an operator cannot be replaced by its parts; undefined: it can. */
export function whyNotApart(step: Step, opset: number): string | undefined {
  const { node, ins } = step;
  const others = notExpressed[fusedName(step)];
  const name = `${step.op} "${node.name || step.outs[0]!.name}"`;
  if (!others) return `${name} cannot be replaced by its parts; ${exportEager}`;
  if (opset < leastOpset) return `needs operator set ${leastOpset}, the model has ${opset}`;
  const needed = [0, ins[1] ? 2 : 0, ...(integerOf(node, "do_rotary", 0) === 1 ? [7, 8] : [])];
  const missing = needed.find((index) => !ins[index]);
  if (missing !== undefined) return `${name} has no input ${missing}`;
  const input = others.find((index) => ins[index]);
  if (input !== undefined) return `${name} has an input ${input}, ${ins[input]!.name}, which its parts cannot express`;
  if (node.outputs.slice(mostOutputs).some(Boolean)) return `${name} outputs its scores`;
  if (integerOf(node, "smooth_softmax", 0) === 1) return `${name} has a smooth softmax`;
  if (integerOf(node, "sliding_window_cache", 0) === 1) return `${name} keeps only the keys of its window`;
  if (step.op !== "GroupQueryAttention" && !ins[1]) return `${name} has queries, keys and values in one tensor`;
  if (step.op === "Attention" && attributeOf(node, "softcap")?.f) return `${name} has a softcap`;
  return undefined;
}

/** Head dimension, if the graph declares that of the cache. */
const headDimOf = (step: Step): number | undefined => {
  const past = step.ins[fusedInputs(step)!.pastKey];
  const dim = past && declaredOf(past)?.dims?.[3];
  return typeof dim === "number" ? dim : undefined;
};

/** Whether an operator rotates only the first features of each head. `dim`: the number of features that it rotates. */
export function rotatesPart(step: Step, dim: number): boolean {
  return (headDimOf(step) ?? dim) > dim;
}

/** Adds the parts of a fused operator, up to its queries and keys. `rotaryDim`: of the rotation inside. */
export function partsIn(nodes: NewNodes, step: Step, rotaryDim: number): Apart {
  const { node, ins } = step;
  const inputs = fusedInputs(step)!;
  const heads = integerOf(node, "num_heads", integerOf(node, "q_num_heads", 0));
  const keyHeads = integerOf(node, "kv_num_heads", heads);
  const [q, k, v] = headsApart(nodes, step, heads, keyHeads);
  const [pastKey, pastValue] = [ins[inputs.pastKey], ins[inputs.pastValue]];
  const rotates = integerOf(node, "do_rotary", 0) === 1;
  const rotate = (x: string, count: number): string =>
    rotates ? rotatedBy(nodes, step, x, count, rotaryDim, pastKey) : x;
  const [queries, newKeys] = [rotate(q, heads), rotate(k, keyHeads)];
  const joined = (past: Value | undefined, added: string, output: number): string => {
    const name = node.outputs[output] || undefined;
    return past
      ? nodes.add("Concat", [past.name, added], { axis: 2 }, name)
      : name
        ? nodes.add("Identity", [added], {}, name)
        : added;
  };
  const keys = joined(pastKey, newKeys, 1);
  const values = joined(pastValue, v, 2);
  const repeated = (x: string): string => (heads === keyHeads && heads > 0 ? x : repeatedHeads(nodes, x, queries));
  return {
    queries,
    keys,
    factorOf: (some) => nodes.add("Transpose", [repeated(some)], { perm: [0, 1, 3, 2] }),
    finish: (scores) => finished(nodes, step, { queries, scores, values: repeated(values) }),
  };
}

/** Returns queries, keys and values [batch, heads, tokens, dim]. */
function headsApart(
  nodes: NewNodes,
  { op, node, ins }: Step,
  heads: number,
  keyHeads: number,
): [string, string, string] {
  const apart = (x: string, count: number): string =>
    nodes.add("Transpose", [nodes.reshape(x, [0, 0, count, -1])], { perm: [0, 2, 1, 3] });
  const names = ins.slice(0, 3).map((value) => value?.name);
  if (op === "GroupQueryAttention" && names[1] === undefined) {
    const sizes = nodes.constant("int64", [heads, keyHeads, keyHeads], [3]);
    return nodes.split(apart(names[0]!, heads + 2 * keyHeads), sizes, 3, { axis: 1 }) as [string, string, string];
  }
  // The standard operator has heads apart unless it counts them.
  const isApart = node.domain === "" && heads === 0;
  const ranks = new Ranks();
  return names.map((name, i) => {
    const is4D = isApart || (op === "MultiHeadAttention" && i > 0 && ranks.of(ins[i]) === 4);
    return is4D ? name! : apart(name!, i === 0 ? heads : keyHeads);
  }) as [string, string, string];
}

/** Rotates by the tables of the operator. Tokens are numbered by their index in the text. */
function rotatedBy(
  nodes: NewNodes,
  { node, ins }: Step,
  x: string,
  count: number,
  rotaryDim: number,
  past: Value | undefined,
): string {
  const first = past ? nodes.cast(nodes.sizeOf(past.name, 2), "int64") : nodes.constant("int64", [0]);
  const [cos, sin] = [ins[7]!.name, ins[8]!.name];
  const attributes = {
    interleaved: integerOf(node, "rotary_interleaved", 0),
    ...{ rotary_embedding_dim: rotaryDim, num_heads: count },
  };
  const offset = nodes.reshape(first, [1]);
  return nodes.add("RotaryEmbedding", [x, offset, cos, sin], attributes, undefined, "com.microsoft");
}

/** Repeats the heads of keys or values for the heads of the queries. */
function repeatedHeads(nodes: NewNodes, x: string, queries: string): string {
  const int64 = (numbers: number[]): string => nodes.constant("int64", numbers, [numbers.length]);
  const shape = nodes.add("Shape", [x]);
  const part = (of: string, indices: number[]): string => nodes.add("Gather", [of, int64(indices)], { axis: 0 });
  const groups = nodes.add("Div", [part(nodes.add("Shape", [queries]), [1]), part(shape, [1])]);
  const wide = nodes.add("Concat", [int64([1, 1]), groups, int64([1, 1])], { axis: 0 });
  const expanded = nodes.add("Expand", [nodes.add("Unsqueeze", [x, int64([2])]), wide]);
  const to = nodes.add("Concat", [int64([0, -1]), part(shape, [2, 3])], { axis: 0 });
  return nodes.add("Reshape", [expanded, to]);
}

interface Products {
  readonly queries: string;
  readonly scores: string;
  readonly values: string;
}

/** Adds scale, softcap, masks, softmax and the product with values. */
function finished(nodes: NewNodes, step: Step, { queries, scores, values }: Products): void {
  const { node, ins } = step;
  const type = featureType(ins[0]);
  const constant = (number: number): string => nodes.constant(type, [number]);
  const scale = attributeOf(node, "scale")?.f ?? 0;
  let at = nodes.add("Mul", [scores, scale ? constant(scale) : rootIn(nodes, queries, type)]);
  const softcap = attributeOf(node, "softcap")?.f ?? 0;
  if (softcap > 0)
    at = nodes.add("Mul", [nodes.add("Tanh", [nodes.add("Div", [at, constant(softcap)])]), constant(softcap)]);
  const bias = ins[fusedInputs(step)!.mask];
  const hide = (shown: string): string => nodes.add("Where", [shown, at, constant(lowestOf(type))]);
  if (bias) at = maskType(bias) === "bool" ? hide(bias.name) : nodes.add("Add", [at, bias.name]);
  const visible = maskIn(nodes, step, scores);
  if (visible !== undefined) at = hide(visible);
  const weights = nodes.add("Softmax", [at], { axis: 3 });
  const [output] = node.outputs;
  const isPacked = integerOf(node, "num_heads", integerOf(node, "q_num_heads", 0)) > 0;
  if (!isPacked) return void nodes.add("MatMul", [weights, values], {}, output);
  const ordered = nodes.add("Transpose", [nodes.add("MatMul", [weights, values])], { perm: [0, 2, 1, 3] });
  nodes.add("Reshape", [ordered, nodes.constant("int64", [0, 0, -1], [3])], {}, output);
}

/** 1 / √dim of the queries. */
function rootIn(nodes: NewNodes, queries: string, type: DataType): string {
  const root = nodes.add("Sqrt", [nodes.cast(nodes.sizeOf(queries, 3), "float32")]);
  return nodes.asType(nodes.math("Div", 1, root), type);
}

/** Returns the mask of causal attention and of a window [queries, keys]; undefined: there is none. */
function maskIn(nodes: NewNodes, { op, node }: Step, scores: string): string | undefined {
  const isCausal =
    op === "GroupQueryAttention" || integerOf(node, "unidirectional", 0) === 1 || integerOf(node, "is_causal", 0) === 1;
  const sizeOf = (name: string): number => {
    const size = integerOf(node, name, -1);
    return size < 0 ? Infinity : size;
  };
  const local = integerOf(node, "local_window_size", -1);
  const left = local > 0 ? local - 1 : sizeOf("left_window_size");
  const right = isCausal ? 0 : sizeOf("right_window_size");
  if (left === Infinity && right === Infinity) return undefined;
  return visibleIn(nodes, lengthsOf(nodes, scores), { left, right });
}
