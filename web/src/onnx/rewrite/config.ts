// Finds the rotation that a config.json has for the layers of a component.
import { PosencError } from "../../base/errors.js";
import type { Spec } from "../../base/specs.gen.js";
import { attends } from "../../config/attends.js";
import type { PositionalComponent } from "../component.js";
import { nameComponent, nameLayers } from "../audit/finding.js";
import type { Library, LibraryLayerSpec } from "../options.js";
import { describeSpec } from "../audit/match.js";

type Pairing = PositionalComponent["pairing"];
/** The layers of a part of the model with attention, in order. */
type Part = readonly Pick<LibraryLayerSpec, "part" | "spec">[];

const refused = (component: PositionalComponent, why: string): PosencError =>
  new PosencError("unsupported", `rotary: ${nameComponent(component)}: ${why}`, "rotary");

/** Whether the spec is of the family "rotary". */
export const isRotation = (spec: Spec | null): spec is Spec =>
  spec !== null && (/^rope/.test(spec.kind) ? spec.kind !== "rope-mixed" : spec.kind === "xpos");

/** Returns each spec once, with the layers that have it. */
function distinct(layers: Part): Map<string, { spec: Spec; layers: number[] }> {
  const found = new Map<string, { spec: Spec; layers: number[] }>();
  layers.forEach(({ spec }, layer) => {
    if (!isRotation(spec)) return;
    const key = JSON.stringify(spec);
    const one = found.get(key) ?? { spec, layers: [] };
    one.layers.push(layer);
    found.set(key, one);
  });
  return found;
}

/** Formats specs: "plain rotation with base 10000 (layers 0-4), plain rotation with base 1000000 (layer 5)". */
const listOf = (specs: Iterable<{ spec: Spec; layers: readonly number[] }>): string =>
  Array.from(specs, ({ spec, layers }) => `${describeSpec(spec)} (${nameLayers(layers)})`).join(", ");

/** The rotations of configs for the layers of a graph. */
export class ConfigRotations {
  private readonly known = new Map<object, Map<Pairing, Part[] | PosencError | undefined>>();

  /** `layers`: number of layers of the graph with attention. */
  constructor(
    private readonly pe: Library,
    private readonly layers: number,
  ) {}

  /**
   * Returns the spec that a config has for the layers of a component.
   *
   * @throws {PosencError} `unsupported` if these layers have several specs or none, or if the graph does not show the
   * layers of the component and the config has several specs; errors of `layerSpecs` and `fromConfig`.
   */
  specOf(config: object, component: PositionalComponent): Spec {
    const parts = this.partsOf(config, component.pairing);
    if (!Array.isArray(parts)) return this.ofAll(config, component, parts);
    const fitting = parts.filter(({ length }) => length === this.layers);
    const part = this.chosen(fitting, component) ?? parts[0] ?? [];
    const all = distinct(part);
    if (all.size === 0) throw refused(component, "the config describes no rotation");
    const [only, ...others] = all.values();
    if (fitting.includes(part) && component.layers.length > 0) return ofLayers(part, component);
    if (others.length === 0) return only!.spec;
    const why =
      component.layers.length === 0
        ? "the graph does not show its layers"
        : `the graph has ${this.layers} layers, the config ${part.length}`;
    throw refused(component, `${why}, and the config's layers differ: ${listOf(all.values())}`);
  }

  /**
   * Returns the part that rotates, of the parts with as many layers as the graph; a language model before an image
   * encoder.
   */
  private chosen(fitting: readonly Part[], component: PositionalComponent): Part | undefined {
    const rotating = fitting.filter((part) => distinct(part).size > 0);
    const [first, ...others] = rotating;
    const isText = first?.[0]?.part === "text";
    const specsOf = (part: Part): string => JSON.stringify(part.map(({ spec }) => spec));
    if (first && !isText && others.some((part) => specsOf(part) !== specsOf(first))) {
      const names = rotating.map((part) => part[0]!.part).join(" and ");
      throw refused(component, `the config's ${names} have ${this.layers} layers each and differ`);
    }
    return first;
  }

  private partsOf(config: object, pairing: Pairing): Part[] | PosencError | undefined {
    const byPairing = this.known.get(config) ?? new Map<Pairing, Part[] | PosencError | undefined>();
    this.known.set(config, byPairing);
    if (!byPairing.has(pairing)) byPairing.set(pairing, readParts(this.pe, config, pairing));
    return byPairing.get(pairing);
  }

  /** Returns the only rotation of a config whose layers cannot be listed, for the reason in `error`. */
  private ofAll(config: object, { pairing }: PositionalComponent, error: PosencError | undefined): Spec {
    try {
      return this.pe.fromConfig(config, pairing && { pairing }).spec;
    } catch (other) {
      throw (other instanceof PosencError && other.field === "layerType" && error) || other;
    }
  }
}

const partNames = ["text", "encoder", "decoder", "vision", "audio"] as const;

/**
 * Returns the parts that can be read; the error of the first part if there is none; undefined: they were not requested.
 */
function readParts(pe: Library, config: object, pairing: Pairing): Part[] | PosencError | undefined {
  const errors: PosencError[] = [];
  const parts: Part[] = [];
  for (const part of pe.layerSpecs ? partNames : [])
    try {
      parts.push(pe.layerSpecs!(config, { part, ...(pairing && { pairing }) }).filter(({ type }) => attends(type)));
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
      // The config does not have this part.
      if (error.field !== "part") errors.push(error);
    }
  return parts.length > 0 ? parts : errors[0];
}

function ofLayers(part: Part, component: PositionalComponent): Spec {
  const own = component.layers.map((layer) => part[layer]!);
  const still = component.layers.filter((_, i) => !isRotation(own[i]!.spec));
  if (still.length > 0)
    throw refused(component, `${nameLayers(still)} ${still.length === 1 ? "does" : "do"} not rotate in the config`);
  const specs = new Set(own.map(({ spec }) => JSON.stringify(spec)));
  if (specs.size === 1) return own[0]!.spec!;
  const list = [...distinct(part).values()].filter(({ spec }) => specs.has(JSON.stringify(spec)));
  throw refused(component, `its layers differ in the config: ${listOf(list)}`);
}
