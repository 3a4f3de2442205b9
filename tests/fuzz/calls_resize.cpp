// Calls of resize().
#include "calls.hpp"
#include "posenc/table/resize.hpp"

namespace posenc::fuzz {

namespace {

Shape grid_from(Input& input, int rank) {
  Shape grid;
  grid.rank = rank;
  for (int axis = 0; axis < rank; ++axis) grid.dims[std::size_t(axis)] = input.between(1, rank > 2 ? 4 : 9);
  return altered(input, grid);
}

// What PyTorch's interpolate takes of each old place for a new one, along one axis.
std::vector<double> shares(const Resize& r, int axis, double index) {
  const double old_size = r.from[axis], new_size = r.to[axis];
  const double steps = r.align_corners ? old_size - 1 : old_size;
  const double parts = r.align_corners ? std::max(new_size - 1, 1.0) : new_size + r.scale_offset;
  std::vector<double> out(std::size_t(old_size), 0.0);
  const auto give = [&](double cell, double share) {
    out[std::size_t(std::min(std::max(cell, 0.0), old_size - 1))] += share;
  };
  if (r.mode == ResizeMode::nearest) return give(std::floor(index * steps / parts), 1), out;
  double centre = r.align_corners ? index * steps / parts : (index + 0.5) * steps / parts - 0.5;
  const bool is_cubic = r.mode == ResizeMode::cubic;
  const auto kernel = [&](double x, double a) {
    x = std::abs(x);
    if (!is_cubic) return std::max(0.0, 1 - x);
    if (x <= 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
    return x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a : 0;
  };
  if (r.antialias) {
    const double filter_scale = std::max(old_size / (new_size + r.scale_offset), 1.0);
    double sum = 0;
    for (double cell = 0; cell < old_size; ++cell) sum += kernel((cell - centre) / filter_scale, -0.5);
    for (double cell = 0; cell < old_size; ++cell) give(cell, kernel((cell - centre) / filter_scale, -0.5) / sum);
    return out;
  }
  if (!is_cubic) centre = std::min(std::max(centre, 0.0), old_size - 1);
  for (double cell = std::floor(centre) - 1; cell <= std::floor(centre) + 2; ++cell)
    give(cell, kernel(cell - centre, -0.75));
  return out;
}

// The formula adds up every old place for each number that is compared: of large grids this takes minutes.
bool is_small(const Resize& r) {
  double widest = 0;
  for (int axis = 0; axis < r.from.rank; ++axis) widest = std::max(widest, r.from[axis]);
  return std::max(r.from.size(), r.to.size()) * widest < 50000;
}

// How often one new place adds to one old place, which is rounded each time: at the edge all its taps are the same
// place.
double most_taps(const Resize& r) {
  return r.antialias ? 1 : std::pow(r.mode == ResizeMode::cubic ? 4.5 : 2, r.from.rank);
}

void check_resize(const Resize& r, const Tensor& table, const Tensor& out) {
  const std::size_t dim = std::size_t(out.view().shape[-1]), count = out.values().size();
  const std::size_t old_cells = std::size_t(r.from.size()), new_cells = std::size_t(r.to.size());
  const std::size_t cells = r.transpose ? old_cells : new_cells, others = r.transpose ? new_cells : old_cells;
  const std::size_t prefix = std::size_t(r.prefix);
  // The share of an old place in a new one is a product over the axes.
  const auto share = [&](std::size_t old_cell, std::size_t new_cell) {
    double product = 1;
    for (int axis = r.from.rank - 1; axis >= 0; --axis) {
      const std::size_t n = std::size_t(r.from[axis]), w = std::size_t(r.to[axis]);
      product *= shares(r, axis, double(new_cell % w))[old_cell % n];
      old_cell /= n, new_cell /= w;
    }
    return product;
  };
  for (std::size_t at = 0; at < count; at += step_over(count, 8)) {
    const std::size_t row = at / dim, column = at % dim;
    if (row < prefix || row >= prefix + cells) {
      const std::size_t from = row < prefix ? row : row - cells + others;
      expect("resize, beside the grid", at, double(out.values()[at]), {double(table.before()[from * dim + column]), 0});
      continue;
    }
    double sum = 0, size = 0;
    for (std::size_t other = 0; other < others; ++other) {
      const std::size_t cell = row - prefix;
      const double by = r.transpose ? share(cell, other) : share(other, cell);
      const double part = by * double(table.before()[(prefix + other) * dim + column]);
      sum += part, size += std::abs(part);
    }
    expect("resize", at, double(out.values()[at]),
           {sum, (std::abs(sum) + 1e-12 * size) * 2 * kHalfUlp + 1e-12 * size +
                     (r.transpose ? double(others) * most_taps(r) * size * kHalfUlp : 0)});
  }
}

}  // namespace

void call_resize(Input& input) {
  Resize options;
  const int rank = input.between(1, 4);
  options.from = grid_from(input, rank);
  options.to = grid_from(input, input.rarely(24) ? input.between(1, 4) : rank);
  options.prefix = input.rarely(24) ? input.number() : input.below(3);
  options.suffix = input.rarely(24) ? input.number() : input.below(3);
  options.mode = input.choice<ResizeMode>(3);
  options.antialias = input.rarely(3);
  options.align_corners = input.rarely(3);
  if (input.rarely(4)) options.scale_offset = input.rarely(4) ? input.number() : 0.1;
  options.transpose = input.rarely(3);
  const double kept = options.prefix + options.suffix, dim = size_from(input);
  const Shape old_shape{kept + options.from.size(), dim}, new_shape{kept + options.to.size(), dim};
  const Tensor table(input, options.transpose ? new_shape : old_shape);
  const Tensor out(input, options.transpose ? old_shape : new_shape);
  const Error error = resize(table.view(), options, out.view());
  expect_same_bits("resize", error, out);
  require(table.unchanged(), "resize() changed its table");
  if (!error && !twin::kIsSecond && table.tame() && is_small(options)) check_resize(options, table, out);
}

}  // namespace posenc::fuzz
