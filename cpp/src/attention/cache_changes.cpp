// Changes of cached tokens: clear, truncate, evict, shift, reorder.
#include "attention/cache_state.hpp"

namespace posenc {

void KeyValueCache::State::clear() {
  start = length = restorable = rotated_count = 0;
  dropped = first_position = 0;
  consecutive = true;
  forget_rotation();
  // Frees memory that a long text needed; keeps it if the smaller allocation fails.
  if (keys.capacity() != spec.capacity) resize(spec.capacity);
}

void KeyValueCache::clear() noexcept { state_->clear(); }

Error KeyValueCache::truncate(double length) noexcept {
  State& state = *state_;
  const CacheSpec& spec = state.spec;
  if (Error error = check_count("length", length, 0, state.visible())) return error;
  const int kept = state.restorable + int(length), least = std::max(1, spec.sinks + spec.window - 1);
  if (state.dropped > 0 && kept < least)
    return error_at(Code::out_of_range, "length",
                    "must be from % to %: the policy removed tokens that a shorter text attends to, got %; create the "
                    "cache with policy { undo }, or clear() the cache and append the text again",
                    std::max(0, least - state.restorable), state.visible(), length);
  if (kept == 0) {
    state.clear();
    return {};
  }
  state.length = kept;
  state.rotated_count = std::min(state.rotated_count, kept);
  if (spec.window) state.restorable = kept - std::max(int(length), std::min(kept, spec.sinks + spec.window));
  return {};
}

// Each row of positions shifts by its own difference, so distances between the shifted tokens do not change.
double KeyValueCache::State::largest_without(int begin, int end) const {
  double largest = 0;
  for (int r = 0; !consecutive && r < axes * spec.batch; ++r) {
    const double delta = *position_at(0, r, start + begin) - *position_at(0, r, start + end);
    for (int i = end; i < length; ++i) largest = std::max(largest, std::abs(*position_at(0, r, start + i) + delta));
  }
  return largest;
}

Error KeyValueCache::evict(double first, double count) noexcept {
  State& state = *state_;
  if (state.spec.window)
    return error_at(Code::unsupported, "policy", "cannot be combined with evict(): the policy removes tokens");
  if (Error error = check_count("first", first, 0, state.length)) return error;
  if (Error error = check_count("tokens", count, 0, state.length - first)) return error;
  const int begin = int(first), some = int(count), end = begin + some, tail = state.length - end;
  if (some == 0) return {};
  if (tail == 0) return truncate(first);
  if (state.largest_without(begin, end) > kMaxPosition)
    return error_at(Code::out_of_range, "tokens", "later tokens must stay within ±2^48 when shifted forward");
  if (Error error =
          state.rerotation_limit_reached() ? state.rotate_by(nullptr, 0, state.workspace) : state.rotate_pending_keys())
    return error;
  const int batch = state.spec.batch, rows = state.axes * batch;
  // Evicting the first tokens changes neither memory nor rotations.
  if (begin == 0 && state.consecutive) {
    state.move_frame(-some);
    state.start += some;
    state.length = state.rotated_count = tail;
    return {};
  }
  Array<double> old_memory = nullptr, new_memory = nullptr;
  Positions from, to;
  if (!state.read_positions(0, state.length, state.frame, old_memory, from) ||
      !state.read_positions(0, state.length, state.frame, new_memory, to))
    return cache_out_of_memory("cache");
  if (Error error = state.reserve_scratch(state.rotated_by ? state.rotated_by->pairs : 0)) return error;
  if (state.consecutive) to.offset -= some;
  for (int r = 0; !state.consecutive && r < rows; ++r) {
    double *row = state.position_at(0, r, state.start), *moved = new_memory.data() + std::ptrdiff_t(r) * state.length;
    const double delta = row[begin] - row[end];
    for (int i = end; i < state.length; ++i) moved[i] += delta;
    for (int i = 0; i < tail; ++i) row[begin + i] = row[end + i] + delta;
  }
  const RotationChange move{state.rotated_by.get(), &state.workspace, 0, &from, &to};
  if (state.rotated_by) {
    state.change(state.keys, state.start + end, state.start + end, end, tail, {&move, 1});
    ++state.passes;
  }
  state.keys.copy(state.keys, state.start + end, state.start + begin, tail);
  state.values.copy(state.values, state.start + end, state.start + begin, tail);
  state.length = state.rotated_count = begin + tail;
  return {};
}

Error KeyValueCache::shift(std::span<const double> delta, const Rotation* rotation, const Relative* relative) noexcept {
  State& state = *state_;
  const int given = int(delta.size()), of_encoding = rotation ? rotation->axes : relative ? relative->axes : 0;
  const int needed = std::max(of_encoding, state.rotated_by ? state.rotated_by->axes : 0);
  // Positions with one axis may get more, if the encoding has more or is not known.
  const int has = std::max(needed, state.consecutive ? 1 : state.axes), most = needed || has > 1 ? has : kMaxAxes;
  if (given != 1 && (given < std::max(has, 2) || given > most))
    return error_at(Code::shape_mismatch, "delta", "must be one number or one per axis (%), got % numbers", has, given);
  if (given > 1 && state.spec.sinks)
    return error_at(Code::unsupported, "delta", "must be one number with sinks, got %", given);
  Frame by;
  for (int axis = 0; axis < kMaxAxes; ++axis) {
    const double each = by[std::size_t(axis)] = delta[std::size_t(std::min(axis, given - 1))];
    if (!std::isfinite(each)) return error_at(Code::invalid_argument, "delta", "must be finite, got %", each);
    double largest = state.consecutive ? std::abs(state.first_position + each) + state.length : 0;
    for (int b = 0; !state.consecutive && b < state.spec.batch; ++b)
      for (int i = 0; i < state.length; ++i)
        largest =
            std::max(largest, std::abs(*state.position_at(std::min(axis, state.axes - 1), b, state.start + i) + each));
    if (largest > kMaxPosition)
      return error_at(Code::out_of_range, "delta", "positions must be within ±2^48, got %", each);
    if (std::abs(state.frame[std::size_t(axis)] + each) > kMostFrame)
      return error_at(Code::out_of_range, "delta", "must be within ±2^50 in sum with earlier shifts, got %", each);
  }
  // The first tokens decide where positions begin.
  if (state.length == 0) return {};
  if (given > 1)
    if (Error error = state.reserve_explicit_positions(given)) return error;
  if (state.consecutive) state.first_position += by[0];
  for (int r = 0; !state.consecutive && r < state.axes * state.spec.batch; ++r)
    for (int i = 0; i < state.length; ++i)
      *state.position_at(0, r, state.start + i) += by[std::size_t(r / state.spec.batch)];
  for (std::size_t axis = 0; axis < kMaxAxes; ++axis) state.frame[axis] += by[axis];
  return {};
}

Error KeyValueCache::reorder(std::span<const double> rows) noexcept {
  State& state = *state_;
  const CacheSpec& spec = state.spec;
  if (double(rows.size()) != spec.batch)
    return error_at(Code::shape_mismatch, "rows", "must have one index per batch element (%), got %", spec.batch,
                    double(rows.size()));
  for (const double row : rows)
    if (!is_whole(row, 0, spec.batch - 1))
      return error_at(Code::out_of_range, "rows", "must be whole numbers from 0 to %, got %", spec.batch - 1, row);
  constexpr int kTogether = 32;
  const double widest = double(std::max(spec.dim, spec.value_dim)) * sizeof(float) + sizeof(double);
  Array<char> buffer({double(spec.batch), kTogether, widest});
  if (!buffer) return cache_out_of_memory("rows");
  state.keys.reorder(rows, state.start, state.length, buffer.data(), kTogether);
  state.values.reorder(rows, state.start, state.length, buffer.data(), kTogether);
  if (spec.type != ElementType::float32)
    state.given_keys.reorder(rows, 0, state.length - state.rotated_count, buffer.data(), kTogether);
  state.sink_keys.reorder(rows, 0, spec.sinks, buffer.data(), kTogether);
  state.sink_values.reorder(rows, 0, spec.sinks, buffer.data(), kTogether);
  double* column = reinterpret_cast<double*>(buffer.data());
  for (int axis = 0; !state.consecutive && axis < state.axes; ++axis)
    for (int i = state.start; i < state.start + state.length; ++i) {
      for (int b = 0; b < spec.batch; ++b) column[b] = *state.position_at(axis, b, i);
      for (int b = 0; b < spec.batch; ++b) *state.position_at(axis, b, i) = column[int(rows[std::size_t(b)])];
    }
  return {};
}

}  // namespace posenc
