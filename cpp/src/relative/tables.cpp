#include "relative/tables.hpp"

#include "posenc/kernels/kernels.hpp"

namespace posenc {

void DistanceTable::add_products(const RelativeKeys& keys, double position, const float* row, float* scores) const {
  float products[tiles::kKeys];
  for_each_run(keys, position, [&](int key, int count, const float* rows, std::ptrdiff_t step) {
    dot_rows(row, rows, step, std::size_t(step ? count : 1), std::size_t(dim), products);
    if (step) return posenc::add(scores + key, products, std::size_t(count));
    for (int j = key; j < key + count; ++j) scores[j] += products[0];
  });
}

double DistanceTable::product(double key, double position, const float* row) const {
  return exact_dot(row, origin + nearest_within(key - position, low, high) * stride, std::size_t(dim));
}

void DistanceTable::scatter(const RelativeKeys& keys, double position, const float* row, const float* slopes,
                            float* row_slopes, float* table_slopes) const {
  for_each_run(keys, position, [&](int key, int count, const float* rows, std::ptrdiff_t step) {
    for (int j = 0; j < count; rows += step) {
      float sum = slopes[key + j];
      while (++j < count && step == 0) sum += slopes[key + j];
      if (sum != 0) scatter_row(row, rows, std::size_t(dim), sum, row_slopes, table_slopes + (rows - origin));
    }
  });
}

void scatter_row(const float* row, const float* other, std::size_t dim, float slope, float* row_slopes,
                 float* other_slopes) {
  if (row_slopes) add_scaled(row_slopes, slope, other, dim);
  add_scaled(other_slopes, slope, row, dim);
}

}  // namespace posenc
