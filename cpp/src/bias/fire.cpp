// FIRE: rows by the network, and its gradient.
#include "posenc/bias/fire.hpp"

#include "posenc/kernels/kernels.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

namespace {

class FireBias final : public Bias {
 public:
  explicit FireBias(const Fire& spec) : spec_(spec) { heads = spec.heads; }

  // Logarithms of whole distances are computed once for a call.
  Error begin(const Positions& queries, const Positions& keys, double, BiasScratch& scratch) const override {
    const Distances distances(queries, keys);
    const double farthest = std::max(std::abs(distances.first), std::abs(distances.first + distances.count - 1));
    const double wanted = distances.count > 0 && farthest <= distances.count ? farthest + 1 : 0;
    scratch.numbers = nullptr;
    scratch.numbers = Array<double>(wanted);
    // Where there is no memory for them, each is computed when it is asked for.
    scratch.count = scratch.numbers ? wanted : 0;
    for (double distance = 0; distance < scratch.count; ++distance)
      scratch.numbers.data()[std::size_t(distance)] = spread(distance);
    return {};
  }

  void row(int head, double query, double first_key, std::size_t count, float* out,
           BiasScratch& scratch) const override {
    constexpr std::size_t kRun = 64;
    const std::size_t width = std::size_t(spec_.width), at = std::size_t(head);
    const SmallNetwork network{width, parameters[0].values.data(), parameters[1].values.data(),
                               parameters[2].values.data() + at * width, parameters[3].values[at]};
    const double threshold = std::abs(double(parameters[5].values[0]) * spec_.length);
    const double divisor = spread(std::max(query, threshold)) + spec_.epsilon;
    for (std::size_t done = 0; done < count; done += kRun) {
      const std::size_t length = std::min(kRun, count - done);
      double x[kRun];
      for (std::size_t j = 0; j < length; ++j) {
        const double distance = reach(query - (first_key + double(done + j)), spec_.bidirectional);
        const bool is_known = distance < scratch.count && distance == std::floor(distance);
        x[j] = (is_known ? scratch.numbers.data()[std::size_t(distance)] : spread(distance)) / divisor;
      }
      small_network(x, length, network, out + done);
    }
  }

  void scatter(int head, double query, double key, double slope, bool, Training& training,
               const BiasScratch&) const override {
    const double c = double(parameters[4].values[0]), limit = double(parameters[5].values[0]) * spec_.length;
    const double distance = reach(query - key, spec_.bidirectional), place = std::max(query, std::abs(limit));
    const double near = spread(distance), divisor = spread(place) + spec_.epsilon, x = near / divisor;
    const std::size_t width = std::size_t(spec_.width), at = std::size_t(head) * width;
    float *by_in = training.gradient(0), *by_in_bias = training.gradient(1), *by_out = training.gradient(2) + at;
    double by_x = 0;
    for (std::size_t unit = 0; unit < width; ++unit) {
      const double in = double(parameters[0].values[unit]), active = in * x + double(parameters[1].values[unit]);
      if (!(active > 0)) continue;
      const double by_active = slope * double(parameters[2].values[at + unit]);
      by_out[unit] += float(slope * active);
      by_in_bias[unit] += float(by_active);
      by_in[unit] += float(by_active * x);
      by_x += by_active * in;
    }
    training.gradient(3)[head] += float(slope);
    // ψ(y) = ln(1 + |c y|), in the numerator and in the divisor.
    const double by_divisor = 0.0 - by_x * x / divisor;
    const auto by_c = [&](double y) { return std::copysign(std::abs(y) / (1 + std::abs(c * y)), c); };
    training.gradient(4)[0] += float(by_x / divisor * by_c(distance) + by_divisor * by_c(place));
    if (std::abs(limit) > query)
      training.gradient(5)[0] +=
          float(by_divisor * std::abs(c) / (1 + std::abs(c * place)) * std::copysign(spec_.length, limit));
  }

 private:
  double spread(double distance) const { return quick_log(1 + std::abs(double(parameters[4].values[0]) * distance)); }

  Fire spec_;
};

}  // namespace

std::unique_ptr<Bias> Fire::make() const { return std::make_unique<FireBias>(*this); }

}  // namespace posenc
