// Which keys a query may attend to, in addition to causality and windows.
#pragma once

#include "posenc/core/shape.hpp"

namespace posenc {

/// The sequence id of each token; any integers.
struct SegmentsView {
  const std::int32_t* data = nullptr;
  double length = 0;
  Shape shape;
  std::span<const std::int32_t> ids() const { return {data, std::size_t(length)}; }
};

/// Masks of a call. A query attends to the keys that all of these masks allow; without data, nothing is masked. The
/// contents of a masked key and its value (NaN, infinity) affect neither the results nor the gradients of queries that
/// do not attend to it. A key whose bias makes its score -infinity is masked in the same way.
struct AttentionMasks {
  /// Broadcasts from the right to scores [batch, heads, queries, keys] as in PyTorch: each dim is equal to theirs or 1.
  MaskView mask{};
  /// Hugging Face's attention mask: [keys] or [batch or 1, keys].
  MaskView attention_mask{};
  /// Sequence ids of packed sequences, which do not attend to each other: one per key, [keys] or [batch or 1, keys].
  /// Queries are the last of the keys (for a bias: the keys from its offset on). Positions that are not given are
  /// counted from 0 in each sequence.
  SegmentsView segments{};
};

}  // namespace posenc
