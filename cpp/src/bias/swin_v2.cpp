// Swin V2: rows of the table computed by the network, and its gradient.
#include "posenc/bias/swin_v2.hpp"

#include "posenc/core/sinusoids_cache.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

namespace {

// Maximum elements of a table of displacements: windows of 256 × 256 for 64 heads.
constexpr double kMostBiases = 16777216;

class SwinV2Bias final : public WindowBias {
 public:
  explicit SwinV2Bias(const SwinV2& spec) : WindowBias(spec.window(), spec.heads), spec_(spec) {}

  // The table of displacements is kept until the parameters of the network change. Its rows are computed on demand.
  Error begin(const Positions& queries, const Positions& keys, double most, BiasScratch& scratch) const override {
    if (Error error = WindowBias::begin(queries, keys, most, scratch)) return error;
    const std::uint64_t made_of = fingerprint();
    if (scratch.lines && std::exchange(scratch.made_of, made_of) == made_of) return {};
    if (!scratch.lines) {
      scratch.lines = Buffer({double(window_.rows()), double(heads)});
      scratch.values = Array<double>(spec_.width);
      if (!scratch.lines || !scratch.values) {
        scratch.lines = nullptr;
        return no_memory_for_rows();
      }
    }
    scratch.made_of = made_of;
    std::fill_n(scratch.lines.data(), std::size_t(window_.rows()) * std::size_t(heads), kUnmade);
    return {};
  }

  void row(int head, double query, double first_key, std::size_t count, float* out,
           BiasScratch& scratch) const override {
    look_up(head, query, first_key, count, out, [&](int row) { return weights(row, scratch); });
  }

  void scatter(int head, double query, double key, double slope, bool, Training& training,
               const BiasScratch&) const override {
    const std::size_t width = std::size_t(spec_.width), at = std::size_t(head) * width;
    const auto point = coordinates(bucket(query, key));
    const float *in = parameters[0].values.data(), *in_bias = parameters[1].values.data(),
                *out = parameters[2].values.data() + at;
    double sum = 0;
    for (std::size_t unit = 0; unit < width; ++unit)
      sum += double(out[unit]) * std::max(0.0, active(in, in_bias, point, unit));
    const double share = sigmoid(sum), by_sum = slope * 16 * share * (1 - share);
    float *by_in = training.gradient(0), *by_in_bias = training.gradient(1), *by_out = training.gradient(2) + at;
    for (std::size_t unit = 0; unit < width; ++unit) {
      const double value = active(in, in_bias, point, unit);
      if (!(value > 0)) continue;
      const double by_active = by_sum * double(out[unit]);
      by_out[unit] += float(by_sum * value);
      by_in_bias[unit] += float(by_active);
      by_in[2 * unit] += float(by_active * point[0]);
      by_in[2 * unit + 1] += float(by_active * point[1]);
    }
  }

 private:
  static constexpr float kUnmade = std::numeric_limits<float>::quiet_NaN();

  static double active(const float* in, const float* bias, const std::array<double, 2>& point, std::size_t unit) {
    return double(in[2 * unit]) * point[0] + double(in[2 * unit + 1]) * point[1] + double(bias[unit]);
  }

  static double spread(int displacement, int pretrained, int own) {
    if (displacement == 0) return 0;
    const double most = (pretrained ? pretrained : own) - 1;
    const double size = quick_log(1 + 8 * std::abs(double(displacement)) / most) / quick_log(8);
    return displacement < 0 ? 0.0 - size : size;
  }
  std::array<double, 2> coordinates(int row) const {
    const int across = 2 * window_.width - 1;
    return {spread(row / across - (window_.height - 1), spec_.pretrained_height, window_.height),
            spread(row % across - (window_.width - 1), spec_.pretrained_width, window_.width)};
  }

  const float* weights(int row, BiasScratch& scratch) const {
    float* made = scratch.lines.data() + std::size_t(row) * std::size_t(heads);
    if (!std::isnan(made[0])) return made;
    const std::size_t width = std::size_t(spec_.width);
    const auto point = coordinates(row);
    double* hidden = scratch.values.data();
    for (std::size_t unit = 0; unit < width; ++unit)
      hidden[unit] = std::max(0.0, active(parameters[0].values.data(), parameters[1].values.data(), point, unit));
    for (int head = 0; head < heads; ++head) {
      const float* out = parameters[2].values.data() + std::size_t(head) * width;
      double sum = 0;
      for (std::size_t unit = 0; unit < width; ++unit) sum += double(out[unit]) * hidden[unit];
      made[head] = float(16 * sigmoid(sum));
    }
    return made;
  }

  const SwinV2 spec_;
};

}  // namespace

Error SwinV2::validate() const {
  const std::pair<std::string_view, int> trained[]{{"pretrainedHeight", pretrained_height},
                                                   {"pretrainedWidth", pretrained_width}};
  for (const auto& [field, size] : trained)
    if (size == 1) return spec_error(method.kind, field, "must be 0 or ≥ 2, got 1");
  if (double(window_height) * window_width * 4 * heads <= kMostBiases) return {};
  return spec_error(method.kind, "windowHeight", "must be smaller: a % × % window has too many displacements",
                    window_height, window_width);
}

std::unique_ptr<Bias> SwinV2::make() const { return std::make_unique<SwinV2Bias>(*this); }

}  // namespace posenc
