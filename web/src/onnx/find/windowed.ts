// Biases by offset in a window, as in Swin and BEiT: rows of a table that constant indices select, or a constant that
// an exporter computed from both.
import type { FoundBias } from "./bias.js";
import { integerOf, type Constant, type Flow, type Step, type Value } from "../read/flow.js";
import { combinationOf } from "./combination.js";
import { sourceConstant, formOps, usersOf } from "../read/trace.js";
import { countOf, isFloat, typeOf, type Files } from "../read/values.js";

/** A window, whose tokens may follow a class token. */
interface Window {
  readonly windowHeight: number;
  readonly windowWidth: number;
  readonly classToken: boolean;
}

const rowsOf = ({ windowHeight, windowWidth, classToken }: Window): number =>
  (2 * windowHeight - 1) * (2 * windowWidth - 1) + (classToken ? 3 : 0);

/** Returns all windows with this many tokens, square ones first. */
function windowsOf(tokens: number): Window[] {
  return [false, true].flatMap((classToken) => {
    const cells = tokens - Number(classToken);
    const heights = Array.from({ length: cells }, (_, i) => i + 1).filter((height) => cells % height === 0);
    // A single row or column of tokens is a text, not a window.
    return heights
      .filter((height) => height > 1 && height < cells)
      .sort((a, b) => Math.abs(a - Math.sqrt(cells)) - Math.abs(b - Math.sqrt(cells)))
      .map((windowHeight) => ({ windowHeight, windowWidth: cells / windowHeight, classToken }));
  });
}

/**
 * Returns the row of each pair of tokens: Liu et al. 2021 (arXiv:2103.14030), equation 4. BEiT's last three rows belong
 * to the class token.
 */
function indicesOf({ windowHeight: height, windowWidth: width, classToken }: Window): Int32Array {
  const cells = height * width;
  const first = Number(classToken);
  const tokens = cells + first;
  const rows = (2 * height - 1) * (2 * width - 1);
  return Int32Array.from({ length: tokens * tokens }, (_, at) => {
    const [i, j] = [Math.floor(at / tokens) - first, (at % tokens) - first];
    if (i < 0 || j < 0) return rows + (i >= 0 ? 1 : j >= 0 ? 0 : 2);
    const down = Math.floor(i / width) - Math.floor(j / width) + height - 1;
    return down * (2 * width - 1) + (i % width) - (j % width) + width - 1;
  });
}

function described(window: Window, heads: number, value: Value, steps: readonly Step[]): FoundBias {
  const { windowHeight, windowWidth, classToken } = window;
  const constant = value.constant!;
  return {
    family: "bias",
    form: "windowed",
    type: typeOf(constant.tensor)!,
    heads,
    rows: rowsOf(window),
    spec: { kind: "swin", heads, windowHeight, windowWidth, ...(classToken && { classToken }) },
    constants: [constant],
    steps,
    users: steps.flatMap(({ outs }) => outs),
    parts: { form: "windowed" },
  };
}

/** Maximum number of tokens of a window. */
const mostTokens = 1025;
/** Minimum number of different values. A mask has two: for visible and for masked keys. */
const leastElements = 3;
const tableOps = new Set([...formOps, "DequantizeLinear"]);

/** Windows whose indices are in constants. Several steps may read one constant. */
class Indices {
  private readonly known = new Map<object, Window | undefined>();

  constructor(private readonly files: Files) {}

  async windowOf(index: Constant, rows: number): Promise<Window | undefined> {
    const tokens = Math.sqrt(countOf(index.tensor));
    if (tokens < 2 || tokens > mostTokens || !Number.isInteger(tokens)) return undefined;
    if (!this.known.has(index)) {
      const numbers = await this.files.numbers(index);
      const isOf = (one: Window): boolean => indicesOf(one).every((row, i) => row === numbers![i]);
      this.known.set(index, numbers && windowsOf(tokens).find(isOf));
    }
    const window = this.known.get(index);
    return window && rowsOf(window) === rows ? window : undefined;
  }
}

/** Finds rows [displacements, heads] that constant indices select. */
async function picked(step: Step, indices: Indices): Promise<FoundBias | undefined> {
  const table = sourceConstant(step.ins[0], tableOps);
  const index = sourceConstant(step.ins[1])?.constant;
  const [rows = 0, heads = 0, ...more] = table?.constant.tensor.dims ?? [];
  if (!table || !index || heads < 1 || more.length > 0) return undefined;
  // Rows that are multiplied with queries are not a bias.
  const window = combinationOf(step.outs) === "sum" ? await indices.windowOf(index, rows) : undefined;
  return window && described(window, heads, table.value, [step]);
}

/** Whether all pairs of tokens with the same row have the same value. */
function isFolded(numbers: Float64Array, heads: number, window: Window): boolean {
  const indices = indicesOf(window);
  const rows = rowsOf(window);
  const known = new Float64Array(heads * rows).fill(NaN);
  return numbers.every((number, at) => {
    const row = Math.floor(at / indices.length) * rows + indices[at % indices.length]!;
    const isSame = Number.isNaN(known[row]!) || known[row] === number;
    known[row] = number;
    return isSame;
  });
}

/** Whether the biases are symmetric in i and j. */
const isSymmetric = (numbers: Float64Array, tokens: number): boolean =>
  numbers.every((number, at) => {
    const [i, j] = [Math.floor(at / tokens) % tokens, at % tokens];
    return number === numbers[at - i * tokens - j + j * tokens + i];
  });

/** Finds biases [heads, tokens, tokens] that the export computed from rows. */
async function folded(value: Value, files: Files): Promise<FoundBias | undefined> {
  const { tensor } = value.constant!;
  const [heads = 0, tokens = 0, columns, ...more] = tensor.dims.slice(tensor.dims.findIndex((dim) => dim !== 1));
  if (heads < 2 || tokens < 4 || tokens !== columns || more.length > 0 || tokens > mostTokens) return undefined;
  const steps = usersOf(value, ["Add"]);
  const numbers = steps.length > 0 ? await files.numbers(value.constant!) : undefined;
  if (!numbers || new Set(numbers).size < leastElements) return undefined;
  const window = windowsOf(tokens).find((one) => isFolded(numbers, heads, one));
  // Symmetric biases depend only on distances (LeViT).
  if (isSymmetric(numbers, tokens)) return undefined;
  return window && described(window, heads, value, steps);
}

export async function* findWindowed(flow: Flow, files: Files): AsyncGenerator<FoundBias> {
  const indices = new Indices(files);
  for (const step of flow.steps) {
    const found =
      step.op === "Gather" && integerOf(step.node, "axis", 0) === 0 ? await picked(step, indices) : undefined;
    if (found) yield found;
  }
  for (const value of flow.constants) {
    const found = isFloat(typeOf(value.constant!.tensor)) ? await folded(value, files) : undefined;
    if (found) yield found;
  }
}
