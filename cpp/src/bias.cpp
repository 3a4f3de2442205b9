#include "posenc/bias/bias.hpp"

#include "posenc/bias/alibi.hpp"

namespace posenc {

Error Bias::bias(double queries, double keys, double offset, const Positions& key_positions, const View& out) const {
  const auto bad = [](std::string_view name, double value) {
    return error_at(Code::invalid_argument, name,
                    {"must be a whole number from 0 to 2147483647, got ", format_number(value)});
  };
  const auto is_count = [](double n) { return n >= 0 && n <= 2147483647.0 && n == std::floor(n); };
  if (!is_count(queries)) return bad("queries", queries);
  if (!is_count(keys)) return bad("keys", keys);
  if (!std::isfinite(offset) || std::abs(offset) > kMaxPosition)
    return error_at(Code::invalid_argument, "offset", {"must be finite and within ±2^48, got ", format_number(offset)});
  if (!key_positions.values.empty())
    if (Error error = key_positions.check(keys, 1)) return error.field = "keyPositions", error;
  if (Error error = check_result(out, {double(heads), queries, keys}, "out")) return error;
  const std::size_t count = std::size_t(keys);
  const auto& places = key_positions.values;
  const double last = places.empty() ? keys - 1 : count ? key_positions.largest() : 0;
  float* target = out.data;
  for (int h = 0; h < heads; ++h)
    for (double i = 0; i < queries; ++i, target += count) {
      if (places.empty()) {
        row(h, offset + i, 0, last, count, target);
        continue;
      }
      for (std::size_t j = 0; j < count; ++j) row(h, offset + i, places[j], last, 1, target + j);
    }
  return {};
}

namespace {

class AlibiBias final : public Bias {
 public:
  explicit AlibiBias(const Alibi& spec) : form_(spec.form) { heads = spec.heads; }

  void row(int head, double query, double first_key, double last_key, std::size_t count, float* out) const override {
    const double slope = parameters[0].values[std::size_t(head)];
    if (form_ == AlibiForm::relative) {
      for (std::size_t j = 0; j < count; ++j) out[j] = float(0.0 - slope * std::abs(query - (first_key + double(j))));
      return;
    }
    const double start = form_ == AlibiForm::key ? first_key - last_key : first_key;
    for (std::size_t j = 0; j < count; ++j) out[j] = float(slope * (start + double(j)));
  }

 private:
  AlibiForm form_;
};

}  // namespace

std::unique_ptr<Bias> Alibi::make() const { return std::make_unique<AlibiBias>(*this); }

}  // namespace posenc
