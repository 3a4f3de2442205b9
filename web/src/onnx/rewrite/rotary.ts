// Rewrites rotations in a model's constants.
import { PosencError } from "../../base/errors.js";
import type { RotaryEncoding } from "../../encodings/rotary.js";
import { describeSpec, needsLength, variesWithLength, type FieldsOf } from "../audit/match.js";
import type { Insertion, Changes } from "./changes.js";
import { attributeOf, type Step, type Value } from "../read/flow.js";
import type { FoundRotation, RotaryParts } from "../find/rotary.js";
import { formOps, scalarOf } from "../read/trace.js";
import { isNarrow, typeNamed } from "../read/values.js";
import type { Work } from "./work.js";

/** A rotation and its new encoding. */
export interface Rotated {
  /** The component, which may contain several equal rotations. */
  readonly owner: FoundRotation;
  readonly found: FoundRotation;
  /** New encoding; undefined: unchanged. */
  readonly encoding: RotaryEncoding | undefined;
  /** Whether present values stay bit-identical: no rotation was requested, or the one that they follow already. */
  readonly isKept: boolean;
  /** Number of rows that tables need for the texts of the new rotation; undefined: as many as there are. */
  readonly rows?: number | undefined;
}

type Parts<Form> = Extract<RotaryParts, { form: Form }>;

function nowIs({ kind, spec }: RotaryEncoding, length = 1): string {
  const { originalLength = 1 } = spec as unknown as FieldsOf;
  const step = length > originalLength ? `more than ${originalLength}` : `up to ${originalLength}`;
  const where = variesWithLength(kind) ? `, for texts of ${needsLength(kind) ? length : step} tokens` : "";
  return `is ${describeSpec(spec)} now${where}`;
}
const alreadyIs = ({ spec }: RotaryEncoding): string => `is ${describeSpec(spec)} already`;

/** `length`: tokens of the text; undefined: not requested. */
function frequenciesOf(encoding: RotaryEncoding, found: FoundRotation, length: number | undefined): Float64Array {
  if (length === undefined && needsLength(encoding.kind))
    throw new PosencError(
      "invalid-argument",
      `length: required by ${encoding.kind}, whose frequencies depend on the number of tokens`,
      "length",
    );
  const frequencies = length === undefined ? encoding.inverseFrequencies : encoding.frequenciesAt(length);
  const pairs = found.frequencies.length;
  if (frequencies.length === pairs) return frequencies;
  throw new PosencError("shape-mismatch", `rotary: has ${frequencies.length} pairs, the model has ${pairs}`, "rotary");
}

/** Relative difference up to which attention factors are the same float32. */
const sameFactor = 1e-7;

export function rewriteComputed(work: Work, { owner, found, encoding: asked, isKept }: Rotated): void {
  const { changes, length, isWide, used } = work;
  const parts = found.parts as Parts<"frequencies">;
  const angles = typeNamed(parts.angleType) ?? "float32";
  const widens = isWide && isNarrow(angles);
  const encoding = isKept && !widens ? undefined : asked;
  if (asked && !encoding) changes.record(parts.value.name, alreadyIs(asked));
  if (!encoding && !widens) return;
  if (widens) used.add("angles");
  // The new frequencies are computed for `length`.
  if (encoding && variesWithLength(encoding.kind)) used.add("length");
  const frequencies = encoding ? frequenciesOf(encoding, found, length) : found.frequencies;
  const stored = (frequency: number): number => (parts.isInverse ? parts.scale / frequency : frequency / parts.scale);
  const numbers = Float64Array.from(frequencies, stored);
  const what = encoding ? nowIs(encoding, length) : "is float32 now";
  const factor = encoding?.attentionFactor ?? found.attentionFactor;
  if (parts.value.constant)
    work.constants.choose([owner], parts.value, {
      // Components that share their cosines must have equal factors, too.
      key: [factor, ...numbers].join(),
      numbers,
      what,
      option: encoding ? "rotary" : "angles",
      ...(widens && { type: "float32" }),
    });
  else changes.setMade(parts.value.maker!, "float32", numbers, what);
  const insertions: Insertion[] = [];
  const type = widens ? "float32" : angles;
  if (encoding && Math.abs(encoding.attentionFactor / found.attentionFactor - 1) > sameFactor)
    if (!replaceFactor(changes, parts, encoding.attentionFactor))
      insertions.push({ op: "Mul", factor: encoding.attentionFactor / found.attentionFactor, type });
  if (widens) {
    widen(changes, parts);
    insertions.push({ op: "Cast", to: angles });
  }
  const words = insertions.map((one) =>
    one.op === "Mul" ? `is multiplied by ${one.factor} now` : "is computed in float32 now",
  );
  if (insertions.length > 0)
    for (const step of [parts.cos, parts.sin]) changes.insertAfter(step, insertions, words.join(" and "));
}

/** Replaces the scalar factor of cosines and sines, if nothing else uses it. Returns whether it did. */
function replaceFactor(changes: Changes, { factors }: Parts<"frequencies">, factor: number): boolean {
  const scalars = factors.map((step) => step.ins.find((value) => scalarOf(value))!);
  const isOwn = (value: Value): boolean => !!value.constant && value.users.every((step) => factors.includes(step));
  if (scalars.length !== 2 || !scalars.every(isOwn)) return false;
  for (const value of new Set(scalars)) changes.setElements(value, [factor], `the attention factor is ${factor} now`);
  return true;
}

/** Maximum number of steps that are searched for casts. */
const mostSteps = 64;

/** Replaces casts to 16-bit floats of positions and angles by casts to float32. */
function widen(changes: Changes, { product, cos, sin }: Parts<"frequencies">): void {
  const casts = new Set<Step>();
  const collect = (from: Value | undefined, end?: Step): void => {
    let at = from;
    for (let left = mostSteps; left > 0 && at?.maker && at.maker !== end; left--, at = at.maker.ins[0]) {
      const step = at.maker;
      const to = step.op === "Cast" ? typeNamed(attributeOf(step.node, "to")?.i ?? 0) : undefined;
      if (isNarrow(to)) casts.add(step);
      if (!formOps.has(step.op) && step.op !== "Concat") return;
    }
  };
  for (const value of product.ins) collect(value);
  for (const step of [cos, sin]) collect(step.ins[0], product);
  for (const cast of casts) changes.castTo(cast, "float32", "is float32 now: 16-bit angles are imprecise");
  changes.stale.add(product.outs);
}

/**
 * Returns the new number of rows of the last of stacked tables: `length`, or what the new rotation needs if the graph
 * reads rows one by one.
 */
function lengthOf({ length }: Work, stack: readonly Rotated[]): number | undefined {
  const { found, rows } = stack.at(-1)!;
  const { isWhole } = found.parts as Parts<"tables">;
  if (length !== undefined || isWhole || stack.length > 1) return length;
  return rows !== undefined && rows > found.rows! ? rows : undefined;
}

/** Whether longer texts, for which a rotation is scaled, need more rows. The factor of NTK scaling does not determine how many. */
const needsRows = ({ encoding, rows = 0, found }: Rotated): boolean =>
  !!encoding && (encoding.kind === "rope-ntk" || rows > found.rows!);

/**
 * Rewrites the tables of cosines and sines in the same constants, one after another. Returns the change of the number of
 * rows.
 */
export async function rewriteTables(work: Work, stack: readonly Rotated[]): Promise<number> {
  const { constants, used } = work;
  const length = lengthOf(work, stack);
  used.add("length");
  const { cos, sin, layout } = stack[0]!.found.parts as Parts<"tables">;
  const segments = stack.map((one, i) => segmentOf(one, length, i + 1 === stack.length));
  const rows = segments.reduce((all, segment) => all + segment.rows, 0);
  const inWords = ({ encoding, isKept }: Rotated): string =>
    !encoding ? "stays" : isKept ? alreadyIs(encoding) : nowIs(encoding, length ?? rows);
  const words = [...new Set(stack.map(inWords))].join(", then ");
  if (segments.every(({ kept, rows: all }) => kept === all)) {
    if (stack.some(({ encoding }) => encoding)) work.changes.record(cos.name, words);
    return 0;
  }
  const isShort = length === undefined && needsRows(stack.at(-1)!);
  const founds = stack.map(({ owner }) => owner);
  const key = segments.map((segment) => [segment.rows, segment.factor, ...segment.frequencies].join()).join(";");
  for (const value of new Set([cos, sin])) {
    const { dims } = value.constant!.tensor;
    const old = await work.numbersOf(value);
    const axis = dims.length - (layout === "pairs" ? 3 : 2);
    const width = dims.slice(axis + 1).reduce((all, dim) => all * dim, 1);
    const numbers = work.newElements(value, rows * width, work.length === undefined ? "rotary" : "length");
    let row = 0;
    for (const segment of segments) {
      const kept = old.subarray(segment.first * width, (segment.first + segment.kept) * width);
      fill(
        numbers.subarray(row * width, (row + segment.rows) * width),
        segment,
        layout ?? (value === cos ? "cos" : "sin"),
        kept,
      );
      row += segment.rows;
    }
    const option = stack.every(({ isKept }) => isKept) ? "length" : "rotary";
    const what = `${words}; ${rows} rows${isShort ? " as before: longer texts need `length`" : ""}`;
    constants.choose(founds, value, { key, numbers, what, option, dims: dims.with(axis, rows) });
  }
  return rows - stack.reduce((all, { found }) => all + found.rows!, 0);
}

interface Segment {
  readonly first: number;
  readonly rows: number;
  /** Number of rows that stay unchanged. */
  readonly kept: number;
  readonly frequencies: Float64Array;
  readonly factor: number;
  readonly repeated: "half" | "interleaved" | undefined;
  /** Whether angles are rounded to float32. */
  readonly isRounded: boolean;
}

/**
 * Returns the segment of a table. Only the last of stacked tables can get more rows: the graph has the start of each.
 */
function segmentOf({ found, encoding, isKept }: Rotated, length: number | undefined, isLast: boolean): Segment {
  const { first, repeated, scale = 1 } = found.parts as Parts<"tables">;
  const { precision, originalLength = 0 } = (encoding?.spec ?? {}) as FieldsOf & { precision?: string };
  const had = found.rows!;
  const rows = isLast && length !== undefined ? length : had;
  const tokens = length ?? (had > originalLength ? had : undefined);
  return {
    first,
    rows,
    kept: isKept ? Math.min(rows, had) : 0,
    frequencies: encoding ? frequenciesOf(encoding, found, tokens) : found.frequencies,
    factor: (encoding && !isKept ? encoding.attentionFactor : found.attentionFactor) / scale,
    repeated,
    isRounded: !isKept && precision === "float32",
  };
}

type Layout = "cos" | "sin" | "cos-sin" | "sin-cos" | "pairs";

/** Writes the rows of a segment to `out`: the kept ones, then new ones with the rounding of the last kept row. */
function fill(out: Float64Array, segment: Segment, layout: Layout, kept: Float64Array): void {
  const width = out.length / segment.rows;
  const rowsKept = kept.length / width;
  out.set(kept);
  const rounded = { ...segment, frequencies: Float64Array.from(segment.frequencies, Math.fround), isRounded: true };
  const apart = (by: Segment): number => {
    const last = kept.subarray(-width);
    const row = new Float64Array(width);
    putRow(row, rowsKept - 1, by, layout);
    return row.reduce((all, value, i) => all + Math.abs(value - last[i]!), 0);
  };
  const by = rowsKept > 0 && apart(rounded) < apart(segment) ? rounded : segment;
  for (let t = rowsKept; t < segment.rows; t++) putRow(out.subarray(t * width, (t + 1) * width), t, by, layout);
}

/** Writes cosines and sines of position `t` to a row. */
function putRow(
  row: Float64Array,
  t: number,
  { frequencies, factor, repeated, isRounded }: Segment,
  layout: Layout,
): void {
  const pairs = frequencies.length;
  for (let k = 0; k < row.length; k++) {
    const alternates = repeated === "interleaved" || layout === "pairs";
    const exact = t * frequencies[alternates ? k >> 1 : k % pairs]!;
    const angle = isRounded ? Math.fround(exact) : exact;
    const isCos = layout === "pairs" ? k % 2 === 0 : layout === "cos" || layout === (k < pairs ? "cos-sin" : "sin-cos");
    row[k] = factor * (isCos ? Math.cos(angle) : Math.sin(angle));
  }
}
