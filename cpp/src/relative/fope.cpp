#include "posenc/relative/fope.hpp"

#include "posenc/kernels/kernels.hpp"
#include "posenc/math/sinusoids.hpp"

namespace posenc {

namespace {

class FopeMaps final : public PairMaps {
 public:
  FopeMaps(const Fope& spec, const Relative& encoding)
      : PairMaps(encoding.heads, 1, spec.dim / 2, Pairing::half),
        spec_(spec),
        encoding_(encoding),
        outputs_(std::size_t(spec.outputs())) {
    for (const Real& frequency : spec.frequencies()) turns_per_position_.push_back(frequency * kTurnsPerRadian);
    sum_.resize(turns_per_position_.size());
    sinusoids_.resize(2 * turns_per_position_.size());
    mixed_.resize(2 * outputs_);
  }

  void make(int head, const Coordinates& coordinates, float* map) override {
    compute_sinusoids(coordinates[0]);
    std::ranges::fill(mixed_, 0.0);
    for (std::size_t part = 0; part < 2; ++part)
      for (std::size_t i = 0; i < inputs(); ++i)
        add_exact(sinusoids_[part * inputs() + i], coefficients(part, head) + i * outputs_, outputs_,
                  mixed_.data() + part * outputs_);
    const std::size_t count = std::size_t(pairs);
    for (std::size_t o = 0; o < count; ++o) {
      map[o] = float(o < outputs_ ? mixed_[o] : spec_.cosine_pad);
      map[count + o] = float(o < outputs_ ? mixed_[outputs_ + o] : spec_.sine_pad);
    }
  }

  bool begin_learning(double) override {
    slopes_.assign(std::size_t(heads) * inputs() * outputs_ * (spec_.one_basis ? 1 : 2), 0.0);
    return true;
  }

  void learn(const Slope& of) override {
    compute_sinusoids(of.coordinates[0]);
    const std::size_t half = std::size_t(pairs), size = std::size_t(heads) * inputs() * outputs_;
    for (std::size_t o = 0; o < outputs_; ++o) {
      const double a = double(of.given[o]), b = double(of.given[half + o]);
      const double by_a = double(of.slopes[o]), by_b = double(of.slopes[half + o]);
      mixed_[o] = a * by_a + b * by_b;
      mixed_[outputs_ + o] = a * by_b - b * by_a;
    }
    for (std::size_t part = 0; part < 2; ++part)
      for (std::size_t i = 0; i < inputs(); ++i) {
        double* to =
            slopes_.data() + (spec_.one_basis ? 0 : part * size) + (std::size_t(of.head) * inputs() + i) * outputs_;
        for (std::size_t o = 0; o < outputs_; ++o)
          to[o] += sinusoids_[part * inputs() + i] * mixed_[part * outputs_ + o];
      }
  }

  void finish_learning(Training& training) override {
    const std::size_t size = std::size_t(heads) * inputs() * outputs_;
    for (std::size_t i = 0; i < slopes_.size(); ++i) training.gradient(i / size)[i % size] += float(slopes_[i]);
  }

  std::vector<double> frequencies() const override {
    std::vector<double> out;
    for (const Real& frequency : spec_.frequencies()) out.push_back(frequency.hi);
    return out;
  }

 private:
  std::size_t inputs() const { return turns_per_position_.size(); }
  const float* coefficients(std::size_t part, int head) const {
    return encoding_.parameters[spec_.one_basis ? 0 : part].values.data() + std::size_t(head) * inputs() * outputs_;
  }
  void compute_sinusoids(const Real& position) {
    for (std::size_t i = 0; i < inputs(); ++i) sum_[i] = position * turns_per_position_[i];
    cis_of_turns(sum_, sinusoids_.data(), sinusoids_.data() + inputs());
  }

  const Fope& spec_;
  const Relative& encoding_;
  std::size_t outputs_;
  std::vector<Real> turns_per_position_, sum_;
  /// [cosines | sines] of the frequencies, of the outputs.
  std::vector<double> sinusoids_, mixed_;
};

class FopeRelative final : public RowMapsRelative {
 public:
  explicit FopeRelative(const Fope& spec) : RowMapsRelative(spec.dim, spec.heads, 1), spec_(spec) {
    has_orthogonal_maps = false;
  }
  std::unique_ptr<RowMaps> make_maps() const override { return std::make_unique<FopeMaps>(spec_, *this); }

 private:
  Fope spec_;
};

}  // namespace

std::vector<Real> Fope::frequencies() const {
  auto all = values_of(RotaryCommon{.dim = dim, .base = base}.inverse());
  const Real least = kTwoPi / Real(length);
  if (floor == FrequencyFloor::drop && input_dim > 0) {
    all.resize(std::min(all.size(), std::size_t(input_dim)));
    return all;
  }
  if (floor == FrequencyFloor::drop) std::erase_if(all, [&](const Real& frequency) { return frequency < least; });
  for (Real& frequency : all)
    if (frequency < least && floor != FrequencyFloor::keep) frequency = floor == FrequencyFloor::zero ? Real(0) : least;
  return all;
}

int Fope::outputs() const { return output_dim ? output_dim : int(frequencies().size()); }

Error Fope::validate() const {
  if (dim % 2) return spec_error(method.kind, "dim", "must be even: features form pairs, got %", dim);
  if (output_dim > dim / 2)
    return spec_error(method.kind, "outputDim", "must be at most % (pairs), got %", dim / 2, output_dim);
  const double kept = double(frequencies().size());
  if (kept == 0) return spec_error(method.kind, "length", "must keep a frequency above 2π / length, got %", length);
  if (input_dim > 0 && input_dim != kept)
    return spec_error(method.kind, "inputDim", "must be % (number of frequencies), got %", kept, input_dim);
  return {};
}

std::vector<Parameter> Fope::parameters() const {
  const double inputs = double(frequencies().size());
  const int outputs = this->outputs(), own = std::max(1, heads);
  const auto make = [&](std::string_view name, int stream) {
    const bool none = stream == 1 && one_basis;
    RandomInit normal = init;
    normal.std = gain * std::sqrt(2 / (inputs + outputs));
    Parameter out = normal.fill(name, "heads, inputDim, outputDim",
                                "Coefficients of each pair for the sinusoids of all frequencies.",
                                {none ? 0.0 : double(own), inputs, double(outputs)}, stream);
    if (none || out.shape.size() > kMaxParameterSize || !can_have(out.shape.size() * sizeof(float))) return out;
    out.begin();
    for (int head = 0; head < own; ++head)
      for (int i = 0; i < std::min(int(inputs), outputs); ++i)
        out.values[(std::size_t(head) * std::size_t(inputs) + std::size_t(i)) * std::size_t(outputs) +
                   std::size_t(i)] += 1;
    return out;
  };
  return list_of(make("cosine", 0), make("sine", 1));
}

std::unique_ptr<Relative> Fope::make() const { return std::make_unique<FopeRelative>(*this); }

}  // namespace posenc
