// xPos of lucidrains and torchscale, the axial frequencies of lucidrains.
import { vector } from "../arrays.mjs";
import { pairingOf } from "../specs.mjs";
import { rotaryOutputs, specIn } from "./rotary.mjs";

const lastRow = ({ data, dims: [batch, heads, count, width] }) => {
  const rows = Array.from({ length: batch * heads }, (_, head) => [
    ...data.subarray(((head + 1) * count - 1) * width).slice(0, width),
  ]);
  return { data: Float32Array.from(rows.flat()), dims: [batch, heads, 1, width] };
};

// q kᵀ of each head, for one query.
function scores(q, k) {
  const [batch, headCount, count, width] = k.dims;
  const heads = batch * headCount;
  const dot = (head, row) =>
    q.data
      .subarray(head * width)
      .reduce((sum, x, i) => (i < width ? sum + x * k.data[(head * count + row) * width + i] : sum), 0);
  const data = Array.from({ length: heads * count }, (_, i) => dot(Math.floor(i / count), i % count));
  return { data, dims: [batch, headCount, 1, count] };
}

// lucidrains: one query beside a cache of keys is centred on half its own length, 0; the keys on half of theirs.
function runXpos(pe, parsed) {
  const { dim, xpos_scale_base: scaleBase, T: count, center: centre, layout } = parsed.params;
  const spec = { kind: "xpos", dim, scaleBase, centreRounding: "down", pairing: pairingOf(layout) };
  const rotated = (name, role, more = {}, at = {}) => {
    const { data, dims } = parsed.inputs[name];
    return pe.create({ ...spec, ...more }).apply({ data: data.slice(), dims }, { ...at, role });
  };
  // By the library's own rule for the middle, and from the middle that the case names.
  const known = centre === undefined ? [] : [{ centre }];
  const both = (name, role) => [{}, ...known].map((more) => () => rotated(name, role, more));
  const keys = () => rotated("k", "key");
  const query = () => {
    const { data, dims } = lastRow(parsed.inputs.q);
    return pe.create({ ...spec, centre: 0 }).apply({ data, dims }, { offset: count - 1, role: "query" });
  };
  return {
    q_rot: both("q", "query"),
    k_rot: both("k", "key"),
    q_cached_decode: query,
    k_cached_decode: keys,
    scores_full_last_row: () => scores(lastRow(rotated("q", "query")), keys()),
    scores_cached_decode: () => scores(query(), keys()),
  };
}

// torchscale: places count from 0 whatever the offset; min_pos = -centre.
function runTorchscale(pe, parsed) {
  const { head_dim: dim, scale_base: scaleBase, offset, length, min_pos, layout } = parsed.params;
  const spec = { kind: "xpos", dim, scaleBase, pairing: pairingOf(layout) };
  const outputs = (more) =>
    rotaryOutputs(parsed, specIn(pe, { ...spec, ...more }), { at: { offset }, count: length, fallback: "btd" });
  const [own, named] = [outputs({}), outputs({ centre: -min_pos })];
  return {
    ...own,
    q_rot: [own.q_rot, named.q_rot],
    k_rot: [own.k_rot, named.k_rot],
    scale: () => vector(bases(pe, { ...spec, centre: 0 })),
  };
}

// The magnitudes of position scaleBase are those that are raised to powers.
function bases(pe, spec) {
  const { cos, sin } = pe.create(spec).tables({ positions: [spec.scaleBase], role: "query" });
  return cos.data.map((x, k) => Math.hypot(x, sin.data[k]));
}

function runAxial(pe, parsed) {
  const { dim_per_axis: width, axes, freqs_for, max_freq: maxFrequency, offsets, layout } = parsed.params;
  const dim = parsed.inputs.q.dims.at(-1);
  const form = freqs_for === "pixel" ? "pixel" : "own";
  const coordinates = freqs_for === "pixel" ? "endpoints" : "index";
  const axisDims = axes.map(() => width);
  const shape = { kind: "rope-axial", dim, axes: axes.length, axisDims, pairing: pairingOf(layout) };
  const encoding = pe.create({ ...shape, form, coordinates, maxFrequency });
  const { data: ids, axes: cellAxes } = pe.gridPositionIds(axes);
  const positions = cellAxes.map((list, axis) => list.map((position) => position + (offsets?.[axis] ?? 0)));
  const at = { positions, grid: axes };
  const count = ids.length / axes.length;
  return {
    freqs: () => ({
      // Each frequency twice, once for each feature of its pair.
      data: Array.from(encoding.angles(at)).flatMap((angle) => [angle, angle]),
      dims: [...axes, 2 * encoding.pairs],
    }),
    q_rot: () => {
      const { data } = parsed.inputs.q;
      const tensor = { data: Float32Array.from(data), dims: [1, data.length / (count * dim), count, dim] };
      return { data: encoding.apply(tensor, at).data, dims: parsed.inputs.q.dims };
    },
  };
}

export const MISC_ROTARY = [
  {
    matches: ({ params }) => "xpos_scale_base" in params,
    shapes: { q: "batch heads T dim", k: "batch heads T dim" },
    run: runXpos,
  },
  {
    matches: ({ params, inputs }) => "scale_base" in params && "min_pos" in params && "q" in inputs,
    shapes: { q: "batch length head_dim", k: "batch length head_dim" },
    run: runTorchscale,
  },
  { matches: ({ params }) => "axes" in params && "freqs_for" in params, run: runAxial },
];
