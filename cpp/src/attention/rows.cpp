#include "attention/rows.hpp"

namespace posenc {

double rotation_length(const AttentionOptions& options) {
  if (options.sequence_length > 0) return options.sequence_length;
  return std::max(options.rotation->length_of(options.key_positions, 0),
                  options.rotation->length_of(options.query_positions, 0));
}

float* features_at(const View& view, const HeadShape& shape, int batch, int head, int position) {
  const HeadStrides& strides = shape.strides;
  return view.data + batch * strides.batch + head * strides.head + position * strides.position;
}

Rows::Rows(const View& q, const Sizes& sizes, const AttentionOptions& options, Workspace& workspace)
    : q_(q),
      sizes_(sizes),
      options_(options),
      branches_(options.remap),
      query_width_(changes_rows(options) ? options.relative->query_width : sizes.q.dim),
      key_width_(changes_rows(options) ? options.relative->key_width : sizes.q.dim),
      queries_{false, sizes.q, options.query_positions,
               sizes.keys_rotated ? sizes.query_rotation_positions : options.query_positions},
      keys_{true, sizes.k, options.key_positions, options.key_positions} {
  if (!options.rotation) return;
  constexpr int kMostMultipliers = 131072;
  const Rotation& rotation = *options.rotation;
  const double length = rotation_length(options);
  multipliers_.emplace(rotation, length, workspace);
  const int run = std::min(sizes.k.positions, kMostMultipliers / std::max(1, 2 * rotation.pairs));
  multipliers_->reserve_slots(branches_.are_dense() ? 2 * run : run);
  // Queries mostly have the positions of the last keys: both share cached multipliers.
  queries_.rotation_positions.emplace(rotation, queries_.rotated_at, length, Role::query,
                                      sizes.k.positions - sizes.q.positions);
  keys_.rotation_positions.emplace(rotation, options.key_positions, length, Role::key);
}

void Rows::load_queries(int batch, int head, int first, int count, float* rows, std::ptrdiff_t stride, int branch) {
  load(queries_, batch, head, first, count, rows, stride, branch);
}

void Rows::load_keys(int batch, int head, int first, int count, float* rows, std::ptrdiff_t stride, int set) {
  load(keys_, batch, head, first, count, rows, stride, set);
}

void Rows::read(bool is_key, int batch, int head, int first, int count, float* rows, std::ptrdiff_t stride) const {
  if (is_key) return sizes_.keys.read(batch, head, first, count, sizes_.k.dim, rows, stride);
  const float* from = features_at(q_, sizes_.q, batch, head, first);
  for (int i = 0; i < count; ++i) std::copy_n(from + i * sizes_.q.strides.position, sizes_.q.dim, rows + i * stride);
}

void Rows::load(const Side& side, int batch, int head, int first, int count, float* rows, std::ptrdiff_t stride,
                int way) {
  read(side.is_key, batch, head, first, count, rows, stride);
  for (int i = 0; call_ && i < count; i += kTogether) {
    double positions[kTogether];
    const int some = std::min(kTogether, count - i);
    for (int t = 0; t < some; ++t) positions[t] = side.position(batch, head, first + i + t);
    call_->expand(
        {side.is_key, batch, head, first + i, std::span(positions, std::size_t(some)), rows + i * stride, stride});
  }
  if (branches_)
    rotate_branch(side, side.index(side.positions, batch, first), count, rows, stride, way);
  else if (rotates(side))
    rotate(side, side.rotation_index(batch, first), count, rows, stride);
}

void Rows::rotate(const Side& side, std::size_t index, int count, float* rows, std::ptrdiff_t stride) const {
  const int together = side.rotated_at.values.empty() || side.rotated_at.axes > 1 ? kTogether : 1;
  const Rotation& rotation = *options_.rotation;
  for (int i = 0; i < count; i += together) {
    const int some = std::min(together, count - i);
    const float* multipliers[kTogether];
    for (int t = 0; t < some; ++t)
      multipliers[t] = multipliers_->at((*side.rotation_positions)[index + std::size_t(i + t)]);
    rotation.rotate_slices(rows + i * stride, {1, some, 0, 0, stride}, rotation.pairing, false, multipliers);
  }
}

RotationPosition Rows::branch_position(const Side& side, std::size_t index, int way) const {
  const double at = remapped_at(side, index, way);
  RotationPosition position{};
  position.at.fill(Real{at, 0});
  position.slot = std::int64_t(std::floor(at));
  if (branches_.are_dense()) position.slot = 2 * std::int64_t(std::floor(side.positions[index])) + way;
  return position;
}

void Rows::rotate_branch(const Side& side, std::size_t index, int count, float* rows, std::ptrdiff_t stride,
                         int way) const {
  const int together = side.positions.values.empty() ? kTogether : 1;
  const Rotation& rotation = *options_.rotation;
  for (int i = 0, some; i < count; i += some) {
    const float* multipliers[kTogether];
    std::int64_t slot = 0;
    for (some = 0; some < std::min(together, count - i); ++some) {
      const RotationPosition position = branch_position(side, index + std::size_t(i + some), way);
      // If positions restart, cached multipliers of earlier ones could be overwritten.
      if (some > 0 && position.slot < slot) break;
      slot = position.slot;
      multipliers[some] = multipliers_->at(position);
    }
    rotation.rotate_slices(rows + i * stride, {1, some, 0, 0, stride}, rotation.pairing, false, multipliers);
  }
}

}  // namespace posenc
