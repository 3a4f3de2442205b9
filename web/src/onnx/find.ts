// What carries positions in a model.
import type { Spec } from "../base/specs.gen.js";
import type { OwnedFloat64Array } from "../base/types.js";
import type { Constant, Flow, Step } from "./flow.js";
import { matchFrequencies, type Fits, type Match } from "./match.js";
import { computedRotations, type FoundRotation } from "./rotary.js";
import { tabledRotations } from "./rotary-tables.js";
import { findBiases, type FoundBias } from "./bias.js";
import { findTables, type FoundTable } from "./learned.js";
import { sinusoidOf } from "./sinusoids.js";
import { sitesOf, type Sites } from "./sites.js";
import type { DataType, Files } from "./values.js";

/** Something in a model that knows positions. */
export interface Carrier {
  /** That of the encodings that do the same. */
  readonly family: "table" | "rotary" | "bias" | "relative";
  /**
   * How the graph has it: `frequencies`, `tables` or `cache` of a rotation; `slopes`, `baked-slopes`, `buckets` or `windowed` of a bias;
   * `gathered`, `added`, `resized` or `frequencies` of a table.
   */
  readonly form: string;
  /** Layers that use it, from 0 on; empty: the graph does not tell. */
  readonly layers: readonly number[];
  /** Heads that a bias has. */
  readonly heads?: number;
  /** Features that a rotation turns, or width of a table's rows. */
  readonly dim?: number;
  /** Which features make a pair; undefined where the graph does not tell. */
  readonly pairing?: "half" | "interleaved";
  /** Rows of a table, or buckets. */
  readonly rows?: number;
  /** What its numbers are stored as. */
  readonly type: DataType;
  /** What cosines and sines are multiplied by: YaRN, LongRoPE. */
  readonly attentionFactor?: number;
  /** Radians per position of each pair, [pairs]. */
  readonly frequencies?: OwnedFloat64Array;
  /** The rule that the numbers follow; undefined: none that is known without more. */
  readonly spec?: Spec;
  /**
   * Values of fields of `spec` that give the same frequencies as the one in `spec`: { originalLength: [768, 1024] } if either is
   * what the model was made with. undefined: no other value is known to fit.
   */
  readonly fits?: Fits;
  /** The largest difference from the rule: relative for frequencies and slopes, absolute for cosines and sines. */
  readonly error?: number;
  /** Longest text, in tokens, that its rows are enough for. */
  readonly maxLength?: number;
  /** Of DeBERTa, whose width the graph does not tell: how many buckets distances have, and up to which. */
  readonly buckets?: number;
  /** Of DeBERTa: the distance, in tokens, where buckets end. */
  readonly maxDistance?: number | undefined;
  /** The tensors that hold its numbers, and nodes that use them, by the names they have in the file. */
  readonly where: { readonly tensors: readonly string[]; readonly nodes: readonly string[] };
}

const nameOf = ({ tensor, node }: Constant): string => node?.outputs[0] ?? tensor.name;
const stepName = ({ node }: Step): string => node.name || node.outputs[0] || node.op;

const tolerances: Partial<Record<DataType, number>> = { float16: 1e-3, bfloat16: 8e-3, float64: 1e-9 };

const matched = new WeakMap<Float64Array, Match | undefined>();
/** The rule of frequencies. Steps with the same frequencies share the result. */
function matchOf({ frequencies, type }: FoundRotation): Match | undefined {
  if (!matched.has(frequencies)) matched.set(frequencies, matchFrequencies(frequencies, tolerances[type] ?? 1.3e-6));
  return matched.get(frequencies);
}

function rotary(found: FoundRotation, sites: Sites): Carrier {
  const { frequencies, rows, pairing, tableError } = found;
  const match = matchOf(found);
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
    ...(match?.fits && { fits: match.fits }),
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

type Sinusoids = Awaited<ReturnType<typeof sinusoidOf>>;

function table(found: FoundTable, sites: Sites, sinusoids: Sinusoids): Carrier {
  const { form, rows, dim, start, type, constants, steps } = found;
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
  const sites = sitesOf(flow);
  const carriers = new Map<Carrier, Found>();
  for await (const found of computedRotations(flow, files))
    carriers.set(found.isAdded ? sinusoid(found, sites) : rotary(found, sites), found);
  for await (const found of tabledRotations(flow, files)) carriers.set(rotary(found, sites), found);
  for await (const found of findBiases(flow, files)) carriers.set(bias(found, sites), found);
  // Few models have these, and no others beside them.
  if (carriers.size === 0)
    for await (const found of (await import("./windowed.js")).findWindowed(flow, files))
      carriers.set(bias(found, sites), found);
  const known = new Set([...carriers.keys()].flatMap(({ where }) => where.tensors));
  const sinusoids = new Map<Constant, Sinusoids>();
  for await (const found of findTables(flow, files)) {
    const [constant] = found.constants;
    if (known.has(nameOf(constant!))) continue;
    if (!sinusoids.has(constant!)) sinusoids.set(constant!, await sinusoidOf(files, constant!, found));
    carriers.set(table(found, sites, found.start === 0 ? sinusoids.get(constant!) : undefined), found);
  }
  return carriers;
}
