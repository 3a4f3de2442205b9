#include "training/bias.hpp"

#include "bias/rows.hpp"

namespace posenc {

void BiasScatter::row(int head, double query, const Positions& keys, std::size_t start, std::size_t count,
                      const float* scores, float* gradient) {
  head = bias_.heads == 1 ? 0 : head;
  const double first = keys[start] - query;
  if (bias_.by_distance && !weighs_ && keys.values.empty() && first == std::floor(first) && int(count) <= kWidth / 2) {
    double* sums = sums_of(head, first, double(count));
    for (std::size_t j = 0; j < count; ++j) sums[j] += double(gradient[j]);
    return;
  }
  for (std::size_t j = 0; j < count; ++j) {
    const double slope = double(gradient[j]), key = keys[start + j];
    if (slope == 0) continue;
    if (!bias_.by_distance) {
      bias_.scatter(head, query, key, slope, false, *training_, scratch_);
      continue;
    }
    add(head, key - query, slope, false);
    if (!weighs_) continue;
    float factor;
    bias_.factors(head, query, key, 1, &factor, scratch_);
    add(head, key - query, slope * double(scores[j]), true);
    gradient[j] *= factor;
  }
}

// Sums of `count` whole distances from `first` on, inside a window that moves if they are outside.
double* BiasScatter::sums_of(int head, double first, double count) {
  if (head != head_ || !(first >= first_ && first + count <= first_ + kWidth)) {
    flush();
    head_ = head;
    first_ = first - kWidth / 4;
  }
  return sums_[0] + int(first - first_);
}

void BiasScatter::add(int head, double relative, double slope, bool of_factor) {
  if (relative != std::floor(relative))
    return bias_.scatter(head, 0.0 - relative, 0, slope, of_factor, *training_, scratch_);
  sums_of(head, relative, 1)[of_factor * kWidth] += slope;
}

void BiasScatter::flush() {
  for (int of_factor = 0; of_factor < 2; ++of_factor)
    for (int i = 0; i < kWidth; ++i) {
      double& sum = sums_[of_factor][i];
      if (sum != 0) bias_.scatter(head_, 0.0 - (first_ + i), 0, sum, of_factor == 1, *training_, scratch_);
      sum = 0;
    }
}

void Bias::scatter(int head, double query, double key, double slope, bool, Training& training,
                   const BiasScratch&) const {
  if (const int row = bucket(query, key); row >= 0)
    training.gradient(0)[std::size_t(row) * std::size_t(heads) + std::size_t(head)] += float(slope);
}

Error Bias::backward(BiasCall call, const View& gradient, const View& scores, Training& training,
                     Workspace& workspace) const noexcept {
  double batch;
  ResolvedMask mask;
  BiasScratch& scratch = *workspace.of<BiasScratch>(*this);
  if (Error error = fit(call, gradient, "gradOut", batch, mask, scratch)) return error;
  float factor;
  if (factors(0, 0, 0, 1, &factor, scratch)) {
    if (!scores.data && !scores.shape.rank)
      return error_at(Code::invalid_argument, "scores", "required: this encoding multiplies scores");
    if (Error error = check_result(scores, gradient.shape, "scores")) return error;
  }
  if (Error error = check_apart({{"gradOut", gradient}}, {{"scores", scores}})) return error;
  if (Error error = training.begin_backward(*this)) return error;
  const int count = int(call.keys);
  BiasScatter scatter(*this, &training, scratch);
  return for_each_row(*this, call, mask, int(batch), int(gradient.shape[-3]), scratch, [&](const BiasRow& row) {
    const std::size_t at = row.index * std::size_t(count), first = at + std::size_t(row.keys.begin);
    float* slopes = gradient.data + at;
    std::fill_n(slopes, row.keys.begin, 0.0f);
    std::fill(slopes + row.keys.end, slopes + count, 0.0f);
    mask.mask_row(row.batch, row.head, row.query, 0, count, slopes, 0);
    scatter.row(row.head, row.query_position, row.key_positions, 0, std::size_t(row.keys.count()),
                scores.data ? scores.data + first : nullptr, gradient.data + first);
  });
}

}  // namespace posenc
