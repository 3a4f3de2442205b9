// Data-dependent ALiBi: gates made of the layer's input.
import { needKind } from "../needs.mjs";
import { float32 } from "../plumbing.mjs";

function runLinear(pe, parsed) {
  needKind(pe, "data-dependent-alibi");
  const { params, inputs } = parsed;
  const { dim, heads, causal, post_log_scale: postLogScale } = params;
  const spec = { kind: "data-dependent-alibi", dim, heads, bidirectional: !(causal ?? true), postLogScale };
  const weight = float32(inputs["to_forget_gates.0.weight"]);
  const bias = float32(inputs["to_forget_gates.0.bias"]);
  const encoding = pe.create({ ...spec, weight, bias });
  return { bias: () => encoding.bias(encoding.logGates(float32(inputs.x))) };
}

function runPerRow(pe, parsed) {
  needKind(pe, "per-row-alibi");
  const { params, inputs } = parsed;
  const { dim, heads, dim_head: gateDim, post_log_scale: postLogScale } = params;
  const weight = float32(inputs["to_forget_gates.0.weight"]);
  const encoding = pe.create({ kind: "per-row-alibi", dim, heads, gateDim, postLogScale, weight });
  return { bias: () => encoding.biasOfRows(encoding.gateRows(float32(inputs.x))) };
}

export const DDALIBI = [
  {
    matches: ({ inputs }) => "to_forget_gates.0.bias" in inputs,
    run: runLinear,
    shapes: { x: "batch T dim" },
  },
  {
    matches: ({ inputs }) => "to_forget_gates.0.weight" in inputs,
    run: runPerRow,
    shapes: { x: "batch T dim" },
  },
];
