// Positions of cached tokens.
#include "attention/cache_state.hpp"

namespace posenc {

double KeyValueCache::State::next_position(int batch) const {
  if (consecutive) return first_position + (spec.sinks ? visible() : length);
  double last = *position_at(0, batch, start + length - 1);
  for (int axis = 1; axis < axes; ++axis) last = std::max(last, *position_at(axis, batch, start + length - 1));
  return last + 1;
}

bool KeyValueCache::State::read_positions(int first, int count, const Frame& offset, Array<double>& memory,
                                          Positions& out) const {
  out = Positions::run(first_position + first - offset[0], count);
  if (consecutive) return true;
  const std::size_t rows = std::size_t(spec.batch) * std::size_t(count);
  memory = Array<double>({double(axes), double(spec.batch), double(count)});
  if (!memory) return false;
  double* to = memory.data();
  for (int axis = 0; axis < axes; ++axis)
    for (int b = 0; b < spec.batch; ++b)
      for (int i = 0; i < count; ++i) *to++ = *position_at(axis, b, start + first + i) - offset[std::size_t(axis)];
  out = Positions::given({memory.data(), rows}, count);
  out.axes = axes;
  out.stride = rows;
  return true;
}

Error KeyValueCache::positions(std::span<double> out) const noexcept {
  const double size = double(position_axes()) * position_rows() * length();
  if (double(out.size()) != size) return error_at(Code::shape_mismatch, "out", "must have % values", size);
  double* to = out.data();
  // With sinks positions count inside the cache.
  const int first = state_->spec.sinks ? 0 : state_->restorable;
  for (int axis = 0; axis < position_axes(); ++axis)
    for (int b = 0; b < position_rows(); ++b)
      for (int i = first; i < first + length(); ++i)
        *to++ = state_->consecutive ? state_->first_position + i : *state_->position_at(axis, b, state_->start + i);
  return {};
}

Error KeyValueCache::State::check_positions(const Positions& given, int count) const {
  if (Error error = given.check(count, spec.batch, given.axes)) return error;
  // The rotation of cached keys applies to the next keys, too.
  const int has = std::max(consecutive || length == 0 ? 1 : axes, length > 0 && rotated_by ? rotated_by->axes : 1);
  if (given.axes == 1 || has == 1 || given.axes == has) return {};
  return error_at(Code::shape_mismatch, "positions", "must have % axes like earlier positions, got %", has, given.axes);
}

// Checks that the encoding of the next attend() accepts the cache's positions after tokens with `given` axes are added.
Error KeyValueCache::State::check_axes(int given, const Rotation* rotation, const Relative* relative) const {
  Positions made;
  made.axes = std::max(given, consecutive || length == 0 ? 1 : axes);
  const bool one_for_all = rotation && rotation->one_for_all && made.axes == 1;
  return made.check(0, 1, one_for_all ? 1 : rotation ? rotation->axes : relative ? relative->axes : made.axes);
}

// Makes the positions of all tokens explicit, for `wanted` axes at least.
Error KeyValueCache::State::reserve_explicit_positions(int wanted) {
  if (!consecutive && wanted <= axes) return {};
  Array<double> made({double(wanted), double(spec.batch), double(keys.capacity())});
  if (!made) return cache_out_of_memory("positions");
  for (int axis = 0; axis < wanted; ++axis)
    for (int b = 0; b < spec.batch; ++b)
      for (int i = 0; i < length; ++i)
        made.data()[(std::ptrdiff_t(axis) * spec.batch + b) * keys.capacity() + start + i] =
            consecutive ? first_position + i : *position_at(axis < axes ? axis : 0, b, start + i);
  explicit_positions = std::move(made);
  axes = wanted;
  consecutive = false;
  first_position = 0;
  return {};
}

void KeyValueCache::State::write_positions(const Positions& given, int count) {
  const Positions at = given.measured();
  for (int axis = 0; axis < axes; ++axis)
    for (int b = 0; b < spec.batch; ++b)
      for (int i = 0; i < count; ++i)
        *position_at(axis, b, start + length + i) =
            at.at(at.row_start(std::size_t(b), std::size_t(count)) + std::size_t(i), at.axes == 1 ? 0 : axis);
}

}  // namespace posenc
