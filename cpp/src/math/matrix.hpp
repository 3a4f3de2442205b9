// Small square matrices in double precision, row-major; the same bits in every build.
#pragma once

#include <vector>

namespace posenc {

/// out = a · b, [size, size]; out is neither of them.
void matrix_product(const double* a, const double* b, int size, double* out);

/// The exponential of square matrices of one size.
class Exponential {
 public:
  explicit Exponential(int size);
  /// a becomes e^a. By scaling and squaring of a Taylor polynomial of degree 12, whose rest is below 1e-17. Source:
  /// Moler & Van Loan, SIAM Review 45 (2003), method 3.
  void operator()(double* a);

 private:
  void add_scaled(double* to, const double* from, double factor) const;

  int size_;
  std::vector<double> second_, third_, fourth_, sum_, product_;
};

/// x [size, size] becomes a⁻¹ x; a is lost. By elimination with pivots; false: a is singular.
bool solve(double* a, double* x, int size);

}  // namespace posenc
