#include "bias_backward.hpp"

namespace posenc {

void BiasScatter::row(int head, double query, const Positions& keys, std::size_t start, std::size_t count,
                      const float* scores, float* gradient) {
  head = bias_.heads == 1 ? 0 : head;
  for (std::size_t j = 0; j < count; ++j) {
    const double slope = double(gradient[j]), key = keys[start + j];
    if (slope == 0) continue;
    if (!bias_.by_distance) {
      bias_.scatter(head, query, key, slope, false);
      continue;
    }
    add(head, key - query, slope, false);
    if (!weighs_) continue;
    float factor;
    bias_.factors(head, query, key, 1, &factor);
    add(head, key - query, slope * double(scores[j]), true);
    gradient[j] *= factor;
  }
}

// The sums are those of a window of whole distances, which moves when it is left.
void BiasScatter::add(int head, double relative, double slope, bool of_factor) {
  if (relative != std::floor(relative)) return bias_.scatter(head, 0.0 - relative, 0, slope, of_factor);
  if (head != head_ || !(relative >= first_ && relative < first_ + kWidth)) {
    flush();
    head_ = head;
    first_ = relative - kWidth / 2;
  }
  sums_[of_factor][int(relative - first_)] += slope;
}

void BiasScatter::flush() {
  for (int of_factor = 0; of_factor < 2; ++of_factor)
    for (int i = 0; i < kWidth; ++i) {
      double& sum = sums_[of_factor][i];
      if (sum != 0) bias_.scatter(head_, 0.0 - (first_ + i), 0, sum, of_factor == 1);
      sum = 0;
    }
}

void Bias::scatter(int head, double query, double key, double slope, bool) {
  if (const int row = bucket(query, key); row >= 0)
    gradient(0)[std::size_t(row) * std::size_t(heads) + std::size_t(head)] += float(slope);
}

Error Bias::backward(BiasCall call, const View& gradient, const View& scores) {
  double batch;
  if (Error error = fit(call, gradient, "gradOut", batch)) return error;
  float factor;
  if (factors(0, 0, 0, 1, &factor))
    if (Error error = check_result(scores, gradient.shape, "scores")) return error;
  if (Error error = check_apart({{"gradOut", gradient}}, {{"scores", scores}})) return error;
  if (Error error = begin_backward()) return error;
  const Positions keys = call.places_of_keys();
  const std::size_t count = std::size_t(call.keys);
  const int score_heads = int(gradient.shape[-3]);
  BiasScatter scatter(*this);
  std::size_t at = 0;
  for (std::size_t b = 0; b < std::size_t(batch); ++b)
    for (int head = 0; head < score_heads; ++head)
      for (double query = 0; query < call.queries; ++query, at += count) {
        float* row = gradient.data + at;
        const std::size_t start = call.mask.shape.rank == 2 ? b * count : 0;
        for (std::size_t j = 0; call.mask.data && j < count; ++j)
          if (!call.mask.data[start + j]) row[j] = 0;
        scatter.row(head, call.offset + query, keys, keys.row_start(b, count), count,
                    scores.data ? scores.data + at : nullptr, row);
      }
  return {};
}

}  // namespace posenc
