// Masks and segments of a call against its scores [batch, heads, queries, keys].
#pragma once

#include "posenc/core/attention_masks.hpp"
#include "posenc/core/memory.hpp"

namespace posenc {

/// Keys [begin, end).
struct KeyRange {
  int begin = 0, end = 0;
  int count() const { return end - begin; }
};

/// Strides of a tensor that is broadcast to scores; 0 along broadcast dims.
struct Broadcast {
  std::ptrdiff_t batch = 0, head = 0, query = 0, key = 0;
  std::ptrdiff_t at(int b, int h, int q) const { return b * batch + h * head + q * query; }
};

/// The strides of a tensor of 1 to 4 dims, aligned to the last one; each dim is 1 or that of the scores.
Result<Broadcast> broadcast(const Shape& shape, const Shape& scores, std::string_view name);

/// Writes to `out`, shaped like segments, the position of each key within its sequence, plus `offset`. Returns false if
/// out of memory.
bool compute_segment_positions(const SegmentsView& segments, int keys, double offset, Array<double>& out);

/// The checked masks and segments of a call.
class ResolvedMask {
 public:
  /// Query i of the scores is key `first_query` + i.
  Error check(const AttentionMasks& given, const Shape& scores, double first_query);
  /// Whether mask_row() masks anything.
  bool masks_any() const {
    return given_.mask.data || given_.attention_mask.data || (given_.segments.data && !contiguous_);
  }
  bool has_segments() const { return given_.segments.data; }
  /// Whether the keys of each sequence are contiguous, in the order of the segment ids.
  bool contiguous() const { return contiguous_; }
  /// Computes segment_positions(): positions of keys within their sequences, [keys] or [batch * keys].
  Error compute_segment_positions();
  std::span<const double> segment_positions() const { return {segment_positions_.data(), std::size_t(counted_)}; }
  /// Keys that may be of the query's sequence; if sequences are contiguous, exactly its keys.
  KeyRange sequence(int batch, int query) const {
    return given_.segments.data && contiguous_ ? find(batch, first_query_ + query) : KeyRange{0, keys_};
  }
  /// Sets row [count], keys from `first` on, to `value` where masked. sequence() covers contiguous segments.
  void mask_row(int batch, int head, int query, int first, int count, float* row, float value) const;

 private:
  KeyRange find(int batch, int index) const;
  template <class Rows>
  std::ptrdiff_t start_of(const Rows& rows, int batch) const {
    return rows.shape.rank == 2 && rows.shape[0] != 1 ? std::ptrdiff_t(batch) * keys_ : 0;
  }
  const std::int32_t* segments_of(int batch) const { return given_.segments.data + start_of(given_.segments, batch); }

  AttentionMasks given_;
  Broadcast mask_;
  int keys_ = 0, first_query_ = 0;
  bool contiguous_ = true;
  Array<double> segment_positions_;
  double counted_ = 0;
  /// The last result of find(): neighbouring queries share a sequence.
  mutable const std::int32_t* row_ = nullptr;
  mutable KeyRange range_;
};

}  // namespace posenc
