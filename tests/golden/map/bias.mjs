// Biases from learned tables, content-dependent scores, resized tables: kinds that are still to come.
import { unmapped } from "../needs.mjs";

const hasParameter =
  (...names) =>
  ({ params }) =>
    names.some((name) => name in params);

export const BIAS = [
  unmapped("t5", hasParameter("num_buckets")),
  unmapped("swin", hasParameter("window_size")),
  unmapped("deberta", hasParameter("pos_att_type", "bucket_size")),
  unmapped("shaw", hasParameter("max_relative_position", "left_max")),
  unmapped("transformer-xl", hasParameter("mlen", "klen")),
  unmapped("learned", hasParameter("new_n", "new_h_w", "interpolate_offset")),
];
