// The recaller's forward pass in plain loops, its attention by posenc: what the graph in onnxruntime must agree with.
import type { Posenc, RotaryEncoding } from "posenc";

interface Matrix {
  data: Float32Array;
  dims: number[];
}
type Layer = Record<"norm" | "q" | "k" | "v" | "o" | "mlpNorm" | "gate" | "up" | "down", Matrix>;
export interface Llama {
  config: { num_attention_heads: number; num_key_value_heads: number; head_dim: number; rms_norm_eps: number };
  weights: { words: Matrix; layers: Layer[]; norm: Matrix; head: Matrix };
}
type Rows = Float64Array[];

const times = (rows: Rows, { data, dims }: Matrix): Rows => {
  const columns = dims[1]!;
  return rows.map((row) =>
    Float64Array.from({ length: columns }, (_, c) => row.reduce((sum, x, r) => sum + x * data[r * columns + c]!, 0)),
  );
};
const plus = (a: Rows, b: Rows): Rows => a.map((row, i) => row.map((x, d) => x + b[i]![d]!));

/** [T, heads · dim] -> [1, T, heads, dim] ("bthd") */
const asHeads = (rows: Rows, dim: number) => ({
  data: Float32Array.from(rows.flatMap((row) => [...row])),
  dims: [1, rows.length, rows[0]!.length / dim, dim],
});

/** Logits [words] of each token of one sequence, without any cache. */
export function logitsOf(pe: Posenc, { config, weights }: Llama, encoding: RotaryEncoding, ids: number[]): Rows {
  const normed = (rows: Rows, { data }: Matrix): Rows =>
    rows.map((row) => {
      const scale = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0) / row.length + config.rms_norm_eps);
      return row.map((x, d) => (x / scale) * data[d]!);
    });
  const attended = (x: Rows, layer: Layer): Rows => {
    const [q, k, v] = (["q", "k", "v"] as const).map((name) => asHeads(times(x, layer[name]), config.head_dim));
    const { data } = pe.attention(q!, k!, v!, { encoding, causal: true, layout: "bthd" });
    const width = data.length / x.length;
    return times(
      x.map((_, t) => Float64Array.from(data.subarray(t * width, (t + 1) * width))),
      layer.o,
    );
  };
  const widened = (x: Rows, layer: Layer): Rows => {
    const up = times(x, layer.up);
    const open = times(x, layer.gate).map((row, t) => row.map((g, d) => (g / (1 + Math.exp(-g))) * up[t]![d]!));
    return times(open, layer.down);
  };
  const width = weights.words.dims[1]!;
  let x: Rows = ids.map((id) => Float64Array.from(weights.words.data.subarray(id * width, (id + 1) * width)));
  for (const layer of weights.layers) {
    x = plus(x, attended(normed(x, layer.norm), layer));
    x = plus(x, widened(normed(x, layer.mlpNorm), layer));
  }
  return times(normed(x, weights.norm), weights.head);
}
