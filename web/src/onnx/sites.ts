// Where a model attends: its layers.
import type { Graph } from "./graph.js";
import type { Flow, Step, Value } from "./flow.js";
import { backward, constantBehind, forward, formOps, makerOf } from "./trace.js";

const fused = new Set([
  "Attention",
  "DecoderMaskedMultiHeadAttention",
  "GroupQueryAttention",
  "MultiHeadAttention",
  "PagedAttention",
  "SparseAttention",
]);
const layerOps = new Set(["LayerNormalization", "SkipLayerNormalization", "RMSNormalization", "Softmax", "Shape"]);

/** Where features meet features, a projection ends; the scale of what was quantised is none. */
const meets = ({ op, ins }: Step): boolean =>
  ["Add", "Mul", "Div"].includes(op) &&
  ins.every((value) => value && !constantBehind(value) && makerOf(value)?.op !== "MatMulInteger");

export const isFused = (step: Step): boolean => fused.has(step.op);

/** The product of queries and keys below a softmax. */
function productBelow(softmax: Step): Step | undefined {
  let found: Step | undefined;
  backward(
    softmax.ins[0],
    ({ maker }) => {
      const isProduct = maker?.op === "MatMul" && maker.ins.every((value) => value?.maker);
      if (isProduct) found ??= maker;
      return isProduct || maker?.op === "Softmax" || maker?.op === "Shape";
    },
    200,
  );
  return found;
}

/** Are its keys those of an encoder? What stands between is a projection, no layer. */
function looksElsewhere(softmax: Step): boolean {
  let elsewhere = false;
  backward(productBelow(softmax)?.ins[1], (value) => {
    if (value.isInput && /encoder/.test(value.name)) elsewhere = true;
    return !!value.maker && (layerOps.has(value.maker.op) || meets(value.maker));
  });
  return elsewhere;
}

function isAttention(step: Step): boolean {
  if (isFused(step)) return true;
  if (step.op !== "Softmax") return false;
  let weighs = false;
  forward(step.outs, (next) => {
    weighs ||= next.op === "MatMul";
    return !formOps.has(next.op) && !["Mul", "Where", "Dropout", "IsNaN"].includes(next.op);
  });
  return weighs;
}

/** The attention of each layer with itself, in order, for each graph. */
export class Sites {
  private readonly layers = new Map<Step, number>();

  constructor(flow: Flow) {
    const counts = new Map<Graph, number>();
    for (const step of flow.steps) {
      if (!isAttention(step) || (step.op === "Softmax" && looksElsewhere(step))) continue;
      const { graph } = step.node;
      const layer = counts.get(graph) ?? 0;
      counts.set(graph, layer + 1);
      this.layers.set(step, layer);
    }
  }

  layerOf(step: Step): number | undefined {
    return this.layers.get(step);
  }
  /** All layers. */
  get all(): number[] {
    return [...new Set(this.layers.values())].sort((a, b) => a - b);
  }
  /** Those that values come to before anything else is attended to. */
  reachedBy(values: readonly Value[]): number[] {
    const reached = new Set<number>();
    forward(values, (step) => {
      const layer = this.layers.get(step);
      if (layer !== undefined) reached.add(layer);
      return layer !== undefined || step.op === "Softmax" || step.op === "Shape";
    });
    return [...reached].sort((a, b) => a - b);
  }
}
