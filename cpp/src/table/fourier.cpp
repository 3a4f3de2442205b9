#include "posenc/table/fourier.hpp"

namespace posenc {

namespace {

class FourierTable final : public Table {
 public:
  explicit FourierTable(const Fourier& spec) : spec_(spec), turns_(std::size_t(spec.bands())) {
    dim = spec.dim;
    axes = spec.inputs;
    waves_.resize(2 * turns_.size());
  }

  void row(const double* place, const Positions& call, float* out) override {
    Real c[kMaxAxes];
    locate(place, call, c);
    for (int i = 0; i < raw(); ++i) out[i] = float(c[i]);
    for (int b = 0; b < spec_.blocks(); ++b) {
      make_waves(c, b);
      place_waves(columns(b), spec_.bands(), sines(), waves_.data(), dim, out);
    }
  }

 protected:
  void scatter(const double* place, const Positions& call, const float* slope, float factor) override {
    Real c[kMaxAxes];
    locate(place, call, c);
    const int count = spec_.bands();
    for (int b = 0; b < spec_.blocks(); ++b) {
      make_waves(c, b);
      const WaveColumns at = columns(b);
      for (int k = 0; k < count; ++k) {
        const double by_sine = double(slope[at.sine + k * at.step]), by_cosine = double(slope[at.cosine + k * at.step]);
        const double turn = double(waves_[std::size_t(k)]) * by_sine - double(sines()[k]) * by_cosine;
        for (int i = 0; i < axes; ++i)
          if (mixes(i, b)) gradient(0)[i * count + k] += float(kTwoPi.hi * c[i].hi * turn * double(factor));
      }
    }
  }

 private:
  int raw() const { return spec_.include_input ? axes : 0; }
  bool mixes(int input, int block) const { return spec_.form == FourierForm::gaussian || input == block; }
  const float* sines() const { return waves_.data() + spec_.bands(); }

  void locate(const double* place, const Positions& call, Real* c) const {
    for (int i = 0; i < axes; ++i) c[i] = coordinate(place, i, call);
  }

  void make_waves(const Real* c, int block) {
    const int count = spec_.bands();
    for (int k = 0; k < count; ++k) turns_[std::size_t(k)] = turns(c, block, k);
    cis_of_turns(turns_, waves_.data(), waves_.data() + count);
  }

  WaveColumns columns(int block) const {
    const int blocks = spec_.blocks(), count = spec_.bands();
    const WaveBlock where{
        .index = block, .blocks = blocks, .before = block * count, .count = count, .total = blocks * count};
    return where.columns(spec_.pairing, spec_.order == WaveOrder::cosine_sine, raw());
  }

  Real coordinate(const double* place, int input, const Positions& call) const {
    const int axis = spec_.axis_order == ImageAxes::yx ? input : axes - 1 - input;
    const Real scale = spec_.scale, position = place[axis];
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
  std::vector<Real> turns_;
  std::vector<float> waves_;
};

}  // namespace

Error Fourier::validate() const {
  const int step = 2 * blocks();
  if (features() < step || features() % step)
    return spec_error(method.kind, "dim", "must be a multiple of %%, got %", step,
                      include_input ? " and one for each input" : "", dim);
  if (form != FourierForm::geometric || max_frequency > 0 || bands() <= 60) return {};
  return spec_error(method.kind, "maxFrequency", "is needed for more than 60 bands, got 0");
}

std::vector<Parameter> Fourier::parameters() const {
  const int count = bands();
  const Shape shape{double(inputs), double(count)};
  const Prose axes = "inputs, waves", doc = "Turns per unit of each coordinate.";
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
