// What encodings make of the inputs of tokens: rows in either layout, and sums of the logarithms of gates.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// `width` numbers for each of a call's tokens and heads.
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

/// c_t = Σ_(s≤t) log f_s of each head, in double precision, of `sets` gates for each head of the queries; and, where
/// gradients are wanted, those of all c.
class GateSums {
 public:
  GateSums(const RelativeRequest& request, int sets);
  /// Was there memory? Are all gates numbers?
  Error check() const;
  /// Does the call have gates?
  bool are_given() const { return bool(gates_); }
  bool wants_slopes() const { return bool(gradients_); }
  const double* row(const RelativeQuery& query, int set = 0) const { return sums_.data() + at(query, set); }
  double* slopes(const RelativeQuery& query, int set = 0) { return slopes_.data() + at(query, set); }
  /// The gradients of c become those of the gates.
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

/// ln σ(x), and its slope.
double log_sigmoid(double x);
double log_sigmoid_slope(double x);

/// b_ij = c_i - c_j; of two sets of gates the second for keys after the query: c_j - c_i.
Relative::Begun begin_gate_bias(const RelativeRequest& request, int sets);

}  // namespace posenc
