// Attention windows of layers: an attribute of fused attention, or a mask that is added to its bias or to the scores.
import { invalid, show, type PosencError } from "../../base/errors.js";
import { nameLayers } from "../audit/finding.js";
import { bufferOf, scoresOf } from "../find/scores.js";
import { isFused } from "../find/sites.js";
import { findWindows, leastWindow, type FoundWindow } from "../find/windows.js";
import type { RewriteOptions } from "../options.js";
import { integerOf, putInto, type Step } from "../read/flow.js";
import type { Graph } from "../read/graph.js";
import { featureType, Ranks } from "../read/ranks.js";
import { chosenLayers, refusedFor } from "./by-layer.js";
import { exportEager, fusedInputs, fusedName } from "./fused.js";
import { lowestOf, maskType, visibleIn, type Sides } from "./masks.js";
import { lengthsOf } from "./token-distances.js";
import type { Work } from "./work.js";

/** The keys that a query attends to, also in words. */
interface Window extends Sides {
  readonly words: string;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) < 2 ** 31 - 1;

/** Reads a size. Throws `invalid-argument`. */
function windowOf(size: unknown): Window {
  if (size === Infinity) return { left: Infinity, right: Infinity, words: "attends to all keys" };
  if (isCount(size) && size >= 1) {
    const words = `attends only to keys at a distance below ${size}`;
    return { left: size - 1, right: size - 1, words };
  }
  const [left, right, ...more]: unknown[] = Array.isArray(size) ? size : [];
  if (isCount(left) && isCount(right) && left >= 0 && right >= 0 && more.length === 0)
    return { left, right, words: `attends only to ${left} keys before and ${right} after its own` };
  throw invalid(
    "window",
    `must be a whole number ≥ 1, Infinity, [left, right] with whole numbers ≥ 0, or a config.json, got ${show(size)}`,
  );
}

const refused = (why: string): PosencError => refusedFor("window", why);

/** Sets the windows of layers. */
export async function rewriteWindows(work: Work, choice: RewriteOptions["window"]): Promise<void> {
  const found = new Map<number, FoundWindow[]>();
  for (const one of await findWindows(work.flow, work.files))
    for (const layer of one.layers) putInto(found, layer, one);
  const writing = new Writing(work);
  for (const { step, layer, value } of chosenLayers(work, "window", choice, windowOf)) {
    if (!writing.hasAlready(step, found.get(layer) ?? [], value, layer)) writing.add(step, value, layer);
  }
  writing.write();
}

const nameOf = (step: Step): string => step.outs.find(({ name }) => name)!.name;

/** Fused operators with an attribute for the window. */
const withAttribute = new Set(["com.microsoft GroupQueryAttention", "com.microsoft PagedAttention"]);

/** First opset with windows as attributes of Attention. */
const windowOpset = 25;
/** First opset with Range. */
const rangeOpset = 11;

class Writing {
  private readonly softmaxes: { readonly scores: Step; readonly window: Window }[] = [];
  private readonly opset: number;

  constructor(private readonly work: Work) {
    this.opset = work.opset;
  }

  /** Whether an attribute of a fused operator has the window. */
  private hasAttribute(step: Step): boolean {
    return withAttribute.has(fusedName(step)) || (fusedName(step) === " Attention" && this.opset >= windowOpset);
  }

  /** Whether a layer has this window already. Throws if it has a smaller one that cannot be replaced. */
  hasAlready(step: Step, found: readonly FoundWindow[], { left, right, words }: Window, layer: number): boolean {
    const own = found.filter(({ form }) => (form === "attribute") === this.hasAttribute(step));
    const isSame = ({ form, size }: FoundWindow): boolean =>
      size === left + 1 || (form === "compared" && size === left && size >= leastWindow);
    if (own.some(isSame)) {
      this.work.changes.record(nameOf(step), `${words} already`);
      return true;
    }
    const compared = own.filter(({ form, size }) => form === "compared" && size >= leastWindow);
    const narrower = compared.find(({ size }) => size < Math.max(left, right));
    // Nothing is there that could be removed.
    if (!narrower) return left === Infinity && !own.some(({ form }) => form === "attribute");
    throw refused(
      `${nameLayers([layer])} compares positions with ${narrower.size}, which may be a narrower window; it cannot be replaced`,
    );
  }

  /** Adds a window to a layer. */
  add(step: Step, window: Window, layer: number): void {
    if (isFused(step)) {
      if (this.hasAttribute(step)) this.setAttribute(step, window);
      else this.addToFused(step, window);
      this.work.changes.record(nameOf(step), `${window.words} now`);
      return;
    }
    const buffer = bufferOf(step);
    if (buffer) throw refused(`${nameLayers([layer])} keeps keys in a buffer of fixed length (${buffer})`);
    const scores = scoresOf(step)?.maker;
    if (!scores) throw refused(`${nameLayers([layer])}: Softmax "${nameOf(step)}" has no scores of queries and keys`);
    this.needRange();
    this.softmaxes.push({ scores, window });
  }

  /** Throws if the opset is too old for the new nodes. */
  private needRange(): void {
    if (this.opset < rangeOpset) throw refused(`needs operator set ${rangeOpset}, the model has ${this.opset}`);
  }

  private setAttribute({ node }: Step, { left, right }: Window): void {
    const set = (name: string, size: number): void =>
      this.work.changes.setInteger(node, name, size === Infinity ? -1 : size);
    if (node.domain !== "") return set("local_window_size", left + 1);
    set("left_window_size", left);
    set("right_window_size", right);
  }

  private addToFused(step: Step, window: Window): void {
    const { node, ins } = step;
    const form = fusedInputs(step);
    const name = `${step.op} "${nameOf(step)}"`;
    if (!form) throw refused(`${name} has no window; ${exportEager}`);
    if (!ins[0]) throw refused(`${name} has no input 0`);
    if (node.domain === "" && ins[6]) throw refused(`Attention "${nameOf(step)}" has keys in a buffer of fixed length`);
    this.needRange();
    const old = ins[form.mask];
    this.work.changes.addBefore(
      step,
      (nodes) => {
        const tokens = integerOf(node, "q_num_heads", 0) > 0 ? 1 : form.tokens;
        const queries = nodes.sizeOf(ins[0]!.name, tokens);
        const key = ins[form.key];
        // MultiHeadAttention may have its keys as [batch, heads, keys, dim].
        const keyTokens = step.op === "MultiHeadAttention" && new Ranks().of(key) === 4 ? 2 : tokens;
        const added = key && key !== ins[0] ? nodes.sizeOf(key.name, keyTokens) : queries;
        const past = ins[form.pastKey];
        const keys = past ? nodes.add("Add", [added, nodes.sizeOf(past.name, form.pastTokens)]) : added;
        const visible = visibleIn(nodes, { queries, keys }, window, 4);
        const type = old ? maskType(old) : form.hasFlags ? "bool" : featureType(ins[0]);
        if (type === "bool") return old ? nodes.add("And", [old.name, visible]) : visible;
        const others = old?.name ?? nodes.constant(type, [0]);
        return nodes.add("Where", [visible, others, nodes.constant(type, [lowestOf(type)])]);
      },
      form.mask,
    );
  }

  /** Writes the windows of layers with a softmax. Layers of a graph with equal windows share a mask. */
  write(): void {
    const masks = new Map<Graph, Map<string, string>>();
    // The first node of several that share a mask computes it.
    const ordered = [...this.softmaxes].sort((a, b) => a.scores.index - b.scores.index);
    for (const { scores, window } of ordered) {
      const { graph } = scores.node;
      const known = masks.get(graph) ?? new Map<string, string>();
      masks.set(graph, known);
      const key = `${window.left} ${window.right}`;
      this.work.changes.transform(scores, `${window.words} now`, (nodes, from, to) => {
        const visible = known.get(key) ?? visibleIn(nodes, lengthsOf(nodes, from), window);
        known.set(key, visible);
        const type = featureType(scores.outs[0]);
        nodes.add("Where", [visible, from, nodes.constant(type, [lowestOf(type)])], {}, to);
      });
    }
  }
}
