// Remapped distances and temperatures: changes of the scores of each layer, before masks and biases are added.
import type { Remap, Temperature } from "../../base/call-options.js";
import type { PosencError } from "../../base/errors.js";
import { temperature as readTemperature } from "../../encodings/remap.js";
import { nameLayers } from "../audit/finding.js";
import type { PositionalComponent } from "../component.js";
import type { Found } from "../find/find.js";
import { rotatedBy, rotatedPart, type RotatedPart } from "../find/rotated.js";
import type { FoundRotation } from "../find/rotary.js";
import { bufferOf } from "../find/scores.js";
import { isFused, productBelow } from "../find/sites.js";
import { tokenPositionsOf } from "../find/token-positions.js";
import type { RewriteOptions } from "../options.js";
import type { Step, Value } from "../read/flow.js";
import type { Graph } from "../read/graph.js";
import { featureType, Ranks } from "../read/ranks.js";
import { branchesIn, remapOf, type Branches } from "./branches.js";
import { chosenLayers, refusedFor } from "./by-layer.js";
import type { NewNodes } from "./new-nodes.js";
import { rotatedIn, tablesIn, type FeatureTables, type Order, type Turn } from "./rotated-again.js";
import { lengthsOf, positionsIn, type Lengths, type TokenPositions } from "./token-distances.js";
import type { Work } from "./work.js";

/** Queries and keys of a layer, with the rotation that rotates both. */
interface Rotated {
  readonly found: FoundRotation;
  readonly turn: Turn;
  readonly queries: RotatedPart;
  readonly keys: RotatedPart;
}

/** A layer whose scores change. */
interface Scores {
  readonly layer: number;
  readonly product: Step;
  /** Positions of the queries; undefined: the index in the text. */
  readonly positions: Value | undefined;
  readonly rotated: Rotated | undefined;
  remap?: Remap;
  temperature?: Temperature;
}

/** Changes distances and temperatures of layers. */
export function rewriteScores(
  work: Work,
  components: ReadonlyMap<PositionalComponent, Found>,
  { remap, temperature }: Pick<RewriteOptions, "remap" | "temperature">,
): void {
  const finding = new Finding(components);
  const layers = new Map<Step, Scores>();
  const at = (step: Step, layer: number, option: "remap" | "temperature"): Scores => {
    const known = layers.get(step) ?? finding.scoresOf(step, layer, option);
    layers.set(step, known);
    return known;
  };
  if (remap !== undefined) {
    const chosen = chosenLayers(work, "remap", remap, remapOf);
    const rotating = chosen.filter(({ step, layer }) => at(step, layer, "remap").rotated);
    if (rotating.length === 0 && chosen.length > 0) throw refusedFor("remap", "no layer rotates queries and keys");
    for (const { step, layer, value } of rotating) at(step, layer, "remap").remap = value;
  }
  if (temperature !== undefined)
    for (const { step, layer, value } of chosenLayers(work, "temperature", temperature, temperatureOf))
      at(step, layer, "temperature").temperature = value;
  new Writing(work).write([...layers.values()].filter((one) => one.remap ?? one.temperature));
}

/** Reads a temperature. Throws `invalid-argument`. */
function temperatureOf(given: unknown): Temperature {
  readTemperature(given, "temperature");
  return given as Temperature;
}

const hasSeveralAxes = ({ axes, grid, sections }: FoundRotation): boolean => Boolean(axes ?? grid ?? sections);

/** Finds the scores of layers, and the rotations of their queries and keys. */
class Finding {
  private readonly ranks = new Ranks();
  private readonly rotations = new Map<FoundRotation, ReadonlySet<Value>>();
  private readonly names = new Map<FoundRotation, PositionalComponent>();

  constructor(components: ReadonlyMap<PositionalComponent, Found>) {
    for (const [component, found] of components)
      if (component.family === "rotary" && "frequencies" in found) {
        this.rotations.set(found, rotatedBy(found));
        this.names.set(found, component);
      }
  }

  scoresOf(step: Step, layer: number, option: string): Scores {
    const refused = (why: string): PosencError => refusedFor(option, `${nameLayers([layer])}: ${why}`);
    const name = step.node.name || step.outs[0]!.name;
    if (isFused(step)) throw refused(`${step.op} "${name}" does not show its scores`);
    const buffer = bufferOf(step);
    if (buffer) throw refused(`keys are in a buffer of fixed length (${buffer})`);
    const product = productBelow(step);
    if (product?.op !== "MatMul" || product.node.graph !== step.node.graph)
      throw refused(`Softmax "${name}" has no MatMul of queries and keys`);
    if ((this.ranks.of(product.outs[0]) ?? 4) !== 4) throw refused("batch and heads are one dim");
    const rotated = option === "remap" ? this.rotatedOf(product, refused) : undefined;
    return { layer, product, rotated, positions: this.positionsOf(product, refused) };
  }

  /** Returns the positions by which queries are rotated; in layers without rotation, those of the other layers. */
  private positionsOf({ ins, node }: Step, refused: (why: string) => PosencError): Value | undefined {
    const all = [...this.rotations];
    const own = all.filter(([, values]) => values.has(ins[0]!));
    for (const [found] of own.length > 0 ? own : all) {
      if (hasSeveralAxes(found)) throw refused("positions have several axes");
      const positions = tokenPositionsOf(found);
      for (let graph: Graph | undefined = node.graph; graph; graph = graph.parent)
        if (positions?.graph === graph) return positions;
    }
    return undefined;
  }

  /** Returns the rotation of queries and keys; undefined: they are not rotated. */
  private rotatedOf({ ins }: Step, refused: (why: string) => PosencError): Rotated | undefined {
    const sides = ins.slice(0, 2) as Value[];
    const found = [...this.rotations].filter(([, values]) => sides.some((side) => values.has(side)));
    if (found.length === 0) return undefined;
    const [[one, values], ...others] = found as [[FoundRotation, ReadonlySet<Value>]];
    if (others.length > 0) throw refused("several rotations rotate its queries and keys");
    const [queries, keys] = sides.map((side) => rotatedPart(side, values, this.ranks));
    if (!queries || !keys) throw refused("only queries or only keys are rotated");
    for (const part of [queries, keys])
      if (typeof part === "object") throw refused(`${part.after} changes features after the rotation`);
    return { found: one, turn: this.turnOf(one, refused), queries: queries as RotatedPart, keys: keys as RotatedPart };
  }

  private turnOf(found: FoundRotation, refused: (why: string) => PosencError): Turn {
    const { frequencies, pairing } = found;
    if (hasSeveralAxes(found)) throw refused("positions have several axes");
    if (!pairing) throw refused("the graph does not show which features form pairs");
    return { frequencies, pairing };
  }
}

/** Nodes that the layers of a graph share. */
interface Shared {
  readonly lengths: Lengths;
  readonly tokens: TokenPositions;
  readonly branches: Map<string, { readonly branches: Branches; readonly tables: Map<string, FeatureTables[]> }>;
}

class Writing {
  private readonly shared = new Map<Graph, Map<Value | undefined, Shared>>();

  constructor(private readonly work: Work) {}

  write(layers: readonly Scores[]): void {
    // The first node of several that share others adds them.
    const ordered = [...layers].sort((a, b) => a.product.node.range.tag - b.product.node.range.tag);
    for (const scores of ordered)
      this.work.changes.transform(scores.product, wordsOf(scores), (nodes, from, to) => {
        const remapped = scores.remap ? this.remapped(nodes, scores, from) : from;
        const factored = scores.temperature ? this.factored(nodes, scores, remapped, from) : remapped;
        nodes.add("Identity", [factored], {}, to);
      });
  }

  private sharedOf(nodes: NewNodes, { product, positions: given }: Scores, scores: string): Shared {
    const { graph } = product.node;
    const byPositions = this.shared.get(graph) ?? new Map<Value | undefined, Shared>();
    this.shared.set(graph, byPositions);
    const known = byPositions.get(given);
    if (known) return known;
    const lengths = lengthsOf(nodes, scores);
    const made = { lengths, tokens: positionsIn(nodes, lengths, given), branches: new Map() };
    byPositions.set(given, made);
    return made;
  }

  /** Adds the scores of remapped distances. */
  private remapped(nodes: NewNodes, one: Scores, from: string): string {
    const { product, rotated, remap } = one;
    const { turn, found, queries: queryPart, keys: keyPart } = rotated!;
    const shared = this.sharedOf(nodes, one, from);
    const key = JSON.stringify([remap, Array.from(found.frequencies), found.pairing]);
    const known = shared.branches.get(key) ?? {
      branches: branchesIn(nodes, remap!, shared.tokens, shared.lengths),
      tables: new Map<string, FeatureTables[]>(),
    };
    shared.branches.set(key, known);
    const { branches, tables } = known;
    const type = featureType(product.ins[0]);
    const tablesOf = (side: "queries" | "keys", order: Order): FeatureTables[] => {
      const name = `${side} ${type}`;
      const to = side === "queries" ? branches.queries : [branches.keys];
      const made =
        tables.get(name) ??
        to.map((positions) => tablesIn(nodes, turn, nodes.math("Sub", positions, shared.tokens[side]), order, type));
      tables.set(name, made);
      return made;
    };
    const [queries, keys] = product.ins.map((value) => value!.name) as [string, string];
    const [keyTables] = tablesOf("keys", "features-tokens");
    const turnedKeys = rotatedIn(nodes, keys, keyTables!, turn, keyPart, "features-tokens");
    const far = tablesOf("queries", "tokens-features").map((table) =>
      nodes.add("MatMul", [rotatedIn(nodes, queries, table, turn, queryPart, "tokens-features"), turnedKeys]),
    );
    const all = [from, ...far];
    const merged = branches.before.reduceRight(
      (others, mask, i) => nodes.add("Where", [mask, all[i]!, others]),
      all.at(-1)!,
    );
    return branches.factor ? nodes.add("Mul", [merged, asType(nodes, branches.factor, type)]) : merged;
  }

  /** Adds the scores times the temperature of each query. */
  private factored(nodes: NewNodes, one: Scores, scores: string, from: string): string {
    const { tokens } = this.sharedOf(nodes, one, from);
    const factor = nodes.reshape(temperatureIn(nodes, one.temperature!, tokens.queries), [0, 1, -1, 1]);
    return nodes.add("Mul", [scores, asType(nodes, factor, featureType(one.product.ins[0]))]);
  }
}

const asType = (nodes: NewNodes, value: string, type: ReturnType<typeof featureType>): string =>
  type === "float32" ? value : nodes.cast(value, type);

/** Adds the temperature at positions. Meta 2025 (Llama 4); "log-n": Su 2021, kexue.fm/archives/8823. */
function temperatureIn(nodes: NewNodes, rule: Temperature, positions: string): string {
  const at = nodes.math("Add", positions, rule.offset ?? 0);
  const ln = (value: string): string => nodes.add("Log", [value]);
  if (rule.rule === "log-n") {
    const ratio = nodes.math("Div", ln(nodes.math("Add", nodes.add("Relu", [at]), 1)), Math.log(rule.length));
    return nodes.math("Add", nodes.add("Relu", [nodes.math("Sub", ratio, 1)]), 1);
  }
  const steps = nodes.add("Relu", [nodes.add("Floor", [nodes.math("Div", at, rule.length)])]);
  return nodes.math("Add", nodes.math("Mul", ln(nodes.math("Add", steps, 1)), rule.factor), 1);
}

function wordsOf({ remap, temperature }: Scores): string {
  const words = [
    ...(remap ? [`have distances by ${remap.kind}`] : []),
    ...(temperature ? ["are multiplied by a temperature"] : []),
  ];
  return `scores ${words.join(" and ")} now`;
}
