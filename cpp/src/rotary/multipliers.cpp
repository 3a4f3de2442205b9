#include "rotary/multipliers.hpp"

#include <algorithm>
#include <cassert>
#include <span>

namespace posenc {

std::unique_ptr<Cache> Rotation::make_cache() const { return std::make_unique<RotationCache>(); }

Multipliers::Multipliers(const Rotation& rotation, double sequence_length, Workspace& workspace)
    : rotation_(rotation),
      cache_(*workspace.of<RotationCache>(rotation)),
      own_(regime_of(cache_, rotation, sequence_length)) {}

// Frequencies are costly: they are reused until the regime or the learned parameters change.
RegimeCache& Multipliers::regime_of(RotationCache& cache, const Rotation& rotation, double sequence_length) {
  const double regime = rotation.regime(sequence_length);
  const auto& parameters = rotation.parameters;
  const auto learned = parameters.empty() ? std::span<const float>() : std::span<const float>(parameters[0].values);
  for (int tries = 0; tries < 2; ++tries, cache.last = 1 - cache.last) {
    RegimeCache& known = cache.regimes[cache.last];
    if (known.sinusoids && known.regime == regime && std::ranges::equal(learned, known.made_of)) return known;
  }
  // Replaces the regime that was used less recently.
  cache.last = 1 - cache.last;
  RegimeCache& fresh = cache.regimes[cache.last];
  fresh.sinusoids = std::make_unique<Sinusoids>(rotation.frequencies(sequence_length), rotation.precision);
  fresh.made_of.assign(learned.begin(), learned.end());
  fresh.regime = regime;
  std::fill(fresh.slot_positions.begin(), fresh.slot_positions.end(), Real(kInfinity));
  fresh.run_end = fresh.run_first = 0;
  return fresh;
}

void Multipliers::write_row(const RotationPosition& position, double magnitude, double direction, float* cosine,
                            float* sine) const {
  Sinusoids& sinusoids = *own_.sinusoids;
  sinusoids.row(position.at[0], magnitude, direction, cosine, sine);
  const std::size_t count = std::size_t(rotation_.pairs);
  for (int axis = 1; axis < rotation_.axes; ++axis) {
    const Real& at = position.at[std::size_t(axis)];
    if (at == position.at[0]) continue;
    std::vector<float>& other = cache_.other_axis;
    other.resize(2 * count);
    sinusoids.row(at, magnitude, direction, other.data(), other.data() + count);
    for (std::size_t k = 0; k < count; ++k) {
      if (rotation_.axis_of_pair[k] != axis) continue;
      cosine[k] = other[k];
      sine[k] = other[count + k];
    }
  }
  // The factor e^(rate · growth) stays in double precision until the product is rounded.
  for (std::size_t k = 0; position.growth != 0 && k < count; ++k) {
    const double factor = quick_exp(rotation_.decay.rates[k] * position.growth);
    cosine[k] = float(double(cosine[k]) * factor);
    sine[k] = float(double(sine[k]) * factor);
  }
}

void Multipliers::write_run(double offset, int count, double magnitude, float* cosine, float* sine) const {
  own_.sinusoids->rows(offset, count, magnitude, cosine, sine, rotation_.pairs);
}

void Multipliers::write_move(const Multipliers& before, const RotationPosition& from, const RotationPosition& to,
                             float* out) const {
  const int pairs = rotation_.pairs;
  // Rounded angles cannot be subtracted: only exact precision takes this shortcut.
  if (&before.own_ == &own_ && rotation_.precision == Precision::exact)
    return write_row(difference(to, from), 1, 1, out, out + pairs);
  for (std::vector<float>* row : {&cache_.undo, &cache_.redo}) row->resize(2 * std::size_t(pairs));
  before.write(from, Direction::inverse, cache_.undo.data());
  write(to, Direction::forward, cache_.redo.data());
  // cis(to) · conj(cis(from)); each holds [cosines | sines].
  const float *c0 = cache_.undo.data(), *s0 = c0 + pairs, *c1 = cache_.redo.data(), *s1 = c1 + pairs;
  for (int k = 0; k < pairs; ++k) {
    out[k] = float(double(c0[k]) * c1[k] - double(s0[k]) * s1[k]);
    out[pairs + k] = float(double(s0[k]) * c1[k] + double(c0[k]) * s1[k]);
  }
}

void Multipliers::write(RotationPosition position, Direction direction, float* out) const {
  const bool inverse = direction == Direction::inverse;
  if (inverse) position.growth = -position.growth;
  write_row(position, inverse ? 1.0 / rotation_.attention_factor : rotation_.attention_factor,
            direction == Direction::forward ? 1 : -1, out, out + rotation_.pairs);
  // A cosine and sine rounded to float16 change a pair's length by up to 0.0005: the inverse divides by its square.
  for (int k = 0; inverse && rotation_.precision == Precision::float16 && k < rotation_.pairs; ++k) {
    float &cosine = out[k], &sine = out[rotation_.pairs + k];
    const double square = double(cosine) * cosine + double(sine) * sine;
    cosine = float(cosine / square);
    sine = float(sine / square);
  }
}

namespace {

// Slots for the rows of 16 positions.
constexpr int kFewestRows = 64;

}  // namespace

void Multipliers::reserve_slots(int run) {
  constexpr std::size_t kMostFloats = 262144;
  const std::size_t width = 2 * std::size_t(rotation_.pairs), values_per_slot = std::size_t(rotation_.axes + 1);
  const std::size_t wanted = std::size_t(run) * (rotation_.decay.rates.empty() ? 1 : 2);
  std::size_t slots = kFewestRows;
  while (slots < wanted && 2 * slots * width <= kMostFloats) slots *= 2;
  if (slots * width <= own_.rows.size()) return;
  const double bytes = double(slots) * (double(width) * sizeof(float) + double(values_per_slot) * sizeof(Real));
  if (!can_have(bytes)) {
    if (!own_.rows.empty()) return;
    slots = kFewestRows;
  }
  own_.rows.resize(slots * width);
  own_.slot_positions.assign(slots * values_per_slot, Real(kInfinity));
  own_.mask = slots - 1;
  own_.run_end = own_.run_first = 0;
}

const float* Multipliers::at(const RotationPosition& position) const {
  const int axes = rotation_.axes;
  const std::size_t slot = std::size_t(position.slot) & own_.mask;
  float* row = row_of(slot);
  Real* slot_position = own_.slot_positions.data() + slot * std::size_t(axes + 1);
  bool same = slot_position[axes].hi == position.growth;
  for (int axis = 0; axis < axes; ++axis) same = same && slot_position[axis] == position.at[std::size_t(axis)];
  if (same) return row;
  own_.run_end = own_.run_first = 0;
  write(position, Direction::forward, row);
  std::copy_n(position.at.begin(), axes, slot_position);
  slot_position[axes] = position.growth;
  return row;
}

void Multipliers::run(double first, std::span<const float*> out) const {
  const double end = first + double(out.size());
  if (first < own_.run_first || end > own_.run_end) extend_run(first, end);
  std::size_t slot = slot_of(first);
  for (const float*& row : out) row = row_of(slot++ & own_.mask);
}

// Computes rows of the run that are missing, neighbours together.
void Multipliers::extend_run(double first, double end) const {
  const double slots = double(own_.mask + 1);
  assert(rotation_.axes == 1 && end - first <= slots);
  const int pairs = rotation_.pairs;
  for (double position = first; position < end;) {
    const std::size_t slot = slot_of(position);
    // The rows of neighbours follow each other in memory, up to that of the last slot.
    const int most = int(std::min(end - position, slots - double(slot)));
    Real* tag = own_.slot_positions.data() + 2 * slot;
    int count = 0;
    for (; count < most && !(tag[0].hi == position + count && tag[1].hi == 0); ++count, tag += 2)
      tag[0] = {position + count, 0}, tag[1] = 0;
    float* row = row_of(slot);
    own_.sinusoids->rows(position, count, rotation_.attention_factor, row, row + pairs, 2 * pairs);
    position += std::max(count, 1);
  }
  const bool joins = first <= own_.run_end && first >= own_.run_first;
  own_.run_first = std::max(joins ? own_.run_first : first, end - slots);
  own_.run_end = end;
}

float* Multipliers::chunk(std::size_t rows) const {
  cache_.chunk.resize(rows * 2 * std::size_t(rotation_.pairs));
  return cache_.chunk.data();
}

}  // namespace posenc
