// Finds the positional components of a model.
import type { PositionalComponent } from "../component.js";
import type { Spec } from "../../base/specs.gen.js";
import type { Constant, Flow, Step } from "../read/flow.js";
import { matchFrequencies, type Match } from "./match.js";
import { bakedAlibi } from "./baked-alibi.js";
import { computedRotations, type FoundRotation } from "./rotary.js";
import { fixedRotations } from "./rotary-fixed.js";
import { tabledRotations } from "./rotary-tables.js";
import { findBiases, type FoundBias } from "./bias.js";
import { findTables, type FoundTable } from "./learned.js";
import { sinusoidOf } from "./sinusoids.js";
import type { FoundNamed } from "./named/facts.js";
import { sitesOf, type Sites } from "./sites.js";
import { mergeTwins } from "./twins.js";
import type { DataType, Files } from "../read/values.js";

const unchangeable = { changeable: false } as const;
const nameOf = ({ tensor, node }: Constant): string => node?.outputs[0] ?? tensor.name;
const stepName = ({ node }: Step): string => node.name || node.outputs[0] || node.op;

const tolerances: Partial<Record<DataType, number>> = { float16: 1e-3, bfloat16: 8e-3, float64: 1e-9 };

const matched = new WeakMap<Float64Array, Match | undefined>();
/** Returns the rule of frequencies. Steps with the same frequencies share the result. */
function matchOf({ frequencies, type }: FoundRotation): Match | undefined {
  if (!matched.has(frequencies)) matched.set(frequencies, matchFrequencies(frequencies, tolerances[type] ?? 1.3e-6));
  return matched.get(frequencies);
}

/** Returns YaRN's attention factor if it differs from 0.1 ln(factor) + 1, the default of its spec. */
function asFactor({ spec }: Match, { attentionFactor, type }: FoundRotation): object | undefined {
  if (spec.kind !== "rope-yarn") return undefined;
  const byRule = 0.1 * Math.log(spec.factor!) + 1;
  const tolerance = 8 * (tolerances[type] ?? 1.3e-6);
  return Math.abs(attentionFactor / byRule - 1) > tolerance ? { attentionFactor } : undefined;
}

const asSections = ({ spec }: Match, { sections }: FoundRotation): object | undefined =>
  sections && { ...(spec.kind === "rope" && "sections" in sections && { kind: "rope-mrope" }), ...sections };

function rotary(found: FoundRotation, sites: Sites): PositionalComponent {
  const { frequencies, rows, pairing, tableError, grid, axes } = found;
  const match = grid || axes ? undefined : matchOf(found);
  const own = found.steps.map((step) => sites.layerOf(step)).filter((layer) => layer !== undefined);
  return {
    family: "rotary",
    form: found.form,
    ...((grid || axes) && unchangeable),
    layers: [...new Set([...sites.reachedBy(found.users), ...own])].sort((a, b) => a - b),
    dim: 2 * frequencies.length,
    ...(pairing && { pairing }),
    ...(rows !== undefined && { rows, maxLength: rows }),
    ...(grid && { grid: [grid.height, grid.width] as const }),
    type: found.type,
    attentionFactor: found.attentionFactor,
    frequencies,
    ...(match && {
      spec: {
        ...match.spec,
        ...asFactor(match, found),
        ...asSections(match, found),
        ...(pairing === "interleaved" && { pairing }),
      } as Spec,
    }),
    ...(grid?.spec && { spec: grid.spec }),
    ...(match?.fits && { fits: match.fits }),
    error: tableError ?? match?.error ?? 0,
    where: { tensors: found.constants.map(nameOf), nodes: found.steps.map(stepName) },
  };
}

/**
 * Returns a component for sinusoids. Only the base is determined: the order of sines and cosines is in the graph only.
 */
function sinusoid(found: FoundRotation, sites: Sites): PositionalComponent {
  const { spec, pairing, attentionFactor, ...component } = rotary(found, sites);
  void [pairing, attentionFactor];
  const { dim } = component;
  return {
    ...component,
    family: "table",
    layers: sites.all,
    ...(spec?.kind === "rope" && { spec: { kind: "sinusoidal", dim, base: spec.base } as Spec }),
  };
}

function bias(found: FoundBias, sites: Sites): PositionalComponent {
  const { family, form, heads, rows, buckets, maxDistance, type, spec, error } = found;
  return {
    family,
    form,
    ...(form === "windowed" && unchangeable),
    layers: sites.reachedBy(found.users),
    ...(heads !== undefined && { heads }),
    ...(rows !== undefined && { rows }),
    ...(buckets !== undefined && { buckets, maxDistance }),
    ...(form === "baked-slopes" && rows !== undefined && { maxLength: rows }),
    type,
    ...(spec && { spec }),
    ...(error !== undefined && { error }),
    where: { tensors: found.constants.map(nameOf), nodes: found.steps.map(stepName) },
  };
}

type Sinusoids = Awaited<ReturnType<typeof sinusoidOf>>;

/** Removes leading rows of zeros from a spec: they belong to no position. */
function startingAt(spec: Spec, start: number): Spec {
  if (start === 0 || spec.kind !== "sinusoidal") return spec;
  const { paddingIndex = -1, ...others } = spec;
  return { ...others, start, ...(paddingIndex >= start && { paddingIndex: paddingIndex - start }) };
}

function table(found: FoundTable, sites: Sites, sinusoids: Sinusoids): PositionalComponent {
  const { form, rows, dim, start, grid, type, constants, steps } = found;
  return {
    family: "table",
    form,
    ...(found.isChannelsFirst && unchangeable),
    layers: sites.all,
    rows,
    dim,
    ...(grid && { grid }),
    type,
    spec: { kind: "learned", length: rows, dim, ...(start && { start }) } as Spec,
    ...(sinusoids && { ...sinusoids, spec: startingAt(sinusoids.spec, start) }),
    ...(form !== "resized" && { maxLength: rows - start }),
    where: { tensors: constants.map(nameOf), nodes: steps.map(stepName) },
  };
}

function named({ constants, steps, note, ...facts }: FoundNamed): PositionalComponent {
  void note;
  const nodes = [...new Set(steps.map(stepName))];
  return { ...facts, changeable: false, where: { tensors: constants.map(nameOf), nodes } };
}

/** The facts about a component that a rewrite needs. */
export type Found = FoundRotation | FoundBias | FoundTable | FoundNamed;

/** Positional components, and a message about cosines and sines of positions that belong to none of them. */
export interface Positions {
  readonly components: ReadonlyMap<PositionalComponent, Found>;
  readonly unexplained: string | undefined;
}

/** Finds all positional components, in no particular order. */
export async function findPositions(files: Files, flow: Flow): Promise<Positions> {
  const sites = sitesOf(flow);
  const components = await findComponents(files, flow, sites);
  if (sites.isEmpty) return { components, unexplained: undefined };
  const { findNamed } = await import("./named/named.js");
  const { found, replaced, unexplained } = await findNamed(flow, files, sites, components);
  for (const component of replaced) components.delete(component);
  for (const one of found) components.set(named(one), one);
  return { components, unexplained };
}

async function findComponents(files: Files, flow: Flow, sites: Sites): Promise<Map<PositionalComponent, Found>> {
  const components = new Map<PositionalComponent, Found>();
  const rotations: [PositionalComponent, FoundRotation][] = [];
  for (const find of [computedRotations, tabledRotations, fixedRotations])
    for await (const found of find(flow, files))
      rotations.push([found.isAdded ? sinusoid(found, sites) : rotary(found, sites), found]);
  for (const [component, found] of mergeTwins(rotations)) components.set(component, found);
  for await (const found of findBiases(flow, files)) components.set(bias(found, sites), found);
  for await (const found of bakedAlibi(flow, files)) components.set(bias(found, sites), found);
  // Few models have these, and they have no other components.
  if (components.size === 0)
    for await (const found of (await import("./windowed.js")).findWindowed(flow, files))
      components.set(bias(found, sites), found);
  const known = new Set([...components.keys()].flatMap(({ where }) => where.tensors));
  const sinusoids = new Map<Constant, Sinusoids>();
  for await (const found of findTables(flow, files)) {
    const [constant] = found.constants;
    if (known.has(nameOf(constant!))) continue;
    if (!sinusoids.has(constant!)) sinusoids.set(constant!, await sinusoidOf(files, constant!, found));
    components.set(table(found, sites, sinusoids.get(constant!)), found);
  }
  return components;
}
