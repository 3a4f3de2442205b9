#include "posenc/relative/rope_mixed.hpp"

namespace posenc {

namespace {

class MixedMaps final : public PairMaps {
 public:
  using PairMaps::PairMaps;
  void finish_learning(Training& training) override {
    float* out = training.gradient(0);
    for (std::size_t i = 0; i < slopes_.size(); ++i) out[i] += float(slopes_[i]);
  }
};

class MixedRelative final : public RowMapsRelative {
 public:
  explicit MixedRelative(const RopeMixed& spec) : RowMapsRelative(spec.dim, spec.heads, spec.axes), spec_(spec) {}

  std::unique_ptr<RowMaps> make_maps() const override {
    auto maps = std::make_unique<MixedMaps>(heads, axes, spec_.rotated_dim() / 2, spec_.pairing);
    const std::vector<float>& frequencies = parameters[0].values;
    for (std::size_t i = 0; i < frequencies.size(); ++i) maps->set_frequency(i, Real{double(frequencies[i]), 0});
    return maps;
  }
  int axis_of(int axis) const override {
    return spec_.axis_order.empty() ? axis : int(spec_.axis_order[std::size_t(axis)]);
  }

 private:
  RopeMixed spec_;
};

}  // namespace

Error RopeMixed::validate() const {
  if (rotary_dim > dim) return spec_error(method.kind, "rotaryDim", "must be ≤ % (dim), got %", dim, rotary_dim);
  if (rotated_dim() % 2)
    return spec_error(method.kind, rotary_dim ? "rotaryDim" : "dim", "must be even: features form pairs, got %",
                      rotated_dim());
  return check_axis_order(method.kind, axis_order, axes);
}

std::unique_ptr<Relative> RopeMixed::make() const { return std::make_unique<MixedRelative>(*this); }

}  // namespace posenc
