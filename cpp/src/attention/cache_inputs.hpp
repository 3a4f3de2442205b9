// Per-token inputs of cache calls, reduced to some of the tokens.
#pragma once

#include "posenc/attention.hpp"
#include "posenc/core/memory.hpp"

namespace posenc {

/// The keys of one query: the first `sinks` tokens of a call, then those from `first` + sinks on, `count` in all.
struct QueryKeys {
  int sinks = 0, first = 0, count = 0;
  int at(int j) const { return j < sinks ? j : j + first; }
};

/// Masks, biases, segments and inputs of tokens for one query of a checked call.
class QueryInputs {
 public:
  /// Whether a call has inputs for each of its keys.
  static bool are_given(const AttentionOptions& options);
  /// Sets in `options` the inputs for `query` of the call, whose scores have the dims `scores`, in the layout bhtd.
  /// Returns false if out of memory.
  bool take(const AttentionOptions& call, const Shape& scores, int query, const QueryKeys& keys,
            AttentionOptions& options);

 private:
  Array<std::uint8_t> mask_ = nullptr, attention_mask_ = nullptr;
  Array<std::int32_t> segments_ = nullptr;
  Buffer bias_ = nullptr;
  std::array<Buffer, kTokenInputs.size()> tokens_{nullptr, nullptr, nullptr, nullptr, nullptr};
};

/// Segments of the last tokens of a text, and the positions of these tokens in their sequences.
class TailSegments {
 public:
  /// Given segments for `total` tokens, sets in `options` those of the last `kept` tokens, and their positions; each
  /// sequence begins at `offset`. Returns false if out of memory.
  bool take(AttentionOptions& options, int total, int kept, double offset);

 private:
  Array<std::int32_t> segments_ = nullptr;
  Array<double> positions_ = nullptr;
};

}  // namespace posenc
