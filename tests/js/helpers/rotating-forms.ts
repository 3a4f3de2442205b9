// One layer of a decoder with a cache, in the forms in which exporters write it: it rotates its queries and keys by position ids
// and attends to the cache and to them. All compute the same.
import { float, int64, microsoft, node, onnxModel } from "../../../examples/transformers/models/onnx.js";

export const [batch, heads, dim, base] = [2, 4, 16, 10000];

/** The rotated features of a head. */
export type Part = "all" | "first" | "last";
export interface RotatingForm {
  readonly pairing: "half" | "interleaved";
  readonly part: Part;
  /** How the graph rotates; "matrix": by nodes, with a product that exchanges the features of each pair. */
  readonly rotates: "nodes" | "matrix" | "RotaryEmbedding" | "microsoft";
  /** How the graph attends. */
  readonly attends: "nodes" | "Attention" | "MultiHeadAttention";
  /** Number of heads of the keys: 4, or 2 that are repeated. */
  readonly keyHeads: 2 | 4;
  /** Tokens of the cache, and new ones. */
  readonly past: number;
  readonly tokens: number;
}

/** A prompt without a cache, of nodes alone. */
export const plainForm: RotatingForm = {
  ...{ pairing: "half", part: "all", rotates: "nodes", attends: "nodes" },
  ...{ keyHeads: 2, past: 0, tokens: 40 },
};

export const rotaryDim = ({ part }: Pick<RotatingForm, "part">): number => (part === "all" ? dim : dim / 2);

const rows = 4096;
const frequenciesOf = (form: RotatingForm): number[] => {
  const width = rotaryDim(form);
  return Array.from({ length: width / 2 }, (_, i) => base ** ((-2 * i) / width));
};

/** Nodes that compute cosines and sines [batch, 1, tokens, width] of the position ids. */
function sinusoids({ pairing }: RotatingForm): object[] {
  const doubled =
    pairing === "half"
      ? [node("Concat", "angles angles", "both", { axis: -1 })]
      : [
          node("Unsqueeze", "angles last", "column"),
          node("Concat", "column column", "pairs", { axis: -1 }),
          node("Reshape", "pairs wide", "both"),
        ];
  return [
    node("Unsqueeze", "position_ids one", "ids.row"),
    node("Cast", "ids.row", "ids.float", { to: 1 }),
    node("MatMul", "frequencies ids.float", "product"),
    node("Transpose", "product", "angles", { perm: [0, 2, 1] }),
    ...doubled,
    ...["Cos", "Sin"].flatMap((op) => {
      const name = op.toLowerCase();
      return [node(op, "both", `${name}.flat`), node("Unsqueeze", `${name}.flat one`, name)];
    }),
  ];
}

/** The matrix M of x · M: plus or minus the other feature of each pair. */
function exchange({ pairing, part }: Pick<RotatingForm, "pairing" | "part">): number[] {
  const width = rotaryDim({ part });
  const first = Array.from({ length: width / 2 }, (_, i) => (pairing === "half" ? i : 2 * i));
  const apart = pairing === "half" ? width / 2 : 1;
  const matrix = Array<number>(width * width).fill(0);
  for (const a of first) {
    matrix[(a + apart) * width + a] = -1;
    matrix[a * width + a + apart] = 1;
  }
  return matrix;
}

/** Whether nodes rotate, not an operator. */
export const byNodes = ({ rotates }: Pick<RotatingForm, "rotates">): boolean =>
  rotates === "nodes" || rotates === "matrix";

/** Nodes that exchange the features of each pair of `x`, one of them negated, to `${x}.other`. */
function exchanged(x: string, { pairing, rotates }: RotatingForm): object[] {
  if (rotates === "matrix") return [node("MatMul", `${x} exchange`, `${x}.other`)];
  if (pairing === "half")
    return [
      node("Split", x, `${x}.a ${x}.b`, { axis: 3, num_outputs: 2 }),
      node("Neg", `${x}.b`, `${x}.nb`),
      node("Concat", `${x}.nb ${x}.a`, `${x}.other`, { axis: -1 }),
    ];
  return [
    node("Slice", `${x} even many third two`, `${x}.a`),
    node("Slice", `${x} one many third two`, `${x}.b`),
    node("Neg", `${x}.b`, `${x}.nb`),
    ...["nb", "a"].map((part) => node("Unsqueeze", `${x}.${part} last`, `${x}.${part}.c`)),
    node("Concat", `${x}.nb.c ${x}.a.c`, `${x}.stacked`, { axis: -1 }),
    node("Reshape", `${x}.stacked features`, `${x}.other`),
  ];
}

/** Nodes that rotate all features of `x`. */
function rotated(x: string, form: RotatingForm): object[] {
  return [
    ...exchanged(x, form),
    node("Mul", `${x} cos`, `${x}.cos`),
    node("Mul", `${x}.other sin`, `${x}.sin`),
    node("Add", `${x}.cos ${x}.sin`, `${x}.rotated`),
  ];
}

/** Nodes that rotate a part of `x` to `${x}.r`. */
function rotation(x: string, form: RotatingForm): object[] {
  const { part, rotates, pairing, keyHeads } = form;
  if (!byNodes(form)) {
    const attributes = {
      interleaved: Number(pairing === "interleaved"),
      rotary_embedding_dim: part === "first" ? dim / 2 : 0,
    };
    const count = x === "q" ? heads : keyHeads;
    return rotates === "RotaryEmbedding"
      ? [node("RotaryEmbedding", `${x} cos.rows sin.rows position_ids`, `${x}.r`, attributes)]
      : [
          microsoft("RotaryEmbedding", `${x} position_ids cos.rows sin.rows`, `${x}.r`, {
            ...attributes,
            ...(part === "first" && { num_heads: count }),
          }),
        ];
  }
  if (part === "all") return [...rotated(x, form), node("Identity", `${x}.rotated`, `${x}.r`)];
  const [own, rest] = part === "first" ? [`${x}.0`, `${x}.1`] : [`${x}.1`, `${x}.0`];
  const joined = part === "first" ? `${own}.rotated ${rest}` : `${rest} ${own}.rotated`;
  return [
    node("Split", x, `${x}.0 ${x}.1`, { axis: 3, num_outputs: 2 }),
    ...rotated(own, form),
    node("Concat", joined, `${x}.r`, { axis: -1 }),
  ];
}

/** Nodes that repeat the heads of keys or values. */
const repeated = (x: string, { keyHeads }: RotatingForm): object[] =>
  keyHeads === heads
    ? [node("Identity", x, `${x}.all`)]
    : [
        node("Unsqueeze", `${x} two`, `${x}.u`),
        node("Expand", `${x}.u groups`, `${x}.e`),
        node("Reshape", `${x}.e heads`, `${x}.all`),
      ];

function attention(form: RotatingForm): object[] {
  const { attends } = form;
  const cached = [
    node("Concat", "past_key_values.0.key k.r", "present.0.key", { axis: 2 }),
    node("Concat", "past_key_values.0.value v", "present.0.value", { axis: 2 }),
  ];
  const names = "past_key_values.0.key past_key_values.0.value";
  if (attends === "Attention") return [node("Attention", `q.r k.r v mask ${names}`, "y present.0.key present.0.value")];
  if (attends === "MultiHeadAttention")
    return [
      ...cached,
      ...repeated("present.0.key", form),
      ...repeated("present.0.value", form),
      ...["q.r", "present.0.key.all", "present.0.value.all"].flatMap((x, i) => [
        node("Transpose", x, `t${i}`, { perm: [0, 2, 1, 3] }),
        node("Reshape", `t${i} packed`, `p${i}`),
      ]),
      microsoft("MultiHeadAttention", "p0 p1 p2 - - mask", "y.p", { num_heads: heads }),
      node("Reshape", "y.p apart", "y.t"),
      node("Transpose", "y.t", "y", { perm: [0, 2, 1, 3] }),
    ];
  return [
    ...cached,
    ...repeated("present.0.key", form),
    ...repeated("present.0.value", form),
    node("Transpose", "present.0.key.all", "kt", { perm: [0, 1, 3, 2] }),
    node("Mul", "q.r scale", "q.s"),
    node("MatMul", "q.s kt", "raw"),
    node("Add", "raw mask", "masked"),
    node("Softmax", "masked", "weights", { axis: -1 }),
    node("MatMul", "weights present.0.value.all", "y"),
  ];
}

/** The model of a form. Inputs: q, k, v [batch, …], position_ids, mask [batch, 1, tokens, keys], and the cache. */
export function rotatingModel(form: RotatingForm): Uint8Array {
  const { past, tokens, keyHeads } = form;
  const width = rotaryDim(form);
  const frequencies = frequenciesOf(form);
  const table = (of: (angle: number) => number) =>
    float(
      Array.from({ length: (rows * width) / 2 }, (_, i) =>
        of(Math.floor(i / frequencies.length) * frequencies[i % frequencies.length]!),
      ),
      [rows, width / 2],
    );
  const float32 = (...dims: number[]) => ({ type: "float32", dims });
  const keys = past + tokens;
  const cache = [batch, keyHeads, keys, dim];
  return onnxModel({
    inputs: {
      ...{ q: float32(batch, heads, tokens, dim), k: float32(batch, keyHeads, tokens, dim) },
      ...{ v: float32(batch, keyHeads, tokens, dim), mask: float32(batch, 1, tokens, keys) },
      position_ids: { type: "int64", dims: [batch, tokens] },
      "past_key_values.0.key": float32(batch, keyHeads, past, dim),
      "past_key_values.0.value": float32(batch, keyHeads, past, dim),
    },
    constants: {
      ...{
        even: int64([0]),
        one: int64([1]),
        two: int64([2]),
        third: int64([3]),
        last: int64([-1]),
        many: int64([4096]),
      },
      ...{
        wide: int64([batch, tokens, width]),
        features: int64([0, 0, 0, -1]),
        groups: int64([1, 1, heads / keyHeads, 1, 1]),
      },
      ...{
        heads: int64([batch, heads, -1, dim]),
        packed: int64([0, 0, -1]),
        apart: int64([batch, tokens, heads, dim]),
      },
      ...{ scale: float([dim ** -0.5], []), frequencies: float(frequencies, [1, width / 2, 1]) },
      ...(form.rotates === "matrix" && { exchange: float(exchange(form), [width, width]) }),
      ...(!byNodes(form) && { "cos.rows": table(Math.cos), "sin.rows": table(Math.sin) }),
    },
    outputs: { y: [batch, heads, tokens, dim], "present.0.key": cache, "present.0.value": cache },
    nodes: [
      ...(byNodes(form) ? sinusoids(form) : []),
      ...rotation("q", form),
      ...rotation("k", form),
      ...attention(form),
    ],
  });
}
