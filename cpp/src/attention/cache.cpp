#include "attention/cache_state.hpp"

namespace posenc {

namespace {

// Are these positions expected, expected + 1, …, in each batch row?
bool run_from(const Positions& given, int count, double expected) {
  if (given.axes > 1) return false;
  if (given.values.empty()) return given.offset == expected;
  for (std::size_t i = 0; i < given.values.size(); ++i)
    if (given.values[i] != expected + double(i % std::size_t(count))) return false;
  return true;
}

}  // namespace

Error check_count(std::string_view field, double value, double least, double most) {
  if (is_whole(value, least, most)) return {};
  return error_at(Code::out_of_range, field, "must be a whole number from % to %, got %", least, most, value);
}

Error CacheSpec::check() const {
  constexpr double kMost = 2147483647;
  if (Error error = check_count("batch", batch, 1, kMost)) return error;
  if (Error error = check_count("heads", heads, 1, kMost)) return error;
  if (Error error = check_count("dim", dim, 1, 65536)) return error;
  if (Error error = check_count("valueDim", value_dim, 1, 65536)) return error;
  if (Error error = check_count("capacity", capacity, 1, kMost)) return error;
  if (Error error = check_count("window", window, 0, kMost)) return error;
  if (Error error = check_count("sinks", sinks, 0, kMost)) return error;
  if (sinks > 0 && window == 0) return error_at(Code::invalid_argument, "sinks", "needs a window");
  if (double(window) + sinks <= capacity) return {};
  return error_at(Code::out_of_range, "capacity", "must be at least % (sinks + window), got %", double(window) + sinks,
                  capacity);
}

KeyValueCache::State::State(const CacheSpec& of)
    : spec(of),
      keys(of.batch, of.heads, of.capacity, of.dim, of.type),
      values(of.batch, of.heads, of.capacity, of.value_dim, of.type),
      sink_keys(of.batch, of.heads, of.sinks, of.dim, ElementType::float32),
      sink_values(of.batch, of.heads, of.sinks, of.value_dim, of.type),
      saved_keys(of.batch, of.heads, of.sinks, of.dim, of.type),
      saved_values(of.batch, of.heads, of.sinks, of.value_dim, of.type) {}

KeyValueCache::KeyValueCache(std::unique_ptr<State> state) : state_(std::move(state)) {}
KeyValueCache::~KeyValueCache() = default;

Result<std::unique_ptr<KeyValueCache>> KeyValueCache::make(const CacheSpec& spec) noexcept {
  if (Error error = spec.check()) return error;
  auto state = std::make_unique<State>(spec);
  if (!state->keys || !state->values || !state->sink_keys || !state->sink_values || !state->saved_keys ||
      !state->saved_values)
    return cache_out_of_memory("capacity");
  return std::unique_ptr<KeyValueCache>(new KeyValueCache(std::move(state)));
}

const CacheSpec& KeyValueCache::spec() const { return state_->spec; }
int KeyValueCache::length() const { return state_->length; }
int KeyValueCache::position_axes() const { return state_->consecutive ? 1 : state_->axes; }
int KeyValueCache::position_rows() const { return state_->consecutive ? 1 : state_->spec.batch; }

double KeyValueCache::bytes() const {
  const State& state = *state_;
  double sum = state.scratch_floats * sizeof(float);
  for (const CacheRows* rows : {&state.keys, &state.values, &state.sink_keys, &state.sink_values, &state.saved_keys,
                                &state.saved_values, &state.given_keys})
    sum += rows->bytes();
  return sum + (state.places ? double(state.axes) * state.spec.batch * state.spec.capacity * sizeof(double) : 0);
}

// Rows.

Error KeyValueCache::State::check_rows(const View& view, std::string_view name, int width, int& count) const {
  if (view.shape.rank != 4) return error_at(Code::shape_mismatch, name, "must have 4 dims, got %", view.shape);
  if (Error error = check_view(view, name)) return error;
  const bool heads_first = spec.layout == HeadLayout::bhtd;
  if (view.shape[0] != spec.batch)
    return error_at(Code::shape_mismatch, name, "batch must be the cache's (%), got %", spec.batch, view.shape);
  if (view.shape[heads_first ? 1 : 2] != spec.heads)
    return error_at(Code::shape_mismatch, name, "must have the cache's % heads, got %", spec.heads, view.shape);
  if (view.shape[3] != width)
    return error_at(Code::shape_mismatch, name, "last dim must be the cache's (%), got %", width, view.shape);
  const double positions = view.shape[heads_first ? 2 : 1];
  if (count >= 0 && positions != count)
    return error_at(Code::shape_mismatch, name, "must have k's % positions, got %", count, view.shape);
  count = int(std::min(positions, 2147483647.0));
  return {};
}

void KeyValueCache::State::move_to_front() {
  keys.copy(keys, start, 0, length);
  values.copy(values, start, 0, length);
  for (int i = 0; !consecutive && i < axes * spec.batch; ++i) {
    double* row = place(0, i, 0);
    std::copy_n(row + start, length, row);
  }
  start = 0;
}

Error KeyValueCache::State::reserve_given(int rows) {
  if (spec.type == ElementType::float32 || rows <= given_keys.capacity()) return {};
  const int wanted = int(std::min<double>(spec.capacity, std::max(double(rows), 2.0 * given_keys.capacity())));
  CacheRows larger(spec.batch, spec.heads, wanted, spec.dim, ElementType::float32);
  if (!larger) return cache_out_of_memory("k");
  larger.copy(given_keys, 0, 0, length - turned);
  given_keys = std::move(larger);
  return {};
}

void KeyValueCache::State::write(const View& k, const View& v, int count) {
  const HeadShape from_k = head_shape(k.shape, spec.layout), from_v = head_shape(v.shape, spec.layout);
  const bool staged = spec.type != ElementType::float32;
  for (int b = 0; b < spec.batch; ++b)
    for (int h = 0; h < spec.heads; ++h)
      for (int i = 0; i < count; ++i) {
        const int index = length + i, row = start + index;
        const float *key = features_at(k, from_k, b, h, i), *value = features_at(v, from_v, b, h, i);
        if (staged)
          given_keys.write(b, h, index - turned, key);
        else
          keys.write(b, h, row, key);
        values.write(b, h, row, value);
        if (index >= spec.sinks) continue;
        sink_keys.write(b, h, index, key);
        sink_values.write(b, h, index, value);
      }
}

// The first tokens at `row` and after it, keys as if `offset` were what their positions are turned less of.
void KeyValueCache::State::write_sinks(int row, double offset) {
  const Positions at = Positions::run(first_position - offset, spec.sinks);
  const Turning redo{turned_by.get(), &workspace, 0, nullptr, &at};
  change(sink_keys, 0, row, 0, spec.sinks, {&redo, std::size_t(turned_by ? 1 : 0)});
  values.copy(sink_values, 0, row, spec.sinks);
}

Error KeyValueCache::State::forget(int count) {
  if (count == 0) return {};
  if (Error error = settle()) return error;
  if (Error error = reserve_scratch(turned_by ? turned_by->pairs : 0)) return error;
  if (spec.sinks > 0) {
    frame -= count;
    write_sinks(start + count, frame);
  } else {
    first_position += count;
  }
  start += count;
  length -= count;
  turned = answerable = length;
  return {};
}

Error KeyValueCache::append(const View& k, const View& v, const Positions& given) noexcept {
  State& state = *state_;
  const CacheSpec& spec = state.spec;
  int count = -1;
  if (Error error = state.check_rows(k, "k", spec.dim, count)) return error;
  if (Error error = state.check_rows(v, "v", spec.value_dim, count)) return error;
  const bool follows = given.values.empty() && std::isnan(given.offset);
  if (!follows)
    if (Error error = state.check_positions(given, count)) return error;
  const double expected = state.consecutive && state.length > 0 ? state.next_position(0)
                          : follows || count == 0               ? 0
                                                                : given[0];
  const bool runs = follows || run_from(given, count, expected);
  if (spec.sinks > 0 && !runs)
    return error_at(Code::unsupported, given.values.empty() ? "offset" : "positions",
                    "with sinks positions count inside the cache: only the first tokens' offset can be given");
  if (follows && state.consecutive && expected + count > kMaxPosition)
    return error_at(Code::out_of_range, "positions", "must lie within ±2^48");
  const int most = past();
  if (count > spec.capacity - most)
    return error_at(Code::out_of_range, "k", "has % tokens: % of the cache's capacity of % are taken (length %)", count,
                    most, spec.capacity, state.length);
  if (count == 0) return {};
  // Memory first, then what cannot fail.
  if (Error error = state.reserve_given(state.length - state.turned + count)) return error;
  if (state.length == 0) state.turned_by = nullptr;
  const bool stays = state.consecutive || state.length == 0;
  if (!(runs && stays))
    if (Error error = state.reserve_places(std::max(given.axes, state.consecutive ? 1 : state.axes))) return error;
  // The tokens that they follow may all be forgotten.
  Array<double> next({follows && !stays ? double(spec.batch) : 0});
  if (!next) return cache_out_of_memory("positions");
  for (int b = 0; follows && !stays && b < spec.batch; ++b) next.data()[b] = state.next_position(b);
  if (Error error = state.forget(state.length - most)) return error;
  if (state.start + state.length + count > spec.capacity) state.move_to_front();
  if (runs && stays) {
    if (state.length == 0) {
      state.consecutive = true;
      state.first_position = expected;
      state.frame = 0;
      state.passes = 0;
    }
  } else if (follows) {
    for (int axis = 0; axis < state.axes; ++axis)
      for (int b = 0; b < spec.batch; ++b)
        for (int i = 0; i < count; ++i) *state.place(axis, b, state.start + state.length + i) = next.data()[b] + i;
  } else {
    state.place_rows(given, count);
  }
  state.write(k, v, count);
  state.length += count;
  return {};
}

}  // namespace posenc
