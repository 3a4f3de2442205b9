// Biases from learned tables, resized tables; content-dependent scores are still to come.
import { reshape, toNumbers } from "../arrays.mjs";
import { needKind, unmapped } from "../needs.mjs";
import { RESIZE } from "./resize.mjs";

const hasParameter =
  (...names) =>
  ({ params }) =>
    names.some((name) => name in params);

/** A T5 encoding from a checkpoint's table [buckets, heads]; a kernel of one head where only its buckets are asked for. */
export function t5Of(pe, { params, inputs }, bidirectional) {
  needKind(pe, "t5");
  const { num_heads, heads = num_heads ?? 1, num_buckets: buckets, max_distance: maxDistance } = params;
  const encoding = pe.create({ kind: "t5", heads, buckets, maxDistance, bidirectional });
  return inputs.table ? encoding.load(tensorOf(inputs.table)) : encoding;
}

const tensorOf = ({ data, dims }) => ({ type: "float32", data, dims });

// The cases list key - query: a query at 0 and keys at those positions.
function runT5Buckets(pe, parsed) {
  const keyPositions = toNumbers(parsed.inputs.relative_position.data);
  const encoding = t5Of(pe, parsed, parsed.params.bidirectional);
  const bucket = () =>
    reshape(encoding.buckets({ queries: 1, keys: keyPositions.length, offset: 0, keyPositions }), [
      keyPositions.length,
    ]);
  return { bucket, bucket_mesh_numpy_float32: bucket, bucket_exact: bucket };
}

function runT5(pe, parsed) {
  const { is_decoder, query_length: queries, key_length: keys, past_seen_tokens: offset } = parsed.params;
  const bias = t5Of(pe, parsed, !is_decoder).bias({ queries, keys, offset });
  return { bias: () => reshape(bias, [1, ...bias.dims]) };
}

export const BIAS = [
  { matches: ({ params, inputs }) => "num_buckets" in params && "relative_position" in inputs, run: runT5Buckets },
  { matches: hasParameter("num_buckets"), run: runT5 },
  unmapped("swin", hasParameter("window_size")),
  unmapped("deberta", hasParameter("pos_att_type", "bucket_size")),
  unmapped("shaw", hasParameter("max_relative_position", "left_max")),
  unmapped("transformer-xl", hasParameter("mlen", "klen")),
  ...RESIZE,
];
