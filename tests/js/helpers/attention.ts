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

function dotAt(a: ArrayLike<number>, aStart: number, b: ArrayLike<number>, bStart: number, length: number): number {
  let sum = 0;
  for (let d = 0; d < length; d++) sum += a[aStart + d]! * b[bStart + d]!;
  return sum;
}

// The scores of the keys of one query, -Infinity for hidden ones.
function scoresOfRow(q: Heads, k: Heads, sizes: Sizes, options: ReferenceOptions, b: number, h: number, i: number) {
  const { dim, keys } = sizes;
  const { softcap, factor, bias } = options;
  const queryStart = ((b * sizes.heads + h) * sizes.queries + i) * dim;
  const keyStart = (b * k.dims[1]! + Math.floor(h / sizes.group)) * keys * dim;
  const [visible, products]: [boolean[], number[]] = [[], []];
  for (let j = 0; j < keys; j++) {
    visible.push(isVisible(options, sizes, b, h, i, j));
    products.push(dotAt(q.data, queryStart, k.data, keyStart + j * dim, dim));
  }
  const scores = options.scores?.(products, b, h, i, visible) ?? products;
  const scale = (options.scale ?? 1 / Math.sqrt(dim)) * (options.temperature?.(i) ?? 1);
  for (let j = 0; j < keys; j++) {
    let score = scores[j]! * scale;
    if (softcap) score = softcap * Math.tanh(score / softcap);
    if (factor) score *= factor(b, h, i, j);
    scores[j] = visible[j] ? score + (bias?.(b, h, i, j) ?? 0) : -Infinity;
  }
  return scores;
}

/** [batch, heads, queries, keys] */
export function referenceWeights(q: Heads, k: Heads, options: ReferenceOptions = {}): Float64Array {
  const sizes = sizesOf(q, k);
  const { batch, heads, queries, keys } = sizes;
  const weights = new Float64Array(batch * heads * queries * keys);
  for (let row = 0; row < batch * heads * queries; row++) {
    const [b, h, i] = [Math.floor(row / queries / heads), Math.floor(row / queries) % heads, row % queries];
    const scores = scoresOfRow(q, k, sizes, options, b, h, i);
    const sink = options.sinks?.[h] ?? -Infinity;
    const most = scores.reduce((a, b) => Math.max(a, b), sink);
    // Nothing is visible: zeros.
    if (most === -Infinity) continue;
    const powers = scores.map((score) => Math.exp(score - most));
    const total = powers.reduce((sum, power) => sum + power, Math.exp(sink - most));
    powers.forEach((power, j) => (weights[row * keys + j] = power / total));
  }
  return weights;
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
