// Collects the edits of a rewrite and their descriptions.
import { PosencError } from "../../base/errors.js";
import {
  constantNode,
  field,
  integerAttribute,
  integerField,
  joined,
  nodeMessage,
  tensorAttribute,
  valueInfo,
} from "./encode.js";
import { attributeOf, putInto, type Constant, type Flow, type Step, type Value } from "../read/flow.js";
import type { Graph, Node } from "../read/graph.js";
import { tensorOf, type ElementOptions } from "./new-elements.js";
import { NewNodes } from "./new-nodes.js";
import type { Edit } from "./patch.js";
import { Stale } from "./stale.js";
import { typeNumber, type DataType } from "../read/values.js";
import { Fields, type FieldRange } from "../read/protobuf.js";

/** One change of a rewrite. */
export interface Change {
  /** Name of the tensor, or of the node's output. */
  readonly name: string;
  /** Description of the new value. */
  readonly what: string;
}

/** A node that is inserted after another one. */
export type Insertion =
  | { readonly op: "Mul"; readonly factor: number; readonly type: DataType }
  | { readonly op: "Cast"; readonly to: DataType };

// Field numbers of GraphProto, FunctionProto, NodeProto and AttributeProto.
const graphNode = 1;
const functionNode = 7;
const graphInput = 11;
const graphOutput = 12;
const graphValue = 13;
const nodeInput = 1;
const nodeOutput = 2;
const nodeOp = 4;
const nodeAttribute = 5;

const utf8 = new TextEncoder();
/** The field of a graph, or of a function, that has its nodes. */
export const numberOf = ({ domain }: Graph): number => (domain === undefined ? graphNode : functionNode);

/** New nodes as fields of the graph, or of the function, of a node. */
const fieldsOfNodes = ({ graph }: Node, { messages }: NewNodes): Uint8Array =>
  joined(messages.map((message) => field(numberOf(graph), message)));

interface CopyOptions {
  readonly like?: string;
  readonly heads?: number;
  readonly softmax?: boolean;
}

export class Changes {
  readonly list: Change[] = [];
  /** @internal */
  readonly edits: Edit[] = [];
  private readonly written = new Set<Constant | Step>();
  private readonly given = new Set<string>();
  private readonly fields = new Map<Node, Map<number, FieldRange[]>>();
  /** Names that the outputs of changed steps have now. */
  private readonly transformed = new Map<Step, string>();
  /** New dtypes of Casts. */
  readonly casts = new Map<Node, DataType>();
  /** Entries of value_info that are wrong after the changes. */
  readonly stale = new Stale();
  /** New dims and elements of constants. */
  readonly shapes = new Map<Value, { readonly dims: readonly number[]; readonly numbers: ArrayLike<number> }>();
  /** Dims of values that are now inputs. */
  readonly replaced = new Map<Value, readonly (string | number)[]>();
  private counter: number | undefined;

  constructor(readonly flow: Flow) {}

  /** Returns whether a constant or step is changed for the first time. */
  private isFirst(changed: Constant | Step): boolean {
    const isFirst = !this.written.has(changed);
    this.written.add(changed);
    return isFirst;
  }

  /** Returns a new name derived from that of a value. It is unique even if the model was rewritten before. */
  uniqueName({ name }: Value): string {
    if (this.counter === undefined) {
      this.counter = 0;
      for (const other of this.flow.names()) {
        const number = Number(/\/posenc_(\d{1,9})/.exec(other)?.[1] ?? -1);
        this.counter = Math.max(this.counter, number + 1);
      }
    }
    return `${name}/posenc_${this.counter++}`;
  }

  /** Sets new elements of a constant, once. */
  setElements(value: Value, numbers: ArrayLike<number>, what: string, more: ElementOptions = {}): void {
    if (this.writeElements(value, numbers, more)) this.record(value.name, what);
  }

  /** Sets elements as `setNumbers`, without an entry in the list of changes. Returns whether it was the first time. */
  writeElements(value: Value, numbers: ArrayLike<number>, { dims, type }: ElementOptions): boolean {
    const constant = value.constant!;
    if (!this.isFirst(constant)) return false;
    const { tensor } = constant;
    this.shapes.set(value, { dims: dims ?? tensor.dims, numbers });
    const bytes = tensorOf(value, numbers, { dims, type });
    if (constant.numbers) this.setAttribute(constant.node!, bytes);
    else this.edits.push({ kind: "value", field: tensor.range, bytes });
    if (type || dims?.some((dim, i) => dim !== tensor.dims[i])) this.stale.add([value]);
    return true;
  }

  /** Replaces the attribute of a Constant, which has no tensor, by one with a tensor. */
  private setAttribute(node: Node, tensor: Uint8Array): void {
    const [attribute] = node.attributes;
    const bytes = tensorAttribute(tensor);
    this.edits.push({ kind: "value", field: attribute!.range, bytes });
  }

  /** Sets the dtype of a Cast. */
  castTo({ node, outs }: Step, type: DataType, what: string): void {
    this.casts.set(node, type);
    this.setInteger(node, "to", typeNumber(type));
    this.record(outs[0]!.name, what);
    this.stale.add(outs);
  }

  /** Sets a scalar input of a step, without effect on other users of the old one. */
  setOperand({ node, outs }: Step, index: number, type: DataType, number: number): void {
    const name = this.uniqueName(outs[0]!);
    const input = this.fieldsOf(node, nodeInput)[index]!;
    this.edits.push(
      { kind: "before", field: node.range, bytes: field(numberOf(node.graph), constantNode(name, type, [number])) },
      { kind: "value", field: input, bytes: utf8.encode(name) },
    );
  }

  /** Returns all edits, including the removal of stale value_info. */
  allEdits(): readonly Edit[] {
    const removed = this.stale.fields().map((range): Edit => ({ kind: "remove", field: range }));
    return [...this.edits, ...removed];
  }

  /** Inserts nodes after a step and before all users of its output. */
  insertAfter(step: Step, list: readonly Insertion[], what: string): void {
    if (!this.isFirst(step)) return;
    this.transform(step, what, (nodes, from, name) =>
      list.reduce((value, one, i) => {
        const to = i + 1 < list.length ? undefined : name;
        return one.op === "Cast"
          ? nodes.add("Cast", [value], { to: typeNumber(one.to) }, to)
          : nodes.add("Mul", [value, nodes.constant(one.type, [one.factor])], {}, to);
      }, from),
    );
  }

  /**
   * Renames the first output of a step to `from`. `add` adds nodes after the step that compute `to`: the value of the old name,
   * or the one that an earlier change of the step begins with.
   */
  transform(step: Step, what: string, add: (nodes: NewNodes, from: string, to: string) => unknown): void {
    const { node, outs } = step;
    const { name } = outs[0]!;
    const prefix = this.uniqueName(outs[0]!);
    const nodes = new NewNodes(prefix);
    const from = `${prefix}/0`;
    add(nodes, from, this.transformed.get(step) ?? name);
    this.transformed.set(step, from);
    // The last change comes first: earlier ones begin with its result.
    this.edits.unshift(
      { kind: "value", field: this.fieldsOf(node, nodeOutput)[0]!, bytes: utf8.encode(from) },
      { kind: "after", field: node.range, bytes: fieldsOfNodes(node, nodes) },
    );
    this.record(name, what);
  }

  /** Replaces a step by new nodes, whose outputs have the names of its outputs. */
  replaceStep({ node, outs }: Step, what: string, add: (nodes: NewNodes) => void): void {
    const nodes = new NewNodes(this.uniqueName(outs.find(({ name }) => name)!));
    add(nodes);
    this.edits.push({ kind: "remove", field: node.range });
    this.addNodes(node, nodes);
    this.record(outs.find(({ name }) => name)!.name, what);
  }

  /** Adds nodes after a node. */
  private addNodes(node: Node, nodes: NewNodes): void {
    this.edits.push({ kind: "after", field: node.range, bytes: fieldsOfNodes(node, nodes) });
  }

  /** Sets the name of an input of a node, which may be missing so far. */
  setInput(node: Node, index: number, name: string): void {
    this.setName(node, nodeInput, index, name);
  }

  /** Adds nodes before a step. The value that `add` returns becomes an input of the step. */
  addBefore({ node, outs }: Step, add: (nodes: NewNodes) => string, index: number): void {
    const nodes = new NewNodes(this.uniqueName(outs.find(({ name }) => name)!));
    const input = add(nodes);
    this.edits.push({ kind: "before", field: node.range, bytes: fieldsOfNodes(node, nodes) });
    this.setInput(node, index, input);
  }

  /** Sets the name of an input or output of a node. Missing ones before it get no name. */
  private setName(node: Node, list: typeof nodeInput | typeof nodeOutput, index: number, name: string): void {
    const fields = this.fieldsOf(node, list);
    const old = fields[index];
    if (old) return void this.edits.push({ kind: "value", field: old, bytes: utf8.encode(name) });
    const missing = Array<string>(index - fields.length).fill("");
    const bytes = joined([...missing, name].map((one) => field(list, one)));
    this.edits.push({ kind: "after", field: fields.at(-1)!, bytes });
  }

  private fieldsOf(node: Node, number: number): readonly FieldRange[] {
    let found = this.fields.get(node);
    if (!found) {
      this.fields.set(node, (found = new Map()));
      for (const fields = new Fields(this.flow.model.pieces, node.range); fields.advance();)
        putInto(found, fields.number, fields.range);
    }
    return found.get(number) ?? [];
  }

  /** Adds an entry to the list of changes. */
  record(name: string, what: string): Change {
    const change = { name, what };
    this.list.push(change);
    return change;
  }

  /**
   * Adds a float32 copy of a step's value under another name. `like`: reshaped like that value; `heads`: with batch and
   * heads separated; `softmax`: after a softmax.
   */
  addCopy({ node }: Step, value: string, name: string, { like, heads, softmax }: CopyOptions): void {
    const nodes = new NewNodes(name);
    let from = value;
    if (like !== undefined) from = nodes.add("Reshape", [from, nodes.add("Shape", [like])]);
    if (heads !== undefined) {
      const list = (numbers: number[]): string => nodes.constant("int64", numbers, [numbers.length]);
      const sides = nodes.add("Gather", [nodes.add("Shape", [from]), list([1, 2])]);
      from = nodes.add("Reshape", [from, nodes.add("Concat", [list([-1, heads]), sides], { axis: 0 })]);
    }
    if (softmax) from = nodes.add("Softmax", [from]);
    nodes.add("Cast", [from], { to: typeNumber("float32") }, name);
    this.addNodes(node, nodes);
  }

  /** Adds an output after the other outputs of a node. */
  addNodeOutput(node: Node, name: string): void {
    this.setName(node, nodeOutput, node.outputs.length, name);
  }

  /** Names an output of a node that had no name. */
  setNodeOutput(node: Node, index: number, name: string): void {
    this.setName(node, nodeOutput, index, name);
  }

  /** Adds a float32 output to a graph; dims undefined: unknown. */
  addOutput(graph: Graph, name: string, dims: readonly string[] | undefined): void {
    this.declare(graph, graphOutput, name, "float32", dims);
  }

  /** Adds an input, unless it was added before. */
  addInput(name: string, type: DataType, dims: readonly (string | number)[]): void {
    if (this.given.has(name)) return;
    this.given.add(name);
    const { graph } = this.flow.model;
    if (this.flow.find(graph, name))
      throw new PosencError("unsupported", `tables: the model already has ${name}`, "tables");
    this.declare(graph, graphInput, name, type, dims);
  }

  /** Replaces the output of a step by another value with these dims. */
  replaceOutput(step: Step, value: string, dims: readonly (string | number)[], what: string): void {
    if (!this.isFirst(step)) return;
    const { outs } = step;
    this.transform(step, what, (nodes, _, name) => nodes.add("Identity", [value], {}, name));
    this.replaced.set(outs[0]!, dims);
    this.stale.add(outs);
  }

  /** Replaces the output of a step by a constant with one dim. */
  setMade(step: Step, type: DataType, numbers: ArrayLike<number>, what: string): void {
    if (!this.isFirst(step)) return;
    this.transform(step, what, (nodes, _, name) => nodes.constant(type, numbers, [numbers.length], name));
  }

  /** Replaces a constant by another value, concatenated `times` times along the columns. */
  replaceConstant(old: Value, value: string, times: number, what: string): void {
    const { name, graph, constant } = old;
    if (!this.isFirst(constant!)) return;
    const op = times > 1 ? "Concat" : "Identity";
    const node = nodeMessage(op, Array<string>(times).fill(value), [name], this.uniqueName(old), {
      ...(times > 1 && { axis: 1 }),
    });
    const bytes = field(numberOf(graph), node);
    this.edits.push(
      { kind: "before", field: graph.nodes[0]!.range, bytes },
      { kind: "remove", field: (constant!.node ?? constant!.tensor).range },
    );
    this.stale.remove(old);
    this.replaced.set(old, ["rows", old.constant!.tensor.dims.at(-1)!]);
    this.record(name, what);
  }

  /** Declares the dtype of a value whose operator runtimes cannot infer. */
  addType(graph: Graph, name: string, type: DataType): void {
    this.declare(graph, graphValue, name, type, undefined);
  }

  /** Sets a declared dim of an input or output. */
  setDim(dim: FieldRange, number: number): void {
    this.edits.push({ kind: "value", field: dim, bytes: integerField(1, number) });
  }

  private declare(
    graph: Graph,
    list: number,
    name: string,
    type: DataType,
    dims: readonly (string | number)[] | undefined,
  ): void {
    const bytes = field(list, valueInfo(name, type, dims));
    const { range } = (list === graphInput ? graph.inputs : graph.outputs).at(-1) ?? graph.nodes.at(-1)!;
    this.edits.push({ kind: "after", field: range, bytes });
  }

  /** Sets an integer attribute of a node, which may be missing so far. */
  setInteger(node: Node, name: string, value: number): void {
    const bytes = integerAttribute(name, value);
    const old = attributeOf(node, name)?.range;
    if (old) this.edits.push({ kind: "value", field: old, bytes });
    else this.edits.push({ kind: "after", field: this.fieldsOf(node, nodeOp)[0]!, bytes: field(nodeAttribute, bytes) });
  }
}
