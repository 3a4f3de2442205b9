// Finds the entries of value_info that are wrong after a rewrite.
import type { Value } from "../read/flow.js";
import type { Graph, ValueInfo } from "../read/graph.js";
import { forward } from "../read/trace.js";
import type { FieldRange } from "../read/protobuf.js";

type Names = Map<Graph, Set<string>>;

const put = (names: Names, { graph, name }: Value): unknown =>
  names.set(graph, (names.get(graph) ?? new Set()).add(name));

/** Collects changes; `fields` searches the graphs once for all of them. */
export class Stale {
  private readonly changed: Value[] = [];
  private readonly gone: Value[] = [];
  private readonly infos: FieldRange[] = [];
  private readonly sizes = new Map<Graph, Set<number | string>>();

  /** Marks values whose shape or type changes, with all values computed from them. */
  add(values: readonly Value[]): void {
    for (const value of values) this.changed.push(value);
  }
  /** Marks a constant that is removed. */
  remove(value: Value): void {
    this.gone.push(value);
  }
  /** Marks all values of a graph that have a dim of this size. */
  addDim(graph: Graph, size: number): void {
    this.sizes.set(graph, (this.sizes.get(graph) ?? new Set()).add(size));
  }

  /** Marks entries whose dims are wrong. */
  addInfos(infos: readonly ValueInfo[]): void {
    for (const { range } of infos) this.infos.push(range);
  }

  /** Returns the fields to remove. */
  fields(): FieldRange[] {
    const values: Names = new Map([...this.sizes.keys()].map((graph) => [graph, new Set()]));
    for (const value of [...this.changed, ...this.gone]) put(values, value);
    forward(this.changed, (step) => {
      const isEnd = ["Add", "Gemm", "Shape", "Softmax"].includes(step.op);
      if (!isEnd) for (const out of step.outs) put(values, out);
      return isEnd;
    });
    // In models of IR version 3 initializers are also inputs.
    const inputs: Names = new Map();
    for (const value of this.gone) if (value.isGiven) put(inputs, value);
    const found: FieldRange[] = [...this.infos];
    const take = (infos: readonly ValueInfo[], isStale: (info: ValueInfo) => boolean | undefined): void => {
      for (const info of infos) if (isStale(info)) found.push(info.range);
    };
    for (const [graph, names] of values) {
      const sizes = this.sizes.get(graph);
      take(graph.values, ({ name, dims }) => names.has(name) || dims?.some((dim) => sizes?.has(dim)));
    }
    // The last of several initializers with one name counts; the others would replace it if it were removed.
    const removed: Names = new Map();
    for (const value of this.gone) put(removed, value);
    const last = new Set(this.gone.map(({ constant }) => constant?.tensor));
    for (const [graph, names] of removed)
      for (const tensor of graph.initializers)
        if (names.has(tensor.name) && !last.has(tensor)) found.push(tensor.range);
    for (const [graph, names] of inputs) take(graph.inputs, ({ name }) => names.has(name));
    return found;
  }
}
