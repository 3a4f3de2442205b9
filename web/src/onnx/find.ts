// What carries positions in a model.
import type { Spec } from "../base/specs.gen.js";
import type { Constant, Flow, Step } from "./flow.js";
import { matchFrequencies } from "./match.js";
import { computedRotations, type FoundRotation } from "./rotary.js";
import { tabledRotations } from "./rotary-tables.js";
import { findBiases, type FoundBias } from "./bias.js";
import { findTables, type FoundTable } from "./learned.js";
import { sinusoidOf } from "./sinusoids.js";
import { Sites } from "./sites.js";
import type { DataType, Files } from "./values.js";

/** Something in a model that knows positions. */
export interface Carrier {
  readonly family: "table" | "rotary" | "bias" | "relative";
  readonly form: string;
  /** Layers that use it, from 0 on. */
  readonly layers: readonly number[];
  readonly heads?: number;
  readonly dim?: number;
  readonly pairing?: "half" | "interleaved";
  readonly rows?: number;
  readonly type: DataType;
  readonly attentionFactor?: number;
  readonly frequencies?: Float64Array;
  readonly spec?: Spec;
  readonly error?: number;
  readonly maxLength?: number;
  /** Of DeBERTa, whose width the graph does not tell: how many buckets distances have, and up to which. */
  readonly buckets?: number;
  readonly maxDistance?: number | undefined;
  readonly where: { readonly tensors: readonly string[]; readonly nodes: readonly string[] };
}

const nameOf = ({ tensor, node }: Constant): string => node?.outputs[0] ?? tensor.name;
const stepName = ({ node }: Step): string => node.name || node.outputs[0] || node.op;

const tolerances: Partial<Record<DataType, number>> = { float16: 1e-3, bfloat16: 8e-3, float64: 1e-9 };

function rotary(found: FoundRotation, sites: Sites): Carrier {
  const { frequencies, rows, pairing, tableError } = found;
  const match = matchFrequencies(frequencies, tolerances[found.type] ?? 1.3e-6);
  const own = found.steps.map((step) => sites.layerOf(step)).filter((layer) => layer !== undefined);
  return {
    family: "rotary",
    form: found.form,
    layers: [...new Set([...sites.reachedBy(found.users), ...own])].sort((a, b) => a - b),
    dim: 2 * frequencies.length,
    ...(pairing && { pairing }),
    ...(rows !== undefined && { rows, maxLength: rows }),
    type: found.type,
    attentionFactor: found.attentionFactor,
    frequencies,
    ...(match && { spec: { ...match.spec, ...(pairing === "interleaved" && { pairing }) } as Spec }),
    error: tableError ?? match?.error ?? 0,
    where: { tensors: found.constants.map(nameOf), nodes: found.steps.map(stepName) },
  };
}

/** Of sinusoids only the base is told: how sines and cosines lie, the graph knows alone. */
function sinusoid(found: FoundRotation, sites: Sites): Carrier {
  const { spec, pairing, attentionFactor, ...carrier } = rotary(found, sites);
  void [pairing, attentionFactor];
  const { dim } = carrier;
  return {
    ...carrier,
    family: "table",
    layers: sites.all,
    ...(spec?.kind === "rope" && { spec: { kind: "sinusoidal", dim, base: spec.base } as Spec }),
  };
}

function bias(found: FoundBias, sites: Sites): Carrier {
  const { family, form, heads, rows, buckets, maxDistance, type, spec, error } = found;
  return {
    family,
    form,
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

async function table(found: FoundTable, sites: Sites, files: Files): Promise<Carrier> {
  const { form, rows, dim, start, type, constants, steps } = found;
  const sinusoids = start === 0 ? await sinusoidOf(files, constants[0]!, found) : undefined;
  return {
    family: "table",
    form,
    layers: sites.all,
    rows,
    dim,
    type,
    spec: { kind: "learned", length: rows, dim, ...(start && { start }) } as Spec,
    ...sinusoids,
    ...(form !== "resized" && { maxLength: rows - start }),
    where: { tensors: constants.map(nameOf), nodes: steps.map(stepName) },
  };
}

/** What a rewrite has to know of a carrier. */
export type Found = FoundRotation | FoundBias | FoundTable;

/** All of them, in no order that matters. */
export async function findCarriers(files: Files, flow: Flow): Promise<Map<Carrier, Found>> {
  const sites = new Sites(flow);
  const carriers = new Map<Carrier, Found>();
  for await (const found of computedRotations(flow, files))
    carriers.set(found.isAdded ? sinusoid(found, sites) : rotary(found, sites), found);
  for await (const found of tabledRotations(flow, files)) carriers.set(rotary(found, sites), found);
  for await (const found of findBiases(flow, files)) carriers.set(bias(found, sites), found);
  const known = new Set([...carriers.keys()].flatMap(({ where }) => where.tensors));
  for await (const found of findTables(flow, files))
    if (!found.constants.some((constant) => known.has(nameOf(constant))))
      carriers.set(await table(found, sites, files), found);
  return carriers;
}
