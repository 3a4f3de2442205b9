// Learned maps of places in texts: FoPE, GRAPE-M.
import { needKind, Unsupported } from "../needs.mjs";
import { float32, linear, permute } from "../plumbing.mjs";
import { checkFact } from "../restated.mjs";
import { pairingOf } from "../specs.mjs";
import { transformedOutputs } from "./transforms.mjs";

// The authors' code knows two rules: to 0 (rope_clamp_floor_freq with rope_clamp_floor_to_zero), or none. Its third, to a value,
// raises an AttributeError: it reads a clamp_floor_ratio that nothing sets.
function floorOf({ ignore_zero: ignores, clamp_floor_to_zero: zero, clamp_floor_freq: clamps = zero }) {
  if (!clamps || !zero) return "keep";
  return ignores ? "drop" : "zero";
}

function runFope(pe, parsed) {
  needKind(pe, "fope");
  const { params, inputs } = parsed;
  const { head_dim: dim, n_heads: heads, max_sequence_length: length, rope_theta: base } = params;
  if (pairingOf(params.layout) !== "half") throw new Unsupported("other pairs than halves");
  const own = params.separate_head ? heads : 0;
  const [inputDim, outputDim] = [params.input_dim, params.output_dim];
  const one = !params.separate_basis;
  const coefficients = (tensor) => ({
    type: "float32",
    data: tensor.data,
    dims: [Math.max(1, own), ...tensor.dims.slice(-2)],
  });
  const cosine = coefficients(inputs.cos_coef ?? inputs.fourier_coef);
  const sizes = { cosinePad: params.cos_pad, sinePad: params.sin_pad, oneBasis: one, floor: floorOf(params) };
  const encoding = pe.create({
    ...{ kind: "fope", dim, heads: own, length, base, outputDim, ...sizes, cosine },
    ...(!one && { sine: coefficients(inputs.sin_coef) }),
  });
  checkFact(parsed, "input_dim", encoding.frequencies.length);
  const [queries, keys] = [inputs.q, inputs.k].map(({ dims }) => dims[2]);
  checkFact(parsed, "all_len", keys);
  checkFact(parsed, "n_heads", inputs.q.dims[1]);
  const frequencies = encoding.frequencies;
  return {
    inv_freq: () => ({ data: frequencies, dims: [inputDim] }),
    ...transformedOutputs(pe, parsed, encoding, [{}], { offset: keys - queries }),
  };
}

function runGrape(pe, parsed) {
  needKind(pe, "grape-m");
  const { params, inputs } = parsed;
  const { n_head: heads, head_dim: dim, layout, base = 10000 } = params;
  const own = inputs.log_freq.dims.length === 2 ? heads : 0;
  checkFact(parsed, "share_across_heads", own === 0);
  checkFact(parsed, "share_freq_across_heads", own === 0);
  // Frequencies that are not learned are not scaled, nor are those of the contextual form.
  const logScale = params.learnable === false || "x" in inputs ? 1 : (params.log_freq_scale ?? 1);
  const logFrequencies = { type: "float32", data: inputs.log_freq.data, dims: [Math.max(1, own), dim / 2] };
  const spec = { kind: "grape-m", dim, heads: own, logScale, base, pairing: pairingOf(layout) };
  const encoding = pe.create({ ...spec, logFrequencies });
  // The reference repeats shared ones for each head.
  const frequencies = Array.from(
    { length: (heads * dim) / 2 },
    (_, i) => -encoding.frequencies[own ? i : i % (dim / 2)],
  );
  const positions = "x" in inputs ? phasesOf(pe, parsed) : undefined;
  return {
    freq: () => ({ data: frequencies, dims: [heads, dim / 2] }),
    phi: () => phiOf(parsed, positions),
    ...transformedOutputs(pe, parsed, encoding, [positions ? { positions: positions.data } : {}]),
  };
}

function phasesOf(pe, { params, inputs }) {
  const gates = float32(linear(inputs.x, inputs["omega_proj.weight"], inputs["omega_proj.bias"]));
  const [batch, count, heads] = gates.dims;
  return {
    data: pe.cumulativePhases(gates, { scale: params.ctx_omega_scale ?? params.log_freq_scale ?? 16 }),
    dims: [batch, heads, count],
  };
}

const phiOf = ({ params }, positions) => {
  if (params.n_head > 1) checkFact({ params }, "phase_per_head", positions.dims[1] > 1);
  return permute(positions, [0, 2, 1]);
};

export const FOPE = [
  {
    matches: ({ params }) => "max_sequence_length" in params && "separate_basis" in params,
    shapes: { q: "batch heads Tq head_dim", k: "batch heads all_len head_dim" },
    run: runFope,
  },
];
export const GRAPE_M = [
  {
    matches: ({ inputs }) => "log_freq" in inputs,
    shapes: { q: "batch T n_head head_dim", k: "batch T n_head head_dim" },
    run: runGrape,
  },
];
