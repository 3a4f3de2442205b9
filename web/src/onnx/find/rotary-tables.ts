// Rotations in a graph whose cosines and sines are tables.
import { integerOf, putInto, type Constant, type Flow, type Step, type Value } from "../read/flow.js";
import { combinationOf, rotators } from "./combination.js";
import { pairingOf } from "./pairing.js";
import type { FoundRotation } from "./rotary.js";
import { isFused } from "./sites.js";
import { carries, formOps, forward } from "../read/trace.js";
import { isFloat, isNarrow, typeOf, type DataType, type Files } from "../read/values.js";
import {
  firstRowOf,
  frequenciesOf,
  halvesOf,
  pairsOf,
  rowsFrom,
  startsOf,
  tableError,
  cosSinRowsOf,
  type FirstRow,
  type Rows,
  type CosSinRows,
} from "./cos-sin-tables.js";

const readers = new Set(["Gather", "GatherElements", "GatherND", "Slice", "Split"]);

/** A constant whose rows may be cosines or sines. */
interface Candidate {
  readonly value: Value;
  readonly constant: Constant;
  readonly type: DataType;
  readonly firstRow: Exclude<FirstRow, undefined> | "pairs";
  readonly rows: number;
  readonly width: number;
  /** Operators that take it as their table of cosines or sines. */
  readonly rotators: ReadonlySet<Step>;
  readonly users: readonly Value[];
}

const mostRotated = 2048;

async function candidateOf(value: Value, files: Files): Promise<Candidate | undefined> {
  const constant = value.constant!;
  const dims = constant.tensor.dims.filter((dim, i, all) => dim !== 1 || i >= all.length - 2);
  const type = typeOf(constant.tensor);
  // [rows, pairs, 2]: a cosine and a sine of each pair.
  const arePairs = dims.length === 3 && dims[2] === 2;
  const [rows, width] = arePairs ? [dims[0]!, 2 * dims[1]!] : dims;
  if (
    !type ||
    !isFloat(type) ||
    (dims.length !== 2 && !arePairs) ||
    !(rows! >= 2) ||
    !(width! >= 1) ||
    width! > mostRotated
  )
    return undefined;
  const used = new Set<Step>();
  const users: Value[] = [];
  let isRead = false;
  forward([value], (step, by) => {
    const isForm = carries(formOps, step, by);
    const isReader = carries(readers, step, by);
    if (rotators.has(step.op)) used.add(step);
    else if (isReader) isRead = true;
    else if (!isForm && users.at(-1) !== by) users.push(by);
    return !isReader && !isForm;
  });
  if (used.size === 0 && !(isRead && users.length > 0)) return undefined;
  const first = await files.numbers(constant, 0, width!);
  const firstRow = first && (arePairs ? inPairs(first) : firstRowOf(first));
  if (!firstRow) return undefined;
  return { value, constant, type, firstRow, rows: rows!, width: width!, rotators: used, users };
}

const inPairs = (row: Float64Array): "pairs" | undefined =>
  row.every((number, i) => number === (i % 2 === 0 ? row[0] : 0)) && row[0]! > 0 ? "pairs" : undefined;

async function rowsOf({ constant, rows, width }: Candidate, files: Files): Promise<Rows | undefined> {
  const values = await files.numbers(constant);
  return values && { values, rows, width };
}

const mostStacked = 64;

/** Returns the first row of each stacked table, and the end of the last one. */
function stackOf(cosSin: CosSinRows, narrow: boolean): number[] {
  const starts = startsOf(cosSin, narrow);
  // Stacked tables are few and have several rows each. Otherwise only row 0 is a start.
  const areTables =
    starts[0] === 0 && starts.length <= mostStacked && !starts.some((start, i) => i > 0 && start - starts[i - 1]! < 2);
  return [...(areTables ? starts : [0]), cosSin.cos.rows];
}

async function* described(
  cosSin: CosSinRows,
  tables: readonly Candidate[],
  files: Files,
): AsyncGenerator<FoundRotation> {
  const { type } = tables[0]!;
  const narrow = isNarrow(type);
  const steps = [...new Set(tables.flatMap((table) => [...table.rotators]))];
  const reads = tables.flatMap((table) => table.users);
  const users = [...reads, ...steps.flatMap((step) => (isFused(step) ? [] : step.outs))];
  const constants = tables.map(({ constant }) => constant);
  const [rotator] = steps;
  const interleaved =
    rotator && (integerOf(rotator.node, "interleaved", 0) || integerOf(rotator.node, "rotary_interleaved", 0));
  const pairing = rotator
    ? interleaved
      ? "interleaved"
      : "half"
    : ((await pairingOf(files, reads)) ?? cosSin.repeated);
  const stack = stackOf(cosSin, narrow);
  for (const [i, first] of stack.slice(0, -1).entries()) {
    const part = rowsFrom(cosSin, first, stack[i + 1]!);
    const frequencies = frequenciesOf(part);
    yield {
      form: rotator ? "cache" : "tables",
      frequencies,
      attentionFactor: part.magnitude,
      ...(pairing && { pairing }),
      rows: part.cos.rows,
      type,
      tableError: tableError(part, frequencies),
      constants,
      steps,
      users,
      parts: {
        form: "tables",
        cos: tables[0]!.value,
        sin: tables.at(-1)!.value,
        layout: tables.length === 1 ? (tables[0]!.firstRow as "cos-sin" | "sin-cos" | "pairs") : undefined,
        repeated: cosSin.repeated,
        first,
        isWhole: false,
      },
    };
  }
}

/** Keys that a sine shares with its cosine: the operators that take both, otherwise graph and dims. */
const keysOf = ({ constant, rotators: operators, rows, width }: Candidate): Iterable<unknown> =>
  operators.size > 0 ? operators : [`${constant.graph.range.tag} ${rows} ${width}`];
/** Maximum number of sines that are compared with a cosine. */
const mostTried = 64;

/** Tables of cosines and sines that are read by position. */
export async function* tabledRotations(flow: Flow, files: Files): AsyncGenerator<FoundRotation> {
  const cosines: Candidate[] = [];
  const sines = new Map<unknown, Candidate[]>();
  for (const value of flow.constants) {
    const candidate = await candidateOf(value, files);
    if (!candidate) continue;
    if (candidate.firstRow !== "sin") cosines.push(candidate);
    else for (const key of keysOf(candidate)) putInto(sines, key, candidate);
  }
  for (const cos of cosines) {
    const table = await rowsOf(cos, files);
    if (!table) continue;
    const narrow = isNarrow(cos.type);
    if (cos.firstRow !== "cos") {
      const both = cos.firstRow === "pairs" ? pairsOf(table) : halvesOf(table, cos.firstRow === "cos-sin");
      const cosSin = cosSinRowsOf(both.cos, both.sin, narrow);
      if (cosSin && rotates(cos)) yield* described(cosSin, [cos], files);
      continue;
    }
    const tried = new Set<Candidate>();
    for (const key of keysOf(cos)) for (const sin of (sines.get(key) ?? []).slice(0, mostTried)) tried.add(sin);
    for (const sin of [...tried].slice(0, mostTried)) {
      const other = sin.constant.graph === cos.constant.graph ? await rowsOf(sin, files) : undefined;
      const cosSin = other && cosSinRowsOf(table, other, narrow);
      if (!cosSin) continue;
      yield* described(cosSin, [cos, sin], files);
      break;
    }
  }
}

/** Whether features are multiplied by it. Sinusoids that are added to features are not a rotation. */
const rotates = ({ users, rotators: operators }: Candidate): boolean =>
  operators.size > 0 || combinationOf(users) === "product";
