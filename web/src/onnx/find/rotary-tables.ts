// Rotations in a graph whose cosines and sines are tables.
import { attributeOf, integerOf, putInto, type Constant, type Flow, type Step, type Value } from "../read/flow.js";
import { combinationOf, rotators } from "./combination.js";
import { pairingOf, type Pairing } from "./pairing.js";
import type { FoundRotation } from "./rotary.js";
import { sectionsOfOperator, type Sections } from "./sections.js";
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

/** How operators rotate by a table's rows. Equal for all operators of a rotation. */
interface Use {
  readonly steps: readonly Step[];
  readonly pairing: Pairing;
  readonly sections: Sections | undefined;
  readonly scale: number;
}

const isInterleaved = ({ node }: Step): boolean =>
  integerOf(node, "interleaved", 0) === 1 || integerOf(node, "rotary_interleaved", 0) === 1;

/** Operators that rotate differently by the same rows are rotations of their own. */
function usesOf(steps: ReadonlySet<Step>, pairs: number): Use[] {
  const uses = new Map<string, Use & { steps: Step[] }>();
  for (const step of steps) {
    const pairing = isInterleaved(step) ? "interleaved" : "half";
    const sections = sectionsOfOperator(step, pairs);
    // RotaryEmbedding has the attribute, too, but onnxruntime ignores it.
    const scale = step.op === "MRotaryEmbedding" ? (attributeOf(step.node, "scale")?.f ?? 1) : 1;
    const key = JSON.stringify([pairing, sections, scale]);
    const use = uses.get(key) ?? { steps: [], pairing, sections, scale };
    use.steps.push(step);
    uses.set(key, use);
  }
  return [...uses.values()];
}

async function* described(
  cosSin: CosSinRows,
  tables: readonly Candidate[],
  files: Files,
): AsyncGenerator<FoundRotation> {
  const reads = tables.flatMap((table) => table.users);
  const uses = usesOf(new Set(tables.flatMap((table) => [...table.rotators])), cosSin.cos.width);
  if (uses.length === 0) {
    const pairing = (await pairingOf(files, reads)) ?? cosSin.repeated;
    yield* stacked(cosSin, tables, reads, { steps: [], pairing, sections: undefined, scale: 1 });
  }
  for (const use of uses) {
    const outs = use.steps.flatMap((step) => (isFused(step) ? [] : step.outs));
    yield* stacked(cosSin, tables, [...reads, ...outs], use);
  }
}

/** Returns a rotation for each of the stacked tables. */
function* stacked(
  cosSin: CosSinRows,
  tables: readonly Candidate[],
  users: readonly Value[],
  { steps, pairing, sections, scale }: Omit<Use, "pairing"> & { readonly pairing: Pairing | undefined },
): Generator<FoundRotation> {
  const { type } = tables[0]!;
  const constants = tables.map(({ constant }) => constant);
  const stack = stackOf(cosSin, isNarrow(type));
  for (const [i, first] of stack.slice(0, -1).entries()) {
    const part = rowsFrom(cosSin, first, stack[i + 1]!);
    const frequencies = frequenciesOf(part);
    yield {
      form: steps.length > 0 ? "cache" : "tables",
      frequencies,
      attentionFactor: part.magnitude * scale,
      ...(pairing && { pairing }),
      ...(sections && { sections }),
      rows: part.cos.rows,
      type,
      tableError: tableError(part, frequencies),
      ...{ constants, steps, users },
      parts: {
        form: "tables",
        cos: tables[0]!.value,
        sin: tables.at(-1)!.value,
        layout: tables.length === 1 ? (tables[0]!.firstRow as "cos-sin" | "sin-cos" | "pairs") : undefined,
        repeated: cosSin.repeated,
        first,
        isWhole: false,
        ...(scale !== 1 && { scale }),
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
