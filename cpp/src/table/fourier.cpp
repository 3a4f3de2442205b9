#include "posenc/table/fourier.hpp"

#include "posenc/core/memory.hpp"

namespace posenc {

namespace {

struct FourierCache final : Cache {
  explicit FourierCache(std::size_t bands) : turns(bands), sinusoids(2 * bands) {}
  std::vector<Real> turns;
  /// [cosines | sines]
  std::vector<float> sinusoids;
  const float* sines() const { return sinusoids.data() + turns.size(); }
};

class FourierTable final : public Table {
 public:
  explicit FourierTable(const Fourier& spec) : spec_(spec) {
    dim = spec.dim;
    axes = spec.inputs;
  }

  std::unique_ptr<Cache> make_cache() const override {
    constexpr double kBytes = sizeof(Real) + 2 * sizeof(float);
    if (!can_have(kBytes * spec_.bands())) return nullptr;
    return std::make_unique<FourierCache>(std::size_t(spec_.bands()));
  }

  void row(const double* coordinates, const Positions& call, float* out, Cache& cache) const override {
    Real c[kMaxAxes];
    auto& own = static_cast<FourierCache&>(cache);
    locate(coordinates, call, c);
    for (int i = 0; i < raw(); ++i) out[i] = float(c[i]);
    for (int b = 0; b < spec_.blocks(); ++b) {
      compute_sinusoids(c, b, own);
      write_sinusoids(columns(b), spec_.bands(), own.sines(), own.sinusoids.data(), dim, out);
    }
  }

 protected:
  void scatter(const double* coordinates, const Positions& call, const float* slope, float factor, Training& training,
               Cache& cache) const override {
    Real c[kMaxAxes];
    auto& own = static_cast<FourierCache&>(cache);
    locate(coordinates, call, c);
    const int count = spec_.bands();
    for (int b = 0; b < spec_.blocks(); ++b) {
      compute_sinusoids(c, b, own);
      const SinusoidColumns at = columns(b);
      for (int k = 0; k < count; ++k) {
        const double by_sine = double(slope[at.sine + k * at.step]), by_cosine = double(slope[at.cosine + k * at.step]);
        const double by_angle = double(own.sinusoids[std::size_t(k)]) * by_sine - double(own.sines()[k]) * by_cosine;
        for (int i = 0; i < axes; ++i)
          if (mixes(i, b))
            training.gradient(0)[i * count + k] += float(kTwoPi.hi * c[i].hi * by_angle * double(factor));
      }
    }
  }

 private:
  int raw() const { return spec_.include_input ? axes : 0; }
  bool mixes(int input, int block) const { return spec_.form == FourierForm::gaussian || input == block; }

  void locate(const double* coordinates, const Positions& call, Real* c) const {
    for (int i = 0; i < axes; ++i) c[i] = coordinate(coordinates, i, call);
  }

  void compute_sinusoids(const Real* c, int block, FourierCache& own) const {
    const int count = spec_.bands();
    for (int k = 0; k < count; ++k) own.turns[std::size_t(k)] = turns(c, block, k);
    cis_of_turns(own.turns, own.sinusoids.data(), own.sinusoids.data() + count);
  }

  SinusoidColumns columns(int block) const {
    const int blocks = spec_.blocks(), count = spec_.bands();
    const SinusoidBlock where{
        .index = block, .blocks = blocks, .before = block * count, .count = count, .total = blocks * count};
    return where.columns(spec_.pairing, spec_.order == SinusoidOrder::cosine_sine, raw());
  }

  Real coordinate(const double* coordinates, int input, const Positions& call) const {
    const int axis = spec_.axis_order == ImageAxes::yx ? input : axes - 1 - input;
    const Real scale = spec_.scale, position = coordinates[axis];
    const double extent = call.extent_of(axis);
    if (spec_.coordinates == FourierCoordinates::index) return spec_.scale == 1 ? position : position * scale;
    const bool centres = spec_.coordinates == FourierCoordinates::centres;
    const double steps = std::max(centres ? extent : extent - 1, 1.0);
    return ((position + position + Real(centres ? 1 : 0)) / Real(steps) - Real(1)) * scale;
  }

  Real turns(const Real* c, int block, int k) const {
    const float* frequencies = parameters[0].values.data() + k;
    Real sum(0);
    for (int i = 0; i < axes; ++i)
      if (mixes(i, block)) sum = sum + c[i] * Real(double(frequencies[i * spec_.bands()]));
    return sum;
  }

  Fourier spec_;
};

}  // namespace

Error Fourier::validate() const {
  const int step = 2 * blocks();
  if (features() < step || features() % step)
    return spec_error(method.kind, "dim", "must be a multiple of %%, got %", step,
                      include_input ? " plus one per input" : "", dim);
  if (form != FourierForm::geometric || max_frequency > 0 || bands() <= 60) return {};
  return spec_error(method.kind, "maxFrequency", "required for more than 60 bands, got 0");
}

std::vector<Parameter> Fourier::parameters() const {
  const int count = bands();
  const Shape shape{double(inputs), double(count)};
  const Prose axes = "inputs, frequencies", doc = "Cycles per unit of each coordinate.";
  if (form == FourierForm::gaussian) return list_of(init.fill("frequencies", axes, doc, shape));
  Parameter out = Parameter::filled("frequencies", axes, doc, shape);
  out.begin();
  const double fallback = form == FourierForm::linear ? count : std::ldexp(1.0, count - 1);
  const double fastest = max_frequency > 0 ? max_frequency : fallback;
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const double share = count > 1 ? double(i % std::size_t(count)) / (count - 1) : 0;
    const double band = form == FourierForm::linear ? 1 + (fastest - 1) * share : power(Real(fastest), Real(share)).hi;
    out.values[i] = float(band / 2);
  }
  return list_of(std::move(out));
}

std::unique_ptr<Table> Fourier::make() const { return std::make_unique<FourierTable>(*this); }

}  // namespace posenc
