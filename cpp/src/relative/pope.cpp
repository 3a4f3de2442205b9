#include "posenc/relative/pope.hpp"

#include "kernels/tiles.hpp"
#include "posenc/core/waves_cache.hpp"

namespace posenc {

namespace {

class PopeCall final : public RelativeCall {
 public:
  PopeCall(const Relative& encoding, int turned, Waves& waves)
      : encoding_(encoding),
        turned_(turned),
        waves_(waves),
        phases_({2, double(encoding.parameters[0].values.size())}),
        angles_(2.0 * turned) {
    if (!*this) return;
    Waves radians(std::vector{Real(1)});
    const std::vector<float>& bias = encoding.parameters[0].values;
    for (std::size_t i = 0; i < bias.size(); ++i)
      radians.row(std::min(0.0, std::max(-double(kTwoPi), double(bias[i]))), 1, 1, phases_.data() + 2 * i,
                  phases_.data() + 2 * i + 1);
  }
  explicit operator bool() const { return phases_ && angles_; }

  void expand(bool is_key, int head, double position, float* row) override {
    std::copy_backward(row + turned_, row + encoding_.dim, row + encoding_.dim + turned_);
    float *cosine = angles_.data(), *sine = cosine + turned_;
    tiles::soft_plus(row, turned_);
    waves_.row(position, 1, 1, cosine, sine);
    const float* phase = phases_.data() + 2 * std::ptrdiff_t(head) * turned_;
    for (int c = turned_ - 1; c >= 0; --c) {
      double x = cosine[c], y = sine[c];
      if (is_key) {
        const double a = phase[2 * c], b = phase[2 * c + 1], shifted = x * a - y * b;
        y = x * b + y * a;
        x = shifted;
      }
      const double magnitude = row[c];
      row[2 * c] = float(magnitude * x);
      row[2 * c + 1] = float(magnitude * y);
    }
  }

  // The magnitude's slope is 1 - e^-μ; phases beyond their ends learn nothing.
  void expand_backward(bool is_key, int head, const float* row, float* slopes) override {
    const std::ptrdiff_t first = std::ptrdiff_t(head) * turned_;
    const float* phases = encoding_.parameters[0].values.data() + first;
    for (int c = 0; c < turned_; ++c) {
      const double x = double(row[2 * c]), y = double(row[2 * c + 1]);
      const double by_x = double(slopes[2 * c]), by_y = double(slopes[2 * c + 1]), magnitude = std::sqrt(x * x + y * y);
      if (is_key && phases[c] <= 0 && double(phases[c]) >= -double(kTwoPi))
        training->gradient(0)[first + c] += float(by_y * x - by_x * y);
      const double along = magnitude > 0 ? (by_x * x + by_y * y) / magnitude : 0;
      slopes[c] = float(along * (1 - quick_exp(0.0 - magnitude)));
    }
    std::copy_n(slopes + 2 * turned_, encoding_.dim - turned_, slopes + turned_);
  }

 private:
  const Relative& encoding_;
  int turned_;
  Waves& waves_;
  /// Cosine and sine of each learned phase; cosines and sines of a position.
  Buffer phases_, angles_;
};

class PopeRelative final : public Relative {
 public:
  explicit PopeRelative(const Pope& spec)
      : Relative(spec.dim),
        turned_(spec.turned()),
        // One frequency for each feature: those of twice as many features that turn in pairs.
        waves_{values_of(RotaryCommon{.dim = 2 * turned_, .base = spec.base}.inverse())} {
    heads = spec.heads;
    keys_have_heads = true;
    query_width = key_width = dim + turned_;
  }

  Begun begin(const RelativeRequest& request) const override {
    auto* own = request.workspace.of<WavesCache>(*this);
    auto call = own ? std::make_unique<PopeCall>(*this, turned_, *own->waves[0]) : nullptr;
    if (!call || !*call) return Error{Code::out_of_memory, "", "pope: out of memory for its phases"};
    return std::unique_ptr<RelativeCall>(std::move(call));
  }
  std::unique_ptr<Cache> make_cache() const override { return make_waves_cache({&waves_, 1}); }

 private:
  int turned_;
  WaveSet waves_;
};

}  // namespace

std::unique_ptr<Relative> Pope::make() const { return std::make_unique<PopeRelative>(*this); }

}  // namespace posenc
