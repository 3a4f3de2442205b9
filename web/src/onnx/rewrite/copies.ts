// A constant's copy with other values, which only some steps read: nodes that change its form on the way are copied if others use
// them, too.
import { PosencError } from "../../base/errors.js";
import { numberOf, type Changes } from "./changes.js";
import { constantOf, field, integerAttribute, joined } from "./encode.js";
import type { Graph, Node } from "../read/graph.js";
import type { Step, Value } from "../read/flow.js";
import { tensorOf, type ElementOptions } from "./new-elements.js";
import { formOps } from "../read/trace.js";
import { typeNumber } from "../read/values.js";
import { Fields } from "../read/protobuf.js";

// Field numbers of GraphProto, NodeProto and AttributeProto.
const graphInitializer = 5;
const nodeInput = 1;
const nodeOutput = 2;
const nodeName = 3;
const nodeAttribute = 5;
const attributeName = 1;

const passes = new Set([...formOps, "DequantizeLinear"]);

/** Maximum number of steps that are copied with a constant. */
const mostCopied = 64;

/** The steps that change only the form of a constant before some steps read it. Each step is visited once. */
function waysTo(constant: Value, readers: Iterable<Step>): Set<Step> {
  const ways = new Set<Step>();
  const leads = new Map<Value, boolean>([[constant, true]]);
  const follow = (input: Value): boolean => {
    const way: [Value, Step][] = [];
    let at = input;
    while (!leads.has(at)) {
      const { maker } = at;
      const before = maker && passes.has(maker.op) ? maker.ins[0] : undefined;
      if (!before) leads.set(at, false);
      else {
        way.push([at, maker!]);
        at = before;
      }
    }
    const isWay = leads.get(at)!;
    for (const [value, step] of way) {
      leads.set(value, isWay);
      if (isWay) ways.add(step);
    }
    return isWay;
  };
  for (const { node, op, ins } of readers) {
    const found = ins.map((input) => input !== undefined && follow(input));
    if (!found.includes(true))
      throw new PosencError(
        "unsupported",
        `model: ${op} "${node.name}" does not read ${constant.name} itself`,
        "model",
      );
  }
  return ways;
}

/** Steps of `ways` that only `readers` use. Ways lead from a reader to the constant. */
function ownOf(ways: Iterable<Step>, readers: ReadonlySet<Step>): Set<Step> {
  const own = new Set([...ways, ...readers]);
  const outputs = new Map<Graph, ReadonlySet<string>>();
  const isOutput = ({ graph, name }: Value): boolean => {
    const names = outputs.get(graph) ?? new Set(graph.outputs.map((one) => one.name));
    outputs.set(graph, names);
    return names.has(name);
  };
  const isOwn = ({ outs }: Step): boolean =>
    outs.every((out) => !isOutput(out) && out.users.every((user) => own.has(user)));
  const left = [...own];
  for (let step = left.pop(); step; step = left.pop()) {
    if (readers.has(step) || !own.has(step) || isOwn(step)) continue;
    own.delete(step);
    const before = step.ins[0]?.maker;
    if (before) left.push(before);
  }
  return own;
}

/**
 * Adds a copy of a constant with other values. Only `readers` read it.
 *
 * @returns The name of the copy.
 */
export function copyConstant(
  changes: Changes,
  constant: Value,
  readers: ReadonlySet<Step>,
  numbers: ArrayLike<number>,
  more: ElementOptions,
): string {
  const ways = waysTo(constant, readers);
  const own = ownOf(ways, readers);
  const copied = [...ways].filter((step) => !own.has(step));
  if (copied.length > mostCopied)
    throw new PosencError("unsupported", `model: more than ${mostCopied} nodes lead to ${constant.name}`, "model");
  const names = new Map<Value, string>([[constant, addConstant(changes, constant, numbers, more)]]);
  for (const { outs } of copied) for (const out of outs) names.set(out, changes.uniqueName(out));
  for (const step of copied) copyStep(changes, step, names);
  for (const step of own) {
    step.ins.forEach((value, i) => {
      const name = value && names.get(value);
      if (name !== undefined) changes.setInput(step.node, i, name);
    });
    if (more.dims || more.type) changes.stale.add(step.outs);
  }
  return names.get(constant)!;
}

function addConstant(changes: Changes, value: Value, numbers: ArrayLike<number>, more: ElementOptions): string {
  const { constant, graph, isGiven } = value;
  const name = changes.uniqueName(value);
  const tensor = tensorOf(value, numbers, more, name);
  const node = field(numberOf(graph), constantOf(name, tensor));
  if (constant!.node) changes.edits.push({ kind: "after", field: constant!.node.range, bytes: node });
  // Before version 4 of the format each initializer is also an input.
  else if (isGiven) changes.edits.push({ kind: "before", field: graph.nodes[0]!.range, bytes: node });
  else
    changes.edits.push({
      kind: "after",
      field: constant!.tensor.range,
      bytes: field(graphInitializer, tensor),
    });
  return name;
}

/** Returns a copy of a node after it, with other names of inputs and outputs. */
function copyStep(changes: Changes, { node, ins, outs }: Step, names: ReadonlyMap<Value, string>): void {
  const { pieces } = changes.flow.model;
  if (!pieces.has(node.range))
    throw new PosencError("unsupported", `model: ${node.op} "${node.name}" is too large to be copied`, "model");
  const bytes: Uint8Array[] = [];
  let [input, output] = [0, 0];
  for (const fields = new Fields(pieces, node.range); fields.advance();) {
    if (fields.number === nodeInput) {
      const value = ins[input++];
      bytes.push(field(nodeInput, (value && names.get(value)) ?? fields.text));
    } else if (fields.number === nodeOutput) bytes.push(field(nodeOutput, names.get(outs[output++]!) ?? ""));
    else if (fields.number === nodeAttribute) bytes.push(field(nodeAttribute, attributeBytes(changes, node, fields)));
    else if (fields.number !== nodeName) bytes.push(pieces.slice({ start: fields.tag, end: fields.end }));
  }
  const name = names.get(outs[0]!)!;
  const copy = joined([...bytes, field(nodeName, name)]);
  changes.edits.push({ kind: "after", field: node.range, bytes: field(numberOf(node.graph), copy) });
}

/** Returns an attribute, with the new dtype of a changed Cast. */
function attributeBytes(changes: Changes, node: Node, fields: Fields): Uint8Array {
  const { pieces } = changes.flow.model;
  const type = changes.casts.get(node);
  if (type === undefined) return pieces.slice(fields.content);
  const { content } = fields;
  for (const inner = new Fields(pieces, content); inner.advance();)
    if (inner.number === attributeName && inner.text === "to") return integerAttribute("to", typeNumber(type));
  return pieces.slice(content);
}
