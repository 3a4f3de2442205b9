// New nodes of a graph, in the order in which runtimes run them.
import { constantNode, nodeMessage, type NodeAttributes } from "./encode.js";
import type { Step } from "../read/flow.js";
import { typeNumber, type DataType } from "../read/values.js";

/** Collects nodes, each with one output. All names begin with a prefix. */
export class NewNodes {
  /** Contents of the NodeProtos. */
  readonly messages: Uint8Array[] = [];
  private readonly constants = new Map<string, string>();

  constructor(private readonly prefix: string) {}

  /** Adds a node. Returns the name of its output: `name`, or a new one. */
  add(
    op: string,
    inputs: readonly string[],
    attributes?: NodeAttributes,
    name = this.newName(op),
    domain?: string,
  ): string {
    this.push(op, inputs, [name], attributes, domain);
    return name;
  }

  /** Adds a step with integer attributes again, with another first input. */
  again({ op, node }: Step, input: string): string {
    const attributes = node.attributes.map(({ name, i, ints }) => [name, i ?? ints] as const);
    return this.add(op, [input, ...node.inputs.slice(1)], Object.fromEntries(attributes));
  }

  /** Adds a Split. Returns the names of its outputs. */
  split(value: string, sizes: string, count: number, attributes: NodeAttributes): string[] {
    const names = Array.from({ length: count }, (_, i) => `${this.newName("Split")}_${i}`);
    this.push("Split", [value, sizes], names, attributes);
    return names;
  }

  private push(
    op: string,
    inputs: readonly string[],
    outputs: readonly string[],
    attributes?: NodeAttributes,
    domain?: string,
  ): void {
    const name = `${this.prefix}/${this.messages.length}`;
    this.messages.push(nodeMessage(op, inputs, outputs, name, attributes, domain));
  }

  /** Adds a constant; without dims, a scalar. Returns its name; equal constants share one unless `name` is given. */
  constant(type: DataType, numbers: ArrayLike<number>, dims: readonly number[] = [], name?: string): string {
    const key = [type, dims, Array.from(numbers)].join(";");
    const known = this.constants.get(key);
    if (known !== undefined && name === undefined) return known;
    const own = name ?? this.newName("Constant");
    this.messages.push(constantNode(own, type, numbers, dims));
    this.constants.set(key, own);
    return own;
  }

  /** Returns the size of a dim as int32 scalar; a negative axis counts from the end. */
  sizeOf(value: string, axis: number): string {
    const size = this.add("Gather", [this.add("Shape", [value]), this.constant("int64", [axis])], { axis: 0 });
    return this.cast(size, "int32");
  }

  /** Adds an operator of two float32 operands. Numbers are constants. */
  math(op: string, a: string | number, b: string | number): string {
    const operand = (one: string | number): string => (typeof one === "string" ? one : this.constant("float32", [one]));
    return this.add(op, [operand(a), operand(b)]);
  }

  /** Adds a Reshape. 0 keeps a dim. */
  reshape(value: string, dims: readonly number[]): string {
    return this.add("Reshape", [value, this.constant("int64", dims, [dims.length])]);
  }

  /** Adds a Cast. */
  cast(value: string, type: DataType): string {
    return this.add("Cast", [value], { to: typeNumber(type) });
  }

  /** Returns float32 values in a dtype. */
  asType(value: string, type: DataType): string {
    return type === "float32" ? value : this.cast(value, type);
  }

  private newName(op: string): string {
    return `${this.prefix}/${op.toLowerCase()}_${this.messages.length}`;
  }
}
