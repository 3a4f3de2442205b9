#include "posenc/relative/cope.hpp"

#include "posenc/kernels/kernels.hpp"
#include "relative/tables.hpp"

namespace posenc {

namespace {

using namespace tiles;

// State of a query from tile to tile; in a gradient's second pass tiles come in the opposite order.
enum Carry { kOpen, kSlopes, kCarried };

// Gates are summed from the last key to the first, so tiles come in falling order. A gradient's second pass subtracts
// them again, in rising order, while it sums the gradients of the positions before a key.
class CopeCall : public RelativeCall {
 public:
  CopeCall(const Relative& encoding, const Cope& spec, const RelativeRequest& request)
      : mask_(*request.mask),
        dim_(spec.dim),
        last_(spec.max_position - 1),
        counts_on_(request.wanted == RelativeRequest::Wanted::gradients),
        gate_scale_(spec.scaled_gates ? float(1 / std::sqrt(double(dim_))) : 1.0f),
        position_scale_(spec.scaled_position ? 1.0f : float(std::sqrt(double(dim_)))),
        rows_({double(dim_), last_ + 1.0}),
        slopes_(counts_on_ ? Buffer({double(dim_), last_ + 1.0}) : Buffer()) {
    const float* embedding = encoding.parameters[0].values.data();
    const std::size_t width = std::size_t(dim_), count = std::size_t(last_) + 1;
    for (std::size_t i = 0; rows_ && i < width; ++i)
      for (std::size_t p = 0; p < count; ++p) rows_.data()[p * width + i] = *embedding++;
  }
  explicit operator bool() const { return rows_ && slopes_; }

  void finish_backward() override {
    const std::size_t width = std::size_t(dim_), count = std::size_t(last_) + 1;
    float* slopes = training->gradient(0);
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t p = 0; p < count; ++p) slopes[i * count + p] += slopes_.data()[p * width + i];
  }

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    // All further keys are at the last position.
    if (!counts_on_ && query.carry[kOpen] >= last_) {
      float product;
      multiply(query, last_, last_, &product);
      for (int j = 0; j < keys.count; ++j) scores[j] += position_scale_ * product;
      return;
    }
    Gates gates;
    float products[kKeys + 2];
    count(query, keys, scores, gates);
    const int low = multiply_all(query, keys.count, gates, products);
    for (int j = 0; j < keys.count; ++j) {
      const double position = position_of(gates, j);
      const int floor = int(position);
      const float part = float(position - floor), *here = products + floor - low;
      scores[j] += position_scale_ * (here[floor < last_] * part + here[0] * (1 - part)) + float(0 * gates.open[j]);
    }
  }

  void add_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* products, float* slopes,
                    float* row_slopes) override {
    Gates gates;
    float by_position[kKeys + 2];
    open(query, keys, products, gates);
    sum_from_last(query.carry[kOpen], keys.count, gates);
    const int low = multiply_all(query, keys.count, gates, by_position);
    double& before = query.carry[kSlopes];
    for (int j = 0; j < keys.count; ++j) {
      if (gates.masked[j]) continue;
      const double position = position_of(gates, j);
      const int floor = int(position), next = std::min(floor + 1, last_);
      const float part = float(position - floor), slope = position_scale_ * slopes[j];
      scatter(query, floor, slope * (1 - part), row_slopes);
      scatter(query, next, slope * part, row_slopes);
      // A gate moves the positions of all keys up to its own.
      if (gates.sums[j] <= last_) before += double(slope * (by_position[next - low] - by_position[floor - low]));
      const float by_logit = float(before * gates.open[j] * (1 - gates.open[j])) * gate_scale_;
      const std::ptrdiff_t key = j * keys.stride;
      if (keys.extra_rows)
        scatter_row(query.row, keys.extra_rows + key, std::size_t(dim_), by_logit, row_slopes,
                    keys.extra_gradients + key);
      else
        slopes[j] += by_logit;
    }
  }

 protected:
  /// Values of the gates of some keys, and their sums from each key up to the query.
  struct Gates {
    double open[kKeys], sums[kKeys];
    bool masked[kKeys];
  };
  double position_of(const Gates& gates, int j) const { return std::min(gates.sums[j], double(last_)); }

  // Continues from the state of the query: in falling order the gates between it and the last of these keys (not
  // counted beyond the last position), in rising order those from the first of these keys on.
  void count(const RelativeQuery& query, const RelativeKeys& keys, const float* scores, Gates& gates) const {
    open(query, keys, scores, gates);
    double& open = query.carry[kOpen];
    const bool falls = keys.order == KeyOrder::falling;
    for (int j = 0; !falls && j < keys.count; ++j) open = std::max(0.0, open - gates.open[j]);
    const double all = sum_from_last(open, keys.count, gates);
    if (falls) open = all;
  }

 private:
  void multiply(const RelativeQuery& query, int first, int last, float* products) const {
    dot_rows(query.row, rows_.data() + std::ptrdiff_t(first) * dim_, dim_, std::size_t(last - first + 1),
             std::size_t(dim_), products);
  }

  // Products with the vectors of all positions of these keys, which grow by at most 1 per key, from the last key to the
  // first. Returns the lowest position.
  int multiply_all(const RelativeQuery& query, int count, const Gates& gates, float* products) const {
    const int low = int(position_of(gates, count - 1));
    multiply(query, low, std::min(int(position_of(gates, 0)) + 1, last_), products);
    return low;
  }

  void scatter(const RelativeQuery& query, int position, float slope, float* row_slopes) {
    const std::ptrdiff_t at = std::ptrdiff_t(position) * dim_;
    if (slope != 0)
      scatter_row(query.row, rows_.data() + at, std::size_t(dim_), slope, row_slopes, slopes_.data() + at);
  }

  void open(const RelativeQuery& query, const RelativeKeys& keys, const float* scores, Gates& gates) const {
    float masked_scores[kKeys], logits[kKeys], decay[kKeys];
    std::copy_n(scores, keys.count, masked_scores);
    mask_.mask_scores(query, keys, masked_scores);
    for (int j = 0; j < keys.count; ++j) {
      logits[j] = masked_scores[j];
      if (keys.extra_rows)
        dot_products(query.row, keys.extra_rows + j * keys.stride, logits + j, 1, 1, std::size_t(dim_));
      logits[j] *= gate_scale_;
      decay[j] = -std::abs(logits[j]);
    }
    Softmax largest{0, 0};
    float shrink;
    weigh(decay, 1, keys.count, &largest, &shrink);
    for (int j = 0; j < keys.count; ++j) {
      gates.masked[j] = masked_scores[j] == kMinusInfinity;
      gates.open[j] = gates.masked[j] ? 0 : (logits[j] < 0 ? double(decay[j]) : 1.0) / (1.0 + double(decay[j]));
    }
  }

  // Sums gates from the last of these keys to the first; `beyond` is the sum over all keys after them.
  static double sum_from_last(double beyond, int count, Gates& gates) {
    // A NaN gate makes the score of its key NaN, but must not become a position.
    for (int j = count - 1; j >= 0; --j) gates.sums[j] = beyond += gates.open[j] >= 0 ? gates.open[j] : 0;
    return beyond;
  }

  const RelativeMask& mask_;
  int dim_, last_;
  /// Whether gates beyond the last position are counted, because they are subtracted again.
  bool counts_on_;
  float gate_scale_, position_scale_;
  /// The vectors of the positions, and their gradients.
  Buffer rows_, slopes_;
};

class CopePositions final : public CopeCall {
 public:
  using CopeCall::CopeCall;
  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    Gates gates;
    count(query, keys, scores, gates);
    for (int j = 0; j < keys.count; ++j) scores[j] = gates.masked[j] ? 0.0f : float(position_of(gates, j));
  }
};

class CopeRelative final : public Relative {
 public:
  explicit CopeRelative(const Cope& spec) : Relative(spec.dim), spec_(spec) {
    carried = kCarried;
    reads_extra_keys = has_positions = true;
  }

  Begun begin(const RelativeRequest& request) const override {
    return request.wanted == RelativeRequest::Wanted::positions ? start<CopePositions>(request)
                                                                : start<CopeCall>(request);
  }

 private:
  template <class Call>
  Begun start(const RelativeRequest& request) const {
    auto call = std::make_unique<Call>(*this, spec_, request);
    if (!*call) return Error{Code::out_of_memory, "", "cope: out of memory for positions"};
    return std::unique_ptr<RelativeCall>(std::move(call));
  }

  Cope spec_;
};

}  // namespace

std::unique_ptr<Relative> Cope::make() const { return std::make_unique<CopeRelative>(*this); }

}  // namespace posenc
