// What a graph has written down of the shapes and types of values, and is wrong once these change.
import type { Value } from "./flow.js";
import type { Graph, ValueInfo } from "./graph.js";
import { forward } from "./trace.js";
import type { FieldRange } from "./wire.js";

type Names = Map<Graph, Set<string>>;

const put = (names: Names, { graph, name }: Value): unknown =>
  names.set(graph, (names.get(graph) ?? new Set()).add(name));

/** What is collected here is looked for once, when all changes are known. */
export class Stale {
  private readonly changed: Value[] = [];
  private readonly gone: Value[] = [];
  private readonly sizes = new Map<Graph, Set<number | string>>();

  /** These values change, and what is made of them. */
  add(values: readonly Value[]): void {
    for (const value of values) this.changed.push(value);
  }
  /** A constant that is none any more. */
  remove(value: Value): void {
    this.gone.push(value);
  }
  /** All in a graph that is written down to have a dim of this size. */
  addDim(graph: Graph, size: number): void {
    this.sizes.set(graph, (this.sizes.get(graph) ?? new Set()).add(size));
  }

  /** The fields to take out. */
  fields(): FieldRange[] {
    const values: Names = new Map([...this.sizes.keys()].map((graph) => [graph, new Set()]));
    for (const value of [...this.changed, ...this.gone]) put(values, value);
    forward(this.changed, (step) => {
      const isEnd = ["Add", "Gemm", "Shape", "Softmax"].includes(step.op);
      if (!isEnd) for (const out of step.outs) put(values, out);
      return isEnd;
    });
    // Of old files initializers are inputs, too.
    const inputs: Names = new Map();
    for (const value of this.gone) if (value.isGiven) put(inputs, value);
    const found: FieldRange[] = [];
    const take = (infos: readonly ValueInfo[], isStale: (info: ValueInfo) => boolean | undefined): void => {
      for (const info of infos) if (isStale(info)) found.push(info.range);
    };
    for (const [graph, names] of values) {
      const sizes = this.sizes.get(graph);
      take(graph.values, ({ name, dims }) => names.has(name) || dims?.some((dim) => sizes?.has(dim)));
    }
    for (const [graph, names] of inputs) take(graph.inputs, ({ name }) => names.has(name));
    return found;
  }
}
