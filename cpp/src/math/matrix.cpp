#include "math/matrix.hpp"

#include <algorithm>
#include <cmath>

namespace posenc {

void matrix_product(const double* a, const double* b, int size, double* out) {
  const std::ptrdiff_t n = size;
  std::fill_n(out, n * n, 0.0);
  for (std::ptrdiff_t i = 0; i < n; ++i)
    for (std::ptrdiff_t k = 0; k < n; ++k) {
      const double factor = a[i * n + k];
      const double* row = b + k * n;
      double* to = out + i * n;
      for (std::ptrdiff_t j = 0; j < n; ++j) to[j] += factor * row[j];
    }
}

Exponential::Exponential(int size) : size_(size) {
  const std::size_t elements = std::size_t(size) * std::size_t(size);
  for (std::vector<double>* matrix : {&second_, &third_, &fourth_, &sum_, &product_}) matrix->resize(elements);
}

void Exponential::add_scaled(double* to, const double* from, double factor) const {
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(size_) * size_; ++i) to[i] += factor * from[i];
}

void Exponential::operator()(double* a) {
  const std::ptrdiff_t n = size_, elements = n * n;
  double norm = 0;
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    double row = 0;
    for (std::ptrdiff_t j = 0; j < n; ++j) row += std::abs(a[i * n + j]);
    norm = std::max(norm, row);
  }
  int squarings = 0;
  double factor = 1;
  while (norm * factor > 0.25 && squarings < 60) factor *= 0.5, ++squarings;
  for (std::ptrdiff_t i = 0; i < elements; ++i) a[i] *= factor;
  matrix_product(a, a, size_, second_.data());
  matrix_product(second_.data(), a, size_, third_.data());
  matrix_product(third_.data(), a, size_, fourth_.data());
  // Σ x^k / k!, four powers at a time: k = 9 … 12, 5 … 8, 1 … 4.
  constexpr double kInverse[13] = {
      1,          1,           1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,      1.0 / 720,
      1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600};
  std::ranges::fill(sum_, 0.0);
  for (int k = 8; k >= 0; k -= 4) {
    if (k < 8) {
      matrix_product(sum_.data(), fourth_.data(), size_, product_.data());
      sum_.swap(product_);
    }
    add_scaled(sum_.data(), a, kInverse[k + 1]);
    add_scaled(sum_.data(), second_.data(), kInverse[k + 2]);
    add_scaled(sum_.data(), third_.data(), kInverse[k + 3]);
    if (k == 8) add_scaled(sum_.data(), fourth_.data(), kInverse[12]);
    for (std::ptrdiff_t i = 0; i < n; ++i) sum_[std::size_t(i * n + i)] += kInverse[k];
  }
  for (; squarings > 0; --squarings) {
    matrix_product(sum_.data(), sum_.data(), size_, product_.data());
    sum_.swap(product_);
  }
  std::copy_n(sum_.data(), elements, a);
}

bool solve(double* a, double* x, int size) {
  const std::ptrdiff_t n = size;
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    std::ptrdiff_t pivot = k;
    for (std::ptrdiff_t i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[pivot * n + k])) pivot = i;
    if (!(std::abs(a[pivot * n + k]) > 0)) return false;
    if (pivot != k) {
      std::swap_ranges(a + k * n, a + k * n + n, a + pivot * n);
      std::swap_ranges(x + k * n, x + k * n + n, x + pivot * n);
    }
    for (std::ptrdiff_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::ptrdiff_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      for (std::ptrdiff_t j = 0; j < n; ++j) x[i * n + j] -= factor * x[k * n + j];
    }
  }
  for (std::ptrdiff_t k = n; k-- > 0;) {
    for (std::ptrdiff_t j = 0; j < n; ++j) x[k * n + j] /= a[k * n + k];
    for (std::ptrdiff_t i = 0; i < k; ++i)
      for (std::ptrdiff_t j = 0; j < n; ++j) x[i * n + j] -= a[i * n + k] * x[k * n + j];
  }
  return true;
}

}  // namespace posenc
