// Attention weights as outputs of a graph: the softmax of each layer, before it is multiplied with values.
import { PosencError } from "../../base/errors.js";
import { attendsElsewhere, stepsOfKeys } from "./attention-crossing.js";
import { headsOf } from "./attention-heads.js";
import type { Changes } from "./changes.js";
import { attributeOf, integerOf, putInto, type Flow, type Step, type Value } from "../read/flow.js";
import type { Graph } from "../read/graph.js";
import { featureType, Ranks } from "../read/ranks.js";
import { exportEager, fusedName } from "./fused.js";
import { isFused, isProduct, sitesOf } from "../find/sites.js";
import type { Files } from "../read/values.js";

/**
 * Tokens that attend to each other. `crosses`: from a decoder to its encoder; `encodes`: in an encoder of a file with
 * both.
 */
interface Kind {
  readonly crosses: boolean;
  readonly encodes: boolean;
}

/** The attention of a layer, or of each branch of an If. */
type Site = Kind & ({ readonly step: Step } | { readonly branches: Step; readonly inside: readonly Site[] });

/** Returns the kind of each step with attention. */
function kindsOf(flow: Flow): Map<Step, Kind> {
  const sites = sitesOf(flow);
  const all = flow.steps.filter((step) => sites.crosses(step) !== undefined);
  const crossing = new Set(all.filter((step) => sites.crosses(step) || attendsElsewhere(step)));
  // Without an encoder in the file, all other layers are the decoder's.
  const encoder = stepsOfKeys(crossing);
  return new Map(all.map((step) => [step, { crosses: crossing.has(step), encodes: encoder.has(step) }]));
}

function refused(step: Step, why: string): PosencError {
  const name = step.node.name || step.outs[0]?.name || step.op;
  return new PosencError("unsupported", `attention: ${step.op} "${name}" ${why}`, "attention");
}

/** Returns the attention of a graph in order; the attention in the branches of an If is paired. */
function attentionSitesOf(
  graph: Graph,
  steps: ReadonlyMap<Graph, readonly Step[]>,
  kinds: ReadonlyMap<Step, Kind>,
): Site[] {
  const found: Site[] = [];
  for (const step of steps.get(graph) ?? []) {
    const kind = kinds.get(step);
    if (kind) found.push({ step, ...kind });
    const inside = step.subgraphs.map((one) => attentionSitesOf(one, steps, kinds));
    const most = inside.reduce((all, { length }) => Math.max(all, length), 0);
    if (most === 0) continue;
    if (step.op !== "If")
      throw refused(step, "computes attention inside its body, which cannot output only the weights");
    const isSame = inside.every(
      (list) => list.length === most && list.every(({ crosses: one }, i) => one === inside[0]![i]!.crosses),
    );
    if (!isSame) throw refused(step, "has different attention in its branches");
    inside[0]!.forEach(({ crosses, encodes }, i) =>
      found.push({ branches: step, crosses, encodes, inside: inside.map((list) => list[i]!) }),
    );
  }
  return found;
}

/** Maximum number of steps between a softmax and the product with values. */
const mostBetween = 16;
const between = new Set(["Cast", "Dropout", "Mul", "Slice", "Where"]);

/** Returns the factor of the values: weights after dropout, and after rows without visible keys were set to 0. */
function weightsOf(softmax: Step): Value {
  let weights = softmax.outs[0]!;
  for (let at = weights, left = mostBetween; left > 0 && !at.users.some(isProduct); left--) {
    const next = at.users.find(
      ({ op, node, outs }) => between.has(op) && node.graph === softmax.node.graph && outs[0]!.name !== "",
    );
    if (!next) break;
    at = next.outs[0]!;
    if (next.op !== "Cast") weights = at;
  }
  return weights;
}

/** Fused operators with weights as fourth output, if an attribute requests them, or scores with masks and biases. */
const scoreOutputs: Readonly<Record<string, readonly [attribute: string, value: number] | "scores">> = {
  "com.microsoft GroupQueryAttention": ["qk_output", 2],
  "com.microsoft MultiHeadAttention": "scores",
  " Attention": ["qk_matmul_output_mode", 3],
};
const fourth = 3;

class Exposing {
  private readonly ranks = new Ranks();

  constructor(
    private readonly changes: Changes,
    private readonly files: Files,
  ) {}

  /** Makes the weights of an attention a value of its graph with this name. Returns their number of dims. */
  async make(site: Site, name: string): Promise<number | undefined> {
    if ("branches" in site) return this.throughBranches(site, name);
    return isFused(site.step) ? this.ofFused(site.step, name) : this.ofSoftmax(site.step, name);
  }

  private async throughBranches(
    { branches, inside }: Extract<Site, { branches: Step }>,
    name: string,
  ): Promise<number | undefined> {
    const ranks: (number | undefined)[] = [];
    for (const [i, site] of inside.entries()) {
      const inner = `${name}/${i}`;
      const rank = await this.make(site, inner);
      this.changes.addOutput(branches.subgraphs[i]!, inner, shapeOf(rank, site.crosses));
      ranks.push(rank);
    }
    this.changes.addNodeOutput(branches.node, name);
    return ranks.every((rank) => rank === ranks[0]) ? ranks[0] : undefined;
  }

  private async ofSoftmax(softmax: Step, name: string): Promise<number | undefined> {
    const weights = weightsOf(softmax);
    const rank = this.ranks.of(weights);
    // Older models merge batch and heads into one dim for the softmax; the input of that Reshape has both.
    const before = softmax.ins[0]!.maker;
    const apart =
      rank === 3 && before?.op === "Reshape" && this.ranks.of(before.ins[0]) === 4 ? before.ins[0] : undefined;
    const product = weights.users.find(isProduct);
    const heads = rank === 3 && !apart && product ? await headsOf(product, this.files) : undefined;
    const form = apart ? { like: apart.name } : heads === undefined ? {} : { heads };
    this.changes.addCopy(weights.maker!, weights.name, name, form);
    return apart || heads !== undefined ? 4 : rank;
  }

  private ofFused(step: Step, name: string): number {
    const { node } = step;
    const scoreOutput = scoreOutputs[fusedName(step)];
    if (!scoreOutput) throw refused(step, `does not output its weights; ${exportEager}`);
    if (integerOf(node, "sliding_window_cache", 0) === 1)
      throw refused(step, "keeps only the keys of its window, so it cannot output weights");
    const present = node.outputs[fourth];
    if (scoreOutput !== "scores") {
      if (present && attributeOf(node, scoreOutput[0])?.i !== scoreOutput[1])
        throw refused(step, "already outputs its scores");
      this.changes.setInteger(node, ...scoreOutput);
    }
    const inner = present || `${name}/fused`;
    if (!present) {
      this.changes.setNodeOutput(node, fourth, inner);
      if (scoreOutput === "scores") this.changes.addType(node.graph, inner, featureType(step.ins[0]));
    }
    this.changes.addCopy(step, inner, name, { softmax: scoreOutput === "scores" });
    return 4;
  }
}

/** Maximum number of dims of attention weights. */
const mostRank = 8;

/** Returns names for all dims. */
function shapeOf(rank: number | undefined, crosses: boolean): string[] | undefined {
  if (rank === undefined || rank > mostRank) return undefined;
  const last = ["queries", crosses ? "encoder_keys" : "keys"];
  if (rank === 4) return ["batch", "heads", ...last];
  return [...Array.from({ length: rank - 2 }, (_, i) => `rows_${i}`), ...last];
}

/** Whether a graph is a decoder: past keys and values are its interface, and callers pass them by these names. */
const isDecoder = ({ inputs, outputs }: Graph): boolean =>
  inputs.some(({ name }) => name.startsWith("past_key")) || outputs.some(({ name }) => name.startsWith("present"));

/**
 * Adds the weights of all layers as outputs [batch, heads, queries, keys], float32: attentions.0, …; of decoders
 * decoder_attentions.0, … and cross_attentions.0, …, and of an encoder in the same file encoder_attentions.0, …, as
 * transformers.js gathers them.
 */
export async function exposeAttention(changes: Changes, flow: Flow, files: Files): Promise<void> {
  const { graph } = flow.model;
  const steps = new Map<Graph, Step[]>();
  for (const step of flow.steps) putInto(steps, step.node.graph, step);
  const sites = attentionSitesOf(graph, steps, kindsOf(flow));
  if (sites.length === 0)
    throw new PosencError(
      "unsupported",
      "attention: no softmax of this graph is followed by a product with values; inline functions of the graph first",
      "attention",
    );
  const own = isDecoder(graph) || sites.some(({ crosses }) => crosses) ? "decoder_attentions" : "attentions";
  const exposing = new Exposing(changes, files);
  const counts = new Map<string, number>();
  for (const site of sites) {
    const group = site.crosses ? "cross_attentions" : site.encodes ? "encoder_attentions" : own;
    const index = counts.get(group) ?? 0;
    counts.set(group, index + 1);
    const name = `${group}.${index}`;
    if (flow.find(graph, name)) continue;
    const rank = await exposing.make(site, name);
    changes.addOutput(graph, name, shapeOf(rank, site.crosses));
    changes.record(name, `has a layer's attention weights${rank === 4 ? " [batch, heads, queries, keys]" : ""}`);
  }
}
