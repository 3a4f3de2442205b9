#include "posenc/table/table.hpp"

#include "posenc/core/sinusoids_cache.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

namespace {

// The dims of x [..., T, features]: T, the number of runs of T rows, and features.
struct Rows {
  double positions = 0, runs = 0, features = 0;
};

Result<Rows> split_rows(const View& x, std::string_view name = "x") {
  if (x.shape.rank < 2)
    return error_at(Code::shape_mismatch, name, "must have at least 2 dims, [..., positions, features], got %",
                    x.shape);
  if (Error error = check_view(x, name)) return error;
  Rows rows{x.shape[-2], 1, x.shape[-1]};
  for (int i = 0; i < x.shape.rank - 2; ++i) rows.runs *= x.shape[i];
  return rows;
}

}  // namespace

Error Table::check_positions(const Positions& positions, double per_row, double rows) const {
  if (Error error = positions.check(per_row, rows, axes, true)) return error;
  if (axes > 1) return {};
  if (positions.values.empty()) {
    if (per_row == 0) return {};
    // Valid positions are contiguous, so checking both ends is enough.
    if (Error error = check_position(positions.offset)) return error;
    return check_position(positions.offset + per_row - 1);
  }
  for (double position : positions.values)
    if (Error error = check_position(position)) return error;
  return {};
}

Error Table::begin(const Positions& positions, double per_row, double rows, Workspace& workspace, Cache*& cache) const {
  if (Error error = check_positions(positions, per_row, rows)) return error;
  cache = workspace.find(*this);
  return cache ? Error{} : no_memory_for_rows();
}

Error Table::check_add(const View& x, const Positions& positions, std::string_view name) const noexcept {
  auto rows = split_rows(x, name);
  if (!rows) return std::move(rows.error());
  if (rows->features != dim)
    return error_at(Code::shape_mismatch, name, "last dim must be % (dim), got %", dim, x.shape);
  if (Error error = check_apart({{name, x}}, {{"positions", positions}}, this)) return error;
  return check_positions(positions, rows->positions, rows->runs);
}

void Table::row_at(const Positions& positions, std::size_t index, float* out, Cache& cache) const {
  // Class tokens come before the grid; their rows are 0.
  if (axes > 1 && positions.values.empty() && positions.offset + double(index) < 0) {
    std::fill(out, out + dim, 0.0f);
    return;
  }
  double coordinates[kMaxAxes];
  for (int axis = 0; axis < axes; ++axis) coordinates[axis] = positions.at(index, axis);
  row(coordinates, positions, out, cache);
}

Error Table::rows(const Positions& positions, const View& out, Workspace& workspace) const noexcept {
  Cache* cache;
  if (Error error = begin(positions, positions.count, 1, workspace, cache)) return error;
  if (Error error = check_result(out, {double(positions.count), double(dim)}, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"positions", positions}}, this)) return error;
  const Positions measured = positions.measured();
  for (std::size_t t = 0; t < std::size_t(positions.count); ++t)
    row_at(measured, t, out.data + t * std::size_t(dim), *cache);
  return {};
}

Error Dropout::check() const {
  if (rate >= 0 && rate < 1) return {};
  return error_at(Code::invalid_argument, "dropout", "must be in [0, 1), got %", rate);
}

Error Table::add_to(const View& x, const Positions& positions, const Dropout& dropping,
                    Workspace& workspace) const noexcept {
  if (Error error = check_add(x, positions)) return error;
  if (Error error = dropping.check()) return error;
  const auto rows = split_rows(x);
  const std::size_t per_row = std::size_t(rows->positions), width = std::size_t(dim), runs = std::size_t(rows->runs);
  Buffer buffer(dim);
  Cache* cache = workspace.find(*this);
  if (!buffer || !cache) return no_memory_for_rows();
  const Positions measured = positions.measured();
  const bool shared = positions.values.size() <= per_row;
  for (std::size_t t = 0; t < per_row; ++t)
    for (std::size_t run = 0; run < runs; ++run) {
      if (run == 0 || !shared) row_at(measured, positions.row_start(run, per_row) + t, buffer.data(), *cache);
      add(x.data + (run * per_row + t) * width, buffer.data(), width);
    }
  if (dropping.rate > 0) dropout(x.data, std::size_t(x.length), dropping.rate, dropping.seed, dropping.first_element);
  return {};
}

Error Table::concat_to(const View& x, const Positions& positions, const View& out,
                       Workspace& workspace) const noexcept {
  auto rows = split_rows(x);
  if (!rows) return std::move(rows.error());
  Cache* cache;
  if (Error error = begin(positions, rows->positions, rows->runs, workspace, cache)) return error;
  Shape expected = x.shape;
  expected.dims[std::size_t(expected.rank - 1)] += dim;
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"x", x}, {"positions", positions}}, this)) return error;
  const std::size_t per_row = std::size_t(rows->positions), features = std::size_t(rows->features);
  const std::size_t width = features + std::size_t(dim), runs = std::size_t(rows->runs);
  const Positions measured = positions.measured();
  const bool shared = positions.values.size() <= per_row;
  for (std::size_t run = 0; run < runs; ++run)
    for (std::size_t t = 0; t < per_row; ++t) {
      const std::size_t index = run * per_row + t;
      float* target = out.data + index * width;
      std::copy_n(x.data + index * features, features, target);
      if (run > 0 && shared)
        std::copy_n(out.data + t * width + features, dim, target + features);
      else
        row_at(measured, positions.row_start(run, per_row) + t, target + features, *cache);
    }
  return {};
}

Error Table::shift(double k, const View& out) const noexcept {
  const auto pair_frequencies = frequencies();
  if (pair_frequencies.empty() || dim % 2)
    return error_at(Code::unsupported, "shift", "requires a sinusoidal encoding with one axis and an even dim");
  if (!std::isfinite(k) || std::abs(k) > kMaxPosition)
    return error_at(Code::invalid_argument, "k", "must be finite and within ±2^48, got %", k);
  if (Error error = check_result(out, {double(pair_frequencies.size()), 2, 2}, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {}, this)) return error;
  const Buffer c(double(pair_frequencies.size())), s(double(pair_frequencies.size()));
  if (!c || !s)
    return error_at(Code::out_of_memory, "shift", "out of memory for % frequencies", double(pair_frequencies.size()));
  Sinusoids(pair_frequencies).row(k, 1, 1, c.data(), s.data());
  const float sign = cosine_first() ? -1.0f : 1.0f;
  for (std::size_t i = 0; i < pair_frequencies.size(); ++i) {
    float* m = out.data + 4 * i;
    m[0] = m[3] = c.data()[i];
    m[1] = sign * s.data()[i];
    m[2] = -sign * s.data()[i];
  }
  return {};
}

}  // namespace posenc
