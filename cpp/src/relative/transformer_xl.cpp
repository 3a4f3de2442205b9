#include "posenc/relative/transformer_xl.hpp"

#include "posenc/core/memory.hpp"
#include "posenc/core/sinusoids_cache.hpp"
#include "posenc/kernels/kernels.hpp"
#include "relative/projected_rows.hpp"
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

struct TransformerXlCache final : Cache {
  std::unique_ptr<Cache> sinusoids;
  /// Rows of small calls, whose results are all exact, and of other calls.
  ProjectedRows exact, usual;
};

// Projected rows of a call's distances are kept. If distances are fractional, far apart or too many for few queries,
// the query is projected instead, and multiplied with the sinusoid of each key's distance.
class TransformerXlCall final : public RelativeCall {
 public:
  TransformerXlCall(const Relative& encoding, const TransformerXl& spec, TransformerXlCache& cache)
      : encoding_(encoding),
        sinusoids_(*static_cast<SinusoidsCache&>(*cache.sinusoids).sinusoids[0]),
        cache_(cache),
        dim_(spec.dim),
        heads_(spec.heads),
        limit_(spec.clamp_length > 0 ? spec.clamp_length : kInfinity),
        width_(std::size_t(spec.width())),
        stride_(round_up(spec.dim)) {}

  // Returns false if out of memory.
  bool prepare(const RelativeRequest& request) {
    const Range queries = range_of(request.queries, request.query_count),
                keys = range_of(request.keys, request.key_count);
    first_ = clamped(std::max(queries.first - keys.last, -request.ahead));
    const double count = count_ = clamped(queries.last - keys.first) - first_ + 1;
    // Distances in a table are ints.
    const bool near = std::max(-first_, first_ + count) <= kFarthest,
               is_kept = ProjectedRows::floats_of(count, dim_, heads_) <= ProjectedRows::kMostKept;
    // Projecting this many sinusoids takes longer than multiplying them with projected queries.
    const bool few =
        !is_kept && request.query_count * 8.0 < dim_ && request.wanted != RelativeRequest::Wanted::gradients;
    has_rows_ = queries.whole && keys.whole && limit_ == std::floor(limit_) && near && !few && count >= 1 &&
                count <= 1024 + 4.0 * (request.query_count + request.key_count);
    if (!(has_rows_ ? find_rows(is_kept) : make_row())) return false;
    if (request.wanted != RelativeRequest::Wanted::gradients) return true;
    slopes_ = has_rows_ ? Buffer({count, double(stride_), double(heads_)}) : Buffer(double(width_));
    offset_slopes_ = Array<double>(2.0 * heads_ * dim_);
    return slopes_ && offset_slopes_;
  }

  // Converts the gradients of the projected sinusoids to that of the projection.
  void finish_backward() override {
    const int size = heads_ * dim_;
    for (int i = 0; offset_slopes_ && i < 2 * size; ++i)
      training->gradient(std::size_t(i / size))[i % size] += float(offset_slopes_.data()[i]);
    Buffer sinusoid_row{double(width_)};
    for (double d = 0; has_rows_ && sinusoid_row && d < count_; ++d) {
      sinusoid(first_ + d, sinusoid_row.data());
      for (int head = 0; head < heads_; ++head)
        for (int i = 0; i < dim_; ++i) {
          const float slope = slopes_.data()[(head * std::ptrdiff_t(count_) + std::ptrdiff_t(d)) * stride_ + i];
          if (slope != 0)
            add_scaled(training->gradient(2) + std::size_t(head * dim_ + i) * width_, slope, sinusoid_row.data(),
                       width_);
        }
    }
  }

  void expand(const RelativeRows& rows) override {
    const float *u = values(0) + rows.head * dim_, *v = values(1) + rows.head * dim_;
    float* row = rows.rows;
    for (std::size_t t = 0; !rows.is_key && t < rows.positions.size(); ++t, row += rows.stride)
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
          .scatter(keys, query.position, row, slopes, row_slopes + dim_,
                   slopes_.data() + (query.head * std::ptrdiff_t(count_) - std::ptrdiff_t(first_)) * stride_);
    float *sinusoid_row = through_.data() + width_, *by_through = slopes_.data();
    std::fill_n(by_through, width_, 0.0f);
    for (int j = 0; j < keys.count; ++j) {
      if (slopes[j] == 0) continue;
      sinusoid(clamped(query.position - keys.positions[j]), sinusoid_row);
      add_scaled(by_through, slopes[j], sinusoid_row, width_);
    }
    for (int i = 0; i < dim_; ++i) {
      const std::size_t at = std::size_t(query.head * dim_ + i) * width_;
      float product;
      dot_products(values(2) + at, by_through, &product, 1, 1, width_);
      row_slopes[dim_ + i] += product;
      add_scaled(training->gradient(2) + at, row[i], by_through, width_);
    }
  }

  void expand_backward(const RelativeSlope& of) override {
    if (of.is_key) return;
    double *u = offset_slopes_.data() + of.head * dim_, *v = u + heads_ * dim_;
    for (int i = 0; i < dim_; ++i) {
      u[i] += double(of.slopes[i]);
      v[i] += double(of.slopes[dim_ + i]);
      of.slopes[i] += of.slopes[dim_ + i];
    }
  }

 private:
  const float* values(std::size_t parameter) const { return encoding_.parameters[parameter].values.data(); }
  // Rows are ordered by query - key. Masked keys beyond the first distance share the first row.
  DistanceTable table(int head) const {
    const int farthest = int(std::min(limit_, kFarthest));
    return {kept_->row_at(head, 0), -stride_, dim_, -farthest, int(-first_)};
  }

  double clamped(double distance) const { return std::min(std::max(distance, -limit_), limit_); }

  /// row = [sin … | cos …] of a distance.
  void sinusoid(double distance, float* row) { projection().sinusoid(distance, row); }
  Projection projection() { return {values(2), dim_, heads_, width_, sinusoids_}; }

  bool make_row() {
    through_ = Buffer(2.0 * double(width_));
    return bool(through_);
  }

  // Extends the rows of earlier calls; a call that needs more than is kept uses its own.
  bool find_rows(bool is_kept) {
    constexpr double kFew = 4194304;  // products: some milliseconds
    const bool exact = product({count_, double(heads_ * dim_), double(width_)}) <= kFew;
    kept_ = !is_kept ? &own_ : exact ? &cache_.exact : &cache_.usual;
    return kept_->find(projection(), encoding_.parameters[2].fingerprint(), first_, count_, exact);
  }

  void add_directly(const float* row, const RelativeQuery& query, const RelativeKeys& keys, float* scores) {
    float *through = through_.data(), *sinusoid_row = through + width_;
    std::fill_n(through, width_, 0.0f);
    const float* projection = values(2) + std::size_t(query.head * dim_) * width_;
    for (int i = 0; i < dim_; ++i) add_scaled(through, row[i], projection + std::size_t(i) * width_, width_);
    for (int j = 0; j < keys.count; ++j) {
      float product;
      sinusoid(clamped(query.position - keys.positions[j]), sinusoid_row);
      dot_products(through, sinusoid_row, &product, 1, 1, width_);
      scores[j] += product;
    }
  }

  const Relative& encoding_;
  Sinusoids& sinusoids_;
  TransformerXlCache& cache_;
  int dim_, heads_;
  double limit_, first_ = 0, count_ = 0;
  std::size_t width_;
  /// Floats from a row of a distance to the next.
  std::ptrdiff_t stride_;
  bool has_rows_ = false;
  ProjectedRows own_, *kept_ = nullptr;
  /// The projected query, and a sinusoid; the gradients of the call's rows [heads][count][stride], or of that query.
  Buffer through_ = nullptr, slopes_ = nullptr;
  /// The gradients of u and v [2][heads][dim], sums over all queries.
  Array<double> offset_slopes_ = nullptr;
};

class TransformerXlRelative final : public Relative {
 public:
  explicit TransformerXlRelative(const TransformerXl& spec)
      : Relative(spec.dim),
        spec_(spec),
        sinusoids_{values_of(RotaryCommon{.dim = int(spec.width()), .base = spec.base}.inverse())} {
    heads = spec.heads;
    query_width = 2 * dim;
  }

  Begun begin(const RelativeRequest& request) const override {
    auto* own = request.workspace.of<TransformerXlCache>(*this);
    auto call = own ? std::make_unique<TransformerXlCall>(*this, spec_, *own) : nullptr;
    if (!call || !call->prepare(request))
      return Error{Code::out_of_memory, "", "transformer-xl: out of memory for sinusoids"};
    return std::unique_ptr<RelativeCall>(std::move(call));
  }
  std::unique_ptr<Cache> make_cache() const override {
    auto cache = std::make_unique<TransformerXlCache>();
    cache->sinusoids = make_sinusoids_cache({&sinusoids_, 1});
    return cache->sinusoids ? std::move(cache) : nullptr;
  }

 private:
  TransformerXl spec_;
  SinusoidSet sinusoids_;
};

}  // namespace

std::unique_ptr<Relative> TransformerXl::make() const { return std::make_unique<TransformerXlRelative>(*this); }

}  // namespace posenc
