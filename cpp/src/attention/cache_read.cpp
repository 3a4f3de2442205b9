// Reads cached keys and values, for attention outside this library.
#include "attention/cache_state.hpp"

namespace posenc {

namespace {

void copy_out(const CacheRows& rows, int start, int count, const View& out, HeadLayout layout) {
  const HeadShape shape = head_shape(out.shape, layout);
  const StoredRows from = rows.stored(start);
  for (int b = 0; b < shape.batch; ++b)
    for (int h = 0; h < shape.heads; ++h)
      from.read(b, h, 0, count, shape.dim, features_at(out, shape, b, h, 0), shape.strides.position);
}

}  // namespace

Error KeyValueCache::read(const Rotation* rotation, const View& k, const View& v, Workspace& workspace) noexcept {
  State& state = *state_;
  const CacheSpec& of = state.spec;
  const double rows = past(), batch = of.batch, heads = of.heads, key = of.dim, value = of.value_dim;
  const bool heads_first = of.layout == HeadLayout::bhtd;
  const auto shape = [&](double width) {
    return heads_first ? Shape{batch, heads, rows, width} : Shape{batch, rows, heads, width};
  };
  if (Error error = check_result(k, shape(key), "out.k")) return error;
  if (Error error = check_result(v, shape(value), "out.v")) return error;
  if (Error error = check_apart({{"out.k", k}, {"out.v", v}}, {}, rotation)) return error;
  if (rotation && rotation->dim != of.dim)
    return error_at(Code::shape_mismatch, "encoding", "dim must match the cache (%), got %", of.dim, rotation->dim);
  if (rows == 0) return {};
  const int count = state.past(), first = state.length - count;
  Array<double> positions_memory = nullptr, rotated_memory = nullptr;
  Positions positions, rotated_positions;
  // With sinks positions count inside the cache.
  if (!state.read_positions(of.sinks ? 0 : first, count, kNoFrame, positions_memory, positions) ||
      !state.read_positions(first, count, state.frame, rotated_memory, rotated_positions))
    return cache_out_of_memory("cache");
  double length = 0;
  if (rotation) {
    length = rotation->length_of(positions, 0);
    if (Error error = rotation->check_positions(positions, rows, batch, length, Role::key)) return error;
  }
  const bool keeps_rotation = rotation && rotation->can_rotate_once(length) && !state.rerotation_limit_reached();
  if (Error error = state.rotate_by(keeps_rotation ? rotation : nullptr, length, workspace)) return error;
  const Error copied = state.with_sinks_at(first, [&] {
    copy_out(state.keys, state.start + first, count, k, of.layout);
    copy_out(state.values, state.start + first, count, v, of.layout);
    return Error();
  });
  if (copied) return copied;
  if (rotation && !keeps_rotation)
    return rotation->apply(k, of.layout, positions, length, Direction::forward, Role::key, workspace);
  const double moved = of.sinks ? first : 0;
  if (!rotation || std::ranges::all_of(state.frame, [=](double each) { return each == moved; })) return {};
  return rotation->rerotate(k, of.layout, {*rotation, rotated_positions, length}, {*rotation, positions, length},
                            workspace);
}

}  // namespace posenc
