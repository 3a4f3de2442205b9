#include "posenc/rotary/rotation.hpp"

namespace posenc {

namespace {

// Rows of multipliers that stay in the first-level cache while all heads use them.
constexpr int kChunk = 16;

}  // namespace

Error RotaryCommon::validate(std::string_view kind) const {
  if (rotary_dim > dim)
    return spec_error(kind, "rotaryDim", {"must be ≤ dim (", format_number(dim), "), got ", format_number(rotary_dim)});
  if (turned() % 2)
    return spec_error(kind, rotary_dim ? "rotaryDim" : "dim",
                      {"must be even: features turn in pairs, got ", format_number(turned())});
  return {};
}

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

std::vector<double> Rotation::inverse_frequencies(double sequence_length) const {
  std::vector<double> out;
  if (precision == Precision::float32)
    for (float frequency : rounded_frequencies(sequence_length)) out.push_back(frequency);
  else
    for (const Real& frequency : frequencies(sequence_length)) out.push_back(frequency.hi);
  return out;
}

Waves& Rotation::waves(double sequence_length) {
  const double wanted = regime(sequence_length);
  if (!waves_ || waves_regime_ != wanted) {
    waves_ = precision == Precision::float32 ? std::make_unique<Waves>(rounded_frequencies(sequence_length))
                                             : std::make_unique<Waves>(frequencies(sequence_length));
    waves_regime_ = wanted;
    std::fill(kept_positions_.begin(), kept_positions_.end(), kInfinity);
  }
  return *waves_;
}

double Rotation::length_of(const Positions& positions, double sequence_length) const {
  if (sequence_length > 0) return sequence_length;
  return positions.count == 0 && positions.values.empty() ? 1 : std::max(1.0, std::floor(positions.largest()) + 1);
}

Error Rotation::tables(const Positions& positions, double sequence_length, const View& cosine, const View& sine) {
  if (Error error = positions.check(positions.count, 1)) return error;
  const Shape expected{double(positions.count), double(pairs)};
  if (Error error = check_result(cosine, expected, "out")) return error;
  if (Error error = check_result(sine, expected, "out")) return error;
  Waves& source = waves(length_of(positions, sequence_length));
  for (std::size_t t = 0; t < std::size_t(positions.count); ++t)
    source.row(positions[t], attention_factor, 1, cosine.data + t * std::size_t(pairs),
               sine.data + t * std::size_t(pairs));
  return {};
}

Error Rotation::check(const View& x, HeadLayout layout, const Positions& positions) const {
  if (x.shape.rank != 4)
    return error_at(Code::shape_mismatch, "x",
                    {"must have 4 dims, [batch, heads, positions, dim], got ", x.shape.text()});
  if (Error error = check_view(x, "x")) return error;
  if (x.shape[3] != dim)
    return error_at(Code::shape_mismatch, "x",
                    {"last dim must be ", format_number(dim), " (dim), got ", x.shape.text()});
  return positions.check(x.shape[layout == HeadLayout::bhtd ? 2 : 1], x.shape[0]);
}

const float* Rotation::turn(Waves& source, double position, Direction direction, float* own) const {
  const double magnitude = direction == Direction::inverse ? 1.0 / attention_factor : attention_factor;
  source.row(position, magnitude, direction == Direction::forward ? 1 : -1, own, own + pairs);
  return own;
}

void Rotation::keep_turns(int run) {
  constexpr std::size_t kMostFloats = 262144;
  const std::size_t width = 2 * std::size_t(pairs);
  std::size_t rows = kChunk;
  while (rows < std::size_t(run) && 2 * rows * width <= kMostFloats) rows *= 2;
  if (rows <= kept_positions_.size()) return;
  kept_.resize(rows * width);
  kept_positions_.assign(rows, kInfinity);
}

const float* Rotation::kept_turn(Waves& source, double position) {
  const std::size_t index = std::size_t(std::int64_t(std::floor(position))) & (kept_positions_.size() - 1);
  float* row = kept_.data() + index * 2 * std::size_t(pairs);
  if (kept_positions_[index] != position) turn(source, position, Direction::forward, row);
  kept_positions_[index] = position;
  return row;
}

// `turn(row, t, own)` answers what position t of batch row `row` turns by; all rows share it if `shared`.
template <class Turn>
void Rotation::rotate_chunks(float* x, const HeadShape& shape, bool shared, bool backward, Turn turn) {
  const std::size_t width = 2 * std::size_t(pairs);
  own_.resize(kChunk * width);
  std::array<const float*, kChunk> turns;
  for (int start = 0; start < shape.positions; start += kChunk) {
    const int count = std::min(kChunk, shape.positions - start);
    const RotateBlock block{shape.heads, count, pairs, shape.strides.head, shape.strides.position};
    for (int row = 0; row < shape.batch; ++row) {
      if (row == 0 || !shared)
        for (int t = 0; t < count; ++t)
          turns[std::size_t(t)] = turn(std::size_t(row), std::size_t(start + t), own_.data() + std::size_t(t) * width);
      rotate(x + row * shape.strides.batch + start * shape.strides.position, block, pairing, backward, turns.data());
    }
  }
}

Error Rotation::apply(const View& x, HeadLayout layout, const Positions& positions, double sequence_length,
                      Direction direction) {
  if (Error error = check(x, layout, positions)) return error;
  if (x.length == 0) return {};
  const HeadShape shape = head_shape(x.shape, layout);
  const std::size_t per_row = std::size_t(shape.positions);
  Waves& source = waves(length_of(positions, sequence_length));
  const bool kept = positions.values.empty() && direction == Direction::forward;
  if (kept) keep_turns(shape.positions);
  rotate_chunks(x.data, shape, positions.values.size() <= per_row, direction != Direction::forward,
                [&](std::size_t batch, std::size_t t, float* own) {
                  const double position = positions[positions.row_start(batch, per_row) + t];
                  return kept ? kept_turn(source, position) : turn(source, position, direction, own);
                });
  return {};
}

namespace {

// cis(to) · conj(cis(from)); each holds [cosines | sines]
void combine(const std::vector<float>& from, const std::vector<float>& to, int pairs, float* out) {
  const float *c0 = from.data(), *s0 = c0 + pairs, *c1 = to.data(), *s1 = c1 + pairs;
  for (int k = 0; k < pairs; ++k) {
    out[k] = float(double(c0[k]) * c1[k] - double(s0[k]) * s1[k]);
    out[pairs + k] = float(double(s0[k]) * c1[k] + double(c0[k]) * s1[k]);
  }
}

}  // namespace

Error Rotation::rerotate(const View& x, HeadLayout layout, const Turning& from, const Turning& to) {
  if (Error error = check(x, layout, from.positions)) return error;
  if (Error error = check(x, layout, to.positions)) return error;
  Rotation& before = from.rotation;
  if (before.dim != dim || before.pairs != pairs || before.pairing != pairing)
    return error_at(Code::invalid_argument, "from",
                    {"must have the same dim, rotaryDim and pairing as the encoding that rotates"});
  if (x.length == 0) return {};
  const HeadShape shape = head_shape(x.shape, layout);
  const std::size_t per_row = std::size_t(shape.positions);
  const double from_length = before.length_of(from.positions, from.sequence_length);
  const double to_length = length_of(to.positions, to.sequence_length);
  const bool same = &before == this && regime(from_length) == regime(to_length);
  Waves source = before.waves(from_length);
  Waves& target = waves(to_length);
  // Turned keys of `interleaved-to-half` lie in halves, and stay there.
  const Pairing given = pairing;
  if (pairing == Pairing::interleaved_to_half) pairing = Pairing::half;
  const bool shared = from.positions.values.size() <= per_row && to.positions.values.size() <= per_row;
  std::vector<float> undo(2 * std::size_t(pairs)), redo(undo.size());
  rotate_chunks(x.data, shape, shared, false, [&](std::size_t batch, std::size_t t, float* own) {
    const double p = from.positions[from.positions.row_start(batch, per_row) + t];
    const double q = to.positions[to.positions.row_start(batch, per_row) + t];
    if (same) return target.row(q - p, 1, 1, own, own + pairs), own;
    source.row(p, 1 / before.attention_factor, -1, undo.data(), undo.data() + pairs);
    target.row(q, attention_factor, 1, redo.data(), redo.data() + pairs);
    combine(undo, redo, pairs, own);
    return own;
  });
  pairing = given;
  return {};
}

}  // namespace posenc
