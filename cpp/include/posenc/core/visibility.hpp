// Which keys a query may see, beside causality and windows.
#pragma once

#include "posenc/core/shape.hpp"

namespace posenc {

/// The sequence that each place belongs to: any numbers.
struct SegmentsView {
  const std::int32_t* data = nullptr;
  double length = 0;
  Shape shape;
  std::span<const std::int32_t> places() const { return {data, std::size_t(length)}; }
};

/// A query sees the keys that all of this lets it see; without data, nothing is hidden. What a hidden key and its value
/// hold (NaN, infinity) reaches no query that does not see it, nor its gradients; a key is as hidden whose score is
/// -infinity by its bias.
struct Visibility {
  /// Broadcasts from the right to scores [batch, heads, queries, keys] as in PyTorch: each dim is theirs or 1.
  MaskView mask{};
  /// Hugging Face's: [keys] or [batch or 1, keys].
  MaskView attention_mask{};
  /// Packed sequences, which do not see each other: that of each key, [keys] or [batch or 1, keys]. Queries are the
  /// last of the keys (of a bias: those from its offset on). Places that are not given are counted in each sequence, as
  /// if it stood alone.
  SegmentsView segments{};
};

}  // namespace posenc
