#include "posenc/kernels.hpp"
#include "posenc/relative/cope.hpp"
#include "relative_tables.hpp"

namespace posenc {

namespace {

using namespace tiles;

class CopeRelative final : public Relative {
 public:
  explicit CopeRelative(const Cope& spec)
      : Relative(spec.dim),
        last_(spec.max_position - 1),
        gate_scale_(spec.scaled_gates ? float(1 / std::sqrt(double(dim))) : 1.0f),
        position_scale_(spec.scaled_position ? 1.0f : float(std::sqrt(double(dim)))) {
    contextual = true;
  }

  Error prepare(const RelativeCall& call) override {
    const std::size_t width = std::size_t(dim), count = std::size_t(last_) + 1;
    rows_.resize(width * count);
    const float* embedding = parameters[0].values.data();
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t p = 0; p < count; ++p) rows_[p * width + i] = *embedding++;
    open_.resize(std::size_t(call.indexes));
    return {};
  }

  void restart() override { std::fill(open_.begin(), open_.end(), 0.0); }

  void find_places(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    double places[kKeys];
    find(query, keys, scores, places);
    for (int j = 0; j < keys.count; ++j) scores[j] = scores[j] == kMinusInfinity ? 0.0f : float(places[j]);
  }

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    // All further keys are at the last place.
    if (open_[std::size_t(query.index)] >= last_) {
      float product;
      multiply(query, last_, last_, &product);
      for (int j = 0; j < keys.count; ++j) scores[j] += position_scale_ * product;
      return;
    }
    double places[kKeys];
    find(query, keys, scores, places);
    // Places grow from the last key to the first, by 1 each at most.
    const int low = int(places[keys.count - 1]);
    float products[kKeys + 2];
    multiply(query, low, std::min(int(places[0]) + 1, last_), products);
    for (int j = 0; j < keys.count; ++j) {
      const int floor = int(places[j]);
      const float part = float(places[j] - floor), *at = products + floor - low;
      scores[j] += position_scale_ * (at[floor < last_] * part + at[0] * (1 - part));
    }
  }

 private:
  void multiply(const RelativeQuery& query, int first, int last, float* products) const {
    dot_rows(query.row, rows_.data() + std::ptrdiff_t(first) * dim, dim, std::size_t(last - first + 1),
             std::size_t(dim), products);
  }

  // Goes on with the gates that are open between the query and the last of these keys; beyond the last place they do
  // not count.
  void find(const RelativeQuery& query, const RelativeKeys& keys, const float* scores, double* places) {
    double& open = open_[std::size_t(query.index)];
    float logits[kKeys], decay[kKeys];
    for (int j = 0; j < keys.count; ++j) {
      logits[j] = scores[j];
      if (keys.gates) dot_products(query.row, keys.gates + j * keys.stride, logits + j, 1, 1, std::size_t(dim));
      logits[j] *= gate_scale_;
      decay[j] = -std::abs(logits[j]);
    }
    Softmax largest{0, 0};
    float shrink;
    weigh(decay, 1, keys.count, &largest, &shrink);
    for (int j = keys.count - 1; j >= 0; --j) {
      if (scores[j] != kMinusInfinity) open += (logits[j] < 0 ? double(decay[j]) : 1.0) / (1.0 + double(decay[j]));
      places[j] = std::min(open, double(last_));
    }
  }

  int last_;
  float gate_scale_, position_scale_;
  std::vector<float> rows_;
  std::vector<double> open_;
};

}  // namespace

std::unique_ptr<Relative> Cope::make() const { return std::make_unique<CopeRelative>(*this); }

}  // namespace posenc
