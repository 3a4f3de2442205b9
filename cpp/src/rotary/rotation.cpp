#include "posenc/rotary/rotation.hpp"

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

void Rotation::configure(const RotaryCommon& common, int pair_count) {
  dim = common.dim;
  pairs = pair_count;
  pairing = common.pairing;
  precision = common.precision;
  axes = common.axes();
  axis_of_pair = common.axis_map(pairs);
  slices = {{common.rotary_start < 0 ? dim - 2 * pairs : common.rotary_start, 0, pairs}};
  frequency_factors_ = common.frequency_factors;
  if (frequency_factors_.size() == 1) frequency_factors_.resize(std::size_t(pairs), frequency_factors_[0]);
}

std::vector<Real> Rotation::frequencies(double sequence_length) const {
  auto out = unscaled_frequencies(sequence_length);
  for (std::size_t k = 0; !parameters.empty() && k < out.size(); ++k)
    if (const float learned = parameters[0].values[k]; learned != float(out[k].value.hi))
      out[k] = Number(double(learned), precision);
  for (std::size_t k = 0; k < frequency_factors_.size(); ++k)
    out[k] = Number(out[k].value, precision) / Number(frequency_factors_[k]);
  return values_of(out);
}

bool Rotation::has_finite_frequencies() const {
  return std::ranges::all_of(parameters, [](const Parameter& learned) {
    return std::ranges::all_of(learned.values, [](float number) { return std::isfinite(number); });
  });
}

std::vector<double> Rotation::inverse_frequencies(double sequence_length) const {
  std::vector<double> out;
  for (const Real& frequency : frequencies(sequence_length)) out.push_back(frequency.hi);
  return out;
}

double Rotation::length_of(const Positions& positions, double sequence_length) const {
  if (sequence_length > 0) return sequence_length;
  return positions.count == 0 && positions.values.empty() ? 1 : std::max(1.0, std::floor(positions.largest()) + 1);
}

// The memory of a call grows with the number of pairs: rows of multipliers, frequencies of another length.
Error Rotation::check_memory() const {
  constexpr double kBytesOfPair = 1024;
  if (pairs <= 256 || can_have(kBytesOfPair * pairs)) return {};
  return error_at(Code::out_of_memory, "x", "out of memory for the multipliers of % pairs", pairs);
}

Error Rotation::tables(const Positions& positions, double sequence_length, const View& cosine, const View& sine,
                       Role role, Workspace& workspace) const noexcept {
  if (Error error = check_positions(positions, positions.count, 1, sequence_length, role)) return error;
  const Shape expected{double(positions.count), double(pairs)};
  if (Error error = check_result(cosine, expected, "out")) return error;
  if (Error error = check_result(sine, expected, "out")) return error;
  if (Error error = check_apart({{"out.cos", cosine}, {"out.sin", sine}}, {{"positions", positions}}, this))
    return error;
  const Multipliers multipliers(*this, length_of(positions, sequence_length), workspace);
  const RotationPositions rotation_positions(*this, positions, sequence_length, role);
  if (rotation_positions.plain() && positions.values.empty()) {
    multipliers.write_run(positions.offset, positions.count, attention_factor, cosine.data, sine.data);
    return {};
  }
  for (std::size_t t = 0; t < std::size_t(positions.count); ++t)
    multipliers.write_row(rotation_positions[t], attention_factor, 1, cosine.data + t * std::size_t(pairs),
                          sine.data + t * std::size_t(pairs));
  return {};
}

Error Rotation::angles(const Positions& positions, double sequence_length, std::span<double> out) const noexcept {
  if (Error error = check_positions(positions, positions.count, 1, sequence_length, Role::key)) return error;
  const auto list = inverse_frequencies(length_of(positions, sequence_length));
  const double size = double(list.size()) * positions.count;
  if (double(out.size()) != size) return error_at(Code::shape_mismatch, "out", "must have % values", size);
  if (Error error = check_apart({{"out", out}}, {{"positions", positions}}, this)) return error;
  double* angle = out.data();
  const RotationPositions rotation_positions(*this, positions, sequence_length, Role::key);
  const bool is_float16 = precision == Precision::float16;
  const auto angle_of = [&](double frequency, const Real& at) {
    return is_float16 ? nearest_float16(frequency * nearest_float16(at.hi)) : frequency * at.hi;
  };
  for (std::size_t t = 0; t < std::size_t(positions.count); ++t) {
    const RotationPosition position = rotation_positions[t];
    for (std::size_t k = 0; k < list.size(); ++k)
      *angle++ = angle_of(list[k], position.at[axis_of_pair.empty() ? 0 : std::size_t(axis_of_pair[k])]);
  }
  return {};
}

namespace {

Error check_float16(const Positions& positions) {
  constexpr double kLargest = 65504;
  const double largest = positions.largest(), smallest = positions.smallest();
  if (largest <= kLargest && smallest >= -kLargest) return {};
  return error_at(Code::out_of_range, "positions", "must be from -65504 to 65504 with float16Angles, got %",
                  largest > kLargest ? largest : smallest);
}

}  // namespace

Error Rotation::check_positions(const Positions& positions, double per_row, double rows, double sequence_length,
                                Role role) const noexcept {
  if (Error error = positions.check(per_row, rows, one_for_all && positions.axes == 1 ? 1 : axes)) return error;
  // A sequence is one longer than its last position.
  if (sequence_length > kMaxPosition + 1)
    return error_at(Code::invalid_argument, "sequenceLength", "must be from 1 to 2^48, got %", sequence_length);
  if (precision == Precision::float16)
    if (Error error = check_float16(positions)) return error;
  if (decay.rates.empty()) return {};
  if (role == Role::none)
    return error_at(Code::invalid_argument, "role", "must be \"query\" or \"key\" for this encoding");
  // e^80 and e^-80 are close to the limits of float32.
  const double farthest = std::floor(-80 / *std::min_element(decay.rates.begin(), decay.rates.end()));
  if (RotationPositions(*this, positions, sequence_length, role).reach() <= farthest) return {};
  return error_at(Code::out_of_range, "positions",
                  "must be within % of the centre, or magnitudes overflow; use a larger scaleBase or a closer centre",
                  farthest);
}

Error Rotation::check(const View& x, HeadLayout layout, const Positions& positions, double sequence_length,
                      Role role) const noexcept {
  if (Error error = check_heads_view(x, "x")) return error;
  if (x.shape[3] != dim)
    return error_at(Code::shape_mismatch, "x", "last dim must be % (dim, the size of one head), got %", dim, x.shape);
  if (Error error = check_apart({{"x", x}}, {{"positions", positions}}, this)) return error;
  const bool heads_first = layout == HeadLayout::bhtd;
  const double per_row = x.shape[heads_first ? 2 : 1], given = double(positions.values.size());
  if (heads_first && given > 0 && given != per_row && given != x.shape[0] * per_row && given == x.shape[1])
    return error_at(Code::shape_mismatch, "positions",
                    "must have % values, got %; x is [batch, heads, positions, dim] unless layout is \"bthd\"", per_row,
                    given);
  return check_positions(counted(positions, per_row), per_row, x.shape[0], sequence_length, role);
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

// `multipliers_at(batch, t, i)` returns the multipliers of position t of a batch element, the i-th of its chunk. If
// `shared`, all batch elements use the same multipliers.
template <class MultipliersAt>
void Rotation::rotate_chunks(float* x, const HeadShape& shape, int rows, bool shared, Pairing layout, bool backward,
                             const MultipliersAt& multipliers_at) const {
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
        for (int i = 0; i < count; ++i)
          multipliers[std::size_t(i)] = multipliers_at(std::size_t(batch), std::size_t(start + i), std::size_t(i));
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
                [&](std::size_t batch, std::size_t t, std::size_t i) -> const float* {
                  const std::size_t index = positions.row_start(batch, per_row) + t;
                  if (uses_cache && rotation_positions.plain())
                    if (const float* row = multipliers.cached(positions.offset + double(index))) return row;
                  if (uses_cache) return multipliers.at(rotation_positions[index]);
                  multipliers.write(rotation_positions[index], direction, chunk + i * width);
                  return chunk + i * width;
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
                [&](std::size_t batch, std::size_t t, std::size_t i) {
                  const RotationPosition p = undo_positions[from.positions.row_start(batch, per_row) + t];
                  const RotationPosition q = redo_positions[to.positions.row_start(batch, per_row) + t];
                  float* row = chunk + i * width;
                  redoing.write_move(undoing, p, q, row);
                  return row;
                });
  return {};
}

}  // namespace posenc
