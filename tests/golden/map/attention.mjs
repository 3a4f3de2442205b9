// Attention: masks, windows, grouped heads, rotary and linear-bias encodings, softcap, sinks.
import { toNumbers } from "../arrays.mjs";
import { lengthsOf, maskOf, ruleAndMask, storedMask, visibleKeys } from "../masks.mjs";
import { missing, needKind } from "../needs.mjs";
import { checkFact } from "../restated.mjs";
import { pairingOf } from "../specs.mjs";
import { rotated } from "../tensors.mjs";
import { pastOf, t5Of } from "./bias.mjs";

const tensorOf = ({ data, dims }) => ({ type: "float32", data, dims });

/** q, k and v of a case as the library takes them. */
export const headsOf = ({ inputs }) => [tensorOf(inputs.q), tensorOf(inputs.k), tensorOf(inputs.v)];

/** What the parameters say about scale, mask, window, softcap and sinks. */
export function optionsOf({ params, inputs }) {
  const options = {};
  if (typeof params.scale === "number") options.scale = params.scale;
  if (typeof params.softcap === "number") options.softcap = params.softcap;
  if (inputs.sinks) options.sinks = inputs.sinks.data;
  if (params.causal === true) options.causal = true;
  if (typeof params.sliding_window === "number") {
    const width = params.sliding_window;
    const looksBack = params.causal === true || /key\s*<=\s*query/.test(params.rule ?? "");
    if (looksBack) Object.assign(options, { causal: true, window: width });
    else options.window = [width, width];
  }
  return options;
}

const attend = (pe, parsed, options) => pe.attention(...headsOf(parsed), options);

function runPlain(pe, parsed) {
  const { queries, keys } = lengthsOf(parsed);
  if (queries === 1) checkFact(parsed, "query_position", keys - 1);
  const ways = ruleAndMask(optionsOf(parsed), storedMask(parsed.inputs.mask, parsed));
  return { out: ways.map((options) => () => attend(pe, parsed, options)) };
}

// torch aligns the causal triangle to the top left; the library's own `causal` to the bottom right.
function runRectangular(pe, parsed) {
  const topLeft = maskOf(
    visibleKeys(lengthsOf(parsed), (i, j) => j <= i),
    parsed,
  );
  const options = optionsOf(parsed);
  return {
    out_torch_is_causal_top_left: () => attend(pe, parsed, { ...options, mask: topLeft }),
    out_bottom_right: ruleAndMask(
      { ...options, causal: true },
      storedMask(parsed.inputs.bottom_right_mask, parsed),
    ).map((way) => () => attend(pe, parsed, way)),
  };
}

// Left padding: positions count the real tokens only, and padded keys are invisible.
function runPadded(pe, parsed) {
  const { params, inputs } = parsed;
  const mask = inputs.attention_mask;
  const dim = inputs.q.dims.at(-1);
  const spec = { kind: "rope", dim, base: params.rope_theta, pairing: pairingOf(params.layout) };
  const ids = () => pe.positionIds(mask);
  const out = () => {
    const at = { positions: ids().data };
    const options = {
      ...optionsOf(parsed),
      encoding: pe.create(spec),
      causal: true,
      attentionMask: mask,
      at,
      queryAt: at,
    };
    return attend(pe, parsed, options);
  };
  return { position_ids: ids, out };
}

// The triangle of the positions themselves, unless that is what `causal` does.
function causalByPosition(parsed, queryPositions, keyPositions) {
  const lengths = lengthsOf(parsed);
  const byPosition = visibleKeys(lengths, (i, j) => keyPositions[j] <= queryPositions[i]);
  const byIndex = visibleKeys(lengths, (i, j) => j <= i + lengths.keys - lengths.queries);
  const isIndex = byPosition.every((visible, index) => visible === byIndex[index]);
  return isIndex ? { causal: true } : { causal: false, mask: maskOf(byPosition, parsed) };
}

function runRope(pe, parsed) {
  const { params, inputs } = parsed;
  const dim = inputs.q.dims.at(-1);
  const encoding = pe.create({ kind: "rope", dim, base: params.rope_theta, pairing: pairingOf(params.layout) });
  const at = { positions: inputs.positions_k.data };
  const queryAt = { positions: inputs.positions_q.data };
  const triangle = params.causal ? causalByPosition(parsed, toNumbers(queryAt.positions), toNumbers(at.positions)) : {};
  return {
    q_rot: () => rotated(encoding, inputs.q, "bhtd", queryAt),
    k_rot: () => rotated(encoding, inputs.k, "bhtd", at),
    out: () => attend(pe, parsed, { ...optionsOf(parsed), ...triangle, encoding, at, queryAt }),
  };
}

// The same softmax from three forms of the bias: Bloom's, MPT's, and the distance itself.
function runAlibi(pe, parsed) {
  needKind(pe, "alibi");
  const { heads, alibi_bias_max: maxBias, causal } = parsed.params;
  const encoding = (form) => pe.create({ kind: "alibi", heads, maxBias, form });
  const out = (form) => attend(pe, parsed, { ...optionsOf(parsed), encoding: encoding(form) });
  return {
    out: () => out("key-absolute"),
    out_mpt: () => out("key"),
    bias_relative: () => {
      const lengths = lengthsOf(parsed);
      const bias = encoding("relative").bias(lengths);
      return causal ? zeroFuture(bias, lengths) : bias;
    },
  };
}

/** Attention's options for a bias of distances: the first query stands behind what was seen before, keys count from 0. */
export function distanceOptions(parsed, encoding) {
  const { queries, keys } = lengthsOf(parsed);
  const positions = (count, first) => Array.from({ length: count }, (_, i) => first + i);
  const [queryPositions, keyPositions] = [positions(queries, pastOf(parsed)), positions(keys, 0)];
  const triangle = parsed.params.causal ? causalByPosition(parsed, queryPositions, keyPositions) : {};
  const where = { at: { positions: keyPositions }, queryAt: { positions: queryPositions } };
  return { ...optionsOf(parsed), ...triangle, ...where, encoding };
}

// A decoder looks back only: its buckets are all on that side.
function runT5(pe, parsed) {
  const encoding = t5Of(pe, parsed, !parsed.params.causal);
  return { out: () => attend(pe, parsed, distanceOptions(parsed, encoding)) };
}

// The case writes 0 where the causal mask hides the key.
function zeroFuture({ data, dims }, lengths) {
  const visible = visibleKeys(lengths, (i, j) => j <= i + lengths.keys - lengths.queries);
  return { data: data.map((value, index) => (visible[index % visible.length] ? value : 0)), dims };
}

const hasAllInputs =
  (...names) =>
  ({ inputs }) =>
    names.every((name) => name in inputs);

/** The axes of q, k and v as cases name them. */
export const HEAD_SHAPES = {
  q: "batch heads|q_heads|num_heads|n_head Tq head_dim",
  k: "batch kv_heads|num_key_value_heads Tk head_dim",
  v: "batch kv_heads Tk value_dim",
};

export const ATTENTION = [
  missing("attention without q, k and v is not mapped", (parsed) => !hasAllInputs("q", "k", "v")(parsed)),
  ...[
    { matches: ({ params }) => "num_buckets" in params, run: runT5 },
    { matches: hasAllInputs("attention_mask"), run: runPadded },
    { matches: hasAllInputs("positions_q", "positions_k"), run: runRope },
    { matches: ({ params }) => "alibi_bias_max" in params, run: runAlibi },
    { matches: ({ targets }) => "out_bottom_right" in targets, run: runRectangular },
    { matches: ({ targets }) => "out" in targets, run: runPlain },
  ].map((entry) => ({ ...entry, shapes: HEAD_SHAPES })),
];
