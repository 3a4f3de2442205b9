#include "posenc/relative/grape_m.hpp"

namespace posenc {

namespace {

class GrapeMaps final : public PairMaps {
 public:
  GrapeMaps(int own_heads, const GrapeM& spec)
      : PairMaps(own_heads, 1, spec.dim / 2, spec.pairing), log_scale_(spec.log_scale) {}

  void finish_learning(Training& training) override {
    float* out = training.gradient(0);
    for (std::size_t i = 0; i < slopes_.size(); ++i) out[i] += float(slopes_[i] * radians_[i].hi / log_scale_);
  }

 private:
  double log_scale_;
};

class GrapeRelative final : public RowMapsRelative {
 public:
  explicit GrapeRelative(const GrapeM& spec) : RowMapsRelative(spec.dim, spec.heads, 1), spec_(spec) {}

  std::unique_ptr<RowMaps> make_maps() const override {
    auto maps = std::make_unique<GrapeMaps>(heads, spec_);
    // Limits learned logarithms, so that frequencies times positions do not overflow.
    const double most = 600 * spec_.log_scale, least = -1000 * spec_.log_scale;
    const std::vector<float>& logs = parameters[0].values;
    for (std::size_t i = 0; i < logs.size(); ++i)
      maps->set_frequency(i, -exp(Real(std::clamp(double(logs[i]), least, most)) / Real(spec_.log_scale)));
    return maps;
  }

 private:
  GrapeM spec_;
};

}  // namespace

std::vector<Parameter> GrapeM::parameters() const {
  const int pairs = dim / 2;
  auto out = Parameter::filled("logFrequencies", "heads, pairs", "logScale · ln(radians per position).",
                               {double(std::max(1, heads)), double(pairs)});
  if (out.shape.size() > kMaxParameterSize || !can_have(out.shape.size() * sizeof(float))) return list_of(out);
  out.begin();
  const Real step = log(Real(base)) * Real(-2 * log_scale) / Real(dim);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = float((step * Real(double(i % std::size_t(pairs)))).hi);
  return list_of(out);
}

std::unique_ptr<Relative> GrapeM::make() const { return std::make_unique<GrapeRelative>(*this); }

Error cumulative_phases(const View& gates, GateForm form, double scale, std::span<double> out) noexcept {
  if (gates.shape.rank != 3)
    return error_at(Code::shape_mismatch, "gates", "must have 3 dims, [batch, positions, heads], got %", gates.shape);
  if (Error error = check_view(gates, "gates")) return error;
  if (!(std::abs(scale) >= 1e-6 && std::abs(scale) <= 1e6))
    return error_at(Code::invalid_argument, "scale", "must be from 1e-6 to 1e6, got %", scale);
  if (double(out.size()) != gates.length)
    return error_at(Code::shape_mismatch, "out", "must have % values, got %", gates.length, double(out.size()));
  if (Error error = check_apart({{"out", out}}, {{"gates", gates}})) return error;
  const int batch = int(gates.shape[0]), positions = int(gates.shape[1]), heads = int(gates.shape[2]);
  double* to = out.data();
  for (int b = 0; b < batch; ++b)
    for (int h = 0; h < heads; ++h) {
      double sum = 0;
      for (int t = 0; t < positions; ++t) {
        const double x = double(gates.data[(std::ptrdiff_t(b) * positions + t) * heads + h]) / scale;
        if (!std::isfinite(x)) return error_at(Code::invalid_argument, "gates", "must be finite, got %", x);
        *to++ = sum;
        sum += form == GateForm::softplus ? softplus(x) : sigmoid(x);
      }
    }
  return {};
}

}  // namespace posenc
