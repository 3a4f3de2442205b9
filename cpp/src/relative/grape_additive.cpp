#include "posenc/relative/grape_additive.hpp"

#include "kernels/tiles.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

namespace {

using namespace tiles;

class GrapeAdditiveCall final : public RelativeCall {
 public:
  GrapeAdditiveCall(const Relative& encoding, const GrapeAdditive& spec, bool wants_gradients)
      : encoding_(encoding),
        spec_(spec),
        root_(1 / std::sqrt(double(spec.dim))),
        slopes_(Alibi{.heads = spec.heads}.slopes()),
        directions_({2, double(spec.heads), double(spec.dim)}),
        gradients_({wants_gradients ? 2.0 : 0.0, double(spec.heads), double(spec.dim)}) {
    for (int side = 0; directions_ && side < 2; ++side)
      for (int head = 0; has(side) && head < spec.heads; ++head) {
        const double factor = 1 / length(side, head);
        for (int i = 0; i < spec.dim; ++i) direction(side, head)[i] = double(given(side, head)[i]) * factor;
      }
  }
  explicit operator bool() const { return directions_ && gradients_; }

  void adjust(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    const double by_query = query_rate(query), steep = steepness(query.head);
    for (int j = 0; j < keys.count; ++j)
      scores[j] -= float(distance(query, keys, j) * steep * (by_query + key_rate(query, keys, j)));
  }
  double adjustment(const RelativeQuery& query, const RelativeKeys& key) override {
    return 0.0 - distance(query, key, 0) * steepness(query.head) * (query_rate(query) + key_rate(query, key, 0));
  }

  void adjust_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* slopes,
                       float* row_slopes) override {
    const double by_query = query_rate(query), steep = steepness(query.head);
    double by_rates = 0, by_steepness = 0;
    for (int j = 0; j < keys.count; ++j) {
      const double slope = double(slopes[j]) * -distance(query, keys, j);
      if (slope == 0) continue;
      by_rates += slope * steep;
      by_steepness += slope * (by_query + key_rate(query, keys, j));
      if (!has(0)) continue;
      const std::ptrdiff_t at = j * keys.stride;
      const double by_logit = slope * steep * sigmoid(logit(0, query.head, keys.rows + at)) * root_;
      scatter(0, query.head, keys.rows + at, by_logit, keys.row_gradients + at);
    }
    const double omega = double(encoding_.parameters[0].values[std::size_t(query.head)]);
    training->gradient(0)[query.head] +=
        float(by_steepness * double(slopes_[std::size_t(query.head)]) * sigmoid(omega));
    if (has(1))
      scatter(1, query.head, query.row, by_rates * sigmoid(logit(1, query.head, query.row)) * root_, row_slopes);
  }

  // Converts the gradients of directions to those of their parameters.
  void finish_backward() override {
    for (int side = 0; side < 2; ++side)
      for (int head = 0; has(side) && head < spec_.heads; ++head) {
        const double *slope = gradient(side, head), *row = direction(side, head), factor = 1 / length(side, head);
        double along = 0;
        for (int i = 0; spec_.normalize && i < spec_.dim; ++i) along += slope[i] * row[i];
        float* out = training->gradient(std::size_t(side) + 1) + std::ptrdiff_t(head) * spec_.dim;
        for (int i = 0; i < spec_.dim; ++i) out[i] += float(factor * (slope[i] - along * row[i]));
      }
  }

 private:
  /// Keys have side 0, queries side 1.
  bool has(int side) const { return side == 0 ? spec_.by_keys() : spec_.by_queries(); }
  const float* given(int side, int head) const {
    return encoding_.parameters[std::size_t(side) + 1].values.data() + std::ptrdiff_t(head) * spec_.dim;
  }
  double* direction(int side, int head) const {
    return directions_.data() + (std::ptrdiff_t(side) * spec_.heads + head) * spec_.dim;
  }
  double* gradient(int side, int head) const {
    return gradients_.data() + (std::ptrdiff_t(side) * spec_.heads + head) * spec_.dim;
  }
  /// Divisor of the direction; at least 1e-6, as in the authors' code.
  double length(int side, int head) const {
    if (!spec_.normalize) return 1;
    double square = 0;
    for (int i = 0; i < spec_.dim; ++i) square += double(given(side, head)[i]) * double(given(side, head)[i]);
    return std::max(std::sqrt(square), 1e-6);
  }
  double logit(int side, int head, const float* row) const {
    const double* by = direction(side, head);
    double sum = 0;
    for (int i = 0; i < spec_.dim; ++i) sum += by[i] * double(row[i]);
    return sum * root_;
  }
  double query_rate(const RelativeQuery& query) const { return has(1) ? softplus(logit(1, query.head, query.row)) : 0; }
  double steepness(int head) const {
    return softplus(double(encoding_.parameters[0].values[std::size_t(head)])) * double(slopes_[std::size_t(head)]);
  }
  static double distance(const RelativeQuery& query, const RelativeKeys& keys, int j) {
    return std::max(0.0, query.position - keys.positions[j]);
  }

  // All queries of a chunk use the same keys: the rates of these are cached for a tile.
  double key_rate(const RelativeQuery& query, const RelativeKeys& keys, int j) {
    if (!has(0)) return 0;
    const int key = keys.first + j, tile = key / kKeys, slot = key % kKeys;
    if (tile != tile_ || query.head != head_ || query.batch != batch_) {
      tile_ = tile, head_ = query.head, batch_ = query.batch;
      std::fill(std::begin(is_known_), std::end(is_known_), false);
    }
    if (!is_known_[slot]) rates_[slot] = softplus(logit(0, query.head, keys.rows + j * keys.stride));
    is_known_[slot] = true;
    return rates_[slot];
  }

  void scatter(int side, int head, const float* row, double slope, float* row_slopes) {
    double *slopes = gradient(side, head), *by = direction(side, head);
    for (int i = 0; i < spec_.dim; ++i) {
      slopes[i] += slope * double(row[i]);
      row_slopes[i] += float(slope * by[i]);
    }
  }

  const Relative& encoding_;
  const GrapeAdditive& spec_;
  double root_;
  std::vector<float> slopes_;
  /// [sides][heads][dim]
  Array<double> directions_, gradients_;
  int tile_ = -1, head_ = -1, batch_ = -1;
  double rates_[kKeys];
  bool is_known_[kKeys];
};

class GrapeAdditiveRelative final : public Relative {
 public:
  explicit GrapeAdditiveRelative(const GrapeAdditive& spec) : Relative(spec.dim), spec_(spec) { heads = spec.heads; }

  Begun begin(const RelativeRequest& request) const override {
    const bool wants_gradients = request.wanted == RelativeRequest::Wanted::gradients;
    auto call = std::make_unique<GrapeAdditiveCall>(*this, spec_, wants_gradients);
    if (!*call) return Error{Code::out_of_memory, "", "grape-a: out of memory for directions"};
    return std::unique_ptr<RelativeCall>(std::move(call));
  }

 private:
  GrapeAdditive spec_;
};

}  // namespace

std::unique_ptr<Relative> GrapeAdditive::make() const { return std::make_unique<GrapeAdditiveRelative>(*this); }

}  // namespace posenc
