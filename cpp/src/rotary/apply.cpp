// Rotates whole tensors, in chunks of positions whose multipliers are ready before any head is rotated.
#include <algorithm>

#include "rotary/multipliers.hpp"

namespace posenc {

namespace {

// Positions per chunk, whose multipliers are computed before all heads use them. They stay in the L1 cache. If a head's
// rows are adjacent and memory is traversed in order, they take half of an L2 cache, so that stretches are long.
constexpr int kChunkRows = 16, kLongChunkRows = 1024, kLongChunkFloats = 131072;

}  // namespace

HeadShape head_shape(const Shape& shape, HeadLayout layout) {
  HeadShape out;
  const bool heads_first = layout == HeadLayout::bhtd;
  out.batch = int(shape[0]);
  out.heads = int(shape[heads_first ? 1 : 2]);
  out.positions = int(shape[heads_first ? 2 : 1]);
  out.dim = int(shape[3]);
  const std::ptrdiff_t width = out.dim;
  out.strides.position = heads_first ? width : width * out.heads;
  out.strides.head = heads_first ? width * out.positions : width;
  out.strides.batch = width * out.positions * out.heads;
  return out;
}

void Rotation::rotate_slices(float* x, RotateBlock block, Pairing layout, bool backward,
                             const float* const* multipliers) const {
  block.row_pairs = pairs;
  for (const Slice& slice : slices) {
    block.pairs = slice.pairs;
    block.first_pair = slice.first_pair;
    rotate(x + slice.start, block, layout, backward, multipliers);
  }
}

namespace {

bool heads_first(const HeadShape& shape) { return shape.strides.head > shape.strides.position; }

// Whether memory is traversed row by row. Interleaved multipliers are costly to spread: where the heads of a position
// are adjacent, these are rotated together as long as the tensor fits in larger caches.
bool is_streamed(const HeadShape& shape, Pairing pairing) {
  constexpr double kLargerCacheFloats = 1048576;
  const bool together = pairing != Pairing::half && !heads_first(shape);
  return double(shape.strides.batch) * shape.batch > (together ? kLargerCacheFloats : double(kCachedFloats));
}

}  // namespace

// `fill(batch, start, multipliers)` finds those of the positions from `start` on of a batch element. If `shared`, all
// batch elements use the same multipliers.
template <class Fill>
void Rotation::rotate_chunks(float* x, const HeadShape& shape, int rows, bool shared, Pairing layout, bool backward,
                             const Fill& fill) const {
  std::array<const float*, kLongChunkRows> multipliers;
  for (int start = 0; start < shape.positions; start += rows) {
    const int count = std::min(rows, shape.positions - start);
    const RotateBlock block{.heads = shape.heads,
                            .positions = count,
                            .head_stride = shape.strides.head,
                            .position_stride = shape.strides.position,
                            .streamed = is_streamed(shape, layout)};
    for (int batch = 0; batch < shape.batch; ++batch) {
      if (batch == 0 || !shared)
        fill(std::size_t(batch), std::size_t(start), std::span(multipliers).first(std::size_t(count)));
      rotate_slices(x + batch * shape.strides.batch + start * shape.strides.position, block, layout, backward,
                    multipliers.data());
    }
  }
}

int Rotation::chunk_rows(const HeadShape& shape) const {
  if (!heads_first(shape) || !is_streamed(shape, pairing) || !can_have(sizeof(float) * kLongChunkFloats))
    return kChunkRows;
  return std::clamp(kLongChunkFloats / (2 * std::max(1, pairs)), kChunkRows, kLongChunkRows);
}

Error Rotation::apply(const View& x, HeadLayout layout, const Positions& given, double sequence_length,
                      Direction direction, Role role, Workspace& workspace) const noexcept {
  if (Error error = check(x, layout, given, sequence_length, role)) return error;
  if (x.length == 0) return {};
  if (Error error = check_memory()) return error;
  const HeadShape shape = head_shape(x.shape, layout);
  const std::size_t per_row = std::size_t(shape.positions), width = 2 * std::size_t(pairs);
  const Positions positions = counted(given, shape.positions);
  Multipliers multipliers(*this, length_of(positions, sequence_length), workspace);
  const RotationPositions rotation_positions(*this, positions, sequence_length, role);
  const bool uses_cache = direction == Direction::forward && (positions.values.empty() || positions.axes > 1);
  if (uses_cache) {
    // Caches as many rows as fit; in longer calls later chunks overwrite earlier rows.
    double run = 1;
    for (int axis = 0; axis < positions.axes; ++axis) run *= std::max(1.0, positions.extent_of(axis));
    multipliers.reserve_slots(int(std::min(65536.0, std::max<double>(run, shape.positions))));
  }
  const bool consecutive = rotation_positions.plain() && positions.offset == std::floor(positions.offset);
  const int rows = uses_cache ? std::min(chunk_rows(shape), multipliers.usable_slots(consecutive)) : chunk_rows(shape);
  float* chunk = multipliers.chunk(uses_cache ? 0 : std::size_t(rows));
  rotate_chunks(x.data, shape, rows, positions.values.size() <= per_row, pairing, direction != Direction::forward,
                [&](std::size_t batch, std::size_t start, std::span<const float*> out) {
                  const std::size_t first = positions.row_start(batch, per_row) + start;
                  if (uses_cache && consecutive) return multipliers.run(positions.offset + double(first), out);
                  for (std::size_t i = 0; i < out.size(); ++i) {
                    const RotationPosition position = rotation_positions[first + i];
                    out[i] = uses_cache ? multipliers.at(position) : chunk + i * width;
                    if (!uses_cache) multipliers.write(position, direction, chunk + i * width);
                  }
                });
  return {};
}

Error Rotation::rerotate(const View& x, HeadLayout layout, const PositionedRotation& from, const PositionedRotation& to,
                         Workspace& workspace) const noexcept {
  const Rotation& before = from.rotation;
  if (Error error = check(x, layout, to.positions, to.sequence_length, Role::key)) return error;
  if (before.dim != dim || before.pairs != pairs || before.pairing != pairing || before.slices != slices)
    return error_at(Code::invalid_argument, "from", "must have the same dim, rotaryDim and pairing as this encoding");
  if (Error error = before.check(x, layout, from.positions, from.sequence_length, Role::key)) return error;
  if (x.length == 0) return {};
  if (Error error = check_memory()) return error;
  const HeadShape shape = head_shape(x.shape, layout);
  const std::size_t per_row = std::size_t(shape.positions), width = 2 * std::size_t(pairs);
  const Positions old_positions = counted(from.positions, shape.positions);
  const Positions new_positions = counted(to.positions, shape.positions);
  const double from_length = before.length_of(old_positions, from.sequence_length);
  const double to_length = length_of(new_positions, to.sequence_length);
  const Multipliers undoing(before, from_length, workspace);
  const Multipliers redoing(*this, to_length, workspace);
  const RotationPositions undo_positions(before, old_positions, from_length, Role::key);
  const RotationPositions redo_positions(*this, new_positions, to_length, Role::key);
  // Rotated keys of `interleaved-to-half` are already in half layout and keep it.
  const Pairing rotated_pairing = pairing == Pairing::interleaved_to_half ? Pairing::half : pairing;
  const bool shared = from.positions.values.size() <= per_row && to.positions.values.size() <= per_row;
  const int rows = chunk_rows(shape);
  float* chunk = redoing.chunk(std::size_t(rows));
  rotate_chunks(x.data, shape, rows, shared, rotated_pairing, false,
                [&](std::size_t batch, std::size_t start, std::span<const float*> out) {
                  const std::size_t undo_first = from.positions.row_start(batch, per_row) + start;
                  const std::size_t redo_first = to.positions.row_start(batch, per_row) + start;
                  for (std::size_t i = 0; i < out.size(); ++i) {
                    float* row = chunk + i * width;
                    redoing.write_move(undoing, undo_positions[undo_first + i], redo_positions[redo_first + i], row);
                    out[i] = row;
                  }
                });
  return {};
}

}  // namespace posenc
