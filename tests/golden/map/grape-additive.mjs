// GRAPE's additive form: ALiBi whose slopes queries and keys set.
import { needKind } from "../needs.mjs";
import { float32, joinHeads, linear, permute } from "../plumbing.mjs";
import { ruleAndMask } from "../masks.mjs";
import { checkFact } from "../restated.mjs";
import { zeroHidden } from "./forget.mjs";

const GATES = { k: "key", q: "query", qk: "query-key" };

function runAdditive(pe, { params, inputs }) {
  needKind(pe, "grape-a");
  const { n_heads: heads, head_dim: dim, gates } = params;
  const normalize = params.l2_norm ?? params.u_l2_norm ?? params.v_l2_norm ?? true;
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

/** x / √(mean x² + eps) · weight over the last axis. */
function rmsNorm(x, weight, eps) {
  const width = weight.dims[0];
  const data = Float64Array.from(x.data);
  for (let start = 0; start < data.length; start += width) {
    const row = data.subarray(start, start + width);
    const size = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0) / width + eps);
    row.forEach((value, i) => (row[i] = (value / size) * weight.data[i]));
  }
  return { data, dims: x.dims };
}

// A module of attention: q and k are normalised by head, rows of the path are those of q, k or v, or their own.
function runPath(pe, parsed) {
  needKind(pe, "grape-ap");
  const { params, inputs } = parsed;
  const { n_head: heads, p_tie_mode: tie, rms_eps: eps = 1e-5, causal = true } = params;
  const project = (name) => {
    const { data, dims } = linear(inputs.x, inputs[`c_${name}.weight`]);
    return permute({ data, dims: [dims[0], dims[1], heads, dims[2] / heads] }, [0, 2, 1, 3]);
  };
  const normed = (name) => {
    const weight = params.use_qk_rmsnorm === false ? undefined : inputs[`${name}_rms.weight`];
    return float32(weight ? rmsNorm(project(name), weight, eps) : project(name));
  };
  const [q, k, v] = [normed("q"), normed("k"), float32(project("v"))];
  const gateRows = { pq: q, pk: k, pv: v }[String(tie).toLowerCase().slice(0, 2)] ?? float32(project("p"));
  const encoding = pe.create({ kind: "grape-ap", heads });
  checkFact(parsed, "p_head_dim", gateRows.dims[3]);
  const ways = ruleAndMask({ causal }, inputs.mask);
  return {
    bias: ways.map((way) => () => zeroHidden(encoding.biasOfRows(gateRows, way))),
    output: ways.map((way) => () => {
      const out = joinHeads(pe.attention(q, k, v, { encoding, gateRows, ...way }));
      return linear(out, inputs["c_proj.weight"], inputs["c_proj.bias"]);
    }),
  };
}

export const GRAPE_ADDITIVE = [
  {
    matches: ({ params }) => "p_tie_mode" in params,
    run: runPath,
    shapes: { "q_rms.weight": "head_dim", "k_rms.weight": "head_dim", x: "batch T width", mask: "T T" },
  },
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
