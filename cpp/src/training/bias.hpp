// Propagates gradients of biases to the parameters.
#pragma once

#include "posenc/bias/bias.hpp"

namespace posenc {

/// If a bias depends only on the distance, gradients of equal distances are summed first: a tile has few distances.
class BiasScatter {
 public:
  BiasScatter(const Bias& bias, Training* training, BiasScratch& scratch)
      : bias_(bias), training_(training), scratch_(scratch) {
    float factor;
    weighs_ = bias.factors(0, 0, 0, 1, &factor, scratch);
  }
  ~BiasScatter() { flush(); }
  bool reads_scores() const { return weighs_; }
  /// Converts gradient [count] of a query's scores after the bias to that before it, for keys from index `start` on.
  /// `scores` are those before the bias; only kinds with factors read them.
  void row(int head, double query, const Positions& keys, std::size_t start, std::size_t count, const float* scores,
           float* gradient);

 private:
  static constexpr int kWidth = 256;
  double* sums_of(int head, double first, double count);
  void add(int head, double relative, double slope, bool of_factor);
  void flush();

  const Bias& bias_;
  Training* training_;
  BiasScratch& scratch_;
  bool weighs_;
  int head_ = -1;
  /// sums_[of_factor][key - query - first_]
  double first_ = 0, sums_[2][kWidth] = {};
};

}  // namespace posenc
