// Small square matrices in double precision, row-major; bit-identical results in every build.
#pragma once

#include <vector>

namespace posenc {

/// out = a · b, all [size, size]; out must be neither a nor b.
void matrix_product(const double* a, const double* b, int size, double* out);

/// The exponential of square matrices of one size.
class Exponential {
 public:
  explicit Exponential(int size);
  /// Replaces a by e^a, by scaling and squaring of a Taylor polynomial of degree 12 with a remainder below 1e-17.
  /// Source: Moler & Van Loan, SIAM Review 45 (2003), method 3.
  void operator()(double* a);

 private:
  void add_scaled(double* to, const double* from, double factor) const;

  int size_;
  std::vector<double> second_, third_, fourth_, sum_, product_;
};

/// Replaces x [size, size] by a⁻¹ x; overwrites a. Elimination with pivoting; returns false if a is singular.
bool solve(double* a, double* x, int size);

}  // namespace posenc
