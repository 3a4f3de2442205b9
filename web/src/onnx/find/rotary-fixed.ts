// Rotations whose cosines and sines are constants for a fixed number of tokens: x · cos + rotated(x) · sin.
import type { OwnedFloat64Array } from "../../base/types.js";
import type { Constant, Flow, Step, Value } from "../read/flow.js";
import { axialSpec, type Grid } from "./axial.js";
import { pairingOf, type Pairing } from "./pairing.js";
import type { FoundRotation } from "./rotary.js";
import { sourceConstant, makerOf } from "../read/trace.js";
import { countOf, isFloat, isNarrow, typeOf, type Files } from "../read/values.js";
import { frequenciesOf, tableError, cosSinRowsOf, type Rows, type CosSinRows } from "./cos-sin-tables.js";

/** Two constants and the sums in which they are combined. */
interface Fixed {
  readonly cos: Value;
  readonly sin: Value;
  readonly sums: Step[];
}

/** A product of features with a constant. */
interface Scaled {
  readonly features: Value;
  readonly value: Value;
}

function scaledBy(value: Value | undefined): Scaled | undefined {
  const maker = makerOf(value);
  if (maker?.op !== "Mul") return undefined;
  const arrivals = maker.ins.map((one) => sourceConstant(one));
  const at = arrivals[0] ? 0 : 1;
  const features = maker.ins[1 - at];
  return arrivals[at] && !arrivals[1 - at] && features ? { features, value: arrivals[at].value } : undefined;
}

const dimsOf = ({ constant }: Value): number[] => constant!.tensor.dims.filter((dim) => dim !== 1);
/** Maximum number of elements of a table, which limits the number of tokens. */
const maxElements = 4194304;

const isTable = (value: Value): boolean =>
  dimsOf(value).length === 2 &&
  isFloat(typeOf(value.constant!.tensor)) &&
  countOf(value.constant!.tensor) <= maxElements;

/** Finds the constants of x0 · cos - x1 · sin, or of x · cos + rotated(x) · sin with concatenated features. */
function* sumsOf(flow: Flow): Generator<readonly [cos: Value, sin: Value, step: Step]> {
  for (const step of flow.steps) {
    if (step.op !== "Add" && step.op !== "Sub") continue;
    const [first, second] = [scaledBy(step.ins[0]), scaledBy(step.ins[1])];
    if (!first || !second || !isTable(first.value) || !isTable(second.value)) continue;
    if (step.op === "Sub") yield [first.value, second.value, step];
    else if (makerOf(second.features)?.op === "Concat") yield [first.value, second.value, step];
    else if (makerOf(first.features)?.op === "Concat") yield [second.value, first.value, step];
  }
}

function fixedOf(flow: Flow): Fixed[] {
  const found = new Map<Value, Map<Value, Fixed>>();
  for (const [cos, sin, step] of sumsOf(flow)) {
    const bySine = found.get(cos) ?? new Map<Value, Fixed>();
    const fixed = bySine.get(sin) ?? { cos, sin, sums: [] };
    fixed.sums.push(step);
    found.set(cos, bySine.set(sin, fixed));
  }
  return [...found.values()].flatMap((bySine) => [...bySine.values()]);
}

async function rowsOf(value: Value, files: Files): Promise<Rows | undefined> {
  const [rows, width] = dimsOf(value);
  const values = await files.numbers(value.constant!);
  return values && { values, rows: rows!, width: width! };
}

const near = 1e-4;

/** Returns the axis of one pair, if its angles depend only on the row or only on the column. */
function axisOf({ cos, sin }: CosSinRows, pair: number, height: number, width: number): "y" | "x" | undefined {
  const isSame = (a: number, b: number): boolean => {
    const [i, j] = [a * cos.width + pair, b * cos.width + pair];
    return Math.abs(cos.values[i]! - cos.values[j]!) < near && Math.abs(sin.values[i]! - sin.values[j]!) < near;
  };
  let [isRow, isColumn] = [true, true];
  for (let cell = 0; cell < height * width && (isRow || isColumn); cell++) {
    const column = cell % width;
    isRow &&= isSame(cell, cell - column);
    isColumn &&= isSame(cell, column);
  }
  return isRow === isColumn ? undefined : isRow ? "y" : "x";
}

function gridOf(cosSin: CosSinRows): Grid | undefined {
  const { rows, width: pairs } = cosSin.cos;
  const heights = Array.from({ length: rows }, (_, i) => i + 1).filter((height) => rows % height === 0);
  heights.sort((a, b) => Math.abs(a - Math.sqrt(rows)) - Math.abs(b - Math.sqrt(rows)));
  for (const height of heights) {
    const axes: ("y" | "x")[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const axis = axisOf(cosSin, pair, height, rows / height);
      if (!axis) break;
      axes.push(axis);
    }
    if (axes.length === pairs && axes.includes("y") && axes.includes("x"))
      return { height, width: rows / height, axes };
  }
  return undefined;
}

/** Returns the angle between neighbours along the axis of each pair. */
function gridFrequencies({ cos, sin }: CosSinRows, { width, axes }: Grid): OwnedFloat64Array {
  return Float64Array.from(axes, (axis, pair) => {
    const next = (axis === "x" ? 1 : width) * cos.width + pair;
    const [a, b] = [Math.atan2(sin.values[pair]!, cos.values[pair]!), Math.atan2(sin.values[next]!, cos.values[next]!)];
    return Math.abs(Math.atan2(Math.sin(b - a), Math.cos(b - a)));
  });
}

function withSpec(cosSin: CosSinRows, grid: Grid, pairing: Pairing | undefined): Grid {
  // Unless both features of a pair have equal values, the pairs are unknown.
  if (!cosSin.repeated || !pairing) return grid;
  const { cos, sin } = cosSin;
  const first = Array.from({ length: cos.width }, (_, pair) => Math.atan2(sin.values[pair]!, cos.values[pair]!));
  const spec = axialSpec({ ...grid, frequencies: gridFrequencies(cosSin, grid), first, pairing });
  return spec ? { ...grid, spec } : grid;
}

const tableTolerance = 1e-2;

/**
 * Finds rotations by constants, with their frequencies: of tokens in a row, or of patches in a grid. The latter cannot
 * be changed.
 */
export async function* fixedRotations(flow: Flow, files: Files): AsyncGenerator<FoundRotation> {
  for (const { cos, sin, sums } of fixedOf(flow)) {
    const [cosines, sines] = [await rowsOf(cos, files), await rowsOf(sin, files)];
    const type = typeOf(cos.constant!.tensor)!;
    const cosSin = cosines && sines && cosSinRowsOf(cosines, sines, isNarrow(type));
    if (!cosSin) continue;
    const frequencies = frequenciesOf(cosSin);
    const error = tableError(cosSin, frequencies);
    const isLine = error < tableTolerance && frequencies.some((frequency) => frequency !== 0);
    const grid = isLine ? undefined : gridOf(cosSin);
    if (!isLine && !grid) continue;
    const products = sums.flatMap(({ ins }) => makerOf(ins[1])!);
    const pairing = (await pairingOf(files, [sin])) ?? cosSin.repeated;
    const constants: Constant[] = [cos.constant!, sin.constant!];
    yield {
      form: "tables",
      frequencies: grid ? gridFrequencies(cosSin, grid) : frequencies,
      attentionFactor: cosSin.magnitude,
      ...(pairing && { pairing }),
      rows: cosSin.cos.rows,
      ...(grid && { grid: withSpec(cosSin, grid, pairing) }),
      type,
      ...(!grid && { tableError: error }),
      constants,
      steps: [...products, ...sums],
      users: sums.flatMap(({ outs }) => outs),
      parts: { form: "tables", cos, sin, layout: undefined, repeated: cosSin.repeated, first: 0, isWhole: true },
    };
  }
}
