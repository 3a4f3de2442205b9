#include "attention/cache_rotation.hpp"

#include "attention/cache_state.hpp"
#include "rotary/multipliers.hpp"

namespace posenc {

namespace {

// Rows that are changed together: their multipliers stay in the L1 cache.
constexpr int kRowsTogether = 16;

// One step of a change, with the multipliers of a few rows.
class Step {
 public:
  Step(const RotationChange& rotation_change, float* rows)
      : rotation_change_(rotation_change),
        multipliers_(*rotation_change.rotation, rotation_change.length, *rotation_change.workspace),
        rows_(rows),
        pointers_{} {
    if (rotation_change.from)
      from_.emplace(*rotation_change.rotation, *rotation_change.from, rotation_change.length, Role::key);
    if (rotation_change.to)
      to_.emplace(*rotation_change.rotation, *rotation_change.to, rotation_change.length, Role::key);
    multipliers_.reserve_slots(kRowsTogether);
  }

  void load(std::size_t index, int count) {
    const std::size_t width = 2 * std::size_t(rotation_change_.rotation->pairs);
    for (int i = 0; i < count; ++i, ++index) {
      float* row = rows_ + std::size_t(i) * width;
      pointers_[std::size_t(i)] = row;
      if (!from_) {
        if (rotation_change_.to->values.empty())
          pointers_[std::size_t(i)] = multipliers_.at((*to_)[index]);
        else
          multipliers_.write((*to_)[index], Direction::forward, row);
      } else if (to_) {
        multipliers_.write_move(multipliers_, (*from_)[index], (*to_)[index], row);
      } else {
        multipliers_.write((*from_)[index], Direction::inverse, row);
      }
    }
  }

  void apply(float* x, const RotateBlock& block) const {
    const Rotation& rotation = *rotation_change_.rotation;
    // Rotated keys of `interleaved-to-half` are already in half layout and keep it.
    const bool moves = from_ && to_, rearranged = rotation.pairing == Pairing::interleaved_to_half;
    rotation.rotate_slices(x, block, moves && rearranged ? Pairing::half : rotation.pairing, from_ && !to_,
                           pointers_.data());
  }

 private:
  const RotationChange& rotation_change_;
  Multipliers multipliers_;
  float* rows_;
  std::array<const float*, kRowsTogether> pointers_;
  std::optional<RotationPositions> from_, to_;
};

}  // namespace

RotationSnapshot::RotationSnapshot(const Rotation& of, double length) : held_frequencies(of.frequencies(length)) {
  dim = of.dim;
  pairs = of.pairs;
  pairing = of.pairing;
  precision = of.precision;
  attention_factor = of.attention_factor;
  axes = of.axes;
  one_for_all = of.one_for_all;
  axis_of_pair = of.axis_of_pair;
  slices = of.slices;
  coordinates = of.coordinates;
}

std::vector<Number> RotationSnapshot::unscaled_frequencies(double) const {
  std::vector<Number> out;
  for (const Real& frequency : held_frequencies) out.emplace_back(frequency, precision);
  return out;
}

bool RotationSnapshot::is_same_rotation(const RotationSnapshot& other) const {
  return dim == other.dim && pairs == other.pairs && pairing == other.pairing && precision == other.precision &&
         attention_factor == other.attention_factor && axes == other.axes && axis_of_pair == other.axis_of_pair &&
         slices == other.slices && coordinates.start == other.coordinates.start &&
         coordinates.scale == other.coordinates.scale && held_frequencies == other.held_frequencies;
}

Error KeyValueCache::State::reserve_scratch(int pairs) {
  const double wanted = double(kRowsTogether) * (4.0 * pairs + spec.dim);
  if (scratch && wanted <= scratch_floats) return {};
  Buffer larger(wanted);
  if (!larger) return cache_out_of_memory("cache");
  scratch = std::move(larger);
  scratch_floats = wanted;
  return {};
}

// Reads `count` rows from `from_row` on, writes keys from `to_row` on; `first` is the index of the first row's
// position. float32 rows that do not move change in place.
void KeyValueCache::State::change(const CacheRows& from, int from_row, int to_row, int first, int count,
                                  std::span<const RotationChange> rotation_changes) {
  std::optional<Step> steps[2];
  float* buffer = scratch.data();
  float* rows = buffer + std::ptrdiff_t(kRowsTogether) * spec.dim;
  for (std::size_t s = 0; s < rotation_changes.size(); ++s) {
    steps[s].emplace(rotation_changes[s], rows);
    rows += std::ptrdiff_t(2 * kRowsTogether) * rotation_changes[s].rotation->pairs;
  }
  const bool in_place = spec.type == ElementType::float32 && &from == &keys && from_row == to_row;
  for (int begin = 0; begin < count; begin += kRowsTogether) {
    const int some = std::min(kRowsTogether, count - begin);
    for (int b = 0; b < spec.batch; ++b) {
      // Positions are stored batch element by batch element, one per token.
      for (std::size_t s = 0; s < rotation_changes.size(); ++s) {
        const Positions& any = *(rotation_changes[s].to ? rotation_changes[s].to : rotation_changes[s].from);
        if (b == 0 || !any.values.empty())
          steps[s]->load(any.row_start(std::size_t(b), std::size_t(any.count)) + std::size_t(first + begin), some);
      }
      for (int h = 0; h < spec.heads; ++h) {
        float* x = in_place ? keys.floats(b, h, to_row + begin) : buffer;
        if (!in_place) from.stored(0).read(b, h, from_row + begin, some, spec.dim, x, spec.dim);
        for (std::size_t s = 0; s < rotation_changes.size(); ++s) steps[s]->apply(x, {1, some, 0, 0, spec.dim});
        for (int i = 0; !in_place && i < some; ++i) keys.write(b, h, to_row + begin + i, x + i * spec.dim);
      }
    }
  }
}

// Rotates keys appended since like the others.
void KeyValueCache::State::rotate_given(const RotationChange& rotation_change) {
  const bool staged = spec.type != ElementType::float32, rotates = rotation_change.rotation != nullptr;
  if (rotated_count < length && (rotates || staged))
    change(staged ? given_keys : keys, staged ? 0 : start + rotated_count, start + rotated_count, rotated_count,
           length - rotated_count, {&rotation_change, std::size_t(rotates)});
  rotated_count = length;
}

Error KeyValueCache::State::rotate_pending_keys() {
  if (rotated_count == length) return {};
  Array<double> memory = nullptr;
  Positions at;
  if (Error error = reserve_scratch(rotated_by ? rotated_by->pairs : 0)) return error;
  if (!read_positions(0, length, frame, memory, at)) return cache_out_of_memory("cache");
  rotate_given({rotated_by.get(), &workspace, 0, nullptr, &at});
  return {};
}

Error KeyValueCache::State::rotate_by(const Rotation* rotation, double at_length, Workspace& of_rotation) {
  std::unique_ptr<RotationSnapshot> wanted;
  bool same = !rotation && !rotated_by;
  if (rotation) {
    const double now = rotation->regime(at_length);
    const auto& parameters = rotation->parameters;
    const auto values = parameters.empty() ? std::span<const float>() : std::span<const float>(parameters[0].values);
    same = rotated_by && source == rotation->id && regime == now && std::ranges::equal(values, learned);
    if (!same) {
      if (Error error = rotation->check_memory()) return error;
      wanted = std::make_unique<RotationSnapshot>(*rotation, at_length);
      same = rotated_by && rotated_by->is_same_rotation(*wanted);
    }
    source = rotation->id;
    regime = now;
    learned.assign(values.begin(), values.end());
  }
  const int pairs = std::max(rotation ? rotation->pairs : 0, rotated_by ? rotated_by->pairs : 0);
  Array<double> memory = nullptr;
  Positions at;
  Error error = reserve_scratch(pairs);
  if (!error && !read_positions(0, length, frame, memory, at)) error = cache_out_of_memory("cache");
  if (error) {
    // The source of the rotation is no longer known: NaN makes the next call compare everything.
    regime = std::numeric_limits<double>::quiet_NaN();
    return error;
  }
  const RotationChange undo{rotated_by.get(), &workspace, 0, &at, nullptr};
  const RotationChange redo{rotation, &of_rotation, at_length, nullptr, &at};
  if (!same && rotated_count > 0) {
    const RotationChange both[2]{undo, redo};
    const std::size_t skipped = rotated_by ? 0 : 1, steps = (rotated_by ? 1 : 0) + (rotation ? 1 : 0);
    change(keys, start, start, 0, rotated_count, {both + skipped, steps});
    ++passes;
  }
  rotate_given(redo);
  if (!same) rotated_by = std::move(wanted);
  return {};
}

}  // namespace posenc
