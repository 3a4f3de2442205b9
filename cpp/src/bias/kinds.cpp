// The bias objects of the methods.
#include "posenc/bias/fire.hpp"
#include "posenc/bias/kerple.hpp"
#include "posenc/bias/mask.hpp"
#include "posenc/bias/sandwich.hpp"
#include "posenc/bias/swin.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/math/waves.hpp"

namespace posenc {

namespace {

class AlibiBias final : public DistanceBias {
 public:
  explicit AlibiBias(const Alibi& spec) { heads = spec.heads; }

 protected:
  double value(int head, double distance) const override {
    return 0.0 - double(parameters[0].values[std::size_t(head)]) * std::abs(distance);
  }
  // The same without a virtual call for each: one token's row is all work.
  void fill(bool, int head, double relative, std::size_t count, float* out) const override {
    for (std::size_t j = 0; j < count; ++j) out[j] = float(AlibiBias::value(head, relative + double(j)));
  }
  void scatter(int head, double query, double key, double slope, bool) override {
    gradient(0)[head] -= float(std::abs(query - key) * slope);
  }
};

class KeyAlibiBias final : public Bias {
 public:
  explicit KeyAlibiBias(const Alibi& spec) : form_(spec.form) { heads = spec.heads; }

  Error begin(const Positions&, const Positions& keys, double) override {
    last_key_ = form_ == AlibiForm::key && keys.count ? keys.largest() : 0;
    return {};
  }
  void row(int head, double, double first_key, std::size_t count, float* out) const override {
    const double slope = double(parameters[0].values[std::size_t(head)]), start = first_key - last_key_;
    for (std::size_t j = 0; j < count; ++j) out[j] = float(slope * (start + double(j)));
  }
  void scatter(int head, double, double key, double slope, bool) override {
    gradient(0)[head] += float((key - last_key_) * slope);
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
  // Numbers beyond their limits have the slope of the limit, as in the authors' code: training can bring them back.
  void scatter(int head, double query, double key, double slope, bool of_factor) override {
    const double away = reach(query - key, spec_.bidirectional), logarithm = away > 0 ? quick_log(away) : 0;
    const double rate = spec_.limit(number(of_factor ? 3 : 1, head)), amplitude = spec_.limit(number(0, head));
    const double exponent = spec_.limit(number(of_factor ? 4 : 2, head), 2);
    const bool is_log = spec_.form == KerpleForm::log;
    const double power = is_log ? away : quick_power(away, exponent);
    // By amplitude, rate, exponent, weightRate, weightExponent.
    std::array<double, 5> by{};
    if (of_factor) {
      by[3] = power * quick_exp(0.0 - rate * power);
      by[4] = by[3] * rate * logarithm;
    } else if (is_log || spec_.form == KerpleForm::log_power) {
      by[0] = quick_log(1 + rate * power);
      by[1] = amplitude * power / (1 + rate * power);
      by[2] = by[1] * rate * logarithm;
    } else {
      by[0] = power;
      by[2] = amplitude * power * logarithm;
    }
    for (std::size_t i = 0; i < by.size(); ++i)
      if (!parameters[i].values.empty()) gradient(i)[head] -= float(by[i] * slope);
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
  explicit SandwichBias(const Sandwich& spec) : spec_(spec), waves_(spec.frequencies()) {
    heads = spec.heads;
    heads_share = true;
  }

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

class FireBias final : public Bias {
 public:
  explicit FireBias(const Fire& spec) : spec_(spec) { heads = spec.heads; }

  // Logarithms of whole distances are computed once for a call.
  Error begin(const Positions& queries, const Positions& keys, double) override {
    const Distances distances(queries, keys);
    const double farthest = std::max(std::abs(distances.first), std::abs(distances.first + distances.count - 1));
    const double wanted = distances.count > 0 && farthest <= distances.count ? farthest + 1 : 0;
    spread_ = Array<double>();
    spread_ = Array<double>(wanted);
    // Where there is no memory for them, each is computed when it is asked for.
    spreads_ = spread_ ? wanted : 0;
    for (double distance = 0; distance < spreads_; ++distance) spread_.data()[std::size_t(distance)] = spread(distance);
    return {};
  }

  void row(int head, double query, double first_key, std::size_t count, float* out) const override {
    constexpr std::size_t kRun = 64;
    const std::size_t width = std::size_t(spec_.width), at = std::size_t(head);
    const SmallNetwork network{width, parameters[0].values.data(), parameters[1].values.data(),
                               parameters[2].values.data() + at * width, parameters[3].values[at]};
    const double threshold = std::abs(double(parameters[5].values[0]) * spec_.length);
    const double divisor = spread(std::max(query, threshold)) + spec_.epsilon;
    for (std::size_t done = 0; done < count; done += kRun) {
      const std::size_t length = std::min(kRun, count - done);
      double x[kRun];
      for (std::size_t j = 0; j < length; ++j) {
        const double distance = reach(query - (first_key + double(done + j)), spec_.bidirectional);
        const bool is_known = distance < spreads_ && distance == std::floor(distance);
        x[j] = (is_known ? spread_.data()[std::size_t(distance)] : spread(distance)) / divisor;
      }
      small_network(x, length, network, out + done);
    }
  }

  void scatter(int head, double query, double key, double slope, bool) override {
    const double c = double(parameters[4].values[0]), limit = double(parameters[5].values[0]) * spec_.length;
    const double distance = reach(query - key, spec_.bidirectional), place = std::max(query, std::abs(limit));
    const double near = spread(distance), divisor = spread(place) + spec_.epsilon, x = near / divisor;
    const std::size_t width = std::size_t(spec_.width), at = std::size_t(head) * width;
    float *by_in = gradient(0), *by_in_bias = gradient(1), *by_out = gradient(2) + at;
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
    gradient(3)[head] += float(slope);
    // ψ(y) = ln(1 + |c y|), in the numerator and in the divisor.
    const double by_divisor = 0.0 - by_x * x / divisor;
    const auto by_c = [&](double y) { return std::copysign(std::abs(y) / (1 + std::abs(c * y)), c); };
    gradient(4)[0] += float(by_x / divisor * by_c(distance) + by_divisor * by_c(place));
    if (std::abs(limit) > query)
      gradient(5)[0] +=
          float(by_divisor * std::abs(c) / (1 + std::abs(c * place)) * std::copysign(spec_.length, limit));
  }

 private:
  double spread(double distance) const { return quick_log(1 + std::abs(double(parameters[4].values[0]) * distance)); }

  Fire spec_;
  Array<double> spread_;
  double spreads_ = 0;
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

  Error begin(const Positions& queries, const Positions& keys, double) override {
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
    const float* weights = parameters[0].values.data() + head;
    const int token = spec_.class_token, width = spec_.window_width;
    int column = (int(first_key) - token + width) % width, index = bucket(query, first_key);
    for (std::size_t j = 0; j < count; ++j) {
      out[j] = weights[std::size_t(index) * std::size_t(heads)];
      // To the token and from it there is no displacement to go on from.
      const bool by_token = token && (query == 0 || first_key + double(j) == 0);
      const bool wraps = ++column == width;
      if (wraps) column = 0;
      index = by_token && j + 1 < count ? bucket(query, first_key + double(j + 1)) : index - (wraps ? width : 1);
    }
  }

 private:
  Error check(const Positions& positions) const {
    const std::size_t count = positions.values.empty() ? std::size_t(positions.count) : positions.values.size();
    for (std::size_t i = 0; i < count; ++i) {
      const double place = positions[i];
      if (place < 0 || place >= spec_.places() || place != std::floor(place))
        return error_at(Code::out_of_range, "positions",
                        "must be places of the window, whole numbers from 0 to %, got %", spec_.places() - 1, place);
    }
    return {};
  }

  Swin spec_;
};

}  // namespace

std::unique_ptr<Bias> Alibi::make() const {
  if (form == AlibiForm::relative) return std::make_unique<AlibiBias>(*this);
  return std::make_unique<KeyAlibiBias>(*this);
}
std::unique_ptr<Bias> T5::make() const { return std::make_unique<T5Bias>(*this); }
std::unique_ptr<Bias> Kerple::make() const { return std::make_unique<KerpleBias>(*this); }
std::unique_ptr<Bias> Sandwich::make() const { return std::make_unique<SandwichBias>(*this); }
std::unique_ptr<Bias> Fire::make() const { return std::make_unique<FireBias>(*this); }
std::unique_ptr<Bias> Mask::make() const { return std::make_unique<MaskBias>(*this); }
std::unique_ptr<Bias> Swin::make() const { return std::make_unique<SwinBias>(*this); }

}  // namespace posenc
