// Attention with relative encodings, written out: q, k and v of one call, and naive loops over them.
#pragma once

#include <functional>

#include "cpp/support.hpp"
#include "posenc/attention.hpp"

namespace posenc::test {

/// One call with drawn shapes, numbers, positions and hidden keys.
struct RelativeCase {
  int batch, group, key_heads, queries, keys, dim, value_dim;
  std::vector<float> q, k, v;
  std::vector<double> query_position_values, key_position_values;
  std::vector<std::uint8_t> mask;
  AttentionOptions options;

  /// `heads` = 0: as many key heads as it likes.
  RelativeCase(std::uint32_t seed, int dim, int heads = 0);

  int heads() const { return key_heads * group; }
  const float* query(int b, int h, int i) const { return q.data() + row(heads(), queries, b, h, i, dim); }
  const float* key(int b, int h, int j) const { return k.data() + row(key_heads, keys, b, h / group, j, dim); }
  double query_position(int b, int i) const { return position_at(options.query_positions, queries, b, i); }
  double key_position(int b, int j) const { return position_at(options.key_positions, keys, b, j); }
  bool visible(int b, int i, int j) const;
  Shape shape(int heads, int positions, int width) const;
  std::size_t row(int heads, int positions, int b, int h, int t, int width) const;
  View q_view() { return view_of(q, shape(heads(), queries, dim)); }
  View k_view() { return view_of(k, shape(key_heads, keys, dim)); }
  View v_view() { return view_of(v, shape(key_heads, keys, value_dim)); }
  Shape scores() const { return {double(batch), double(heads()), double(queries), double(keys)}; }

 private:
  double position_at(const Positions& positions, int per_row, int b, int t) const {
    return positions[positions.row_start(std::size_t(b), std::size_t(per_row)) + std::size_t(t)];
  }
};

/// The unscaled score of query i and key j.
using Score = std::function<double(const RelativeCase&, int b, int h, int i, int j)>;
/// What joins the value of key j for query i, feature f.
using ValueTerm = std::function<double(const RelativeCase&, int b, int h, int i, int j, int f)>;

/// Logits, weights and results against the loops; `tolerance` is for logits, relative to their size.
void check_relative(RelativeCase& call, Relative& relative, const Score& score, const ValueTerm& value = nullptr);

}  // namespace posenc::test
