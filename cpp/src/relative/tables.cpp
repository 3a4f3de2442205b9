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
      float* const slopes_of_row = table_slopes ? table_slopes + (rows - origin) : nullptr;
      if (sum != 0) scatter_row(row, rows, std::size_t(dim), sum, row_slopes, slopes_of_row);
    }
  });
}

void scatter_row(const float* row, const float* other, std::size_t dim, float slope, float* row_slopes,
                 float* other_slopes) {
  if (row_slopes) add_scaled(row_slopes, slope, other, dim);
  if (other_slopes) add_scaled(other_slopes, slope, row, dim);
}

void DistanceVectors::add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) {
  keys_.add_products(keys, query.position, query.row, scores);
}

double DistanceVectors::addition(const RelativeQuery& query, const RelativeKeys& key) {
  return keys_.product(key.positions[0], query.position, query.row);
}

void DistanceVectors::add_values(const RelativeQuery& query, const RelativeKeys& keys, const float* weights,
                                 float* sums) {
  const int dim = values_.dim;
  values_.for_each_run(keys, query.position, [&](int key, int count, const float* rows, std::ptrdiff_t step) {
    if (step) return tiles::add_weighted(weights + key, rows, step, count, dim, sums);
    float weight = 0;
    for (int j = key; j < key + count; ++j) weight += weights[j];
    add_scaled(sums, weight, rows, std::size_t(dim));
  });
}

void DistanceVectors::add_backward(const RelativeQuery& query, const RelativeKeys& keys, const float*, float* slopes,
                                   float* row_slopes) {
  keys_.scatter(keys, query.position, query.row, slopes, row_slopes, slopes_of(keys_, 0));
}

void DistanceVectors::add_values_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* out_slopes,
                                          float* weight_slopes) {
  values_.add_products(keys, query.position, out_slopes, weight_slopes);
}

void DistanceVectors::scatter_values(const RelativeQuery& query, const RelativeKeys& keys, const float* weights,
                                     const float* out_slopes) {
  if (learned_) values_.scatter(keys, query.position, out_slopes, weights, nullptr, slopes_of(values_, 1));
}

}  // namespace posenc
