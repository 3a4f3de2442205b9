#include "posenc/relative/cope.hpp"

#include "posenc/kernels/kernels.hpp"
#include "relative/tables.hpp"

namespace posenc {

namespace {

using namespace tiles;

class CopeRelative final : public Relative {
 public:
  explicit CopeRelative(const Cope& spec)
      : Relative(spec.dim),
        last_(spec.max_position - 1),
        gate_scale_(spec.scaled_gates ? float(1 / std::sqrt(double(dim))) : 1.0f),
        position_scale_(spec.scaled_position ? 1.0f : float(std::sqrt(double(dim)))) {
    contextual = true;
  }

  Error prepare(const RelativeCall& call) override {
    const std::size_t width = std::size_t(dim), count = std::size_t(last_) + 1;
    if (!rows_ || indexes_ < call.indexes) {
      rows_ = Buffer({double(dim), double(count)});
      open_ = Array<double>(call.indexes);
      before_ = Array<double>(call.indexes);
      indexes_ = rows_ && open_ && before_ ? call.indexes : -1;
    }
    if (indexes_ < 0) return out_of_memory();
    const float* embedding = parameters[0].values.data();
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t p = 0; p < count; ++p) rows_.data()[p * width + i] = *embedding++;
    learns_ = false;
    return {};
  }

  Error prepare_backward() override {
    learns_ = true;
    slopes_ = Buffer();
    slopes_ = Buffer({double(dim), last_ + 1.0});
    return slopes_ ? Error{} : out_of_memory();
  }

  void finish_backward() override {
    const std::size_t width = std::size_t(dim), count = std::size_t(last_) + 1;
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t p = 0; p < count; ++p) gradient(0)[i * count + p] += slopes_.data()[p * width + i];
  }

  void restart() override {
    std::fill_n(open_.data(), indexes_, 0.0);
    std::fill_n(before_.data(), indexes_, 0.0);
    turned_back_ = false;
  }

  void turn_back() override { turned_back_ = true; }

  void find_places(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    Keys at;
    find(query, keys, scores, at);
    for (int j = 0; j < keys.count; ++j) scores[j] = scores[j] == kMinusInfinity ? 0.0f : float(place(at, j));
  }

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    // All further keys are at the last place.
    if (!learns_ && open_.data()[query.index] >= last_) {
      float product;
      multiply(query, last_, last_, &product);
      for (int j = 0; j < keys.count; ++j) scores[j] += position_scale_ * product;
      return;
    }
    Keys at;
    float products[kKeys + 2];
    find(query, keys, scores, at);
    const int low = multiply_all(query, keys.count, at, products);
    for (int j = 0; j < keys.count; ++j) {
      const double where = place(at, j);
      const int floor = int(where);
      const float part = float(where - floor), *here = products + floor - low;
      scores[j] += position_scale_ * (here[floor < last_] * part + here[0] * (1 - part)) + float(0 * at.gates[j]);
    }
  }

  void add_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* products, float* slopes,
                    float* row_slopes) override {
    Keys at;
    float by_place[kKeys + 2];
    open(query, keys, products, at);
    count_back(open_.data()[query.index], keys.count, at);
    const int low = multiply_all(query, keys.count, at, by_place);
    double& before = before_.data()[query.index];
    for (int j = 0; j < keys.count; ++j) {
      if (products[j] == kMinusInfinity) continue;
      const double where = place(at, j);
      const int floor = int(where), next = std::min(floor + 1, last_);
      const float part = float(where - floor), slope = position_scale_ * slopes[j];
      scatter(query, floor, slope * (1 - part), row_slopes);
      scatter(query, next, slope * part, row_slopes);
      // A gate moves the places of all keys up to its own.
      if (at.places[j] <= last_) before += double(slope * (by_place[next - low] - by_place[floor - low]));
      const float by_logit = float(before * at.gates[j] * (1 - at.gates[j])) * gate_scale_;
      const std::ptrdiff_t gate = j * keys.stride;
      if (keys.gates)
        scatter_row(query.row, keys.gates + gate, std::size_t(dim), by_logit, row_slopes, keys.gate_gradients + gate);
      else
        slopes[j] += by_logit;
    }
  }

 private:
  // The gates of some keys, and how many are open from each up to the query.
  struct Keys {
    double gates[kKeys], places[kKeys];
  };
  double place(const Keys& at, int j) const { return std::min(at.places[j], double(last_)); }

  void multiply(const RelativeQuery& query, int first, int last, float* products) const {
    dot_rows(query.row, rows_.data() + std::ptrdiff_t(first) * dim, dim, std::size_t(last - first + 1),
             std::size_t(dim), products);
  }

  // With the places of all these keys, which grow from the last key to the first by 1 each at most; answers the first.
  int multiply_all(const RelativeQuery& query, int count, const Keys& at, float* products) const {
    const int low = int(place(at, count - 1));
    multiply(query, low, std::min(int(place(at, 0)) + 1, last_), products);
    return low;
  }

  void scatter(const RelativeQuery& query, int position, float slope, float* row_slopes) {
    const std::ptrdiff_t at = std::ptrdiff_t(position) * dim;
    if (slope != 0) scatter_row(query.row, rows_.data() + at, std::size_t(dim), slope, row_slopes, slopes_.data() + at);
  }

  void open(const RelativeQuery& query, const RelativeKeys& keys, const float* scores, Keys& at) const {
    float logits[kKeys], decay[kKeys];
    for (int j = 0; j < keys.count; ++j) {
      logits[j] = scores[j];
      if (keys.gates) dot_products(query.row, keys.gates + j * keys.stride, logits + j, 1, 1, std::size_t(dim));
      logits[j] *= gate_scale_;
      decay[j] = -std::abs(logits[j]);
    }
    Softmax largest{0, 0};
    float shrink;
    weigh(decay, 1, keys.count, &largest, &shrink);
    for (int j = 0; j < keys.count; ++j)
      at.gates[j] =
          scores[j] == kMinusInfinity ? 0 : (logits[j] < 0 ? double(decay[j]) : 1.0) / (1.0 + double(decay[j]));
  }

  // `beyond` the last of these keys so many gates are open.
  static double count_back(double beyond, int count, Keys& at) {
    // A gate that is no number spoils the score of its key, but must not become a place.
    for (int j = count - 1; j >= 0; --j) at.places[j] = beyond += at.gates[j] >= 0 ? at.gates[j] : 0;
    return beyond;
  }

  // Goes on with the gates that are open between the query and the last of these keys; beyond the last place they do
  // not count. Turned back, with those that are open from the first.
  void find(const RelativeQuery& query, const RelativeKeys& keys, const float* scores, Keys& at) {
    open(query, keys, scores, at);
    double& open = open_.data()[query.index];
    for (int j = 0; turned_back_ && j < keys.count; ++j) open = std::max(0.0, open - at.gates[j]);
    const double all = count_back(open, keys.count, at);
    if (!turned_back_) open = all;
  }

  static Error out_of_memory() { return {Code::out_of_memory, "", "cope: out of memory for its places"}; }

  bool learns_ = false, turned_back_ = false;
  int last_;
  float gate_scale_, position_scale_;
  Buffer rows_{kInfinity}, slopes_;
  /// Of each query: the gates that are open beyond the tile; the slopes of places before it.
  Array<double> open_, before_;
  int indexes_ = -1;
};

}  // namespace

std::unique_ptr<Relative> Cope::make() const { return std::make_unique<CopeRelative>(*this); }

}  // namespace posenc
