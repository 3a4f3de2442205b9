// The bias objects of the methods.
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/mask.hpp"
#include "posenc/bias/sandwich.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/waves.hpp"

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
    const double distance = std::trunc(query - key), away = reach(distance, spec_.bidirectional);
    const int ahead = spec_.bidirectional && distance < 0 ? spec_.side() : 0;
    if (away < spec_.exact()) return ahead + int(away);
    return ahead + spec_.exact() + int(std::upper_bound(starts_.begin(), starts_.end(), away) - starts_.begin());
  }

 protected:
  double value(int head, double distance) const override {
    return parameters[0].values[std::size_t(bucket(distance, 0)) * std::size_t(heads) + std::size_t(head)];
  }

 private:
  T5 spec_;
  std::vector<double> starts_;
};

class KerpleBias final : public DistanceBias {
 public:
  explicit KerpleBias(const Kerple& spec) : spec_(spec) {
    heads = spec.heads;
    has_factors = spec.form == KerpleForm::weighted;
  }

 protected:
  double value(int head, double distance) const override {
    return spec_.added(reach(distance, spec_.bidirectional), number(0, head), number(1, head), number(2, head));
  }
  double factor(int head, double distance) const override {
    return spec_.weight(reach(distance, spec_.bidirectional), number(3, head), number(4, head));
  }

 private:
  double number(std::size_t parameter, int head) const {
    const auto& values = parameters[parameter].values;
    return values.empty() ? 0.0 : double(values[std::size_t(head)]);
  }

  Kerple spec_;
};

class SandwichBias final : public DistanceBias {
 public:
  explicit SandwichBias(const Sandwich& spec) : spec_(spec), waves_(spec.frequencies()) { heads = spec.heads; }

 protected:
  double value(int head, double distance) const override {
    const double away = reach(distance, spec_.bidirectional);
    // Heads differ by a factor only.
    if (away != distance_) sum_ = waves_.cosine_sum(distance_ = away) - waves_.count();
    return sum_ * heads / (8.0 * (head + 1));
  }

 private:
  Sandwich spec_;
  mutable Waves waves_;
  mutable double distance_ = 0, sum_ = 0;
};

class MaskBias final : public DistanceBias {
 public:
  explicit MaskBias(const Mask& spec) : spec_(spec) { heads = spec.heads; }

 protected:
  double value(int, double distance) const override { return spec_.value(distance); }

 private:
  Mask spec_;
};

class SwinBias final : public Bias {
 public:
  explicit SwinBias(const Swin& spec) : spec_(spec) { heads = spec.heads; }

  Error begin(const Positions& queries, const Positions& keys) override {
    if (!queries.count || !keys.count) return {};
    if (Error error = check(queries)) return error;
    return check(keys);
  }
  bool has_profile() const override { return false; }

  int bucket(double query, double key) const override {
    const int width = spec_.window_width, token = spec_.class_token, rows = spec_.displacements();
    const int q = int(query) - token, k = int(key) - token;
    if (q < 0 || k < 0) return rows + (k < 0 ? 1 + (q < 0) : 0);
    const int down = q / width - k / width, right = q % width - k % width;
    return (down + spec_.window_height - 1) * (2 * width - 1) + right + width - 1;
  }
  void row(int head, double query, double first_key, std::size_t count, float* out) const override {
    for (std::size_t j = 0; j < count; ++j)
      out[j] = parameters[0]
                   .values[std::size_t(bucket(query, first_key + double(j))) * std::size_t(heads) + std::size_t(head)];
  }

 private:
  Error check(const Positions& positions) const {
    const std::size_t count = positions.values.empty() ? std::size_t(positions.count) : positions.values.size();
    for (std::size_t i = 0; i < count; ++i) {
      const double place = positions[i];
      if (place < 0 || place >= spec_.places() || place != std::floor(place))
        return error_at(Code::out_of_range, "positions",
                        {"must be places of the window, whole numbers from 0 to ", format_number(spec_.places() - 1),
                         ", got ", format_number(place)});
    }
    return {};
  }

  Swin spec_;
};

}  // namespace

std::unique_ptr<Bias> Alibi::make() const { return std::make_unique<AlibiBias>(*this); }
std::unique_ptr<Bias> T5::make() const { return std::make_unique<T5Bias>(*this); }
std::unique_ptr<Bias> Kerple::make() const { return std::make_unique<KerpleBias>(*this); }
std::unique_ptr<Bias> Sandwich::make() const { return std::make_unique<SandwichBias>(*this); }
std::unique_ptr<Bias> Mask::make() const { return std::make_unique<MaskBias>(*this); }
std::unique_ptr<Bias> Swin::make() const { return std::make_unique<SwinBias>(*this); }

}  // namespace posenc
