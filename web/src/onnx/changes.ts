// What a rewrite collects: edits of the file, and what they are in words.
import { PosencError } from "../base/errors.js";
import { field, integerField, joined, nodeMessage, tensorMessage, valueInfo } from "./encode.js";
import { attributeOf, type Constant, type Flow, type Step, type Value } from "./flow.js";
import type { Graph, Node } from "./graph.js";
import type { Edit } from "./patch.js";
import { forward } from "./trace.js";
import { typeOf, typeNumber, type DataType } from "./values.js";
import { Fields, type FieldRange } from "./wire.js";

/** One change in words. */
export interface Change {
  /** The tensor, or what the node makes. */
  readonly name: string;
  /** What it is now. */
  readonly what: string;
}

/** A node that is put behind another. */
export type Behind =
  | { readonly op: "Mul"; readonly factor: number; readonly type: DataType }
  | { readonly op: "Cast"; readonly to: DataType };

// Of GraphProto, FunctionProto, NodeProto and AttributeProto.
const graphNode = 1;
const functionNode = 7;
const graphInput = 11;
const graphOutput = 12;
const graphValue = 13;
const nodeInput = 1;
const nodeOutput = 2;
const nodeOp = 4;
const nodeAttribute = 5;
const attributeInteger = 2;
const attributeTensor = 4;

const utf8 = new TextEncoder();
const numberOf = ({ domain }: Graph): number => (domain === undefined ? graphNode : functionNode);

/** What numbers become: dims and type as they were, where they are not told. */
export interface NewNumbers {
  readonly dims?: readonly number[];
  readonly type?: DataType;
}

export class Changes {
  readonly edits: Edit[] = [];
  readonly list: Change[] = [];
  private readonly written = new Set<Constant>();
  private readonly given = new Set<string>();
  private readonly forgotten = new Set<number>();
  private counter = 0;

  constructor(private readonly flow: Flow) {}

  /** Other numbers for a constant. A constant that several carriers share is written once. */
  setNumbers(value: Value, numbers: ArrayLike<number>, what: string, { dims, type }: NewNumbers = {}): void {
    const constant = value.constant!;
    if (this.written.has(constant)) return;
    this.written.add(constant);
    const { tensor } = constant;
    const bytes = tensorMessage(tensor.name, type ?? typeOf(tensor)!, dims ?? tensor.dims, numbers);
    if (constant.numbers) this.setAttribute(constant.node!, bytes);
    else this.edits.push({ kind: "value", field: tensor.range, bytes });
    this.tell(value.name, what);
    if (type || dims?.some((dim, i) => dim !== tensor.dims[i])) this.forget([value]);
  }

  /** A Constant that had its numbers in other attributes has a tensor now. */
  private setAttribute(node: Node, tensor: Uint8Array): void {
    const [attribute] = node.attributes;
    const bytes = joined([field(1, "value"), field(5, tensor), integerField(20, attributeTensor)]);
    this.edits.push({ kind: "value", field: attribute!.range, bytes });
  }

  /** Another type for what a Cast makes. */
  castTo({ node, outs }: Step, type: DataType, what: string): void {
    this.setInteger(node, "to", typeNumber(type));
    this.tell(outs[0]!.name, what);
    this.forget(outs);
  }

  /** Another number for one input of a step, which takes it alone. */
  setOperand({ node, outs }: Step, index: number, type: DataType, number: number): void {
    const name = `${outs[0]!.name}/posenc_${this.counter++}`;
    const input = this.fieldsOf(node, nodeInput)[index]!;
    this.edits.push(
      { kind: "before", field: node.range, bytes: field(numberOf(node.graph), constantNode(name, type, number)) },
      { kind: "value", field: input, bytes: utf8.encode(name) },
    );
  }

  /** What is written down of the shapes and types of these values and of what is made of them would be wrong. */
  forget(values: readonly Value[]): void {
    const names = new Map(values.map((value) => [value.name, value.graph]));
    forward(values, (step) => {
      const isEnd = ["Add", "Gemm", "Shape", "Softmax"].includes(step.op);
      if (!isEnd) for (const out of step.outs) names.set(out.name, out.graph);
      return isEnd;
    });
    for (const graph of new Set(names.values()))
      for (const { name, range } of graph.values) if (names.has(name)) this.remove(range);
  }

  /** The same for all in a graph that is written down to have a dim of this size. */
  forgetDim(graph: Graph, size: number): void {
    for (const { dims, range } of graph.values) if (dims?.includes(size)) this.remove(range);
  }

  private remove(range: FieldRange): void {
    if (this.forgotten.has(range.tag)) return;
    this.forgotten.add(range.tag);
    this.edits.push({ kind: "remove", field: range });
  }

  /** Puts nodes behind a step, before all that uses what it makes. */
  putBehind({ node, outs }: Step, list: readonly Behind[], what: string): void {
    const { name } = outs[0]!;
    const prefix = `${name}/posenc_${this.counter++}`;
    const bytes: Uint8Array[] = [];
    list.forEach((one, i) => {
      const from = `${prefix}/${i}`;
      const to = i + 1 < list.length ? `${prefix}/${i + 1}` : name;
      if (one.op === "Cast")
        bytes.push(nodeMessage("Cast", [from], [to], `${prefix}/cast`, { to: typeNumber(one.to) }));
      else {
        const factor = `${prefix}/factor`;
        bytes.push(
          constantNode(factor, one.type, one.factor),
          nodeMessage("Mul", [from, factor], [to], `${prefix}/mul`),
        );
      }
    });
    const [output] = this.fieldsOf(node, nodeOutput);
    this.edits.push({ kind: "value", field: output!, bytes: utf8.encode(`${prefix}/0`) });
    this.addNodes(node, bytes);
    this.tell(name, what);
  }

  /** Puts the contents of nodes behind a node. */
  private addNodes({ graph, range }: Node, list: readonly Uint8Array[]): void {
    const bytes = joined(list.map((message) => field(numberOf(graph), message)));
    this.edits.push({ kind: "behind", field: range, bytes });
  }

  private fieldsOf({ range }: Node, number: number): FieldRange[] {
    const found: FieldRange[] = [];
    for (const fields = new Fields(this.flow.model.pieces, range); fields.advance();)
      if (fields.number === number) found.push(fields.range);
    return found;
  }

  /** What changed, in words. */
  tell(name: string, what: string): void {
    this.list.push({ name, what });
  }

  /**
   * A value that a step makes under another name, as float32: in the form of `like`, if it is told; what softmax makes of it,
   * if it is asked for.
   */
  addCopy({ node }: Step, value: string, name: string, { like, softmax }: { like?: string; softmax?: boolean }): void {
    const nodes: Uint8Array[] = [];
    let from = value;
    const then = (op: string, more: readonly string[] = []): void => {
      const to = `${name}/${op.toLowerCase()}`;
      nodes.push(nodeMessage(op, [from, ...more], [to], to));
      from = to;
    };
    if (like !== undefined) {
      const shape = `${name}/shape`;
      nodes.push(nodeMessage("Shape", [like], [shape], shape));
      then("Reshape", [shape]);
    }
    if (softmax) then("Softmax");
    nodes.push(nodeMessage("Cast", [from], [name], name, { to: typeNumber("float32") }));
    this.addNodes(node, nodes);
  }

  /** More that a node gives; "" is left out. */
  addNodeOutputs(node: Node, names: readonly string[]): void {
    const bytes = joined(names.map((name) => field(nodeOutput, name)));
    this.edits.push({ kind: "behind", field: this.fieldsOf(node, nodeOutput).at(-1)!, bytes });
  }

  /** A float32 value that a graph gives back beside the others; undefined: nothing is known of its dims. */
  addOutput(graph: Graph, name: string, dims: readonly string[] | undefined): void {
    this.declare(graph, graphOutput, name, "float32", dims);
  }

  /** An input beside the others; one that is there is taken as it is. */
  addInput(name: string, type: DataType, dims: readonly (string | number)[]): void {
    if (this.given.has(name)) return;
    this.given.add(name);
    const { graph } = this.flow.model;
    if (this.flow.find(graph, name))
      throw new PosencError("unsupported", `tables: there is a ${name} already`, "tables");
    const bytes = field(graphInput, valueInfo(name, type, dims));
    this.edits.push({ kind: "behind", field: graph.inputs.at(-1)!.range, bytes });
  }

  /** Another value in place of what a step makes. */
  replaceOutput({ node, outs }: Step, value: string, what: string): void {
    const { name } = outs[0]!;
    const unused = `${name}/posenc_${this.counter++}`;
    this.edits.push({ kind: "value", field: this.fieldsOf(node, nodeOutput)[0]!, bytes: utf8.encode(unused) });
    this.addNodes(node, [nodeMessage("Identity", [value], [name], unused)]);
    this.forget(outs);
    this.tell(name, what);
  }

  /** Another value, side by side as many times as told, in place of a constant. */
  replaceConstant({ name, graph, constant }: Value, value: string, times: number, what: string): void {
    if (this.written.has(constant!)) return;
    this.written.add(constant!);
    const op = times > 1 ? "Concat" : "Identity";
    const node = nodeMessage(op, Array<string>(times).fill(value), [name], `${name}/posenc_${this.counter++}`, {
      ...(times > 1 && { axis: 1 }),
    });
    const bytes = field(numberOf(graph), node);
    this.edits.push(
      { kind: "before", field: graph.nodes[0]!.range, bytes },
      { kind: "remove", field: (constant!.node ?? constant!.tensor).range },
    );
    for (const info of graph.values) if (info.name === name) this.remove(info.range);
    this.tell(name, what);
  }

  /** What operators whose outputs runtimes know too little about give. */
  addType(graph: Graph, name: string, type: DataType): void {
    this.declare(graph, graphValue, name, type, undefined);
  }

  private declare(
    graph: Graph,
    list: number,
    name: string,
    type: DataType,
    dims: readonly (string | number)[] | undefined,
  ): void {
    const bytes = field(list, valueInfo(name, type, dims));
    this.edits.push({ kind: "behind", field: graph.outputs.at(-1)!.range, bytes });
  }

  /** A whole number of a node, which may have none yet. */
  setInteger(node: Node, name: string, value: number): void {
    const bytes = joined([field(1, name), integerField(3, value), integerField(20, attributeInteger)]);
    const old = attributeOf(node, name)?.range;
    if (old) this.edits.push({ kind: "value", field: old, bytes });
    else
      this.edits.push({ kind: "behind", field: this.fieldsOf(node, nodeOp)[0]!, bytes: field(nodeAttribute, bytes) });
  }
}

function constantNode(name: string, type: DataType, number: number): Uint8Array {
  const attribute = [
    field(1, "value"),
    field(5, tensorMessage("", type, [], [number])),
    integerField(20, attributeTensor),
  ];
  return joined([field(2, name), field(3, name), field(4, "Constant"), field(5, joined(attribute))]);
}
