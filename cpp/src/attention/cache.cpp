#include "attention/cache_state.hpp"

namespace posenc {

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
  if (Error error = check_count("undo", undo, 0, kMost)) return error;
  if (window == 0 && sinks + double(undo) > 0)
    return error_at(Code::invalid_argument, sinks > 0 ? "sinks" : "undo", "requires a window");
  const double least = double(window) + sinks + undo;
  if (least <= capacity) return {};
  return error_at(Code::out_of_range, "capacity", "must be at least % (sinks + window%), got %", least,
                  undo ? " + undo" : "", capacity);
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
int KeyValueCache::length() const { return state_->visible(); }
int KeyValueCache::past() const { return state_->past(); }
double KeyValueCache::dropped() const { return state_->dropped + state_->restorable; }
int KeyValueCache::position_axes() const { return state_->consecutive ? 1 : state_->axes; }
int KeyValueCache::position_rows() const { return state_->consecutive ? 1 : state_->spec.batch; }

double KeyValueCache::bytes() const {
  const State& state = *state_;
  double sum = state.scratch_floats * sizeof(float);
  for (const CacheRows* rows : {&state.keys, &state.values, &state.sink_keys, &state.sink_values, &state.saved_keys,
                                &state.saved_values, &state.given_keys})
    sum += rows->bytes();
  return sum + (state.explicit_positions
                    ? double(state.axes) * state.spec.batch * state.keys.capacity() * sizeof(double)
                    : 0);
}

// Rows.

Error KeyValueCache::State::check_rows(const View& view, std::string_view name, int width, int& count,
                                       bool groups) const {
  if (Error error = check_heads_view(view, name)) return error;
  const bool heads_first = spec.layout == HeadLayout::bhtd;
  if (view.shape[0] != spec.batch)
    return error_at(Code::shape_mismatch, name, "batch must match the cache (%), got %", spec.batch, view.shape);
  const double heads = view.shape[heads_first ? 1 : 2];
  if (groups ? std::fmod(heads, spec.heads) != 0 : heads != spec.heads)
    return error_at(Code::shape_mismatch, name, "must have %% heads like the cache, got %",
                    groups ? "a multiple of " : "", spec.heads, view.shape);
  if (view.shape[3] != width)
    return error_at(Code::shape_mismatch, name, "last dim must match the cache (%), got %", width, view.shape);
  const double positions = view.shape[heads_first ? 2 : 1];
  if (count >= 0 && positions != count)
    return error_at(Code::shape_mismatch, name, "must have % positions like k, got %", count, view.shape);
  count = int(std::min(positions, 2147483647.0));
  return {};
}

void KeyValueCache::State::move_to_front() {
  keys.copy(keys, start, 0, length);
  values.copy(values, start, 0, length);
  for (int i = 0; !consecutive && i < axes * spec.batch; ++i) {
    double* row = position_at(0, i, 0);
    std::copy_n(row + start, length, row);
  }
  start = 0;
}

bool KeyValueCache::State::resize(int rows) {
  CacheRows larger_keys(spec.batch, spec.heads, rows, spec.dim, spec.type),
      larger_values(spec.batch, spec.heads, rows, spec.value_dim, spec.type);
  const double lists = consecutive ? 0 : double(axes) * spec.batch;
  Array<double> larger_positions({lists, double(rows)});
  const bool fewer_given = given_keys.capacity() > rows;
  CacheRows kept_given(spec.batch, spec.heads, fewer_given ? rows : 0, spec.dim, ElementType::float32);
  if (!larger_keys || !larger_values || !larger_positions || !kept_given) return false;
  larger_keys.copy(keys, start, 0, length);
  larger_values.copy(values, start, 0, length);
  for (int i = 0; i < int(lists); ++i)
    std::copy_n(position_at(0, i, start), length, larger_positions.data() + std::ptrdiff_t(i) * rows);
  keys = std::move(larger_keys);
  values = std::move(larger_values);
  if (consecutive)
    explicit_positions = nullptr;
  else
    explicit_positions = std::move(larger_positions);
  start = 0;
  if (fewer_given) {
    kept_given.copy(given_keys, 0, 0, length - rotated_count);
    given_keys = std::move(kept_given);
  }
  return true;
}

Error KeyValueCache::State::reserve_given(int rows, int most) {
  if (spec.type == ElementType::float32 || rows <= given_keys.capacity()) return {};
  const int wanted = int(std::min<double>(most, std::max(double(rows), 2.0 * given_keys.capacity())));
  CacheRows larger(spec.batch, spec.heads, wanted, spec.dim, ElementType::float32);
  if (!larger) return cache_out_of_memory("k");
  larger.copy(given_keys, 0, 0, length - rotated_count);
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
          given_keys.write(b, h, index - rotated_count, key);
        else
          keys.write(b, h, row, key);
        values.write(b, h, row, value);
        if (index >= spec.sinks) continue;
        sink_keys.write(b, h, index, key);
        sink_values.write(b, h, index, value);
      }
}

}  // namespace posenc
