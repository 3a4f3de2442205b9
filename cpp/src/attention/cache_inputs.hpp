// What calls of a cache give for each of its tokens, as some of them have it.
#pragma once

#include "posenc/attention.hpp"
#include "posenc/core/memory.hpp"

namespace posenc {

/// The keys of one query: the first `sinks` tokens of a call, then those from `first` + sinks on, `count` in all.
struct QueryKeys {
  int sinks = 0, first = 0, count = 0;
  int at(int j) const { return j < sinks ? j : j + first; }
};

/// Masks, biases, segments and inputs of tokens for one query of a call that was checked.
class QueryInputs {
 public:
  /// Does a call give anything for each of its keys?
  static bool are_given(const AttentionOptions& options);
  /// `options` get those of `query` of the call, whose scores have these dims, in the layout bhtd. False: there is no
  /// memory.
  bool take(const AttentionOptions& call, const Shape& scores, int query, const QueryKeys& keys,
            AttentionOptions& options);

 private:
  Array<std::uint8_t> mask_ = nullptr, attention_mask_ = nullptr;
  Array<std::int32_t> segments_ = nullptr;
  Buffer bias_ = nullptr;
  std::array<Buffer, kTokenInputs.size()> tokens_{nullptr, nullptr, nullptr, nullptr};
};

/// Segments of the last tokens of a text, and where these are in their sequences.
class TailSegments {
 public:
  /// Of segments for `total` tokens, of which the call has the last `kept`: `options` get those of these, and their
  /// positions, where sequences begin at `offset`. False: there is no memory.
  bool take(AttentionOptions& options, int total, int kept, double offset);

 private:
  Array<std::int32_t> segments_ = nullptr;
  Array<double> places_ = nullptr;
};

}  // namespace posenc
