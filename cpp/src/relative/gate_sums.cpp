#include "relative/gate_sums.hpp"

#include "posenc/math/real.hpp"

namespace posenc {

TokenRows::TokenRows(const RelativeRequest& request, const TokenInputs* inputs, TokenInput which, int heads, int width)
    : data_(inputs ? (*inputs)[std::size_t(which)].data : nullptr) {
  const bool of_queries = which == TokenInput::relative_states;
  const std::ptrdiff_t tokens = of_queries ? request.query_count : request.key_count, row = width;
  const bool is_bhtd = request.layout == HeadLayout::bhtd;
  strides_.batch = tokens * heads * row;
  strides_.head = is_bhtd ? tokens * row : row;
  strides_.position = is_bhtd ? row : heads * row;
}

GateSums::GateSums(const RelativeRequest& request, int sets)
    : batch_(request.batch),
      heads_(request.query_heads),
      sets_(sets),
      tokens_(request.key_count),
      gates_(request, request.tokens, TokenInput::log_gates, heads_ * sets, 1),
      gradients_(request, request.token_gradients, TokenInput::log_gates, heads_ * sets, 1),
      sums_({gates_ ? double(batch_) : 0.0, double(heads_) * sets, double(tokens_)}),
      slopes_({gradients_ ? double(batch_) : 0.0, double(heads_) * sets, double(tokens_)}) {
  if (!gates_ || !sums_) return;
  for_each_row([&](int batch, int head, std::ptrdiff_t first) {
    double sum = 0;
    for (int t = 0; t < tokens_; ++t) sums_.data()[first + t] = sum += double(*gates_.at(batch, head, t));
  });
}

template <class Visit>
void GateSums::for_each_row(Visit&& visit) const {
  for (int batch = 0; batch < batch_; ++batch)
    for (int head = 0; head < heads_ * sets_; ++head)
      visit(batch, head, (std::ptrdiff_t(batch) * heads_ * sets_ + head) * tokens_);
}

Error GateSums::check() const {
  if (!sums_ || !slopes_) return {Code::out_of_memory, "", "attention: out of memory for the sums of gates"};
  bool are_finite = true;
  if (gates_ && tokens_ > 0)
    for_each_row(
        [&](int, int, std::ptrdiff_t first) { are_finite &= std::isfinite(sums_.data()[first + tokens_ - 1]); });
  if (are_finite) return {};
  return error_at(Code::invalid_argument, kTokenInputs[0], "must be finite");
}

void GateSums::finish() {
  if (!gradients_) return;
  for_each_row([&](int batch, int head, std::ptrdiff_t first) {
    double sum = 0;
    for (int t = tokens_ - 1; t >= 0; --t) *gradients_.at(batch, head, t) = float(sum += slopes_.data()[first + t]);
  });
}

double log_sigmoid(double x) { return 0.0 - softplus(-x); }
double log_sigmoid_slope(double x) { return sigmoid(-x); }

namespace {

class GateBiasCall final : public RelativeCall {
 public:
  GateBiasCall(const RelativeRequest& request, int sets)
      : sums_(request, sets), tokens_before_(request.key_count - request.query_count), sets_(sets) {}
  Error check() const { return sums_.check(); }

  void adjust(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    const int token = token_index(query), near = up_to(token, keys);
    const double *sums = sums_.row(query), own = sums[token];
    sums += keys.first;
    for (int j = 0; j < near; ++j) scores[j] += float(own - sums[j]);
    if (near == keys.count) return;
    const double *later = sums_.row(query, 1), from = later[token];
    later += keys.first;
    for (int j = near; j < keys.count; ++j) scores[j] += float(later[j] - from);
  }

  double adjustment(const RelativeQuery& query, const RelativeKeys& key) override {
    const int token = token_index(query), set = up_to(token, key) ? 0 : 1;
    const double *sums = sums_.row(query, set), change = sums[token] - sums[key.first];
    return set ? -change : change;
  }

  void adjust_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* slopes, float*) override {
    if (!sums_.wants_slopes()) return;
    const int token = token_index(query), near = up_to(token, keys);
    double* sums = sums_.slopes(query);
    for (int j = 0; j < near; ++j) {
      sums[token] += double(slopes[j]);
      sums[keys.first + j] -= double(slopes[j]);
    }
    if (near == keys.count) return;
    sums = sums_.slopes(query, 1);
    for (int j = near; j < keys.count; ++j) {
      sums[token] -= double(slopes[j]);
      sums[keys.first + j] += double(slopes[j]);
    }
  }
  void finish_backward() override { sums_.finish(); }

 private:
  int token_index(const RelativeQuery& query) const { return query.index + tokens_before_; }
  /// Number of keys that the first set of gates applies to.
  int up_to(int token, const RelativeKeys& keys) const {
    return sets_ == 1 ? keys.count : std::clamp(token + 1 - keys.first, 0, keys.count);
  }

  GateSums sums_;
  int tokens_before_, sets_;
};

}  // namespace

Relative::Begun begin_gate_bias(const RelativeRequest& request, int sets) {
  auto call = std::make_unique<GateBiasCall>(request, sets);
  if (Error error = call->check()) return error;
  return std::unique_ptr<RelativeCall>(std::move(call));
}

}  // namespace posenc
