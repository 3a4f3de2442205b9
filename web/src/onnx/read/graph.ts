// A model's messages as objects: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
import { PosencError } from "../../base/errors.js";
import { operatorOf } from "./operators.js";
import { mostDepth } from "./scan.js";
import { damaged, Fields, Pieces, WireType, type FieldRange, type Range } from "./protobuf.js";

/** Source of a tensor's elements. */
export type TensorData =
  | { readonly form: "raw"; readonly range: Range }
  | { readonly form: "typed"; readonly field: number; readonly ranges: readonly Range[] }
  | { readonly form: "external"; readonly location: string; readonly offset: number; readonly length?: number }
  | { readonly form: "none" };

export interface Tensor {
  name: string;
  /** TensorProto.DataType. */
  type: number;
  dims: number[];
  data: TensorData;
  /** The message, without its length. */
  readonly range: FieldRange;
}

export interface Attribute {
  name: string;
  i?: number;
  f?: number;
  s?: string;
  ints: number[];
  floats: number[];
  tensor?: Tensor;
  graphs: Graph[];
  readonly range: FieldRange;
}

export interface Node {
  /** The operator's name, as operatorOf() returns it. */
  op: string;
  domain: string;
  name: string;
  inputs: string[];
  outputs: string[];
  attributes: Attribute[];
  readonly range: FieldRange;
  /** The graph that it is in. */
  readonly graph: Graph;
}

/** An input, an output, or the declared type of an intermediate value. */
export interface ValueInfo {
  name: string;
  type: number;
  /** Names of free dims, sizes of fixed ones; undefined: unknown. */
  dims?: (number | string)[];
  readonly range: FieldRange;
}

/** A graph, or the body of a function. */
export interface Graph {
  name: string;
  /** Functions have a domain. */
  domain?: string;
  nodes: Node[];
  initializers: Tensor[];
  inputs: ValueInfo[];
  outputs: ValueInfo[];
  values: ValueInfo[];
  readonly range: FieldRange;
  /** The graph that contains it, whose values it may use. */
  readonly parent?: Graph;
}

/** A model's metadata and its graphs. */
export interface ModelGraph {
  producer: string;
  /** Operator set versions by domain; the domain of ONNX is "". */
  opsets: Map<string, number>;
  graph: Graph;
  functions: Graph[];
  pieces: Pieces;
}

/** Reads a message. `field` is called for each of its fields. */
function each(pieces: Pieces, range: Range, field: (fields: Fields) => void): void {
  for (const fields = new Fields(pieces, range); fields.advance();) field(fields);
}

const dataFields = new Set([4, 5, 6, 7, 10, 11]);
/** No runtime accepts more dims. */
const mostDims = 64;

function readTensor(pieces: Pieces, range: FieldRange): Tensor {
  const tensor: Tensor = { name: "", type: 0, dims: [], data: { form: "none" }, range };
  const typed: { field: number; ranges: Range[] } = { field: 0, ranges: [] };
  const external = new Map<string, string>();
  let raw: Range | undefined;
  let isExternal = false;
  each(pieces, range, (field) => {
    if (field.number === 1) for (const dim of field.integers) tensor.dims.push(dim);
    else if (field.number === 2) tensor.type = field.integer;
    else if (field.number === 8) tensor.name = field.text;
    else if (field.number === 9) raw = field.content;
    else if (field.number === 13) external.set(...readEntry(pieces, field.content));
    else if (field.number === 14) isExternal = field.integer === 1;
    else if (dataFields.has(field.number)) {
      typed.field = field.number;
      typed.ranges.push(field.range);
    }
  });
  const { name, dims } = tensor;
  if (dims.length > mostDims) throw damaged(`tensor "${name}" has ${dims.length} dims, more than ${mostDims}`);
  if (dims.some((dim) => !(dim >= 0))) throw damaged(`tensor "${name}" has dims [${dims}]`);
  if (isExternal) tensor.data = externalData(external);
  else if (raw) tensor.data = { form: "raw", range: raw };
  else if (typed.field) tensor.data = { form: "typed", ...typed };
  return tensor;
}

function readEntry(pieces: Pieces, range: FieldRange): [key: string, value: string] {
  let key = "";
  let value = "";
  each(pieces, range, (field) => {
    if (field.number === 1) key = field.text;
    if (field.number === 2) value = field.text;
  });
  return [key, value];
}

function externalData(entries: ReadonlyMap<string, string>): TensorData {
  const location = entries.get("location") ?? "";
  const length = entries.get("length");
  const numbers = {
    offset: Number(entries.get("offset") ?? 0),
    ...(length !== undefined && { length: Number(length) }),
  };
  for (const number of Object.values(numbers))
    if (!Number.isSafeInteger(number) || number < 0)
      throw damaged(`external data in ${location} has offset or length ${number}`);
  return { form: "external", location, ...numbers };
}

function readAttribute(pieces: Pieces, range: FieldRange, parent: Graph, depth: number): Attribute {
  const attribute: Attribute = { name: "", ints: [], floats: [], graphs: [], range };
  each(pieces, range, (field) => {
    if (field.number === 1) attribute.name = field.text;
    else if (field.number === 2) attribute.f = field.float;
    else if (field.number === 3) attribute.i = field.integer;
    else if (field.number === 4) attribute.s = field.text;
    else if (field.number === 5) attribute.tensor = readTensor(pieces, field.content);
    else if (field.number === 6 || field.number === 11)
      attribute.graphs.push(readGraph(pieces, field.content, depth + 1, parent));
    else if (field.number === 7) for (const float of field.floats) attribute.floats.push(float);
    else if (field.number === 8) for (const integer of field.integers) attribute.ints.push(integer);
  });
  return attribute;
}

function readNode(pieces: Pieces, range: FieldRange, graph: Graph, depth: number): Node {
  const node: Node = { op: "", domain: "", name: "", inputs: [], outputs: [], attributes: [], range, graph };
  each(pieces, range, (field) => {
    if (field.number === 1) node.inputs.push(field.text);
    else if (field.number === 2) node.outputs.push(field.text);
    else if (field.number === 3) node.name = field.text;
    else if (field.number === 4) node.op = field.text;
    else if (field.number === 5) node.attributes.push(readAttribute(pieces, field.content, graph, depth));
    else if (field.number === 7) node.domain = field.text === "ai.onnx" ? "" : field.text;
  });
  node.op = operatorOf(node);
  return node;
}

function readShape(pieces: Pieces, range: FieldRange): (number | string)[] {
  const dims: (number | string)[] = [];
  each(pieces, range, (field) => {
    if (field.number !== 1) return;
    let dim: number | string = "";
    each(pieces, field.content, (value) => {
      if (value.number === 1) dim = value.integer;
      if (value.number === 2) dim = value.text;
    });
    dims.push(dim);
  });
  return dims;
}

function readValueInfo(pieces: Pieces, range: FieldRange): ValueInfo {
  const info: ValueInfo = { name: "", type: 0, range };
  each(pieces, range, (field) => {
    if (field.number === 1) info.name = field.text;
    if (field.number !== 2) return;
    each(pieces, field.content, (type) => {
      if (type.number !== 1) return;
      each(pieces, type.content, (tensor) => {
        if (tensor.number === 1) info.type = tensor.integer;
        if (tensor.number === 2) info.dims = readShape(pieces, tensor.content);
      });
    });
  });
  return info;
}

const emptyGraph = (range: FieldRange): Graph => ({
  name: "",
  nodes: [],
  initializers: [],
  inputs: [],
  outputs: [],
  values: [],
  range,
});

function readGraph(pieces: Pieces, range: FieldRange, depth: number, parent?: Graph): Graph {
  if (depth > mostDepth) throw damaged(`graphs are nested more than ${mostDepth} deep`, range.start);
  const graph: Graph = { ...emptyGraph(range), ...(parent && { parent }) };
  each(pieces, range, (field) => {
    if (field.number === 1) graph.nodes.push(readNode(pieces, field.content, graph, depth));
    else if (field.number === 2) graph.name = field.text;
    else if (field.number === 5) graph.initializers.push(readTensor(pieces, field.content));
    else if (field.number === 11) graph.inputs.push(readValueInfo(pieces, field.content));
    else if (field.number === 12) graph.outputs.push(readValueInfo(pieces, field.content));
    else if (field.number === 13) graph.values.push(readValueInfo(pieces, field.content));
  });
  return graph;
}

function readFunction(pieces: Pieces, range: FieldRange): Graph {
  const graph: Graph = { ...emptyGraph(range), domain: "" };
  const named = (field: Fields): ValueInfo => ({ name: field.text, type: 0, range: field.range });
  each(pieces, range, (field) => {
    if (field.number === 1) graph.name = field.text;
    else if (field.number === 4) graph.inputs.push(named(field));
    else if (field.number === 5) graph.outputs.push(named(field));
    else if (field.number === 7) graph.nodes.push(readNode(pieces, field.content, graph, 0));
    else if (field.number === 10) graph.domain = field.text;
  });
  return graph;
}

function readOpset(pieces: Pieces, range: FieldRange): [string, number] {
  let domain = "";
  let version = 0;
  each(pieces, range, (field) => {
    if (field.number === 1) domain = field.text;
    if (field.number === 2) version = field.integer;
  });
  return [domain === "ai.onnx" ? "" : domain, version];
}

/** Reads a model. Throws `load-failed` if it is not an ONNX model or is damaged. */
export function readModel(pieces: Pieces): ModelGraph {
  let graph: Graph | undefined;
  let producer = "";
  const opsets = new Map<string, number>();
  const functions: Graph[] = [];
  each(pieces, { start: 0, end: pieces.size }, (field) => {
    if (field.type !== WireType.bytes) return;
    if (field.number === 2) producer = field.text;
    else if (field.number === 7) graph = readGraph(pieces, field.content, 0);
    else if (field.number === 8) opsets.set(...readOpset(pieces, field.content));
    else if (field.number === 25) functions.push(readFunction(pieces, field.content));
  });
  if (!graph || opsets.size === 0)
    throw new PosencError("load-failed", "source: not an ONNX model: the graph is missing", "source");
  return { producer, opsets, graph, functions, pieces };
}

/** Returns the files that contain its external tensors, by the `location` in the model. */
export function locationsOf({ graph, functions }: ModelGraph): string[] {
  const found = new Set<string>();
  const tensor = (one: Tensor | undefined): void => {
    if (one?.data.form === "external") found.add(one.data.location);
  };
  const visit = ({ initializers, nodes }: Graph): void => {
    initializers.forEach(tensor);
    for (const { attributes } of nodes)
      for (const attribute of attributes) {
        tensor(attribute.tensor);
        attribute.graphs.forEach(visit);
      }
  };
  [graph, ...functions].forEach(visit);
  return [...found];
}
