// The long tail: rotary of the lucidrains package, FIRE, KERPLE, Sandwich.
import { reshape, vector } from "../arrays.mjs";
import { needKind, Unsupported } from "../needs.mjs";
import { pairingOf } from "../specs.mjs";
import { RELATIVE } from "./relative.mjs";
import { MISC_ROTARY } from "./misc-rotary.mjs";
import { rotaryOutputs, specIn } from "./rotary.mjs";

// The package divides the positions by `interpolate_factor`, offset included, and keeps its frequencies.
function runRotary(pe, parsed) {
  const { dim, T: count, offset = 0, theta: base = 10000, layout } = parsed.params;
  const { interpolate_factor: factor = 1, theta_rescale_factor: rescale = 1 } = parsed.params;
  if (factor !== 1 && rescale !== 1) throw new Unsupported("interpolation and rescaling together are not available");
  const headDim = parsed.inputs.q.dims.at(-1);
  const shape = { dim: headDim, rotaryDim: dim, base, pairing: pairingOf(layout) };
  const unscaled = rescale === 1 ? { kind: "rope", ...shape } : { kind: "rope-ntk", factor: rescale, ...shape };
  const spec = factor === 1 ? unscaled : { kind: "rope-linear", factor, ...shape };
  return {
    ...rotaryOutputs(parsed, specIn(pe, spec), { at: { offset }, count }),
    freqs: () => vector(pe.create(unscaled).inverseFrequencies),
  };
}

const needed = (pe, spec) => (needKind(pe, spec.kind), pe.create(spec));

// The network's layers under PyTorch's names. The two copies differ above the diagonal.
function runFire(pe, { params, inputs }) {
  const bias = (bidirectional) => () => {
    const { num_heads: heads, mlp_width: width, init_L: length, eps: epsilon, T } = params;
    const encoding = needed(pe, { kind: "fire", heads, width, length, epsilon, bidirectional }).load({
      inputWeights: Array.from(inputs.mlp_0_weight.data),
      inputBias: Array.from(inputs.mlp_0_bias.data),
      outputWeights: Array.from(inputs.mlp_2_weight.data),
      outputBias: Array.from(inputs.mlp_2_bias.data),
      c: [params.init_c],
      lengthFactor: [params.L_multiplier],
    });
    return encoding.bias({ queries: T, keys: T });
  };
  return { bias_dape: bias(false), bias_arithmetic: bias(true) };
}

const numbersOf = ({ data }) => Array.from(data);

// The authors' code takes smaller numbers for this one, and so does the library.
const SMALLEST = 0.01;

function runKerple(pe, { params, inputs }) {
  const { heads, T, bidirectional = false, eps_clamp: smallest = SMALLEST } = params;
  if (smallest !== SMALLEST) throw new Unsupported(`a smallest number of ${smallest} is not available`);
  const create = (form, names) => {
    const loaded = Object.entries(names).map(([name, input]) => [name, numbersOf(inputs[input])]);
    return needed(pe, { kind: "kerple", heads, form, bidirectional }).load(Object.fromEntries(loaded));
  };
  if ("kerple_p" in inputs) {
    const encoding = create("log-power", { amplitude: "kerple_b", rate: "kerple_a", exponent: "kerple_p" });
    const { q: queries, k: keys } = params;
    return { bias: () => reshape(encoding.bias({ queries, keys }), [1, heads, queries, keys]) };
  }
  if ("wei_p" in inputs) {
    const power = { amplitude: "bias_a", exponent: "bias_p", weightRate: "wei_a", weightExponent: "wei_p" };
    const scores = () => ({ type: "float32", data: inputs.scores.data.slice(), dims: inputs.scores.dims });
    return { scores_out: () => create("weighted", power).applyTo(scores()) };
  }
  const encoding = create("log", { amplitude: "bias_p", rate: "bias_a" });
  return {
    bias: () => encoding.bias({ queries: T, keys: T }),
    bias_decode_last_row: () => encoding.bias({ queries: 1, keys: T }),
  };
}

function runSandwich(pe, { params }) {
  const { heads, hidden_size_per_head: dim, bidirectional, q: queries, k: keys } = params;
  const encoding = needed(pe, { kind: "sandwich", heads, dim, bidirectional });
  return { bias: () => reshape(encoding.bias({ queries, keys }), [1, heads, queries, keys]) };
}

export const MISC = [
  ...MISC_ROTARY,
  ...RELATIVE,
  { matches: ({ params }) => "init_L" in params, run: runFire },
  {
    matches: ({ inputs }) => "bias_p" in inputs || "kerple_p" in inputs,
    shapes: { scores: "heads T T", bias_p: "heads", kerple_p: "heads" },
    run: runKerple,
  },
  { matches: ({ params }) => "hidden_size_per_head" in params, run: runSandwich },
  {
    matches: ({ params, inputs, targets }) =>
      "q" in inputs && "dim" in params && "T" in params && "q_rot" in targets && "freqs" in targets,
    shapes: { q: "batch heads T head_dim" },
    run: runRotary,
  },
];
