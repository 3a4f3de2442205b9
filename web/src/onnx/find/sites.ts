// The attention layers of a model.
import type { Graph } from "../read/graph.js";
import type { Flow, Step, Value } from "../read/flow.js";
import { backward, sourceConstant, Following, forward, formOps, makerOf } from "../read/trace.js";

const fused = new Set([
  "Attention",
  "DecoderMaskedMultiHeadAttention",
  "GroupQueryAttention",
  "MultiHeadAttention",
  "PagedAttention",
  "SparseAttention",
]);
const layerOps = new Set(["LayerNormalization", "SkipLayerNormalization", "RMSNormalization", "Softmax", "Shape"]);

/**
 * Whether a step combines features with features, at which a projection ends. The scale of quantised values does not
 * count.
 */
const combinesFeatures = ({ op, ins }: Step): boolean =>
  ["Add", "Mul", "Div"].includes(op) &&
  ins.every((value) => value && !sourceConstant(value) && makerOf(value)?.op !== "MatMulInteger");

export const isFused = (step: Step): boolean => fused.has(step.op);

const productOps = new Set(["Einsum", "FusedMatMul", "MatMul"]);
/** Whether a step is a product of two computed matrices. */
export const isProduct = ({ op, ins }: Step): boolean =>
  productOps.has(op) && ins.length > 1 && ins.every((value) => value && !sourceConstant(value));

/** Whether values are products of queries and keys, possibly scaled and selected. */
function areScores(value: Value | undefined, left = 4): boolean {
  const step = value?.maker;
  if (!step || left === 0) return false;
  return isProduct(step) || (/^(Mul|Where)$/.test(step.op) && step.ins.some((one) => areScores(one, left - 1)));
}

/** Whether a step selects one of two scores, by the distance of a query and a key. */
export const selectsScores = ({ op, ins }: Step): boolean => op === "Where" && areScores(ins[1]) && areScores(ins[2]);

/** Returns the product of queries and keys before a softmax. */
export const productBelow = (softmax: Step): Step | undefined => productIn(softmax.ins[0]);

/** Returns the product of queries and keys from which scores are computed. */
export function productIn(scores: Value | undefined): Step | undefined {
  let found: Step | undefined;
  backward(
    scores,
    ({ maker }) => {
      const isFound = !!maker && isProduct(maker);
      if (isFound) found ??= maker;
      return isFound || maker?.op === "Softmax" || maker?.op === "Shape";
    },
    200,
  );
  return found;
}

/** Whether its keys come from an encoder: only projections, and no layers, are between them. */
function attendsToEncoder(step: Step): boolean {
  let elsewhere = false;
  backward((isFused(step) ? step : productBelow(step))?.ins[1], (value) => {
    if (value.isInput && /encoder/.test(value.name)) elsewhere = true;
    return !!value.maker && (layerOps.has(value.maker.op) || combinesFeatures(value.maker));
  });
  return elsewhere;
}

const passesWeights = new Set([...formOps, "Dropout", "IsNaN", "Mul", "Slice", "Where"]);
const weighs = new Following(({ op }) => (productOps.has(op) ? 1 : passesWeights.has(op) ? undefined : 0));

const isAttention = (step: Step): boolean => isFused(step) || (step.op === "Softmax" && weighs.of(step.outs) > 0);

/** The self-attention of each layer, in order, for each graph. */
export class Sites {
  private readonly layers = new Map<Step, number>();
  private readonly crossing = new Set<Step>();
  /** All layers. */
  readonly all: readonly number[];
  /**
   * Number of steps that `reachedBy` may still visit. Published models need a fraction of it. Without a limit, n values that
   * each reach all nodes would take n² steps.
   */
  private left = 262144;

  constructor(flow: Flow) {
    const counts = new Map<Graph, number>();
    for (const step of flow.steps) {
      this.left += 16 * (1 + step.ins.length);
      if (!isAttention(step)) continue;
      if (attendsToEncoder(step)) {
        this.crossing.add(step);
        continue;
      }
      const { graph } = step.node;
      const layer = counts.get(graph) ?? 0;
      counts.set(graph, layer + 1);
      this.layers.set(step, layer);
    }
    this.all = sorted(this.layers.values());
  }

  /** Whether the flow has no attention. */
  get isEmpty(): boolean {
    return this.layers.size === 0 && this.crossing.size === 0;
  }
  /** Returns whether a step attends to an encoder; undefined: it has no attention. */
  crosses(step: Step): boolean | undefined {
    return this.layers.has(step) ? false : this.crossing.has(step) || undefined;
  }
  layerOf(step: Step): number | undefined {
    return this.layers.get(step);
  }
  /**
   * Returns the first attention layers downstream of values; an empty list if the limit of steps is reached. `stops`: returns
   * whether a step does not pass on what is meant.
   */
  reachedBy(values: readonly Value[], stops: (step: Step, by: Value) => boolean = () => false): number[] {
    const reached = new Set<number>();
    forward(values, (step, by) => {
      const layer = this.layers.get(step);
      if (layer !== undefined) reached.add(layer);
      return --this.left < 0 || layer !== undefined || step.op === "Softmax" || step.op === "Shape" || stops(step, by);
    });
    return this.left < 0 ? [] : sorted(reached);
  }
}

const sorted = (layers: Iterable<number>): number[] => [...new Set(layers)].sort((a, b) => a - b);

const known = new WeakMap<Flow, Sites>();
/** Returns the attention layers of a flow, which are found once. */
export function sitesOf(flow: Flow): Sites {
  const sites = known.get(flow) ?? new Sites(flow);
  known.set(flow, sites);
  return sites;
}
