#include "relative/path_sums.hpp"

#include "kernels/tiles.hpp"
#include "posenc/math/sinusoids.hpp"
#include "relative/gate_sums.hpp"

namespace posenc {

namespace {

using namespace tiles;

// State of a query from tile to tile: the sum of the terms after a key. In a gradient's second pass, which subtracts
// them again, also the sum of the gradients of the keys before it.
enum PathSumsCarry { kTermSum, kSlopeSum };
static_assert(kSlopeSum + 1 == kPathCarried);

class PathSumsCall final : public RelativeCall {
 public:
  PathSumsCall(PathRule rule, const RelativeRequest& request)
      : request_(request),
        rule_(std::move(rule)),
        row_width_(int((*request.tokens)[std::size_t(TokenInput::gate_rows)].shape[3])),
        width_(rule_.rotates ? row_width_ : row_width_ / 2),
        scale_(1 / (rule_.rotates ? std::max(1.0, double(width_)) : std::sqrt(double(width_)))),
        given_(request, request.tokens, TokenInput::gate_rows, request.query_heads, row_width_),
        gradients_(request, request.token_gradients, TokenInput::gate_rows, request.query_heads, row_width_),
        prepared_rows_({double(kKeys), double(width_)}),
        prepared_slopes_({gradients_ ? double(kKeys) : 0.0, double(width_)}) {}
  explicit operator bool() const { return prepared_rows_ && prepared_slopes_; }

  void adjust(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    double& sum = query.carry[kTermSum];
    const int last = last_of(query, keys);
    const bool falls = keys.order == KeyOrder::falling;
    for (int n = 0; n <= last; ++n) {
      const int j = falls ? last - n : n;
      const double term = counts(query, keys, j) ? factor_of(query) * log_sigmoid(logit(query, keys, j)) : 0;
      const bool is_first = falls != rule_.rotates;
      if (is_first) sum += falls ? term : -term;
      scores[j] += float(sum);
      if (!is_first) sum += falls ? term : -term;
    }
  }

  void adjust_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* slopes, float*) override {
    const int last = last_of(query, keys);
    double& before = query.carry[kSlopeSum];
    for (int j = 0; j <= last; ++j) {
      if (!rule_.rotates) before += double(slopes[j]);
      if (gradients_ && before != 0 && counts(query, keys, j)) {
        const double by_logit = before * factor_of(query) * log_sigmoid_slope(logit(query, keys, j)) * scale_;
        const double* row = prepared_row(query, keys, j);
        const float* own = given_.at(query.batch, query.head, request_.token_index(query));
        float* own_slopes = gradients_.at(query.batch, query.head, request_.token_index(query));
        double* row_slopes = prepared_slopes_.data() + slot(keys, j) * width_;
        for (int i = 0; i < width_; ++i) {
          own_slopes[i] += float(by_logit * row[i]);
          row_slopes[i] += by_logit * double(own[i]);
        }
      }
      if (rule_.rotates) before += double(slopes[j]);
    }
  }
  void finish_backward() override { leave_tile(); }

 private:
  int last_of(const RelativeQuery& query, const RelativeKeys& keys) const {
    return std::min(keys.count - 1, request_.token_index(query) - keys.first);
  }
  double factor_of(const RelativeQuery& query) const { return rule_.factors[std::size_t(query.head)]; }
  /// If rows are not rotated, the query's own token is not counted.
  bool counts(const RelativeQuery& query, const RelativeKeys& keys, int j) const {
    return rule_.rotates || keys.first + j != request_.token_index(query);
  }
  static std::ptrdiff_t slot(const RelativeKeys& keys, int j) { return (keys.first + j) % kKeys; }

  double logit(const RelativeQuery& query, const RelativeKeys& keys, int j) {
    const double* row = prepared_row(query, keys, j);
    const float* own = given_.at(query.batch, query.head, request_.token_index(query));
    double sum = 0;
    for (int i = 0; i < width_; ++i) sum += double(own[i]) * row[i];
    return sum * scale_;
  }

  // Rows of a tile's tokens are rotated once for all queries of a chunk.
  const double* prepared_row(const RelativeQuery& query, const RelativeKeys& keys, int j) {
    const int token = keys.first + j, tile = token / kKeys;
    if (tile != tile_ || query.head != head_ || query.batch != batch_) {
      leave_tile();
      tile_ = tile, head_ = query.head, batch_ = query.batch;
    }
    const std::ptrdiff_t at = slot(keys, j);
    double* row = prepared_rows_.data() + at * width_;
    if (is_prepared_[at]) return row;
    is_prepared_[at] = true;
    if (!rule_.rotates) {
      std::copy_n(given_.at(query.batch, query.head, token) + width_, width_, row);
      return row;
    }
    radians_.row(keys.positions[j], 1, 1, &cosines_[at], &sines_[at]);
    const float* x = given_.at(query.batch, query.head, token);
    const double factor = 1 / length_of(x), c = double(cosines_[at]) * factor, s = double(sines_[at]) * factor;
    for (int i = 0, half = width_ / 2; i < half; ++i) {
      row[i] = double(x[i]) * c + double(x[i + half]) * s;
      row[i + half] = double(x[i + half]) * c - double(x[i]) * s;
    }
    return row;
  }

  double length_of(const float* x) const {
    double square = 0;
    for (int i = 0; i < width_; ++i) square += double(x[i]) * double(x[i]);
    return std::sqrt(square * scale_ + double(std::numeric_limits<float>::epsilon()));
  }

  // Converts the gradients of a tile's rotated rows to those of the rows.
  void leave_tile() {
    for (int at = 0; at < kKeys; ++at)
      if (std::exchange(is_prepared_[at], false) && gradients_) propagate_slopes(at);
  }

  void propagate_slopes(int at) {
    double* slope = prepared_slopes_.data() + at * width_;
    const int token = tile_ * kKeys + at;
    float* out = gradients_.at(batch_, head_, token);
    if (rule_.rotates)
      unrotate_slopes(at, given_.at(batch_, head_, token), slope, out);
    else
      for (int i = 0; i < width_; ++i) out[width_ + i] += float(slope[i]);
    std::fill_n(slope, width_, 0.0);
  }
  void unrotate_slopes(int at, const float* x, double* slope, float* out) const {
    const double length = length_of(x), c = double(cosines_[at]), s = double(sines_[at]);
    double along = 0;
    for (int i = 0, half = width_ / 2; i < half; ++i) {
      const double a = slope[i] * c - slope[i + half] * s, b = slope[i + half] * c + slope[i] * s;
      along += a * double(x[i]) + b * double(x[i + half]);
      slope[i] = a, slope[i + half] = b;
    }
    for (int i = 0; i < width_; ++i)
      out[i] += float((slope[i] - double(x[i]) * along * scale_ / (length * length)) / length);
  }

  RelativeRequest request_;
  PathRule rule_;
  int row_width_, width_;
  double scale_;
  TokenRows given_, gradients_;
  Sinusoids radians_{std::vector{Real(1)}};
  /// Of a tile's tokens.
  Array<double> prepared_rows_, prepared_slopes_;
  float cosines_[kKeys], sines_[kKeys];
  bool is_prepared_[kKeys]{};
  int tile_ = -1, head_ = -1, batch_ = -1;
};

}  // namespace

Relative::Begun begin_path_bias(const RelativeRequest& request, PathRule rule) {
  auto call = std::make_unique<PathSumsCall>(std::move(rule), request);
  if (!*call) return Error{Code::out_of_memory, "", "attention: out of memory for the rows of gates"};
  return std::unique_ptr<RelativeCall>(std::move(call));
}

}  // namespace posenc
