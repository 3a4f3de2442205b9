// GRAPE's additive form: ALiBi whose slopes queries and keys set.
import { needKind } from "../needs.mjs";
import { float32 } from "../plumbing.mjs";

const GATES = { k: "key", q: "query", qk: "query-key" };

function runAdditive(pe, { params, inputs }) {
  needKind(pe, "grape-a");
  const { n_heads: heads, head_dim: dim, l2_norm: normalize, gates } = params;
  const learned = ["omega", "u", "v"].filter((name) => name in inputs);
  const numbers = Object.fromEntries(learned.map((name) => [name, float32(inputs[name])]));
  const encoding = pe.create({ kind: "grape-a", dim, heads, gates: GATES[gates], normalize, ...numbers });
  // What the gates do not read is not stored.
  const [q, k] = [inputs.q ?? inputs.k, inputs.k ?? inputs.q].map(float32);
  return {
    bias: () => encoding.biasOf(q, k, { layout: "bthd" }),
    slopes: () => ({ data: pe.create({ kind: "alibi", heads }).slopes, dims: [heads] }),
  };
}

export const GRAPE_ADDITIVE = [
  {
    matches: ({ inputs }) => "omega" in inputs && ("u" in inputs || "v" in inputs),
    run: runAdditive,
    shapes: {
      omega: "n_heads",
      u: "n_heads head_dim",
      v: "n_heads head_dim",
      q: "batch T n_heads head_dim",
      k: "batch T n_heads head_dim",
    },
  },
];
