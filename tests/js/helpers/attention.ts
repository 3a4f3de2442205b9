// Attention, written out in float64: the oracle for the library's kernels.

export interface Heads {
  data: ArrayLike<number>;
  /** [batch, heads, positions, dim] */
  dims: readonly number[];
}

export interface ReferenceOptions {
  causal?: boolean;
  window?: number | readonly [number, number];
  /** Whether query i of this batch row and head may see key j. */
  visible?: (batch: number, head: number, i: number, j: number) => boolean;
  bias?: (batch: number, head: number, i: number, j: number) => number;
  /** What the scaled score is multiplied by before the bias. */
  factor?: (batch: number, head: number, i: number, j: number) => number;
  /** What a query's products with all keys become before the scale. */
  scores?: (products: number[], batch: number, head: number, i: number, visible: boolean[]) => number[];
  /** A vector that joins the value of key j. */
  value?: (batch: number, head: number, i: number, j: number) => ArrayLike<number>;
  /** What the scores of query i are multiplied by, besides the scale. */
  temperature?: (i: number) => number;
  scale?: number;
  softcap?: number;
  sinks?: ArrayLike<number>;
}

interface Sizes {
  batch: number;
  heads: number;
  queries: number;
  keys: number;
  group: number;
  dim: number;
}

function sizesOf(q: Heads, k: Heads): Sizes {
  const [batch, heads, queries, dim] = q.dims as [number, number, number, number];
  return { batch, heads, queries, keys: k.dims[2]!, group: heads / k.dims[1]!, dim };
}

function inWindow(window: ReferenceOptions["window"], distance: number): boolean {
  if (window === undefined) return true;
  if (typeof window === "number") return Math.abs(distance) < window;
  return distance <= window[0] && -distance <= window[1];
}

function isVisible(options: ReferenceOptions, sizes: Sizes, b: number, h: number, i: number, j: number): boolean {
  const distance = i + sizes.keys - sizes.queries - j;
  if (options.causal && distance < 0) return false;
  return inWindow(options.window, distance) && (options.visible?.(b, h, i, j) ?? true);
}

// The softmax over the keys of one query; zeros where nothing is visible.
function weightsOfRow(q: Heads, k: Heads, options: ReferenceOptions, b: number, h: number, i: number): number[] {
  const sizes = sizesOf(q, k);
  const { dim } = sizes;
  const scale = options.scale ?? 1 / Math.sqrt(dim);
  const queryStart = ((b * sizes.heads + h) * sizes.queries + i) * dim;
  const keyHead = b * k.dims[1]! + Math.floor(h / sizes.group);
  const visible = Array.from({ length: sizes.keys }, (_, j) => isVisible(options, sizes, b, h, i, j));
  const products = visible.map((_, j) => {
    let sum = 0;
    const keyStart = (keyHead * sizes.keys + j) * dim;
    for (let d = 0; d < dim; d++) sum += q.data[queryStart + d]! * k.data[keyStart + d]!;
    return sum;
  });
  const all = options.scores?.(products, b, h, i, visible) ?? products;
  const scores = all.map((product, j) => {
    if (!visible[j]) return -Infinity;
    let score = product * scale * (options.temperature?.(i) ?? 1);
    if (options.softcap) score = options.softcap * Math.tanh(score / options.softcap);
    return score * (options.factor?.(b, h, i, j) ?? 1) + (options.bias?.(b, h, i, j) ?? 0);
  });
  const sink = options.sinks?.[h] ?? -Infinity;
  const most = Math.max(sink, ...scores);
  if (most === -Infinity) return scores.map(() => 0);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((sum, power) => sum + power, Math.exp(sink - most));
  return powers.map((power) => power / total);
}

/** [batch, heads, queries, keys] */
export function referenceWeights(q: Heads, k: Heads, options: ReferenceOptions = {}): Float64Array {
  const { batch, heads, queries } = sizesOf(q, k);
  const rows: number[] = [];
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < queries; i++) rows.push(...weightsOfRow(q, k, options, b, h, i));
  return Float64Array.from(rows);
}

/** [batch, heads, queries, dim of v] */
export function referenceAttention(q: Heads, k: Heads, v: Heads, options: ReferenceOptions = {}): Float64Array {
  const { batch, heads, queries, keys, group } = sizesOf(q, k);
  const width = v.dims[3]!;
  const weights = referenceWeights(q, k, options);
  const out = new Float64Array(batch * heads * queries * width);
  for (let query = 0; query < batch * heads * queries; query++) {
    const head = Math.floor(query / queries) % heads;
    const b = Math.floor(query / (queries * heads));
    for (let j = 0; j < keys; j++) {
      const value = ((b * v.dims[1]! + Math.floor(head / group)) * keys + j) * width;
      const weight = weights[query * keys + j]!;
      const more = options.value?.(b, head, query % queries, j);
      for (let d = 0; d < width; d++) out[query * width + d]! += weight * (v.data[value + d]! + (more?.[d] ?? 0));
    }
  }
  return out;
}
