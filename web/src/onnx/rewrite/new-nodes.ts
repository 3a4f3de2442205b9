// New nodes of a graph, in the order in which runtimes run them.
import { constantNode, nodeMessage, type NodeAttributes } from "./encode.js";
import type { DataType } from "../read/values.js";

/** Collects nodes, each with one output. All names begin with a prefix. */
export class NewNodes {
  /** Contents of the NodeProtos. */
  readonly messages: Uint8Array[] = [];
  private readonly constants = new Map<string, string>();

  constructor(private readonly prefix: string) {}

  /** Adds a node. Returns the name of its output: `name`, or a new one. */
  add(op: string, inputs: readonly string[], attributes?: NodeAttributes, name = this.newName(op)): string {
    this.messages.push(nodeMessage(op, inputs, [name], `${this.prefix}/${this.messages.length}`, attributes));
    return name;
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
    return this.add("Cast", [size], { to: 6 });
  }

  private newName(op: string): string {
    return `${this.prefix}/${op.toLowerCase()}_${this.messages.length}`;
  }
}
