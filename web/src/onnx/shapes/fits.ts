// Checks that a changed model can run: infers all shapes, and changes fixed counts of tokens, patches and pixels.
import { PosencError } from "../../base/errors.js";
import type { Flow, Step, Value } from "../read/flow.js";
import type { Graph } from "../read/graph.js";
import { dimFieldOf } from "./dim-fields.js";
import { imageCounts, imagesOf } from "./image-size.js";
import { Misfit, Plan, type ImageCounts } from "./facts.js";
import { Declared, Inference } from "./inference.js";
import { SmallConstants } from "./small-constants.js";
import { numberOf, sameSizes } from "./sizes.js";
import type { Work } from "../rewrite/work.js";

/** Maximum number of passes: a number that changes in one pass may change others in the next. */
const mostPasses = 6;

/**
 * Updates graph inputs and constants of shapes to match tables with a new number of rows. Throws `unsupported` if the
 * changed model could not run.
 */
export async function fitShapes(work: Work, option: string): Promise<void> {
  const { changes, files, flow } = work;
  const hasOthers = [...changes.shapes].some(([value, { dims }]) => !isEqual(dims, value.constant!.tensor.dims));
  if (!hasOthers && changes.replaced.size === 0) return;
  const constants = await new SmallConstants().read(flow, files);
  const declared = new Declared();
  const pass = (ones: ReadonlySet<string>, plan?: Plan, before?: Inference): Inference =>
    new Inference(files.model.pieces, constants, declared, plan, before, ones);
  const asItIs = pass(new Set());
  asItIs.run(flow);
  const batch = batchesOf(flow);
  const single = batch.size > 0 ? pass(batch) : asItIs;
  if (single !== asItIs) single.run(flow);
  // If a batch of one does not fit, these names are not batches.
  const isBatch = single.broken.size <= asItIs.broken.size;
  const [before, ones] = isBatch ? [single, batch] : [asItIs, new Set<string>()];
  const fit = (image: ImageCounts, images: ReturnType<typeof imagesOf>): Inference | Misfit => {
    const plan = new Plan(changes.shapes, changes.replaced, image);
    for (const { source, number } of images) plan.want(source, number);
    return settled(work, plan, () => pass(ones, plan, before));
  };
  const images = imagesOf(work, before);
  let after = fit(imageCounts(work, images), images);
  // The input that looked like an image may be something else.
  if (after instanceof Misfit && images.length > 0) {
    const other = fit(imageCounts(work, []), []);
    if (!(other instanceof Misfit)) after = other;
  }
  if (after instanceof Misfit) throw refused(after, option);
  write(work, constants, before, after);
}

const isEqual = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((number, i) => number === b[i]);

/** Returns the symbols of the first dims of inputs, which are usually the batch. */
function batchesOf({ model }: Flow): ReadonlySet<string> {
  const names = model.graph.inputs.map(({ name, dims }) => dims?.[0] || `?${name}.0`);
  return new Set(names.filter((name) => typeof name === "string"));
}

/** Repeats the pass until it changes no more numbers. */
function settled({ flow }: Work, plan: Plan, start: () => Inference): Inference | Misfit {
  for (let i = 1; ; i++) {
    plan.added = 0;
    const pass = start();
    const misfit = pass.run(flow);
    if (plan.added === 0 || i === mostPasses) return misfit ?? pass;
  }
}

const nameOf = ({ op, node, outs }: Step): string => `${op} "${node.name || outs[0]!.name}"`;
/** The advice at the end of a message. For `tables` the number of dims is wrong, which dynamic axes cannot fix. */
const helpFor = (option: string): string =>
  option === "tables" ? "" : "; sizes that are fixed in the graph cannot follow: export it with dynamic axes";
const refused = ({ step, words }: Misfit, option: string): PosencError =>
  new PosencError("unsupported", `${option}: ${nameOf(step)} ${words}${helpFor(option)}`, option);

function write(work: Work, constants: SmallConstants, before: Inference, after: Inference): void {
  for (const [value, numbers] of after.plan!.wanted) if (value.constant) writeConstant(work, constants, value, numbers);
  const graphs = new Set<Graph>();
  for (const { node } of work.flow.order) graphs.add(node.graph);
  for (const graph of graphs) writeDeclared(work, graph, before, after);
}

function writeConstant(
  { changes }: Work,
  constants: SmallConstants,
  value: Value,
  wanted: ReadonlyMap<number, number>,
): void {
  const old = constants.integersOf(value)!;
  const numbers = old.map((number, i) => wanted.get(i) ?? number);
  const words = [...wanted].map(([i, number]) => `${old[i]} is ${number} now`);
  changes.setElements(value, numbers, [...new Set(words)].join(", "));
}

/** Updates declared dims of inputs and outputs, and removes value_info that is wrong. */
function writeDeclared(work: Work, graph: Graph, before: Inference, after: Inference): void {
  const { changes, flow } = work;
  const stale = graph.values.filter(({ name, dims }) => {
    const value = flow.find(graph, name);
    if (!value || !dims || !isChanged(value, before, after)) return false;
    const now = after.of(value).dims;
    return (
      !now || now.length !== dims.length || dims.some((dim, i) => typeof dim === "number" && numberOf(now[i]) !== dim)
    );
  });
  changes.stale.addInfos(stale);
  for (const info of [...graph.inputs, ...graph.outputs]) {
    const value = flow.find(graph, info.name);
    const now = value && after.of(value).dims;
    if (!now || now.length !== info.dims?.length || !isChanged(value, before, after)) continue;
    for (const [axis, dim] of info.dims.entries()) {
      const number = numberOf(now[axis]);
      const field =
        typeof dim === "number" && number !== undefined && number !== dim ? dimFieldOf(work, info, axis) : undefined;
      if (field) changes.setDim(field, number!);
    }
    const isImage = value.isGiven && !value.constant;
    if (isImage && after.plan!.wanted.has(value)) {
      const words = info.dims.map((dim, i) => (typeof dim === "string" ? dim || "?" : numberOf(now[i])));
      changes.record(value.name, `is [${words.join(", ")}] now`);
    }
  }
}

function isChanged(value: Value, before: Inference, after: Inference): boolean {
  if (after.changed.has(value)) return true;
  const [old, now] = [before.of(value).dims, after.of(value).dims];
  return !!old && !!now && !sameSizes(old, now);
}
