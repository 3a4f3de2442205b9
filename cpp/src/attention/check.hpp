// What a call of attention must be, before anything is computed.
#pragma once

#include "attention/stored.hpp"
#include "core/sight.hpp"
#include "kernels/tiles.hpp"
#include "posenc/attention.hpp"
#include "posenc/core/memory.hpp"

namespace posenc {

inline Error attention_out_of_memory() { return {Code::out_of_memory, "", "attention: out of memory for its scratch"}; }

/// What callers know the extra keys as.
inline constexpr std::string_view kExtraKeys = "gateKeys";

/// Are rows as wide as an encoding makes them, instead of as they are?
inline bool changes_rows(const AttentionOptions& options) { return options.relative && options.relative->dim > 0; }

/// The heads of q, k and v, and how many query heads share a key head.
struct Sizes {
  HeadShape q, k, v;
  int group = 1;
  /// Where keys and values lie: follows from the tensors, unless they are `stored` elsewhere.
  StoredRows keys, values;
  bool stored = false;
  /// Of stored keys: do they stand turned by the rotation already, and where do the queries stand among them?
  bool keys_turned = false;
  Positions turned_queries;
  /// Positions that a call completes, where these are no part of those that it was given.
  Array<double> key_positions, query_positions;
};

/// Checks a call as far as its options go, and measures it; `v` may be null. Completes the positions.
Error check_call(const View& q, const View& k, const View* v, AttentionOptions& options, Sizes& sizes);

/// attention() of keys and values that are stored as `sizes` says; k and v have their dims alone.
Error attend_stored(const View& q, const View& k, const View& v, AttentionOptions options, const View& out,
                    Sizes& sizes, Workspace& workspace);

/// Checks a bias for scores [batch, heads, queries, keys], and how it broadcasts to them.
Error check_bias(const View& bias, const Shape& scores, Broadcast& strides);

/// check_apart() with all else that a call reads.
Error check_apart_from_inputs(Regions results, Regions tensors, const AttentionOptions& options);

/// The sequence length that the rotation goes by: that of queries and keys together.
double rotation_length(const AttentionOptions& options);

/// Where a position's features are.
[[gnu::noinline]] float* features_at(const View& view, const HeadShape& shape, int batch, int head, int position);

}  // namespace posenc
