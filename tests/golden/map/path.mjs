// PaTH: products of reflections between queries and keys.
import { needKind } from "../needs.mjs";
import { float32 } from "../plumbing.mjs";
import { checkFact } from "../restated.mjs";
import { waysOf, zeroHidden } from "./forget.mjs";

function runPath(pe, parsed) {
  needKind(pe, "path");
  const { params, inputs } = parsed;
  const encoding = pe.create({ kind: "path", dim: params.head_dim });
  const [q, k, v, directions, strengths] = ["q", "k", "v", "w", "beta"].map((name) => float32(inputs[name]));
  // Without a gate the reference is given zeros.
  const hasGates = inputs.g && params.use_gate !== false;
  checkFact(parsed, "use_gate", inputs.g ? inputs.g.data.some((gate) => gate !== 0) : false);
  const gates = hasGates ? [float32(inputs.g)] : [undefined, ...(inputs.g ? [float32(inputs.g)] : [])];
  const ways = waysOf(parsed).flatMap((way) =>
    gates.map((logGates) => ({ ...way, encoding, directions, strengths, logGates })),
  );
  const gated = ways.filter(({ logGates }) => logGates);
  const ofEach = (make, some = ways) => some.map((way) => () => make(way));
  const backward = (way) => pe.attentionBackward(q, k, v, float32(inputs.dout), way);
  return {
    logits: ofEach(({ scale, encoding, ...at }) => {
      const { data, dims } = zeroHidden(encoding.logits(q, k, at));
      return { data: data.map((score) => score * (scale ?? 1 / Math.sqrt(params.head_dim))), dims };
    }),
    out: ofEach((way) => pe.attention(q, k, v, way)),
    dq: ofEach((way) => backward(way).q),
    dk: ofEach((way) => backward(way).k),
    dv: ofEach((way) => backward(way).v),
    dw: ofEach((way) => backward(way).directions),
    dbeta: ofEach((way) => backward(way).strengths),
    dg: ofEach((way) => backward(way).logGates, gated),
  };
}

export const PATH = [
  {
    matches: ({ inputs }) => "w" in inputs && "beta" in inputs,
    run: runPath,
    shapes: {
      q: "batch T heads head_dim",
      k: "batch T kv_heads head_dim",
      v: "batch T kv_heads v_dim",
      w: "batch T kv_heads head_dim",
      beta: "batch T kv_heads",
      g: "batch T heads",
      mask: "T T",
    },
  },
];
