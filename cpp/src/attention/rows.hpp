// The first stage: the rows of queries and keys as used in products.
#pragma once

#include "attention/branches.hpp"
#include "attention/check.hpp"
#include "rotary/multipliers.hpp"

namespace posenc {

class Rows {
 public:
  Rows(const View& q, const Sizes& sizes, const AttentionOptions& options, Workspace& workspace);

  /// Sets the call that expands rows; null: none.
  void expand_by(RelativeCall* call) { call_ = call; }
  /// Widths of rows. Products use as many features as keys have.
  int query_width() const { return query_width_; }
  int key_width() const { return key_width_; }
  /// Whether keys are used as given, in place.
  bool keys_stay() const { return !rotates(keys_) && !expands() && sizes_.keys.is_float32(); }
  /// Branches of remapped distances; false if distances are not remapped.
  const Branches& branches() const { return branches_; }
  /// Loads rows [count], `stride` apart, of a head from position `first` on: expanded, and rotated for a branch
  /// (queries) or a key set (keys).
  void load_queries(int batch, int head, int first, int count, float* rows, std::ptrdiff_t stride, int branch = 0);
  void load_keys(int batch, int head, int first, int count, float* rows, std::ptrdiff_t stride, int set = 0);
  /// The same rows as given.
  void read(bool is_key, int batch, int head, int first, int count, float* rows, std::ptrdiff_t stride) const;
  /// A row as given, in place; only for float32.
  const float* given(bool is_key, int batch, int head, int t) const {
    return is_key ? sizes_.keys.at(batch, head, t) : features_at(q_, sizes_.q, batch, head, t);
  }
  /// Remapped position of a query in a branch, or of a key in a set.
  double remapped_position(bool is_key, int batch, int t, int way) const {
    const Side& side = is_key ? keys_ : queries_;
    return remapped_at(side, side.index(side.positions, batch, t), way);
  }
  double query_position(int batch, int head, int query) const { return queries_.position(batch, head, query); }
  double key_position(int batch, int head, int key) const { return keys_.position(batch, head, key); }

  /// Rows that are loaded together. At least as many consecutive positions are cached.
  static constexpr int kTogether = 16;

 private:
  /// Queries, or keys.
  struct Side {
    bool is_key;
    const HeadShape& shape;
    const Positions& positions;
    /// Positions for the rotation, if they differ from `positions`.
    const Positions& rotated_at;
    std::optional<RotationPositions> rotation_positions{};
    /// Number of heads, or groups of heads, with their own positions in each batch element; above 1 only for kinds that
    /// rotate rows by maps.
    std::size_t own = std::max<std::size_t>(
        1, positions.values.size() / std::max<std::size_t>(1, std::size_t(shape.batch) * std::size_t(shape.positions)));
    std::size_t index(const Positions& of, int batch, int t) const {
      return of.row_start(std::size_t(batch), std::size_t(shape.positions)) + std::size_t(t);
    }
    std::size_t rotation_index(int batch, int t) const { return index(rotated_at, batch, t); }
    double position(int batch, int head, int t) const {
      const std::size_t group = own > 1 ? std::size_t(head) * own / std::size_t(shape.heads) : 0;
      return positions[index(positions, batch * int(own) + int(group), t)];
    }
  };
  /// Whether keys are replaced or widened.
  bool expands() const { return key_width_ != keys_.shape.dim || (options_.relative && options_.relative->maps_rows); }
  bool rotates(const Side& side) const {
    return options_.rotation && (branches_ || !(side.is_key && sizes_.keys_rotated));
  }
  void load(const Side& side, int batch, int head, int first, int count, float* rows, std::ptrdiff_t stride, int way);
  void rotate(const Side& side, std::size_t index, int count, float* rows, std::ptrdiff_t stride) const;
  void rotate_branch(const Side& side, std::size_t index, int count, float* rows, std::ptrdiff_t stride, int way) const;
  double remapped_at(const Side& side, std::size_t index, int way) const {
    const double position = side.positions[index];
    return side.is_key ? branches_.remapped_key(way, position) : branches_.remapped_query(way, position);
  }
  RotationPosition branch_position(const Side& side, std::size_t index, int way) const;

  const View& q_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  Branches branches_;
  int query_width_, key_width_;
  Side queries_, keys_;
  std::optional<Multipliers> multipliers_;
  RelativeCall* call_ = nullptr;
};

}  // namespace posenc
