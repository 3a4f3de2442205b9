// Appends tokens, and evicts others under a policy.
#include "attention/cache_state.hpp"

namespace posenc {

namespace {

// Whether these positions are expected, expected + 1, …, in each batch element.
bool run_from(const Positions& given, int count, double expected) {
  if (given.axes > 1) return false;
  if (given.values.empty()) return given.offset == expected;
  for (std::size_t i = 0; i < given.values.size(); ++i)
    if (given.values[i] != expected + double(i % std::size_t(count))) return false;
  return true;
}

}  // namespace

// Writes the sink tokens to rows from `row` on, keys as if rotated by position - `offset`.
void KeyValueCache::State::write_sinks(int row, double offset) {
  const Positions at = Positions::run(first_position - offset, spec.sinks);
  const RotationChange redo{rotated_by.get(), &workspace, 0, nullptr, &at};
  change(sink_keys, 0, row, 0, spec.sinks, {&redo, std::size_t(rotated_by ? 1 : 0)});
  values.copy(sink_values, 0, row, spec.sinks);
}

Error KeyValueCache::State::forget(int count) {
  if (count == 0) return {};
  if (Error error = rotate_pending_keys()) return error;
  if (Error error = reserve_scratch(rotated_by ? rotated_by->pairs : 0)) return error;
  if (spec.sinks > 0) {
    move_frame(-count);
    write_sinks(start + count, frame[0]);
  } else if (consecutive) {
    first_position += count;
  }
  start += count;
  length -= count;
  rotated_count = length;
  dropped += count;
  return {};
}

Error KeyValueCache::State::reserve_rows(int kept, int count) {
  const double wanted = double(kept) + count;
  if (spec.window == 0 && wanted > spec.capacity)
    return error_at(
        Code::out_of_range, "k",
        "must have at most % tokens (% of the cache's % are used), got %; create the cache with a larger capacity "
        "or a policy, or evict() tokens",
        spec.capacity - kept, kept, spec.capacity, count);
  if (wanted > 2147483647) return cache_out_of_memory("k");
  const int rows = std::max(spec.capacity, int(wanted));
  // These steps may fail for lack of memory; they leave the tokens as they are.
  if (length > kept)
    if (Error error = rotate_pending_keys()) return error;
  if (Error error = reserve_given(length - rotated_count + count, rows)) return error;
  if (rows > keys.capacity() && !resize(rows)) return cache_out_of_memory("k");
  return {};
}

Error KeyValueCache::append(const View& k, const View& v, const Positions& given, const Rotation* rotation,
                            const Relative* relative) noexcept {
  State& state = *state_;
  const CacheSpec& spec = state.spec;
  int count = -1;
  if (Error error = state.check_rows(k, "k", spec.dim, count)) return error;
  if (Error error = state.check_rows(v, "v", spec.value_dim, count)) return error;
  const bool follows = given.values.empty() && std::isnan(given.offset);
  if (!follows)
    if (Error error = state.check_positions(given, count)) return error;
  if (count > 0)
    if (Error error = state.check_axes(given.axes, rotation, relative)) return error;
  const double expected = state.consecutive && state.length > 0 ? state.next_position(0)
                          : follows || count == 0               ? 0
                                                                : given[0];
  const bool runs = follows || run_from(given, count, expected);
  // Later positions depend on how many tokens the policy has removed.
  const bool begins = state.length == 0 && given.values.empty() && runs;
  if (spec.sinks > 0 && !follows && !begins)
    return error_at(Code::unsupported, given.values.empty() ? "offset" : "positions",
                    "cannot be set with sinks; only the first append() can set offset");
  double last = expected;
  for (int b = 0; follows && !state.consecutive && state.length > 0 && b < spec.batch; ++b)
    last = std::max(last, state.next_position(b));
  if (follows && last + count > kMaxPosition) return error_at(Code::out_of_range, "positions", "must be within ±2^48");
  if (count == 0) return {};
  const int past = state.past(), kept = std::min(state.length, past + spec.undo);
  if (Error error = state.reserve_rows(kept, count)) return error;
  const bool stays = state.consecutive || state.length == 0;
  if (!(runs && stays))
    if (Error error = state.reserve_explicit_positions(std::max(given.axes, state.consecutive ? 1 : state.axes)))
      return error;
  // Reads the next positions first: all previous tokens may be evicted.
  Array<double> next({follows && !stays ? double(spec.batch) : 0});
  if (!next) return cache_out_of_memory("positions");
  for (int b = 0; follows && !stays && b < spec.batch; ++b) next.data()[b] = state.next_position(b);
  if (Error error = state.forget(state.length - kept)) return error;
  if (state.length == 0) state.forget_rotation();
  // Frees memory that a longer text needed; keeps it if the smaller allocation fails.
  const int rows = std::max(spec.capacity, kept + count);
  if (rows < state.keys.capacity()) state.resize(rows);
  if (state.start + state.length + count > state.keys.capacity()) state.move_to_front();
  if (runs && stays) {
    if (state.length == 0) {
      state.consecutive = true;
      state.first_position = expected;
    }
  } else if (follows) {
    for (int axis = 0; axis < state.axes; ++axis)
      for (int b = 0; b < spec.batch; ++b)
        for (int i = 0; i < count; ++i)
          *state.position_at(axis, b, state.start + state.length + i) = next.data()[b] + i;
  } else {
    state.write_positions(given, count);
  }
  state.write(k, v, count);
  state.length += count;
  state.restorable = kept - past;
  return {};
}

}  // namespace posenc
