// Forgetting attention: gates between queries and keys, in both layouts.
import { toNumbers } from "../arrays.mjs";
import { ruleAndMask } from "../masks.mjs";
import { needKind } from "../needs.mjs";
import { float32 } from "../plumbing.mjs";
import { checkFact } from "../restated.mjs";
import { axesFromText } from "../tensors.mjs";

/** A layout as the library names it, and how many queries and keys there are. */
export function tokensOf({ params, inputs }) {
  const layout = axesFromText(params.layout, 4);
  const axis = layout.indexOf("t");
  return { layout, queries: inputs.q.dims[axis], keys: inputs.k.dims[axis] };
}

/** Scale, causality, window and mask of a case, as the ways to say them: by rule and by mask. */
export function waysOf(parsed) {
  const { params, inputs } = parsed;
  const { layout, queries, keys } = tokensOf(parsed);
  checkFact(parsed, "query_offset", keys - queries);
  const options = { layout, causal: params.causal ?? true };
  if (typeof params.scale === "number") options.scale = params.scale;
  if (typeof params.window_size === "number") options.window = params.window_size;
  const ends = inputs.cu_seqlens?.data ?? params.cu_seqlens;
  if (ends) options.cuSeqlens = toNumbers(ends);
  if (inputs.seq_start) options.attentionMask = visibleFrom(toNumbers(inputs.seq_start.data), keys);
  return ruleAndMask(options, inputs.mask && { data: inputs.mask.data, dims: [queries, keys] });
}

/** Keys from a row's first real one on. */
function visibleFrom(starts, keys) {
  const data = Uint8Array.from({ length: starts.length * keys }, (_, at) =>
    at % keys >= starts[Math.floor(at / keys)] ? 1 : 0,
  );
  return { data, dims: [starts.length, keys] };
}

/** What is hidden counts as 0. */
export const zeroHidden = ({ data, dims }) => ({ data: data.map((value) => (value === -Infinity ? 0 : value)), dims });

const runForget = (pe, parsed) => {
  needKind(pe, "forget");
  const { inputs, params } = parsed;
  const { queries } = tokensOf(parsed);
  const encoding = pe.create({ kind: "forget", heads: params.heads });
  const logit = inputs.gate_logit && float32(inputs.gate_logit);
  const made = logit && encoding.logGates(logit);
  const gates = [...(made ? [made] : []), ...(inputs.log_fgate ? [float32(inputs.log_fgate)] : [])];
  const heads = [inputs.q, inputs.k, inputs.v].map(float32);
  const ways = waysOf(parsed).flatMap((way) => gates.map((logGates) => ({ ...way, logGates, encoding })));
  const ofEach = (make) => ways.map((way) => () => make(way));
  const backward = (way) => pe.attentionBackward(...heads, float32(inputs.dout), way);
  return {
    log_fgate: () => made,
    bias: ofEach(({ logGates, scale: _, encoding: __, ...visibility }) =>
      zeroHidden(encoding.bias(logGates, { queries, ...visibility })),
    ),
    out: ofEach((way) => pe.attention(...heads, way)),
    dq: ofEach((way) => backward(way).q),
    dk: ofEach((way) => backward(way).k),
    dv: ofEach((way) => backward(way).v),
    dlog_fgate: ofEach((way) => backward(way).logGates),
    dgate_logit: ofEach((way) => encoding.logGatesBackward(logit, backward(way).logGates)),
  };
};

const bthd = {
  q: "batch T heads head_dim",
  k: "batch T kv_heads head_dim",
  v: "batch T kv_heads v_dim",
  gate_logit: "batch T heads",
  log_fgate: "batch T heads",
  mask: "T T",
};
const bhtd = {
  q: "batch heads Tq head_dim",
  k: "batch heads|kv_heads Tk head_dim",
  v: "batch heads|kv_heads Tk v_dim",
  gate_logit: "batch heads Tk",
  log_fgate: "batch heads Tk",
  mask: "Tq Tk",
};

export const FORGET = [
  { matches: (parsed) => tokensOf(parsed).layout === "bhtd", run: runForget, shapes: bhtd },
  { matches: (parsed) => tokensOf(parsed).layout === "bthd", run: runForget, shapes: bthd },
];
