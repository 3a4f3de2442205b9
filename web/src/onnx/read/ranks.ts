// Ranks and dtypes of values, if the graph shows them easily.
import { attributeOf, type Step, type Value } from "./flow.js";
import type { Graph, ValueInfo } from "./graph.js";
import { sourceConstant } from "./trace.js";
import { typeNamed, type DataType } from "./values.js";

const keepRank = new Set(["Add", "Cast", "Concat", "Div", "Mul", "Slice", "Softmax", "Sub", "Tanh", "Where"]);
const mostSteps = 64;

/** Returns the number of dims after a Reshape: the number of elements of its shape. */
function reshapedRank({ ins }: Step): number | undefined {
  const parts = ins[1]?.maker?.op === "Concat" ? ins[1].maker.ins.length : undefined;
  return sourceConstant(ins[1])?.constant.tensor.dims[0] ?? parts;
}

const declared = new WeakMap<Graph, ReadonlyMap<string, ValueInfo>>();
/** Returns the declared type of a value. */
export function declaredOf({ graph, name }: Value): ValueInfo | undefined {
  const infos = declared.get(graph) ?? new Map([...graph.inputs, ...graph.values].map((info) => [info.name, info]));
  declared.set(graph, infos);
  return infos.get(name);
}

/** Returns the dtype of features: most operators return the dtype of their first input. */
export function featureType(value: Value | undefined): DataType {
  let at = value;
  for (let left = mostSteps; at && left > 0; left--) {
    const { maker, constant } = at;
    const declaredType = constant?.tensor.type ?? declaredOf(at)?.type;
    const cast = maker?.op === "Cast" ? attributeOf(maker.node, "to")?.i : undefined;
    const type = typeNamed(declaredType || cast || 0);
    if (type) return type;
    at = maker?.ins[maker.op === "Where" || maker.op === "DequantizeLinear" ? 1 : 0];
  }
  return "float32";
}

export class Ranks {
  private readonly known = new Map<Value, number | undefined>();

  of(value: Value | undefined, left = mostSteps): number | undefined {
    if (!value || left === 0) return undefined;
    if (!this.known.has(value)) {
      this.known.set(value, undefined);
      this.known.set(value, this.find(value, left));
    }
    return this.known.get(value);
  }

  private find(value: Value, left: number): number | undefined {
    const { maker, constant } = value;
    const knownRank = constant ? constant.tensor.dims.length : declaredOf(value)?.dims?.length;
    if (knownRank !== undefined || !maker) return knownRank;
    const { op, ins, node } = maker;
    if (op === "Transpose") return attributeOf(node, "perm")?.ints.length;
    if (op === "Reshape") return reshapedRank(maker);
    if (!op.endsWith("MatMul") && !keepRank.has(op)) return undefined;
    const ranks = ins.map((one) => (sourceConstant(one) ? 0 : this.of(one, left - 1)));
    const most = ranks.reduce<number>((all, rank) => Math.max(all, rank ?? 0), 0);
    // Attention has at most 4 dims (batch, heads, queries, keys): one input with all of them suffices.
    return most === 4 || !ranks.includes(undefined) ? most : undefined;
  }
}
