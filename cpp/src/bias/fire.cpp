// FIRE: rows computed by the network, and its gradient.
#include "posenc/bias/fire.hpp"

#include "posenc/kernels/kernels.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

namespace {

class FireBias final : public Bias {
 public:
  explicit FireBias(const Fire& spec) : spec_(spec) { heads = spec.heads; }

  // Logarithms of whole distances are computed once. So are the biases of all distances if the queries share their
  // divisor: a single query, or queries up to the threshold.
  Error begin(const Positions& queries, const Positions& keys, double most, BiasScratch& scratch) const override {
    const Distances distances(queries, keys);
    const std::uint64_t made_of = fingerprint();
    if (std::exchange(scratch.made_of, made_of) != made_of) scratch.length = 0, scratch.count = 0;
    if (distances.count > 0) keep_logarithms(distances, scratch);
    const bool is_one = distances.count > 0 && (queries.count == 1 || queries.largest() <= threshold());
    const double position = is_one ? clamped_position(queries.largest()) : -1;
    if (position != scratch.query_position) scratch.length = 0;
    scratch.query_position = position;
    const bool fits = distances.count * heads <= std::max(most, kMostLinesKept);
    if (!is_one || !fits || distances.first != std::floor(distances.first) || distances.within(scratch)) return {};
    distances.make_lines(heads, scratch);
    compute(0, std::size_t(heads), position, 0.0 - scratch.first, scratch.length, scratch.lines.data(), scratch);
    return {};
  }

  const float* kept_row(int head, double query, double first_key, std::size_t count,
                        BiasScratch& scratch) const override {
    const double start = first_key - query - scratch.first;
    const bool is_kept = start >= 0 && start + double(count) <= double(scratch.length) && start == std::floor(start);
    if (!is_kept || clamped_position(query) != scratch.query_position) return nullptr;
    return scratch.lines.data() + std::size_t(head) * scratch.length + std::size_t(start);
  }

  void row(int head, double query, double first_key, std::size_t count, float* out,
           BiasScratch& scratch) const override {
    if (const float* line = kept_row(head, query, first_key, count, scratch))
      copy_row(line, count, out, scratch.streamed);
    else
      compute(head, 1, clamped_position(query), query - first_key, count, out, scratch);
  }

  void scatter(int head, double query, double key, double slope, bool, Training& training,
               const BiasScratch&) const override {
    const double c = double(parameters[4].values[0]), limit = double(parameters[5].values[0]) * spec_.length;
    const double distance = reach(query - key, spec_.bidirectional), position = clamped_position(query);
    const double near = spread(distance), divisor = spread(position) + spec_.epsilon, x = near / divisor;
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
    training.gradient(4)[0] += float(by_x / divisor * by_c(distance) + by_divisor * by_c(position));
    if (std::abs(limit) > query)
      training.gradient(5)[0] +=
          float(by_divisor * std::abs(c) / (1 + std::abs(c * position)) * std::copysign(spec_.length, limit));
  }

 private:
  double spread(double distance) const { return quick_log(1 + std::abs(double(parameters[4].values[0]) * distance)); }
  double threshold() const { return std::abs(double(parameters[5].values[0]) * spec_.length); }
  /// The query's position, at least the threshold.
  double clamped_position(double query) const { return std::max(query, threshold()); }

  // Without memory for them, each logarithm is computed when it is needed.
  void keep_logarithms(const Distances& distances, BiasScratch& scratch) const {
    const double farthest = std::max(std::abs(distances.first), std::abs(distances.first + distances.count - 1));
    if (farthest < scratch.count || farthest > distances.count) return;
    // A growing cache needs one more each time: reserves some in advance.
    const double wanted = std::floor(farthest * (scratch.count > 0 ? 1.25 : 1)) + 1;
    scratch.count = 0;
    scratch.values = nullptr;
    scratch.values = Array<double>(wanted);
    if (!scratch.values) return;
    scratch.count = wanted;
    for (double distance = 0; distance < wanted; ++distance)
      scratch.values.data()[std::size_t(distance)] = spread(distance);
  }

  // Writes out [some heads][count]: biases at distances `distance`, distance - 1, … from a query at `position`.
  void compute(int head, std::size_t some, double position, double distance, std::size_t count, float* out,
               const BiasScratch& scratch) const {
    constexpr std::size_t kRun = 64;
    const std::size_t width = std::size_t(spec_.width), at = std::size_t(head);
    const SmallNetwork network{width,
                               some,
                               parameters[0].values.data(),
                               parameters[1].values.data(),
                               parameters[2].values.data() + at * width,
                               parameters[3].values.data() + at};
    const double divisor = spread(position) + spec_.epsilon;
    for (std::size_t done = 0; done < count; done += kRun) {
      const std::size_t length = std::min(kRun, count - done);
      double x[kRun];
      for (std::size_t j = 0; j < length; ++j) {
        const double away = reach(distance - double(done + j), spec_.bidirectional);
        const bool is_known = away < scratch.count && away == std::floor(away);
        x[j] = (is_known ? scratch.values.data()[std::size_t(away)] : spread(away)) / divisor;
      }
      small_network(x, length, network, out + done, std::ptrdiff_t(count));
    }
  }

  Fire spec_;
};

}  // namespace

std::unique_ptr<Bias> Fire::make() const { return std::make_unique<FireBias>(*this); }

}  // namespace posenc
