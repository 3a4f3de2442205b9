// FIRE's network, for many distances at once.
#include "posenc/bias/fire.hpp"
#include "posenc/real.hpp"

namespace posenc {

namespace {

constexpr std::size_t kPiece = 64;

class FireBias final : public Bias {
 public:
  explicit FireBias(const Fire& spec) : spec_(spec) { heads = spec.heads; }

  // Logarithms of whole distances are computed once for a call.
  Error begin(const Positions& queries, const Positions& keys) override {
    spread_.clear();
    if (!queries.count || !keys.count) return {};
    const double farthest = std::max(queries.largest() - keys.smallest(), keys.largest() - queries.smallest());
    const double given = std::max(double(keys.count), double(keys.values.size())) + queries.count;
    for (double distance = 0; distance <= std::min(farthest, 2 * given); ++distance)
      spread_.push_back(spread(distance));
    return {};
  }

  void row(int head, double query, double first_key, std::size_t count, float* out) const override {
    const double threshold = std::abs(number(5) * spec_.length);
    const double divisor = spread(std::max(query, threshold)) + spec_.epsilon;
    for (std::size_t done = 0; done < count; done += kPiece) {
      const std::size_t length = std::min(kPiece, count - done);
      double x[kPiece];
      for (std::size_t j = 0; j < length; ++j) {
        const double distance = reach(query - (first_key + double(done + j)), spec_.bidirectional);
        const bool is_known = distance < double(spread_.size()) && distance == std::floor(distance);
        x[j] = (is_known ? spread_[std::size_t(distance)] : spread(distance)) / divisor;
      }
      network(head, x, length, out + done);
    }
  }

 private:
  double number(std::size_t parameter) const { return parameters[parameter].values[0]; }
  double spread(double distance) const { return quick_log(1 + std::abs(number(4) * distance)); }

  void network(int head, const double* x, std::size_t count, float* out) const {
    const std::size_t width = std::size_t(spec_.width);
    const float *in = parameters[0].values.data(), *shift = parameters[1].values.data();
    const float* weight = parameters[2].values.data() + std::size_t(head) * width;
    double sum[kPiece];
    std::fill_n(sum, count, double(parameters[3].values[std::size_t(head)]));
    for (std::size_t unit = 0; unit < width; ++unit) {
      const double a = in[unit], b = shift[unit], w = weight[unit];
      for (std::size_t j = 0; j < count; ++j) {
        const double active = a * x[j] + b;
        sum[j] += w * (active > 0 ? active : 0);
      }
    }
    for (std::size_t j = 0; j < count; ++j) out[j] = float(sum[j]);
  }

  Fire spec_;
  std::vector<double> spread_;
};

}  // namespace

std::unique_ptr<Bias> Fire::make() const { return std::make_unique<FireBias>(*this); }

}  // namespace posenc
