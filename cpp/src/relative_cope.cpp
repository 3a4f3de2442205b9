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
    double places[kKeys];
    find(query, keys, scores, places);
    // Places grow from the last key to the first: each product is needed in one run.
    int known = -1;
    float low = 0, high = 0;
    for (int j = keys.count - 1; j >= 0; --j) {
      if (scores[j] == kMinusInfinity) continue;
      const int floor = int(places[j]);
      if (floor != known) {
        low = floor == known + 1 && known >= 0 ? high : product(query, floor);
        high = product(query, std::min(floor + 1, last_));
        known = floor;
      }
      const float part = float(places[j] - floor);
      scores[j] += position_scale_ * (high * part + low * (1 - part));
    }
  }

 private:
  float product(const RelativeQuery& query, int position) const {
    float out;
    dot_products(query.row, rows_.data() + std::size_t(position) * std::size_t(dim), &out, 1, 1, std::size_t(dim));
    return out;
  }

  // Goes on with the gates that are open between the query and the last of these keys.
  void find(const RelativeQuery& query, const RelativeKeys& keys, const float* scores, double* places) {
    float logits[kKeys], decay[kKeys];
    for (int j = 0; j < keys.count; ++j) {
      logits[j] = scores[j];
      if (keys.gates) dot_products(query.row, keys.gates + j * keys.stride, logits + j, 1, 1, std::size_t(dim));
      logits[j] *= gate_scale_;
      decay[j] = -std::abs(logits[j]);
    }
    exp_and_sum(decay, keys.count, 0);
    double& open = open_[std::size_t(query.index)];
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
