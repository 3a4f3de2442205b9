// Remapped distances and temperatures: changes of the scores of each layer, before masks and biases are added.
import type { Remap, Temperature } from "../../base/call-options.js";
import { invalid } from "../../base/errors.js";
import { temperature as readTemperature } from "../../encodings/remap.js";
import type { PositionalComponent } from "../component.js";
import type { Found } from "../find/find.js";
import { isFused } from "../find/sites.js";
import type { RewriteOptions } from "../options.js";
import type { Step, Value } from "../read/flow.js";
import type { Graph } from "../read/graph.js";
import { featureType } from "../read/ranks.js";
import { partsIn } from "./apart.js";
import { branchesIn, remapOf, type Branches } from "./branches.js";
import { chosenLayers, refusedFor } from "./by-layer.js";
import type { NewNodes } from "./new-nodes.js";
import { sidesIn, type Product } from "./product-sides.js";
import { rotatedIn, tablesIn, type FeatureTables, type Order } from "./rotated-again.js";
import { ScoredLayers, type ScoredLayer } from "./scored-layers.js";
import {
  alongQueries,
  lengthsOf,
  positionsIn,
  type Lengths,
  type Scores,
  type TokenPositions,
} from "./token-distances.js";
import type { Work } from "./work.js";

/** The new rules of a layer. */
interface Changed extends ScoredLayer {
  readonly remap?: Remap;
  readonly temperature?: Temperature;
}

/** Changes distances and temperatures of layers. */
export async function rewriteScores(
  work: Work,
  components: ReadonlyMap<PositionalComponent, Found>,
  { remap, temperature, window, attention }: RewriteOptions,
): Promise<void> {
  const other = window !== undefined ? "window" : attention ? "attention" : undefined;
  const layers = new ScoredLayers(components, work, other);
  const changed = new Map<Step, Changed>();
  if (remap !== undefined) {
    const chosen = chosenLayers(work, "remap", remap, remapOf);
    for (const { step, layer, value } of chosen) {
      const one = await layers.of(step, layer, "remap");
      if (one.rotated) changed.set(step, { ...one, remap: value });
    }
    if (changed.size === 0 && chosen.length > 0) throw refusedFor("remap", "no layer rotates queries and keys");
  }
  if (temperature !== undefined)
    for (const { step, layer, value } of chosenLayers(work, "temperature", temperature, temperatureOf)) {
      const one = changed.get(step) ?? (await layers.of(step, layer, "temperature"));
      changed.set(step, { ...one, temperature: value });
    }
  new Writing(work).write([...changed.values()]);
}

/** Reads a temperature. Throws `invalid-argument`. */
function temperatureOf(given: unknown): Temperature {
  readTemperature(given, "temperature");
  const rule = given as Temperature;
  const least = rule.rule === "log-n" ? 1 : 0;
  const isFinite = Number.isFinite(rule.length + (rule.offset ?? 0) + (rule.rule === "log-n" ? 0 : rule.factor));
  if (!isFinite || !(rule.length > least))
    throw invalid("temperature", `must have finite values and a length > ${least}`);
  return rule;
}

/** Nodes that the layers of a graph share. */
interface Shared {
  readonly lengths: Lengths;
  readonly tokens: TokenPositions;
  readonly rules: Map<string, { readonly branches: Branches; readonly tables: Map<string, FeatureTables[]> }>;
}

class Writing {
  private readonly shared = new Map<Graph, Map<Value | Step | undefined, Shared>>();

  constructor(private readonly work: Work) {}

  write(layers: readonly Changed[]): void {
    const { changes } = this.work;
    // The first layer of several that share nodes adds them.
    const ordered = [...layers].sort((a, b) => a.step.index - b.step.index);
    for (const one of ordered) {
      const { step } = one;
      if (isFused(step))
        changes.replaceStep(step, `${wordsOf(one)}; ${step.op} is replaced by its parts`, (nodes) => {
          const parts = partsIn(nodes, step, one.rotaryDim);
          const name = nodes.add("MatMul", [parts.queries, parts.factorOf(parts.keys)]);
          parts.finish(this.changed(nodes, one, { name, rank: 4 }, { ...parts, order: "tokens-features" }));
        });
      else
        changes.transform(step, wordsOf(one), (nodes, from, to) => {
          const sides = sidesIn(nodes, one.product!);
          const scores = { name: from, rank: one.product!.rank };
          nodes.add("Identity", [this.changed(nodes, one, scores, sides)], {}, to);
        });
    }
  }

  private changed(nodes: NewNodes, one: Changed, scores: Scores, sides: Product): string {
    const remapped = one.remap ? this.remapped(nodes, one, scores, sides) : scores.name;
    return one.temperature ? this.factored(nodes, one, remapped, scores) : remapped;
  }

  private sharedOf(nodes: NewNodes, { step, positions }: Changed, scores: Scores): Shared {
    const { graph } = step.node;
    const byPositions = this.shared.get(graph) ?? new Map<Value | Step | undefined, Shared>();
    this.shared.set(graph, byPositions);
    // If batch and heads are one dim, layers may have different numbers of heads.
    const key = scores.rank === 4 ? positions : step;
    const known = byPositions.get(key);
    if (known) return known;
    const lengths = lengthsOf(nodes, scores.name);
    const made = { lengths, tokens: positionsIn(nodes, scores, lengths, positions), rules: new Map() };
    byPositions.set(key, made);
    return made;
  }

  /** Adds the scores of remapped distances. */
  private remapped(
    nodes: NewNodes,
    one: Changed,
    scores: Scores,
    { queries, keys, order, factorOf, alpha = 1 }: Product,
  ): string {
    const { rotation, queries: queryPart, keys: keyPart } = one.rotated!;
    const { rank } = scores;
    const shared = this.sharedOf(nodes, one, scores);
    const key = JSON.stringify([one.remap, Array.from(rotation.frequencies), rotation.pairing]);
    const known = shared.rules.get(key) ?? {
      branches: branchesIn(nodes, one.remap!, shared.tokens, shared.lengths, rank),
      tables: new Map<string, FeatureTables[]>(),
    };
    shared.rules.set(key, known);
    const { branches, tables } = known;
    const type = featureType(one.step.ins[0]);
    const tablesOf = (side: "queries" | "keys", to: readonly string[], of: Order): FeatureTables[] => {
      const name = `${side} ${type} ${of}`;
      const shift = (positions: string): string => nodes.math("Sub", positions, shared.tokens[side]);
      const made =
        tables.get(name) ?? to.map((positions) => tablesIn(nodes, rotation, shift(positions), of, rank, type));
      tables.set(name, made);
      return made;
    };
    const [keyTables] = tablesOf("keys", [branches.keys], order);
    const farKeys = factorOf(rotatedIn(nodes, keys, keyTables!, rotation, keyPart, order, rank));
    const far = tablesOf("queries", branches.queries, "tokens-features").map((table) => {
      const product = [rotatedIn(nodes, queries, table, rotation, queryPart, "tokens-features", rank), farKeys];
      const plain = nodes.add("MatMul", product);
      return alpha === 1 ? plain : nodes.add("Mul", [plain, nodes.constant(type, [alpha])]);
    });
    const all = [scores.name, ...far];
    const merged = branches.before.reduceRight(
      (others, mask, i) => nodes.add("Where", [mask, all[i]!, others]),
      all.at(-1)!,
    );
    return branches.factor ? nodes.add("Mul", [merged, nodes.asType(branches.factor, type)]) : merged;
  }

  /** Adds the scores times the temperature of each query. */
  private factored(nodes: NewNodes, one: Changed, remapped: string, scores: Scores): string {
    const { tokens } = this.sharedOf(nodes, one, scores);
    const factor = alongQueries(nodes, temperatureIn(nodes, one.temperature!, tokens.queries), scores.rank);
    return nodes.add("Mul", [remapped, nodes.asType(factor, featureType(one.step.ins[0]))]);
  }
}

/** Adds the temperature at positions. Meta 2025 (Llama 4); "log-n": Su 2021, kexue.fm/archives/8823; "log": Inkling. */
function temperatureIn(nodes: NewNodes, rule: Temperature, positions: string): string {
  const at = nodes.math("Add", positions, rule.offset ?? 0);
  const ln = (value: string): string => nodes.add("Log", [value]);
  if (rule.rule === "log-n") {
    const ratio = nodes.math("Div", ln(nodes.math("Add", nodes.add("Relu", [at]), 1)), Math.log(rule.length));
    return nodes.math("Add", nodes.add("Relu", [nodes.math("Sub", ratio, 1)]), 1);
  }
  if (rule.rule === "log") {
    const ratio = nodes.math("Div", nodes.math("Add", at, 1), rule.length);
    const capped = nodes.math("Add", nodes.add("Relu", [nodes.math("Sub", ratio, 1)]), 1);
    return nodes.math("Add", nodes.math("Mul", ln(capped), rule.factor), 1);
  }
  const steps = nodes.add("Relu", [nodes.add("Floor", [nodes.math("Div", at, rule.length)])]);
  return nodes.math("Add", nodes.math("Mul", ln(nodes.math("Add", steps, 1)), rule.factor), 1);
}

function wordsOf({ remap, temperature }: Changed): string {
  const words = [
    ...(remap ? [`distances by ${remap.kind}`] : []),
    ...(temperature ? ["a temperature by position"] : []),
  ];
  return `has ${words.join(" and ")} now`;
}
