// Graphs of any size: chains, stars and ladders, in which each pass must look at a node a few times and no more.
import { attributes, bytes, floats, frequencies, graphAttribute, graphOf, integer, join, node } from "./onnx-proto";
import { opset, raw, tensor } from "./onnx-proto";

type Bytes = Uint8Array<ArrayBuffer>;
interface Built {
  nodes: Bytes[];
  constants?: Bytes[];
  outputs?: string[];
}

const times = <T>(count: number, make: (i: number) => T | T[]): T[] =>
  Array.from({ length: count }, (_, i) => make(i)).flat() as T[];
const inputs = ["x", "position_ids", "y"];
/** With the outputs that graphs in tests/js/helpers/onnx-proto.ts do not have. */
const graph = ({ nodes, constants = [], outputs = [] }: Built, given: string[] = []): Bytes =>
  join(graphOf({ nodes, constants, inputs: given }), ...outputs.map((name) => bytes(12, bytes(1, name))));
export const sized = (built: Built): Bytes => join(integer(1, 8), opset, bytes(7, graph(built, inputs)));

const inv = floats("inv", [4], frequencies);
const sinusoids = (of: (angle: number) => number, rows = 8): number[] =>
  times(4 * rows, (i) => of((i >> 2) * frequencies[i % 4]!));
const slopes = [0.25, 0.0625, 0.015625, 0.00390625];
const attention = (i: string, from: string): Bytes[] => [
  node("MatMul", `${from} ${from}`, `scores${i}`),
  node("Softmax", `scores${i}`, `weights${i}`),
  node("MatMul", `weights${i} ${from}`, `attended${i}`),
];
const attended = (i: string, from: string): Bytes[] => [
  node("Softmax", from, `weights${i}`),
  node("MatMul", `weights${i} x`, `attended${i}`),
];
/** Indices of distances among four tokens. */
const square = (name: string): Bytes =>
  tensor(
    name,
    7,
    [4, 4],
    raw(BigInt64Array.from({ length: 16 }, (_, at) => BigInt(Math.floor(at / 4) - (at % 4) + 3))),
  );
const rotated = (i: number, from: string): Bytes[] => [
  node("Mul", "position_ids inv", `angle${i}`),
  node("Cos", `angle${i}`, `cos${i}`),
  node("Sin", `angle${i}`, `sin${i}`),
  node("Mul", `${from} cos${i}`, `y${i}`),
  node("Mul", `${from} sin${i}`, `z${i}`),
];
const branch = (name: string, built: Built): Bytes => graphAttribute(name, graph(built));

/** By name, with about so many nodes. */
export const graphs: Record<string, (count: number) => Built> = {
  "a chain of sums": (n) => ({ nodes: times(n, (i) => node("Add", `v${i} v${i}`, `v${i + 1}`)) }),
  "a chain of casts, each multiplied": (n) => ({
    nodes: times(n / 2, (i) => [node("Cast", `v${i}`, `v${i + 1}`), node("MatMul", `v${i + 1} x`, `m${i}`)]),
  }),
  "a chain of repeats": (n) => ({ nodes: times(n, (i) => node("Concat", `v${i} v${i}`, `v${i + 1}`)) }),
  "softmaxes in a chain": (n) => ({ nodes: times(n, (i) => node("Softmax", `v${i}`, `v${i + 1}`)) }),
  "softmaxes whose products are one": (n) => ({
    nodes: times(n / 2, (i) => [node("Softmax", "x", `p${i}`), node("Mul", `p${i} m${i}`, `m${i + 1}`)]),
  }),
  "layers that attend": (n) => ({
    nodes: times(n / 4, (i) => [...attention(`${i}`, `r${i}`), node("Add", `attended${i} r${i}`, `r${i + 1}`)]),
  }),
  "layers with a rotation each": (n) => ({
    nodes: times(n / 8, (i) => [...rotated(i, `r${i}`), ...attention(`${i}`, `y${i}`).slice(0, 2)]),
    constants: [inv],
  }),
  "cosines and sines of one angle": (n) => ({
    nodes: [
      node("Mul", "position_ids inv", "a"),
      ...times(n / 2, (i) => [node("Cos", "a", `c${i}`), node("Sin", "a", `s${i}`)]),
    ],
    constants: [inv],
  }),
  "what takes one value": (n) => ({ nodes: times(n, (i) => node("Add", "x y", `v${i}`)) }),
  "features that one rotation turns": (n) => ({
    nodes: [...rotated(0, "x"), ...times(n, (i) => node("Mul", i % 2 ? "x cos0" : "x sin0", `t${i}`))],
    constants: [inv],
  }),
  "softmaxes of one product": (n) => ({
    nodes: [
      node("MatMul", "x x", "q"),
      ...times(n / 2, (i) => [node("Softmax", "q", `p${i}`), node("MatMul", `p${i} x`, `o${i}`)]),
    ],
  }),
  "fused attention": (n) => ({ nodes: times(n, (i) => node("MultiHeadAttention", `v${i} x x`, `v${i + 1}`)) }),
  "operators that take the same tables": (n) => ({
    nodes: times(n, (i) => node("RotaryEmbedding", "x position_ids c s", `r${i}`)),
    constants: [floats("c", [8, 4], sinusoids(Math.cos)), floats("s", [8, 4], sinusoids(Math.sin))],
  }),
  "readers of one table": (n) => ({
    nodes: times(n / 2, (i) => [node("Gather", "t position_ids", `g${i}`), node("Add", `x g${i}`, `o${i}`)]),
    constants: [floats("t", [16, 8], times(128, Math.sin))],
  }),
  "readers that read by what the last one read": (n) => ({
    nodes: times(n, (i) => node("Gather", `t${i} ${i ? `g${i - 1}` : "position_ids"}`, `g${i}`)),
    constants: times(n, (i) => floats(`t${i}`, [8, 4], sinusoids(Math.cos))),
  }),
  "tables of cosines without a sine": (n) => ({
    nodes: times(n / 2, (i) => [node("Gather", `c${i} position_ids`, `g${i}`), node("Mul", `x g${i}`, `o${i}`)]),
    constants: times(n / 2, (i) =>
      floats(`c${i}`, [8, 4], sinusoids(i % 2 ? Math.cos : (angle) => -2 * Math.sin(angle))),
    ),
  }),
  initializers: (n) => ({ nodes: rotated(0, "x"), constants: [inv, ...times(n, (i) => floats(`w${i}`, [4], slopes))] }),
  "initializers that are shapes in a chain": (n) => ({
    nodes: times(n, (i) => node("Reshape", `v${i} w${i}`, `v${i + 1}`)),
    constants: times(n, (i) => floats(`w${i}`, [4], slopes)),
  }),
  branches: (n) => ({
    nodes: times(n / 3, (i) =>
      node(
        "If",
        "x",
        `o${i}`,
        branch("then_branch", { nodes: [node("Neg", "y", `t${i}`)], outputs: [`t${i}`] }),
        branch("else_branch", { nodes: [node("Abs", "y", `e${i}`)], outputs: [`e${i}`] }),
      ),
    ),
  }),
  "layers in both branches": (n) => ({
    nodes: [
      node(
        "If",
        "x",
        "o",
        ...["then_branch", "else_branch"].map((name) =>
          branch(name, {
            nodes: times(n / 6, (i) => attention(`${name}${i}`, "y")),
            outputs: [`attended${name}0`],
          }),
        ),
      ),
    ],
  }),
  diamonds: (n) => ({
    nodes: times(n / 3, (i) => [
      node("Neg", `v${i}`, `a${i}`),
      node("Abs", `v${i}`, `b${i}`),
      node("Mul", `a${i} b${i}`, `v${i + 1}`),
    ]),
  }),
  masks: (n) => ({
    nodes: times(n / 2, (i) => [node("Less", `x k${i}`, `l${i}`), node("Where", `l${i} x w${i}`, `w${i + 1}`)]),
    constants: times(n / 2, (i) => floats(`k${i}`, [1], [7 + (i % 4)])),
  }),
  "logarithms of distances": (n) => ({
    nodes: times(n / 4, (i) => [
      node("Div", `${i ? `m${i - 1}` : "x"} e`, `d${i}`),
      node("Log", `d${i}`, `l${i}`),
      node("Div", `l${i} s`, `q${i}`),
      node("Mul", `q${i} e`, `m${i}`),
    ]),
    constants: [floats("e", [], [8]), floats("s", [], [2.77])],
  }),
  "slopes of each layer": (n) => ({
    nodes: times(n / 3, (i) => [
      node("Mul", `x w${i}`, `b${i}`),
      node("Add", `y b${i}`, `s${i}`),
      node("Softmax", `s${i}`, `p${i}`),
    ]),
    constants: times(n / 3, (i) => floats(`w${i}`, [4, 1, 1], slopes)),
  }),
  "tables of distances": (n) => ({
    nodes: times(n / 5, (i) => [
      node("MatMul", "x y", `q${i}`),
      node("Gather", "t index", `r${i}`),
      node("Einsum", `q${i} r${i}`, `d${i}`),
      node("Add", `${i ? `d${i - 1}` : "y"} d${i}`, `e${i}`),
      ...attended(`${i}`, `e${i}`),
    ]),
    constants: [floats("t", [7, 4], times(28, Math.sin)), square("index")],
  }),
  "sums of scores, each attended": (n) => ({
    nodes: times(n / 4, (i) => [
      node("MatMul", "x y", `m${i}`),
      node("Add", `${i ? `s${i - 1}` : "x"} m${i}`, `s${i}`),
      ...attended(`${i}`, `s${i}`),
    ]),
  }),
  "networks of coordinates": (n) => ({
    nodes: times(n / 8, (i) => [
      node("MatMul", "c w", `h${i}`),
      node("Relu", `h${i}`, `b${i}`),
      node("MatMul", `b${i} v`, `l${i}`),
      node("Gather", `l${i} index`, `g${i}`),
      node("Sigmoid", `g${i}`, `o${i}`),
      node("Add", `x o${i}`, `s${i}`),
      ...attended(`${i}`, `s${i}`),
    ]),
    constants: [
      floats("c", [1, 3, 3, 2], times(18, Math.sin)),
      ...[floats("w", [2, 6], times(12, Math.sin)), floats("v", [6, 2], times(12, Math.cos)), square("index")],
    ],
  }),
  "sinusoids of running sums": (n) => ({
    nodes: times(n / 8, (i) => [
      node("CumSum", "x axis", `u${i}`),
      node("Div", `u${i} u${i}`, `d${i}`),
      node("Cos", `d${i}`, `c${i}`),
      node("Sin", `d${i}`, `s${i}`),
      node("Add", `c${i} s${i}`, `a${i}`),
      ...attention(`${i}`, `a${i}`),
    ]),
    constants: [floats("axis", [], [1])],
  }),
  "convolutions that are added to their input": (n) => ({
    nodes: times(n / 5, (i) => [
      node("Conv", `v${i} w`, `m${i}`, attributes.integer("group", 2)),
      node("Add", `v${i} m${i}`, `v${i + 1}`),
      ...attention(`${i}`, `v${i + 1}`),
    ]),
    constants: [floats("w", [8, 4, 16], times(512, Math.sin))],
  }),
  "shapes that are written down": (n) => ({
    nodes: times(n / 2, (i) => [node("Add", `v${i} x`, `v${i + 1}`), node("MatMul", `v${i} x`, `m${i}`)]),
  }),
};
