// Per-token inputs of encodings: rows in either layout, and sums of the logarithms of gates.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// `width` values for each token and head of a call.
class TokenRows {
 public:
  TokenRows(const RelativeRequest& request, const TokenInputs* inputs, TokenInput which, int heads, int width);
  explicit operator bool() const { return data_; }
  float* at(int batch, int head, int token) const {
    return data_ + batch * strides_.batch + head * strides_.head + token * strides_.position;
  }

 private:
  float* data_;
  HeadStrides strides_;
};

/// c_t = Σ_(s≤t) log f_s of each head, in double precision, for `sets` gates per query head; and the gradients of all
/// c, if wanted.
class GateSums {
 public:
  GateSums(const RelativeRequest& request, int sets);
  /// Checks that there was memory and that all sums of gates are finite.
  Error check() const;
  /// Whether the call has gates.
  bool are_given() const { return bool(gates_); }
  bool wants_slopes() const { return bool(gradients_); }
  const double* row(const RelativeQuery& query, int set = 0) const { return sums_.data() + at(query, set); }
  double* slopes(const RelativeQuery& query, int set = 0) { return slopes_.data() + at(query, set); }
  /// Converts the gradients of c to those of the gates.
  void finish();

 private:
  std::ptrdiff_t at(const RelativeQuery& query, int set) const {
    return ((std::ptrdiff_t(query.batch) * sets_ + set) * heads_ + query.head) * tokens_;
  }
  template <class Visit>
  void for_each_row(Visit&& visit) const;

  int batch_, heads_, sets_, tokens_;
  TokenRows gates_, gradients_;
  Array<double> sums_, slopes_;
};

/// ln σ(x), and its derivative.
double log_sigmoid(double x);
double log_sigmoid_slope(double x);

/// b_ij = c_i - c_j. The second of two sets of gates is for keys after the query: c_j - c_i.
Relative::Begun begin_gate_bias(const RelativeRequest& request, int sets);

}  // namespace posenc
