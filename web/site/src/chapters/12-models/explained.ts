// What the library's explanation of an encoding says, as rows of names and values in the reader's language.
import { explain, type Explanation } from "posenc/explain";
import type { Posenc } from "../../lib/engine.svelte.ts";
import { fixed, grouped, short } from "../../lib/format.ts";
import { fill } from "../../lib/i18n.ts";
import type { Kind, Names } from "./atlas.ts";
import type { en } from "./text.en.ts";

type Text = typeof en.explained;
export type Spec = Parameters<Posenc["create"]>[0];
export type { Explanation };
type Rotary = Extract<Explanation, { family: "rotary" }>;
type Bias = Extract<Explanation, { family: "bias" }>;
type Table = Extract<Explanation, { family: "table" }>;

/** `contextLength`: not given where nothing limits or says it. */
export const explainSpec = (pe: Posenc, spec: Spec, contextLength?: number): Explanation =>
  explain(pe, spec, contextLength === undefined ? {} : { contextLength });

export interface Row {
  name: string;
  value: string;
}

type Fields = Record<string, unknown>;

const least = (values: ArrayLike<number>) => Math.min(...Array.from(values));
const most = (values: ArrayLike<number>) => Math.max(...Array.from(values).filter(Number.isFinite));

const wavesRow = (waves: ArrayLike<number>, text: Text): Row => ({
  name: text.rows.wavelengths,
  value: fill(text.rows.wavelengthsValue, { first: short(least(waves)), last: short(most(waves)) }),
});

/** Which pairs a scaling rule leaves alone, and how much slower it makes the others. */
function runRows(runs: Rotary["pairs"], { rows }: Text): Row[] {
  if (runs.length === 1 && runs[0].change === "unchanged") return [];
  return runs.map(({ first, last, change, ratio }) => {
    const [low, high] = ratio.map(short);
    const form = change === "unchanged" || change === "still" ? rows.run : low === high ? rows.runOne : rows.runRatio;
    const span = first === last ? first : `${first}–${last}`;
    return { name: rows[change], value: fill(form, { span, low, high }) };
  });
}

function turningRow({ rotations: turns, contextLength }: Rotary, { rows }: Text): Row[] {
  if (!turns || contextLength === undefined) return [];
  const count = turns.filter((turn) => turn >= 1).length;
  const values = { count, pairs: turns.length, length: grouped(contextLength) };
  return [{ name: rows.turning, value: fill(rows.turningValue, values) }];
}

function rotaryRows(explanation: Rotary, spec: Fields, text: Text): Row[] {
  const { rows } = text;
  const { dim, rotaryDim } = spec as Record<string, number | undefined>;
  const pairing = (spec["pairing"] ?? "half") as keyof typeof rows.pairings;
  const beyond = explanation.regimes
    .slice(1)
    .flatMap(({ fromLength, pairs }) => [
      { name: fill(rows.regime, { from: grouped(fromLength) }), value: "" },
      ...runRows(pairs, text),
    ]);
  return [
    { name: rows.head, value: fill(rows.headValue, { turning: rotaryDim || dim!, dim: dim! }) },
    { name: rows.pairs, value: String(explanation.wavelengths.length) },
    { name: rows.pairing, value: rows.pairings[pairing] },
    ...(typeof spec["base"] === "number" ? [{ name: rows.base, value: grouped(spec["base"]) }] : []),
    wavesRow(explanation.wavelengths, text),
    ...turningRow(explanation, text),
    ...runRows(explanation.regimes[0]?.pairs ?? explanation.pairs, text),
    ...beyond,
    ...(explanation.attentionFactor === 1
      ? []
      : [{ name: rows.magnitude, value: fixed(explanation.attentionFactor ** 2, 3) }]),
  ];
}

function tableRows(explanation: Table, spec: Fields, text: Text): Row[] {
  const { rows } = text;
  return [
    { name: rows.dim, value: grouped(explanation.dim) },
    ...(typeof spec["length"] === "number"
      ? [{ name: rows.rows, value: fill(rows.rowsValue, { count: grouped(spec["length"]) }) }]
      : []),
    ...(typeof spec["base"] === "number" ? [{ name: rows.base, value: grouped(spec["base"]) }] : []),
    ...(explanation.wavelengths ? [wavesRow(explanation.wavelengths, text)] : []),
    ...(explanation.shiftable ? [{ name: rows.shiftable, value: rows.yes }] : []),
  ];
}

function biasRows({ heads, slopes, reach }: Bias, text: Text): Row[] {
  const { rows } = text;
  const half = reach?.halved.filter(Number.isFinite) ?? [];
  const range = (values: ArrayLike<number>) => ({ first: short(most(values)), last: short(least(values)) });
  const reaches = { first: grouped(least(half)), last: grouped(most(half)) };
  return [
    { name: rows.heads, value: String(heads) },
    ...(slopes ? [{ name: rows.slopes, value: fill(rows.slopesValue, range(slopes)) }] : []),
    ...(slopes && half.length ? [{ name: rows.half, value: fill(rows.halfValue, reaches) }] : []),
  ];
}

function familyRows(explanation: Explanation, spec: Fields, text: Text): Row[] {
  if (explanation.family === "rotary") return rotaryRows(explanation, spec, text);
  if (explanation.family === "table") return tableRows(explanation, spec, text);
  if (explanation.family === "bias") return biasRows(explanation, text);
  return typeof spec["dim"] === "number" ? [{ name: text.rows.dim, value: String(spec["dim"]) }] : [];
}

/** All rows: the kind, what its family has, and the numbers that are learned. */
export function explainedRows(explanation: Explanation, spec: Spec, text: Text, names: Names): Row[] {
  const learned = Object.entries(explanation.parameters).map(([name, dims]) => `${name} [${dims.join(" × ")}]`);
  return [
    { name: text.rows.kind, value: names.kinds[explanation.kind as Kind] },
    ...familyRows(explanation, spec as unknown as Fields, text),
    ...(learned.length ? [{ name: text.rows.learned, value: learned.join(", ") }] : []),
  ];
}

const plain = (value: unknown): unknown => (ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value);

/** Without what the library takes anyway. */
export function withoutDefaults(pe: Posenc, spec: Spec): Spec {
  const { fields } = pe.describe().find(({ kind }) => kind === spec.kind)!;
  const usual = new Map(fields.map((field) => [field.name, JSON.stringify(field.default ?? null)]));
  const kept = Object.entries(spec).filter(([name, value]) => usual.get(name) !== JSON.stringify(plain(value) ?? null));
  return Object.fromEntries([["kind", spec.kind], ...kept]) as unknown as Spec;
}

/** The spec as one would write it: the kind first, long lists cut. */
export function specText(spec: Spec): string {
  const { kind, ...fields } = spec as unknown as Fields;
  const print = (value: unknown) => {
    const list = plain(value);
    if (!Array.isArray(list)) return JSON.stringify(list);
    return list.length > 8 ? `[${list.slice(0, 4).join(", ")}, … ${list.length}]` : `[${list.join(", ")}]`;
  };
  const written = Object.entries({ kind, ...fields }).map(([name, value]) => `${name}: ${print(value)}`);
  return `{ ${written.join(", ")} }`;
}
