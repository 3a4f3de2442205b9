// The bias objects of the methods.
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/t5.hpp"

namespace posenc {

namespace {

class AlibiBias final : public Bias {
 public:
  explicit AlibiBias(const Alibi& spec) : form_(spec.form) { heads = spec.heads; }

  Error begin(const Positions&, const Positions& keys) override {
    last_key_ = keys.count ? keys.largest() : 0;
    return {};
  }
  void row(int head, double query, double first_key, std::size_t count, float* out) const override {
    const double slope = parameters[0].values[std::size_t(head)];
    if (form_ == AlibiForm::relative) {
      for (std::size_t j = 0; j < count; ++j) out[j] = float(0.0 - slope * std::abs(query - (first_key + double(j))));
      return;
    }
    const double start = form_ == AlibiForm::key ? first_key - last_key_ : first_key;
    for (std::size_t j = 0; j < count; ++j) out[j] = float(slope * (start + double(j)));
  }

 private:
  AlibiForm form_;
  double last_key_ = 0;
};

class T5Bias final : public DistanceBias {
 public:
  explicit T5Bias(const T5& spec) : spec_(spec), starts_(spec.starts()) { heads = spec.heads; }

  int bucket(double query, double key) const override {
    const double distance = std::trunc(query - key),
                 reach = spec_.bidirectional ? std::abs(distance) : std::max(0.0, distance);
    const int ahead = spec_.bidirectional && distance < 0 ? spec_.side() : 0;
    if (reach < spec_.exact()) return ahead + int(reach);
    return ahead + spec_.exact() + int(std::upper_bound(starts_.begin(), starts_.end(), reach) - starts_.begin());
  }

 protected:
  double value(int head, double distance) const override {
    return parameters[0].values[std::size_t(bucket(distance, 0) * heads + head)];
  }

 private:
  T5 spec_;
  std::vector<double> starts_;
};

}  // namespace

std::unique_ptr<Bias> Alibi::make() const { return std::make_unique<AlibiBias>(*this); }
std::unique_ptr<Bias> T5::make() const { return std::make_unique<T5Bias>(*this); }

}  // namespace posenc
