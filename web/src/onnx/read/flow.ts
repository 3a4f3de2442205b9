// The maker and the users of each value of a model, across nested graphs.
import type { Graph, ModelGraph, Node, Tensor } from "./graph.js";
import { damaged, type FieldRange } from "./protobuf.js";

/** A constant: an initializer, or the attribute of a Constant node. */
export interface Constant {
  readonly tensor: Tensor;
  /** The node that holds it; undefined: it is an initializer. */
  readonly node?: Node;
  readonly graph: Graph;
  /** Values of a Constant without a tensor. */
  readonly numbers?: readonly number[];
}

/** A value of a graph: an output of a node, an input, or a constant. */
export class Value {
  readonly users: Step[] = [];
  /** Names of the value outside of the subgraph that returns it. */
  readonly becomes: Value[] = [];
  /** The step that computes it; undefined: it is an input or a constant. */
  maker?: Step;
  constant?: Constant;
  /** Whether it is an input of its graph. It may also have a constant, as its default. */
  isGiven = false;

  constructor(
    readonly name: string,
    readonly graph: Graph,
  ) {}
  get isInput(): boolean {
    return !this.maker && !this.constant;
  }
}

/** A node with its inputs and outputs. */
export interface Step {
  readonly node: Node;
  readonly op: string;
  /** Inputs; undefined: an omitted input. */
  readonly ins: readonly (Value | undefined)[];
  readonly outs: readonly Value[];
  readonly subgraphs: readonly Graph[];
  /** Outputs of its subgraphs: for an If, for each branch, one value for each output. */
  readonly branches: readonly (readonly (Value | undefined)[])[];
  /** Index in `Flow.order`. */
  index: number;
}

// Indices of steps that are not ordered yet.
const notBegun = -2;
const begun = -1;

const emptyRange: FieldRange = { tag: 0, start: 0, end: 0 };

export const attributeOf = (node: Node, name: string): Node["attributes"][number] | undefined =>
  node.attributes.find((attribute) => attribute.name === name);
/** Returns the value of an integer attribute. */
export const integerOf = (node: Node, name: string, fallback: number): number => attributeOf(node, name)?.i ?? fallback;

function constantOf(node: Node): Constant | undefined {
  if (node.op !== "Constant" || node.domain !== "") return undefined;
  const [given] = node.attributes;
  if (!given) return undefined;
  if (given.tensor) return { tensor: given.tensor, node, graph: node.graph };
  const one = given.f ?? given.i;
  const numbers = one === undefined ? [...given.floats, ...given.ints] : [one];
  const tensor: Tensor = {
    name: "",
    type: given.name.startsWith("value_float") ? 1 : 7,
    dims: one === undefined ? [numbers.length] : [],
    data: { form: "none" },
    range: emptyRange,
  };
  return { tensor, node, graph: node.graph, numbers };
}

export class Flow {
  /** All nodes; nodes of a subgraph follow the node that contains it. */
  readonly steps: Step[] = [];
  readonly constants: Value[] = [];
  /** All nodes, each after the nodes that compute its inputs. */
  readonly order: readonly Step[];
  private readonly values = new Map<Graph, Map<string, Value>>();

  constructor(readonly model: ModelGraph) {
    this.add(model.graph);
    for (const one of model.functions) this.add(one);
    this.order = ordered(this.steps);
  }

  /** Returns the value of a name in a graph, or in the graphs around it. */
  find(graph: Graph | undefined, name: string): Value | undefined {
    for (let at = graph; at; at = at.parent) {
      const value = this.values.get(at)?.get(name);
      if (value) return value;
    }
    return undefined;
  }

  /** Returns the names of all values. */
  *names(): Generator<string> {
    for (const values of this.values.values()) yield* values.keys();
  }

  private define(graph: Graph, name: string): Value {
    const own = this.values.get(graph)!;
    const value = own.get(name) ?? new Value(name, graph);
    own.set(name, value);
    return value;
  }

  private add(graph: Graph): void {
    this.values.set(graph, new Map());
    for (const { name } of graph.inputs) this.define(graph, name).isGiven = true;
    for (const tensor of graph.initializers)
      if (tensor.name) this.hold(this.define(graph, tensor.name), { tensor, graph });
    for (const node of graph.nodes) this.addNode(node);
  }

  private hold(value: Value, constant: Constant): void {
    // Runtimes use the last of several initializers with the same name.
    if (!value.constant) this.constants.push(value);
    value.constant = constant;
  }

  private addNode(node: Node): void {
    // A node without named outputs has no effect.
    if (node.outputs.every((name) => name === "")) return;
    const ins = node.inputs.map((name) =>
      name === "" ? undefined : (this.find(node.graph, name) ?? this.define(node.graph, name)),
    );
    // Omitted outputs have no name.
    const outs = node.outputs.map((name) =>
      name === "" ? new Value(name, node.graph) : this.define(node.graph, name),
    );
    const subgraphs = node.attributes.flatMap(({ graphs }) => graphs);
    const branches: (Value | undefined)[][] = [];
    const step: Step = { node, op: node.op, ins, outs, subgraphs, branches, index: notBegun };
    const constant = constantOf(node);
    for (const value of outs) {
      if (value.maker || value.constant || value.isGiven)
        throw damaged(`"${value.name}" is defined twice`, node.range.tag);
      if (constant) this.hold(value, constant);
      else value.maker = step;
    }
    this.steps.push(step);
    for (const value of new Set(ins)) value?.users.push(step);
    for (const graph of subgraphs) {
      this.add(graph);
      branches.push(graph.outputs.map(({ name }) => this.find(graph, name)));
      // Each branch of an If returns as many values as the If.
      if (node.op === "If") branches.at(-1)!.forEach((value, i) => outs[i] && value?.becomes.push(outs[i]));
    }
  }
}

/**
 * Sorts nodes, whose order in a file is free; nodes that are sorted stay in their order. Throws for cycles: walks through a graph
 * would not end.
 */
function ordered(steps: readonly Step[]): readonly Step[] {
  const done: Step[] = [];
  for (const first of steps)
    for (const path = [first]; path.length > 0;) {
      const step = path.at(-1)!;
      if (step.index === notBegun) {
        step.index = begun;
        for (const value of [...step.ins, ...step.branches.flat()]) {
          const maker = value?.maker;
          if (maker?.index === begun) throw damaged("the graph has a cycle");
          if (maker?.index === notBegun) path.push(maker);
        }
      } else {
        path.pop();
        if (step.index === begun) step.index = done.push(step) - 1;
      }
    }
  return done;
}

/** Appends to the list of a key in place. */
export function putInto<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
