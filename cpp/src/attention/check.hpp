// Checks of attention calls, before anything is computed.
#pragma once

#include "attention/stored.hpp"
#include "core/resolved_mask.hpp"
#include "kernels/tiles.hpp"
#include "posenc/attention.hpp"
#include "posenc/core/memory.hpp"

namespace posenc {

inline Error attention_out_of_memory() { return {Code::out_of_memory, "", "attention: out of memory for scratch"}; }

/// Name of the extra keys in the public API.
inline constexpr std::string_view kExtraKeys = "gateKeys";

/// Whether the encoding determines the widths of rows.
inline bool changes_rows(const AttentionOptions& options) { return options.relative && options.relative->dim > 0; }

/// The heads of q, k and v, and how many query heads share a key head.
struct Sizes {
  HeadShape q, k, v;
  int group = 1;
  /// Keys and values: those of the tensors, unless they are `stored` elsewhere.
  StoredRows keys, values;
  bool stored = false;
  /// Stored keys: whether they are already rotated, and the positions by which queries are rotated to match.
  bool keys_rotated = false;
  Positions query_rotation_positions;
  /// Memory of positions that a call completes, if they are not part of given ones.
  Array<double> key_positions, query_positions;
};

/// Checks the options of a call and measures it; `v` may be null. Completes the positions.
Error check_call(const View& q, const View& k, const View* v, AttentionOptions& options, Sizes& sizes);

/// attention() over keys and values stored as in `sizes`; of k and v only the dims are used.
Error attend_stored(const View& q, const View& k, const View& v, AttentionOptions options, const View& out,
                    Sizes& sizes, Workspace& workspace);

/// Checks a bias for scores [batch, heads, queries, keys], and how it broadcasts to them.
Error check_bias(const View& bias, const Shape& scores, Broadcast& strides);

/// check_apart() for results, `tensors` and all other inputs of a call.
Error check_apart_from_inputs(Regions results, Regions tensors, const AttentionOptions& options);

/// The sequence length for the rotation: that of queries and keys together.
double rotation_length(const AttentionOptions& options);

/// Pointer to the features of a position.
[[gnu::noinline]] float* features_at(const View& view, const HeadShape& shape, int batch, int head, int position);

}  // namespace posenc
