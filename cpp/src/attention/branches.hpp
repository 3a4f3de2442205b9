// Remapped distances: a few branches, in each of which queries and keys are turned as if they stood elsewhere.
#pragma once

#include <cmath>

#include "posenc/attention.hpp"

namespace posenc {

/// From the least to the largest.
struct Span {
  double least = kInfinity, largest = -kInfinity;
  void add(double position) {
    least = std::min(least, position);
    largest = std::max(largest, position);
  }
};

class Branches {
 public:
  static constexpr int kMost = 3;
  explicit Branches(const Remap& remap) : remap_(remap), length_(remap.chunk - remap.local) {}

  explicit operator bool() const { return remap_.rule != Remap::Rule::none; }
  /// How many ways there are to turn a query, and a key.
  int count() const { return *this ? (has_chunks() ? 3 : 2) : 1; }
  int key_sets() const { return has_chunks() ? 1 : count(); }
  int key_set(int branch) const { return has_chunks() ? 0 : branch; }
  /// The branch of a query and a key.
  int of(double query, double key) const;
  /// A bit for each branch that may occur among these.
  unsigned among(const Span& queries, const Span& keys) const;
  /// Where a query stands in a branch, and a key of a set.
  double query_place(int branch, double position) const;
  double key_place(int set, double position) const;
  /// Do places of a set lie so near to each other that several have the same integer below them?
  bool are_dense() const { return is_rerope() && remap_.leak > 0; }

 private:
  bool has_chunks() const { return remap_.rule == Remap::Rule::dual_chunk; }
  bool is_rerope() const { return remap_.rule == Remap::Rule::rerope; }

  const Remap& remap_;
  /// Of a chunk.
  double length_;
};

/// Can distances of this call be remapped?
Error check_remap(const AttentionOptions& options);
/// What scores are multiplied by.
double remap_factor(const Remap& remap, double sequence_length);

}  // namespace posenc
