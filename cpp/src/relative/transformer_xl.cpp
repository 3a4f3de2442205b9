#include "posenc/relative/transformer_xl.hpp"

#include "posenc/core/memory.hpp"
#include "posenc/core/waves_cache.hpp"
#include "posenc/kernels/kernels.hpp"
#include "relative/tables.hpp"

namespace posenc {

namespace {

using namespace tiles;

constexpr double kFarthest = 1e9;

struct Range {
  double first = kInfinity, last = -kInfinity;
  bool whole = true;
};

Range range_of(const Positions& positions, int count) {
  Range range;
  const int given = int(positions.values.size());
  for (int i = 0; i < (given ? given : count); i += given ? 1 : std::max(1, count - 1)) {
    const double position = positions[std::size_t(i)];
    range.first = std::min(range.first, position);
    range.last = std::max(range.last, position);
    range.whole &= position == std::floor(position);
  }
  return range;
}

// Projected sinusoids of all distances of a call are made before it; where distances are fractions or lie far apart,
// the query goes through the projection instead, and meets the sinusoid of each key's distance.
class TransformerXlCall final : public RelativeCall {
 public:
  TransformerXlCall(const Relative& encoding, const TransformerXl& spec, Waves& waves)
      : encoding_(encoding),
        waves_(waves),
        dim_(spec.dim),
        heads_(spec.heads),
        limit_(spec.clamp_length > 0 ? spec.clamp_length : kInfinity),
        width_(std::size_t(spec.width())) {}

  // False: there is no memory for it.
  bool prepare(const RelativeRequest& request) {
    const Range queries = range_of(request.queries, request.query_count),
                keys = range_of(request.keys, request.key_count);
    first_ = clamped(std::max(queries.first - keys.last, -request.ahead));
    const double count = count_ = clamped(queries.last - keys.first) - first_ + 1;
    // Distances in a table are ints.
    const bool near = std::max(-first_, first_ + count) <= kFarthest;
    has_rows_ = queries.whole && keys.whole && limit_ == std::floor(limit_) && near && count >= 1 &&
                count <= 1024 + 4.0 * (request.query_count + request.key_count);
    if (!(has_rows_ ? make_rows(count) : make_row())) return false;
    if (request.wanted != RelativeRequest::Wanted::gradients) return true;
    slopes_ = has_rows_ ? Buffer({double(head_stride_), double(heads_)}) : Buffer(double(width_));
    return bool(slopes_);
  }

  // From the gradients of the projected sinusoids to that of the projection.
  void finish_backward() override {
    Buffer wave{double(width_)};
    for (double d = 0; has_rows_ && wave && d < count_; ++d) {
      sinusoid(first_ + d, wave.data());
      for (int head = 0; head < heads_; ++head)
        for (int i = 0; i < dim_; ++i) {
          const float slope = slopes_.data()[head * head_stride_ + std::ptrdiff_t(d) * stride_ + i];
          if (slope != 0)
            add_scaled(training->gradient(2) + std::size_t(head * dim_ + i) * width_, slope, wave.data(), width_);
        }
    }
  }

  void expand(bool is_key, int head, double, float* row) override {
    if (is_key) return;
    const float *u = values(0) + head * dim_, *v = values(1) + head * dim_;
    for (int i = 0; i < dim_; ++i) {
      row[dim_ + i] = row[i] + v[i];
      row[i] += u[i];
    }
  }

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    const float* row = query.row + dim_;
    if (!has_rows_) return add_directly(row, query, keys, scores);
    table(query.head).add_products(keys, query.position, row, scores);
  }

  double addition(const RelativeQuery& query, const RelativeKeys& key) override {
    if (!has_rows_) return RelativeCall::addition(query, key);
    return table(query.head).product(key.positions[0], query.position, query.row + dim_);
  }

  void add_backward(const RelativeQuery& query, const RelativeKeys& keys, const float*, float* slopes,
                    float* row_slopes) override {
    const float* row = query.row + dim_;
    if (has_rows_)
      return table(query.head)
          .scatter(keys, query.position, row, slopes, row_slopes + dim_, slopes_.data() + origin_of(query.head));
    float *wave = rows_.data() + width_, *by_through = slopes_.data();
    std::fill_n(by_through, width_, 0.0f);
    for (int j = 0; j < keys.count; ++j) {
      if (slopes[j] == 0) continue;
      sinusoid(clamped(query.position - keys.positions[j]), wave);
      add_scaled(by_through, slopes[j], wave, width_);
    }
    for (int i = 0; i < dim_; ++i) {
      const std::size_t at = std::size_t(query.head * dim_ + i) * width_;
      float product;
      dot_products(values(2) + at, by_through, &product, 1, 1, width_);
      row_slopes[dim_ + i] += product;
      add_scaled(training->gradient(2) + at, row[i], by_through, width_);
    }
  }

  void expand_backward(bool is_key, int head, const float*, float* slopes) override {
    if (is_key) return;
    const std::size_t width = std::size_t(dim_);
    posenc::add(training->gradient(0) + head * dim_, slopes, width);
    posenc::add(training->gradient(1) + head * dim_, slopes + dim_, width);
    posenc::add(slopes, slopes + dim_, width);
  }

 private:
  const float* values(std::size_t parameter) const { return encoding_.parameters[parameter].values.data(); }
  // Where the row of a head's distance 0 would be.
  std::ptrdiff_t origin_of(int head) const { return head * head_stride_ - std::ptrdiff_t(first_) * stride_; }
  // Rows go by query - key.
  DistanceTable table(int head) const {
    const int farthest = int(std::min(limit_, kFarthest));
    return {rows_.data() + origin_of(head), -stride_, dim_, -farthest, int(-first_)};
  }

  double clamped(double distance) const { return std::min(std::max(distance, -limit_), limit_); }

  /// row = [sin … | cos …] of a distance.
  void sinusoid(double distance, float* row) { waves_.row(distance, 1, 1, row + width_ / 2, row); }

  bool make_row() {
    rows_ = Buffer(2.0 * double(width_));
    return bool(rows_);
  }

  // rows [heads_][distances][dim_, rounded up] = sinusoids · projection transposed
  bool make_rows(double count) {
    constexpr int kTogether = 64;  // what stays in cache while all panels pass
    stride_ = round_up(dim_);
    const std::ptrdiff_t width = std::ptrdiff_t(width_);
    const double head_floats = product({count + kTogether, double(stride_)});
    const int depth = int(width);
    rows_ = Buffer({head_floats, double(heads_)});
    if (!rows_) return false;
    head_stride_ = std::ptrdiff_t(head_floats);
    constexpr double kFew = 4194304;  // products: some milliseconds
    if (product({count, double(heads_ * dim_), double(width_)}) <= kFew) return make_exact_rows(count);
    const std::ptrdiff_t row = round_up_depth(depth);
    Buffer panels({double(width_), double(stride_), double(heads_)}), waves({double(width_), kQueries});
    Buffer blocks({double(row), kTogether});
    if (!panels || !waves || !blocks) return false;
    for (int head = 0; head < heads_; ++head)
      pack_keys(values(2) + head * dim_ * width, width, dim_, depth, panels.data() + head * stride_ * width);
    for (double d = 0; d < count; d += kTogether) {
      for (int block = 0; block < kTogether; block += kQueries) {
        for (int r = 0; r < kQueries; ++r) sinusoid(first_ + d + block + r, waves.data() + r * width);
        pack_queries(waves.data(), width, kQueries, depth, blocks.data() + block * row);
      }
      for (int column = 0; column < heads_ * stride_; column += round_up(1))
        for (int block = 0; block < kTogether; block += kQueries)
          block_product(
              blocks.data() + block * row, depth, panels.data() + column * width, depth, round_up(1),
              rows_.data() + column / stride_ * head_stride_ + (std::ptrdiff_t(d) + block) * stride_ + column % stride_,
              stride_, false);
    }
    return true;
  }

  // The same, each rounded once: all else of a call this small is that exact, too.
  bool make_exact_rows(double count) {
    Buffer wave{double(width_)};
    for (double d = 0; wave && d < count; ++d) {
      sinusoid(first_ + d, wave.data());
      const float* projection = values(2);
      for (int head = 0; head < heads_; ++head)
        for (int i = 0; i < dim_; ++i, projection += width_)
          rows_.data()[head * head_stride_ + std::ptrdiff_t(d) * stride_ + i] =
              float(exact_dot(projection, wave.data(), width_));
    }
    return bool(wave);
  }

  void add_directly(const float* row, const RelativeQuery& query, const RelativeKeys& keys, float* scores) {
    float *through = rows_.data(), *wave = through + width_;
    std::fill_n(through, width_, 0.0f);
    const float* projection = values(2) + std::size_t(query.head * dim_) * width_;
    for (int i = 0; i < dim_; ++i) add_scaled(through, row[i], projection + std::size_t(i) * width_, width_);
    for (int j = 0; j < keys.count; ++j) {
      float product;
      sinusoid(clamped(query.position - keys.positions[j]), wave);
      dot_products(through, wave, &product, 1, 1, width_);
      scores[j] += product;
    }
  }

  const Relative& encoding_;
  Waves& waves_;
  int dim_, heads_;
  double limit_, first_ = 0, count_ = 0;
  std::size_t width_;
  std::ptrdiff_t stride_ = 0, head_stride_ = 0;
  bool has_rows_ = false;
  /// slopes_: the gradients of rows_, or those of a query that went through the projection.
  Buffer rows_, slopes_;
};

class TransformerXlRelative final : public Relative {
 public:
  explicit TransformerXlRelative(const TransformerXl& spec)
      : Relative(spec.dim),
        spec_(spec),
        waves_{values_of(RotaryCommon{.dim = int(spec.width()), .base = spec.base}.inverse())} {
    heads = spec.heads;
    query_width = 2 * dim;
  }

  Begun begin(const RelativeRequest& request) const override {
    auto* own = request.workspace.of<WavesCache>(*this);
    auto call = own ? std::make_unique<TransformerXlCall>(*this, spec_, *own->waves[0]) : nullptr;
    if (!call || !call->prepare(request))
      return Error{Code::out_of_memory, "", "transformer-xl: out of memory for its sinusoids"};
    return std::unique_ptr<RelativeCall>(std::move(call));
  }
  std::unique_ptr<Cache> make_cache() const override { return make_waves_cache({&waves_, 1}); }

 private:
  TransformerXl spec_;
  WaveSet waves_;
};

}  // namespace

std::unique_ptr<Relative> TransformerXl::make() const { return std::make_unique<TransformerXlRelative>(*this); }

}  // namespace posenc
