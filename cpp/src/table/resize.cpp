#include "posenc/table/resize.hpp"

namespace posenc {

namespace {

// Interpolation along one axis: the old indices that contribute to a new index, and their weights.
class Taps {
 public:
  Taps() = default;
  Taps(const Resize& options, int axis, double index);

  int first() const { return first_; }
  int count() const { return count_; }
  double weight(int cell) const { return kernel((double(cell) - center_) * sharpness_) / total_; }
  /// The old index, clamped to the grid.
  int clamped(int cell) const { return std::clamp(cell, 0, size_ - 1); }

 private:
  double kernel(double distance) const;

  ResizeMode mode_ = ResizeMode::nearest;
  double a_ = -0.75, center_ = 0, sharpness_ = 1, total_ = 1;
  int size_ = 1, first_ = 0, count_ = 1;
};

double Taps::kernel(double distance) const {
  const double x = std::abs(distance);
  if (mode_ == ResizeMode::nearest) return 1;
  if (mode_ == ResizeMode::linear) return x < 1 ? 1 - x : 0;
  if (x < 1) return ((a_ + 2) * x - (a_ + 3)) * x * x + 1;
  return x < 2 ? ((a_ * x - 5 * a_) * x + 8 * a_) * x - 4 * a_ : 0;
}

Taps::Taps(const Resize& options, int axis, double index) : mode_(options.mode), size_(int(options.from[axis])) {
  const double size = options.from[axis], wanted = options.to[axis];
  // Multiplies before dividing, so that whole results are exact.
  const double old_step = options.align_corners ? size - 1 : size;
  const double new_step = options.align_corners ? std::max(wanted - 1, 1.0) : wanted + options.scale_offset;
  if (mode_ == ResizeMode::nearest) {
    first_ = clamped(int(std::floor(index * old_step / new_step + (options.align_corners ? 0.5 : 0))));
    return;
  }
  const bool corners = options.align_corners;
  center_ = corners ? index * old_step / new_step : (index + 0.5) * old_step / new_step - 0.5;
  double reach = mode_ == ResizeMode::linear ? 1 : 2;
  if (!options.antialias) {
    if (mode_ == ResizeMode::linear) center_ = std::clamp(center_, 0.0, size - 1);
    first_ = int(std::floor(center_)) - int(reach) + 1;
    count_ = 2 * int(reach);
    return;
  }
  a_ = -0.5;
  const double filter_scale = std::max(old_step / new_step, 1.0);
  reach *= filter_scale;
  sharpness_ = 1 / filter_scale;
  first_ = int(std::max(std::floor(center_ - reach + 1), 0.0));
  count_ = int(std::min(std::floor(center_ + reach + 1), size)) - first_;
  double sum = 0;
  for (int cell = first_; cell < first_ + count_; ++cell) sum += kernel((double(cell) - center_) * sharpness_);
  total_ = sum;
}

// A new grid cell with its old cells and their weights, over all axes.
class Blend {
 public:
  Blend(const Resize& options, std::size_t cell) : options_(options) {
    for (int axis = options.to.rank - 1; axis >= 0; --axis) {
      const std::size_t size = std::size_t(options.to[axis]);
      taps_[std::size_t(axis)] = Taps(options, axis, double(cell % size));
      cell /= size;
    }
  }

  /// Calls use(old cell, weight).
  template <class Use>
  void for_each(const Use& use, int axis = 0, std::size_t cell = 0, double weight = 1) const {
    if (axis == options_.to.rank) return use(cell, weight);
    const Taps& taps = taps_[std::size_t(axis)];
    for (int i = taps.first(); i < taps.first() + taps.count(); ++i) {
      const double share = taps.weight(i);
      const std::size_t next = cell * std::size_t(options_.from[axis]) + std::size_t(taps.clamped(i));
      if (share != 0) for_each(use, axis + 1, next, weight * share);
    }
  }

 private:
  const Resize& options_;
  std::array<Taps, kMaxAxes> taps_;
};

Error check_grid(const Shape& grid, std::string_view name) {
  for (int axis = 0; axis < grid.rank; ++axis)
    if (!(grid[axis] >= 1) || grid[axis] != std::floor(grid[axis]) || grid[axis] > 2147483647.0)
      return error_at(Code::invalid_argument, name, "must be whole numbers ≥ 1, got %", grid);
  return {};
}

Error check_count(double rows, std::string_view name) {
  if (rows >= 0 && rows == std::floor(rows)) return {};
  return error_at(Code::invalid_argument, name, "must be a whole number ≥ 0, got %", rows);
}

Error check_options(const Resize& options) {
  if (options.from.rank < 1 || options.from.rank > kMaxAxes || options.from.rank != options.to.rank)
    return error_at(Code::shape_mismatch, "grid", "must have 1 to 4 axes like from %, got %", options.from, options.to);
  if (Error error = check_grid(options.from, "from")) return error;
  if (Error error = check_grid(options.to, "grid")) return error;
  if (Error error = check_count(options.prefix, "prefix")) return error;
  if (Error error = check_count(options.suffix, "suffix")) return error;
  if (options.align_corners && options.mode == ResizeMode::nearest)
    return error_at(Code::invalid_argument, "alignCorners", "requires mode linear or cubic");
  if (options.antialias && (options.align_corners || options.mode == ResizeMode::nearest))
    return error_at(Code::invalid_argument, "antialias", "requires mode linear or cubic, without alignCorners");
  if (!(options.scale_offset >= 0 && options.scale_offset < 1))
    return error_at(Code::invalid_argument, "scaleOffset", "must be in [0, 1), got %", options.scale_offset);
  return {};
}

Error check_rows(const View& view, double rows, std::string_view name) {
  if (view.shape.rank < 2) return error_at(Code::shape_mismatch, name, "must have dims [rows, dim], got %", view.shape);
  if (Error error = check_view(view, name)) return error;
  double before = 1;
  for (int i = 0; i < view.shape.rank - 2; ++i) before *= view.shape[i];
  if (before == 1 && view.shape[-2] == rows) return {};
  return error_at(Code::shape_mismatch, name, "must have % rows (the grid, prefix and suffix), got %", rows,
                  view.shape);
}

Error check_both(const View& before, const View& after, const Resize& options, std::string_view before_name,
                 std::string_view after_name) {
  if (Error error = check_options(options)) return error;
  const double kept = options.prefix + options.suffix;
  if (Error error = check_rows(before, kept + options.from.size(), before_name)) return error;
  if (Error error = check_rows(after, kept + options.to.size(), after_name)) return error;
  if (before.shape[-1] == after.shape[-1]) return {};
  return error_at(Code::shape_mismatch, after_name, "last dim must match the table, got % against %", after.shape,
                  before.shape);
}

// Columns whose sums are on the stack at a time.
constexpr std::size_t kColumns = 128;

}  // namespace

Error resize(const View& table, const Resize& options, const View& out) noexcept {
  const View &grid = options.transpose ? out : table, &result = options.transpose ? table : out;
  const std::string_view names[]{"table", "out"};
  if (Error error = check_both(grid, result, options, names[options.transpose], names[!options.transpose]))
    return error;
  if (Error error = check_apart({{"out", out}}, {{"table", table}})) return error;
  const std::size_t dim = std::size_t(table.shape[-1]), prefix = std::size_t(options.prefix) * dim;
  const std::size_t suffix = std::size_t(options.suffix) * dim;
  std::copy_n(table.data, prefix, out.data);
  std::copy_n(table.data + std::size_t(table.length) - suffix, suffix, out.data + std::size_t(out.length) - suffix);
  if (options.transpose) std::fill_n(out.data + prefix, std::size_t(out.length) - prefix - suffix, 0.0f);
  for (std::size_t cell = 0; cell < std::size_t(options.to.size()); ++cell) {
    const Blend blend(options, cell);
    for (std::size_t column = 0; column < dim; column += kColumns) {
      const std::size_t count = std::min(kColumns, dim - column), at = prefix + column;
      float *rows = grid.data + at, *row = result.data + at + cell * dim;
      double sums[kColumns] = {};
      if (options.transpose) std::copy_n(row, count, sums);
      blend.for_each([&](std::size_t from, double weight) {
        float* old = rows + from * dim;
        for (std::size_t i = 0; i < count; ++i)
          if (options.transpose)
            old[i] = float(double(old[i]) + weight * sums[i]);
          else
            sums[i] += weight * double(old[i]);
      });
      if (!options.transpose) std::copy_n(sums, count, row);
    }
  }
  return {};
}

}  // namespace posenc
