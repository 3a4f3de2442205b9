// Remapped distances: a few branches, in each of which queries and keys are rotated by remapped positions.
#pragma once

#include <cmath>

#include "posenc/attention.hpp"

namespace posenc {

/// A range of positions.
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
  /// Number of branches (rotations of a query), and of key sets (rotations of a key).
  int count() const { return *this ? (has_chunks() ? 3 : 2) : 1; }
  int key_sets() const { return has_chunks() ? 1 : count(); }
  int key_set(int branch) const { return has_chunks() ? 0 : branch; }
  /// The branch of a query and a key.
  int of(double query, double key) const;
  /// Bit mask of the branches that may occur between these ranges.
  unsigned among(const Span& queries, const Span& keys) const;
  /// Remapped position of a query in a branch, and of a key in a set.
  double remapped_query(int branch, double position) const;
  double remapped_key(int set, double position) const;
  /// Whether several remapped positions of a set may have the same floor.
  bool are_dense() const { return is_rerope() && remap_.leak > 0; }

 private:
  bool has_chunks() const { return remap_.rule == Remap::Rule::dual_chunk; }
  bool is_rerope() const { return remap_.rule == Remap::Rule::rerope; }

  const Remap& remap_;
  /// Length of a chunk.
  double length_;
};

/// Checks whether the distances of this call can be remapped.
Error check_remap(const AttentionOptions& options);
/// Factor of the scores.
double remap_factor(const Remap& remap, double sequence_length);

}  // namespace posenc
