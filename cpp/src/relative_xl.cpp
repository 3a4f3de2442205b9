#include "posenc/kernels.hpp"
#include "posenc/memory.hpp"
#include "posenc/relative/transformer_xl.hpp"
#include "posenc/waves.hpp"
#include "relative_tables.hpp"

namespace posenc {

namespace {

using namespace tiles;

struct Range {
  double first = kInfinity, last = -kInfinity;
  bool whole = true;
};

Range range_of(const Positions& positions, int count) {
  Range range;
  const int given = int(positions.values.size());
  for (int i = 0; i < (given ? given : count); i += given ? 1 : std::max(1, count - 1)) {
    const double place = positions[std::size_t(i)];
    range.first = std::min(range.first, place);
    range.last = std::max(range.last, place);
    range.whole &= place == std::floor(place);
  }
  return range;
}

// Projected sinusoids of all distances of a call are made before it; where distances are fractions or lie far apart,
// the query goes through the projection instead, and meets the sinusoid of each key's distance.
class TransformerXlRelative final : public Relative {
 public:
  explicit TransformerXlRelative(const TransformerXl& spec)
      : Relative(spec.dim),
        waves_(values_of(RotaryCommon{.dim = int(spec.width()), .base = spec.base}.inverse())),
        limit_(spec.clamp_length > 0 ? spec.clamp_length : kInfinity),
        width_(std::size_t(spec.width())) {
    heads = spec.heads;
    query_width = 2 * dim;
  }

  Error prepare(const RelativeCall& call) override {
    const Range queries = range_of(call.queries, call.query_count), keys = range_of(call.keys, call.key_count);
    first_ = clamped(queries.first - keys.last);
    const double count = clamped(queries.last - keys.first) - first_ + 1;
    rows_ = Buffer();
    has_rows_ = queries.whole && keys.whole && first_ == std::floor(first_) && count >= 1 &&
                count <= 1024 + 4.0 * (call.query_count + call.key_count);
    if (has_rows_ ? make_rows(count) : make_row()) return {};
    return {Code::out_of_memory, "", "transformer-xl: out of memory for its sinusoids"};
  }

  void expand(bool is_key, int head, double, float* row) override {
    if (is_key) return;
    const float *u = parameters[0].values.data() + head * dim, *v = parameters[1].values.data() + head * dim;
    for (int i = 0; i < dim; ++i) {
      row[dim + i] = row[i] + v[i];
      row[i] += u[i];
    }
  }

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    const float* row = query.row + dim;
    if (!has_rows_) return add_one_by_one(row, query, keys, scores);
    int index[kKeys];
    for (int j = 0; j < keys.count; ++j) index[j] = int(clamped(query.place - keys.places[j]) - first_);
    add_indexed(row, rows_.data() + query.head * dim, stride_, dim, index, keys.count, scores);
  }

 private:
  double clamped(double distance) const { return std::min(std::max(distance, -limit_), limit_); }

  /// row = [sin … | cos …] of a distance.
  void sinusoid(double distance, float* row) { waves_.row(distance, 1, 1, row + width_ / 2, row); }

  bool make_row() {
    rows_ = Buffer(2.0 * double(width_));
    return bool(rows_);
  }

  // rows [distances][heads · dim] = sinusoids · projection transposed
  bool make_rows(double count) {
    const int columns = heads * dim;
    stride_ = round_up(columns);
    Buffer transposed(double(width_) * double(stride_)), sinusoids(double(width_) * kQueries);
    rows_ = Buffer((count + kQueries) * double(stride_));
    if (!transposed || !sinusoids || !rows_) return false;
    const float* projection = parameters[2].values.data();
    for (int column = 0; column < columns; ++column)
      for (std::size_t i = 0; i < width_; ++i)
        transposed.data()[i * std::size_t(stride_) + std::size_t(column)] = *projection++;
    const float* four[kQueries];
    for (int r = 0; r < kQueries; ++r) four[r] = sinusoids.data() + std::size_t(r) * width_;
    for (double d = 0; d < count; d += kQueries) {
      for (int r = 0; r < kQueries; ++r) sinusoid(first_ + d + r, sinusoids.data() + std::size_t(r) * width_);
      // Onto zeros; block_product() is left to the scorer, which as its only caller has it inlined: 7 % of attention.
      add_block_product(four, int(width_), transposed.data(), stride_, int(stride_),
                        rows_.data() + std::ptrdiff_t(d) * stride_, stride_);
    }
    return true;
  }

  void add_one_by_one(const float* row, const RelativeQuery& query, const RelativeKeys& keys, float* scores) {
    float *through = rows_.data(), *wave = through + width_;
    std::fill_n(through, width_, 0.0f);
    const float* projection = parameters[2].values.data() + std::size_t(query.head * dim) * width_;
    for (int i = 0; i < dim; ++i) add_scaled(through, row[i], projection + std::size_t(i) * width_, width_);
    for (int j = 0; j < keys.count; ++j) {
      float product;
      sinusoid(clamped(query.place - keys.places[j]), wave);
      dot_products(through, wave, &product, 1, 1, width_);
      scores[j] += product;
    }
  }

  Waves waves_;
  double limit_, first_ = 0;
  std::size_t width_;
  std::ptrdiff_t stride_ = 0;
  bool has_rows_ = false;
  Buffer rows_;
};

}  // namespace

std::unique_ptr<Relative> TransformerXl::make() const { return std::make_unique<TransformerXlRelative>(*this); }

}  // namespace posenc
