#include "posenc/relative/transformer_xl.hpp"

#include "posenc/core/memory.hpp"
#include "posenc/core/waves_cache.hpp"
#include "posenc/kernels/kernels.hpp"
#include "relative/tables.hpp"

namespace posenc {

namespace {

using namespace tiles;

constexpr double kFarthest = 1e9;
/// How many floats of projected sinusoids are kept for the calls to come.
constexpr double kMostKept = 8388608;

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

// Projected sinusoids of whole distances, from one call to the next: rows [heads][capacity][dim, rounded up] of those
// from `first` on.
struct ProjectedRows {
  Buffer rows = nullptr;
  std::uint64_t made_of = 0;
  double first = 0;
  std::ptrdiff_t count = 0, capacity = 0;
};

struct TransformerXlCache final : Cache {
  std::unique_ptr<Cache> waves;
  /// Those of calls so small that all else in them is exact, and others.
  ProjectedRows exact, usual;
};

// Rows of a call's distances are kept; where these are fractions, lie far apart or are too many for few queries, the
// query goes through the projection instead, and meets the sinusoid of each key's distance.
class TransformerXlCall final : public RelativeCall {
 public:
  TransformerXlCall(const Relative& encoding, const TransformerXl& spec, TransformerXlCache& cache)
      : encoding_(encoding),
        waves_(*static_cast<WavesCache&>(*cache.waves).waves[0]),
        cache_(cache),
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
    const bool near = std::max(-first_, first_ + count) <= kFarthest, is_kept = floats_of(count) <= kMostKept;
    // To project as many sinusoids takes longer than to meet them.
    const bool few =
        !is_kept && request.query_count * 8.0 < dim_ && request.wanted != RelativeRequest::Wanted::gradients;
    has_rows_ = queries.whole && keys.whole && limit_ == std::floor(limit_) && near && !few && count >= 1 &&
                count <= 1024 + 4.0 * (request.query_count + request.key_count);
    if (!(has_rows_ ? find_rows(is_kept) : make_row())) return false;
    if (request.wanted != RelativeRequest::Wanted::gradients) return true;
    slopes_ = has_rows_ ? Buffer({count, double(stride_), double(heads_)}) : Buffer(double(width_));
    return bool(slopes_);
  }

  // From the gradients of the projected sinusoids to that of the projection.
  void finish_backward() override {
    Buffer wave{double(width_)};
    for (double d = 0; has_rows_ && wave && d < count_; ++d) {
      sinusoid(first_ + d, wave.data());
      for (int head = 0; head < heads_; ++head)
        for (int i = 0; i < dim_; ++i) {
          const float slope = slopes_.data()[(head * std::ptrdiff_t(count_) + std::ptrdiff_t(d)) * stride_ + i];
          if (slope != 0)
            add_scaled(training->gradient(2) + std::size_t(head * dim_ + i) * width_, slope, wave.data(), width_);
        }
    }
  }

  void expand(bool is_key, int head, std::span<const double> positions, float* row, std::ptrdiff_t stride) override {
    const float *u = values(0) + head * dim_, *v = values(1) + head * dim_;
    for (std::size_t t = 0; !is_key && t < positions.size(); ++t, row += stride)
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
    float *wave = through_.data() + width_, *by_through = slopes_.data();
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
  // Rows go by query - key, those of keys that nobody sees by the first.
  DistanceTable table(int head) const {
    const int farthest = int(std::min(limit_, kFarthest));
    return {row_at(head, 0), -stride_, dim_, -farthest, int(-first_)};
  }

  double clamped(double distance) const { return std::min(std::max(distance, -limit_), limit_); }

  /// row = [sin … | cos …] of a distance.
  void sinusoid(double distance, float* row) { waves_.row(distance, 1, 1, row + width_ / 2, row); }

  bool make_row() {
    through_ = Buffer(2.0 * double(width_));
    return bool(through_);
  }

  double floats_of(double count) const { return product({count, double(tiles::round_up(dim_)), double(heads_)}); }

  // Those of before, with what they lack; a call that asks for more than is kept has its own.
  bool find_rows(bool is_kept) {
    constexpr double kFew = 4194304;  // products: some milliseconds
    stride_ = round_up(dim_);
    const bool exact = product({count_, double(heads_ * dim_), double(width_)}) <= kFew;
    kept_ = !is_kept ? &own_ : exact ? &cache_.exact : &cache_.usual;
    ProjectedRows& kept = *kept_;
    const std::uint64_t made_of = encoding_.parameters[2].fingerprint();
    if (std::exchange(kept.made_of, made_of) != made_of) kept.count = 0;
    const double last = first_ + count_, kept_last = kept.first + double(kept.count);
    if (kept.count && first_ >= kept.first && last <= kept_last) return true;
    const double least = std::min(first_, kept.first), most = std::max(last, kept_last);
    const bool joins = kept.count && first_ <= kept_last && last >= kept.first && floats_of(most - least) <= kMostKept;
    if (!joins) kept.count = 0;
    // A growing cache asks for one more each time: the next ones cost little beside it.
    const double from = joins ? least : first_, to = !joins ? last : last > kept_last && !exact ? last + 60 : most;
    const double known = kept.count ? kept.first : to, known_end = kept.count ? kept_last : to;
    const bool stays = to - from + kQueries <= double(kept.capacity) && (!joins || from == kept.first);
    bool made = stays || make_room(kept, from, to - from);
    kept.first = from;
    made = made && project(from, known, exact) && project(known_end, to, exact);
    kept.count = made ? std::ptrdiff_t(to - from) : 0;
    return made;
  }

  // What is known already stays at its distances. Blocks may write a few rows beyond the last.
  bool make_room(ProjectedRows& kept, double from, double count) const {
    const double room = count + kQueries + (kept.count ? std::floor(count / 4) : 0);
    if (!kept.count) kept.rows = nullptr;
    Buffer larger({room, double(stride_), double(heads_)});
    if (!larger) return false;
    for (std::ptrdiff_t head = 0; kept.count && head < heads_; ++head)
      std::copy_n(kept.rows.data() + head * kept.capacity * stride_, kept.count * stride_,
                  larger.data() + (head * std::ptrdiff_t(room) + std::ptrdiff_t(kept.first - from)) * stride_);
    kept.rows = std::move(larger);
    kept.capacity = std::ptrdiff_t(room);
    return true;
  }

  float* row_at(int head, double distance) const {
    return kept_->rows.data() + (head * kept_->capacity + std::ptrdiff_t(distance - kept_->first)) * stride_;
  }

  // Rows of the distances before `to` = sinusoids · projection transposed
  bool project(double from, double to, bool exact) {
    if (from >= to) return true;
    if (exact) return project_exactly(from, to);
    constexpr int kTogether = 64;  // what stays in cache while all panels pass
    const std::ptrdiff_t width = std::ptrdiff_t(width_);
    const int depth = int(width);
    const std::ptrdiff_t row = round_up_depth(depth);
    Buffer panels({double(width_), double(stride_), double(heads_)}), waves({double(width_), kQueries});
    Buffer blocks({double(row), kTogether});
    if (!panels || !waves || !blocks) return false;
    for (int head = 0; head < heads_; ++head)
      pack_keys(values(2) + head * dim_ * width, width, dim_, depth, panels.data() + head * stride_ * width);
    for (double d = from; d < to; d += kTogether) {
      const int some = int(std::min<double>(kTogether, to - d));
      for (int block = 0; block < some; block += kQueries) {
        for (int r = 0; r < kQueries; ++r) sinusoid(d + block + r, waves.data() + r * width);
        pack_queries(waves.data(), width, kQueries, depth, blocks.data() + block * row);
      }
      for (int column = 0; column < heads_ * stride_; column += round_up(1))
        for (int block = 0; block < some; block += kQueries)
          block_product(blocks.data() + block * row, depth, panels.data() + column * width, depth, round_up(1),
                        row_at(int(column / stride_), d + block) + column % stride_, int(stride_), false);
    }
    return true;
  }

  // The same, each rounded once: all else of a call this small is that exact, too.
  bool project_exactly(double from, double to) {
    Buffer wave{double(width_)};
    for (double d = from; wave && d < to; ++d) {
      sinusoid(d, wave.data());
      const float* projection = values(2);
      for (int head = 0; head < heads_; ++head)
        for (int i = 0; i < dim_; ++i, projection += width_)
          row_at(head, d)[i] = float(exact_dot(projection, wave.data(), width_));
    }
    return bool(wave);
  }

  void add_directly(const float* row, const RelativeQuery& query, const RelativeKeys& keys, float* scores) {
    float *through = through_.data(), *wave = through + width_;
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
  TransformerXlCache& cache_;
  int dim_, heads_;
  double limit_, first_ = 0, count_ = 0;
  std::size_t width_;
  std::ptrdiff_t stride_ = 0;
  bool has_rows_ = false;
  ProjectedRows own_, *kept_ = nullptr;
  /// A query that went through the projection, and a sinusoid; the gradients of the call's rows [heads][count][stride],
  /// or of that query.
  Buffer through_ = nullptr, slopes_ = nullptr;
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
    auto* own = request.workspace.of<TransformerXlCache>(*this);
    auto call = own ? std::make_unique<TransformerXlCall>(*this, spec_, *own) : nullptr;
    if (!call || !call->prepare(request))
      return Error{Code::out_of_memory, "", "transformer-xl: out of memory for its sinusoids"};
    return std::unique_ptr<RelativeCall>(std::move(call));
  }
  std::unique_ptr<Cache> make_cache() const override {
    auto cache = std::make_unique<TransformerXlCache>();
    cache->waves = make_waves_cache({&waves_, 1});
    return cache->waves ? std::move(cache) : nullptr;
  }

 private:
  TransformerXl spec_;
  WaveSet waves_;
};

}  // namespace

std::unique_ptr<Relative> TransformerXl::make() const { return std::make_unique<TransformerXlRelative>(*this); }

}  // namespace posenc
