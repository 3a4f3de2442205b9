// Shape rules by operator.
import { At, type Rule } from "./at.js";
import type { Step } from "../read/flow.js";
import type { Fact } from "./facts.js";
import { concat, flatten, squeeze, transpose, unsqueeze } from "./axes.js";
import { arithmetic, castOf, constantOfShape, range, shapeOf, sizeOf, whereOf } from "./integers.js";
import { einsum, fusedMatMul, gemm, matMul } from "./products.js";
import { gather, gatherElements, gatherNd, slice, split } from "./parts.js";
import { expand, pad, reshape, tile } from "./forms.js";
import { conv, depthToSpace, globalPool, pool, resize, spaceToDepth } from "./images.js";
import { sameSizes, type Dim } from "./sizes.js";

const as =
  (...names: string[]) =>
  (rule: Rule): [string, Rule][] =>
    names.map((name) => [name, rule]);

/** The shape of the first input. */
const first: Rule = (at) => [{ dims: at.dims(0) }];
/** All inputs are broadcast to one shape. */
const spread: Rule = (at) => {
  let dims = at.dims(0);
  for (let i = 1; i < at.step.ins.length; i++) dims = at.broadcast(dims, at.dims(i));
  return [{ dims }];
};

/** Sums, means and maxima over axes. */
const reduce: Rule = (at) => {
  const dims = at.dims(0);
  const isGiven = at.has(1) || !!at.list("axes");
  const axes = at.listOrInput("axes", 1);
  if (!dims || (isGiven && !axes)) return [];
  if ((!axes || axes.length === 0) && at.integer("noop_with_empty_axes", 0) === 1) return [{ dims }];
  return [{ dims: reduced(at, dims, axes && axes.length > 0 ? axes : dims.map((_, i) => i)) }];
};
const argument: Rule = (at) => {
  const dims = at.dims(0);
  return dims ? [{ dims: reduced(at, dims, [at.integer("axis", 0)]) }] : [];
};
function reduced(at: At, dims: readonly Dim[], axes: readonly number[]): readonly Dim[] {
  const gone = new Set(axes.map((axis) => at.axis(axis, dims.length)));
  const keeps = at.integer("keepdims", 1) === 1;
  return dims.flatMap((dim, i) => (gone.has(i) ? (keeps ? [at.fixed(1, i)] : []) : [dim]));
}

/** The facts that both branches have in common. */
const branches: Rule = (at) =>
  at.step.outs.map((_, i): Fact => {
    const all = at.step.branches.map((list) => (list[i] ? at.pass.of(list[i]) : {}));
    const [one, ...others] = all;
    if (!one?.dims || others.some(({ dims }) => dims?.length !== one.dims!.length)) return {};
    return {
      dims: one.dims.map((dim, axis) =>
        others.every(({ dims }) => sameSizes([dims![axis]], [dim])) ? dim : at.unknown(axis),
      ),
    };
  });

/** [batch, tokens, …]: the number of output features is unknown. */
const attention: Rule = (at) => {
  const dims = at.dims(0);
  return dims?.length === 3 ? [{ dims: [dims[0]!, dims[1]!, at.unknown(2)] }] : [];
};
/** The last output is the sum that was normalised. */
const skipNormalization: Rule = (at) => {
  const one = { dims: at.dims(0) };
  return [one, {}, {}, one];
};

/** Scale and zero point are scalars. */
const quantize: Rule = (at) => [{ dims: at.dims(0) }, { dims: [] }, { dims: [] }];
/** Weights in a few bits: their number of columns is an attribute. */
const fewBits: Rule = (at) => {
  const dims = at.dims(0);
  return dims ? [{ dims: [...dims.slice(0, -1), at.fixed(at.integer("N", NaN), dims.length - 1)] }] : [];
};

/** Rules by operator. `first`: the first output is like the first input; the others are unknown. */
const rules = new Map<string, Rule>([
  ...as("Abs", "Acos", "Asin", "Atan", "BatchNormalization", "Ceil", "Celu", "Clip", "Cos", "CumSum", "Elu")(first),
  ...as("DequantizeLinear", "Dropout", "Erf", "Exp", "Floor", "Gelu")(first),
  ...as("GroupNormalization", "HardSigmoid", "HardSwish", "InstanceNormalization", "IsInf", "IsNaN")(first),
  ...as("LayerNormalization", "LeakyRelu", "Log", "LogSoftmax", "Mish", "Not", "QuantizeLinear", "Reciprocal")(first),
  ...as("Relu", "RMSNormalization", "Round", "ScatterElements", "ScatterND", "Selu", "Sigmoid", "Sign", "Sin")(first),
  ...as("SimplifiedLayerNormalization", "Softmax", "Softplus", "Sqrt", "Tan", "Tanh", "Trilu")(first),
  ...as("Pow", "And", "Or", "Xor", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "PRelu", "BitShift")(spread),
  ...as("Mean", "Sum")(spread),
  ...as("Add", "Sub", "Mul", "Div", "Mod", "Max", "Min", "Equal", "Neg")(arithmetic),
  ...as("Cast", "Identity")(castOf),
  ...as("Where")(whereOf),
  ...as("Shape")(shapeOf),
  ...as("Size")(sizeOf),
  ...as("Range")(range),
  ...as("ConstantOfShape")(constantOfShape),
  ...as("Concat")(concat),
  ...as("Squeeze")(squeeze),
  ...as("Unsqueeze")(unsqueeze),
  ...as("Transpose")(transpose),
  ...as("Flatten")(flatten),
  ...as("Reshape")(reshape),
  ...as("Expand")(expand),
  ...as("Tile")(tile),
  ...as("Pad")(pad),
  ...as("Slice")(slice),
  ...as("Split")(split),
  ...as("Gather")(gather),
  ...as("GatherElements")(gatherElements),
  ...as("GatherND")(gatherNd),
  ...as("MatMul", "MatMulInteger")(matMul),
  ...as("Gemm")(gemm),
  ...as("Einsum")(einsum),
  ...as("Conv", "ConvInteger")(conv),
  ...as("AveragePool", "LpPool", "MaxPool")(pool),
  ...as("GlobalAveragePool", "GlobalMaxPool")(globalPool),
  ...as("Resize", "Upsample")(resize),
  ...as("DepthToSpace")(depthToSpace),
  ...as("SpaceToDepth")(spaceToDepth),
  ...as("ReduceL1", "ReduceL2", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin")(reduce),
  ...as("ReduceProd", "ReduceSum", "ReduceSumSquare")(reduce),
  ...as("ArgMax", "ArgMin")(argument),
  ...as("DynamicQuantizeLinear")(quantize),
  ...as("If")(branches),
]);

/** Rules of onnxruntime's operators. */
const own = new Map<string, Rule>([
  ...as("FastGelu", "Gelu", "QuickGelu")(first),
  ...as("SkipLayerNormalization", "SkipSimplifiedLayerNormalization")(skipNormalization),
  ...as("Attention", "GroupQueryAttention", "MultiHeadAttention", "QAttention")(attention),
  ...as("MRotaryEmbedding", "RotaryEmbedding", "DequantizeLinear", "QuantizeLinear")(first),
  ...as("BiasGelu")(spread),
  ...as("FusedMatMul")(fusedMatMul),
  ...as("MatMulNBits")(fewBits),
]);

/** Returns the rule of a step; undefined: its outputs are unknown. */
export function ruleOf({ op, node }: Step): Rule | undefined {
  if (node.domain === "") return rules.get(op);
  return node.domain === "com.microsoft" ? own.get(op) : undefined;
}
