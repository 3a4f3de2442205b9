#include "posenc/relative/path.hpp"

#include "kernels/tiles.hpp"
#include "relative/gate_sums.hpp"

namespace posenc {

namespace {

using namespace tiles;

// Maximum queries of a chunk if gradients are wanted.
constexpr int kQueriesKept = 64;

// Sums in several lanes, so that the compiler can vectorize.
template <class A, class B>
double wide_dot(const A* a, const B* b, int count) {
  double lanes[4]{};
  int i = 0;
  for (; i + 4 <= count; i += 4)
    for (int lane = 0; lane < 4; ++lane) lanes[lane] += double(a[i + lane]) * double(b[i + lane]);
  double sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (; i < count; ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

template <class A, class B>
void add_wide(A* to, double factor, const B* row, int count) {
  for (int i = 0; i < count; ++i) to[i] = A(double(to[i]) + factor * double(row[i]));
}

// A query starts at its own token and is reflected by each token on the way to the first one, so tiles come in falling
// order. A gradient's second pass, in rising order, propagates the gradient of the query at each key. Reflections
// cannot be inverted (with β = 1 a direction is lost), so it starts from the query at each tile, kept by the first
// pass.
class PathCall final : public RelativeCall {
 public:
  PathCall(int dim, const RelativeRequest& request)
      : request_(request),
        dim_(dim),
        group_(request.key_heads > 0 ? request.query_heads / request.key_heads : 1),
        keeps_(request.wanted == RelativeRequest::Wanted::gradients),
        directions_(request, request.tokens, TokenInput::directions, request.key_heads, dim),
        strengths_(request, request.tokens, TokenInput::strengths, request.key_heads, 1),
        direction_slopes_(request, request.token_gradients, TokenInput::directions, request.key_heads, dim),
        strength_slopes_(request, request.token_gradients, TokenInput::strengths, request.key_heads, 1),
        gates_(request, 1),
        rows_({double(kKeys), double(dim)}),
        kept_({keeps_ ? std::ceil(double(request.key_count) / kKeys) : 0.0, kQueriesKept, double(dim)}) {}

  Error check() const {
    if (!rows_ || !kept_) return {Code::out_of_memory, "", "path: out of memory for rows"};
    return gates_.check();
  }

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    const int last = last_of(query, keys);
    if (last < 0) return;
    double* row = begin(query, keys, last);
    for (int j = last; j >= 0; --j) {
      scores[j] = float(wide_dot(row, keys.rows + j * keys.stride, dim_) + gate_between(query, keys.first + j));
      reflect(query, keys.first + j, row);
    }
  }

  void add_backward(const RelativeQuery& query, const RelativeKeys& keys, const float*, float* slopes,
                    float* row_slopes) override {
    const int last = last_of(query, keys);
    if (last < 0) return;
    double* row = begin(query, keys, last);
    for (int j = last; j >= 0; --j) {
      std::copy_n(row, dim_, rows_.data() + j * dim_);
      reflect(query, keys.first + j, row);
    }
    double* slope = query.carry + dim_;
    for (int j = 0; j <= last; ++j) {
      const double* here = rows_.data() + j * dim_;
      reflect_backward(query, keys.first + j, here, slope);
      const double by_score = double(slopes[j]);
      slopes[j] = 0;
      if (by_score == 0) continue;
      add_wide(slope, by_score, keys.rows + j * keys.stride, dim_);
      add_wide(keys.row_gradients + j * keys.stride, by_score, here, dim_);
      add_gate_slope(query, keys.first + j, by_score);
    }
    if (keys.first + last == request_.token_index(query)) add_wide(row_slopes, 1, slope, dim_);
  }

  void finish_backward() override { gates_.finish(); }

 private:
  /// The last of the keys that is not after the query; negative if there is none.
  int last_of(const RelativeQuery& query, const RelativeKeys& keys) const {
    return std::min(keys.count - 1, request_.token_index(query) - keys.first);
  }

  /// The query's state at key `last` of these.
  double* begin(const RelativeQuery& query, const RelativeKeys& keys, int last) {
    double* row = query.carry;
    double* kept =
        keeps_ ? kept_.data() + (std::ptrdiff_t(keys.first / kKeys) * kQueriesKept + query.index % kQueriesKept) * dim_
               : nullptr;
    if (keys.first + last == request_.token_index(query))
      std::copy_n(query.row, dim_, row);
    else if (kept && keys.order == KeyOrder::rising)
      std::copy_n(kept, dim_, row);
    if (kept && keys.order == KeyOrder::falling) std::copy_n(row, dim_, kept);
    return row;
  }

  int key_head(const RelativeQuery& query) const { return query.head / group_; }

  void reflect(const RelativeQuery& query, int token, double* row) const {
    const float* direction = directions_.at(query.batch, key_head(query), token);
    const double strength = double(*strengths_.at(query.batch, key_head(query), token));
    if (strength != 0) add_wide(row, -strength * wide_dot(row, direction, dim_), direction, dim_);
  }

  // `row` is the query before the reflection. Converts `slope` from the gradient after it to that of `row`.
  void reflect_backward(const RelativeQuery& query, int token, const double* row, double* slope) {
    const float* direction = directions_.at(query.batch, key_head(query), token);
    const double strength = double(*strengths_.at(query.batch, key_head(query), token));
    const double along = wide_dot(row, direction, dim_), slope_along = wide_dot(slope, direction, dim_);
    if (strength_slopes_) *strength_slopes_.at(query.batch, key_head(query), token) -= float(along * slope_along);
    if (direction_slopes_) {
      float* slopes = direction_slopes_.at(query.batch, key_head(query), token);
      add_wide(slopes, -strength * along, slope, dim_);
      add_wide(slopes, -strength * slope_along, row, dim_);
    }
    add_wide(slope, -strength * slope_along, direction, dim_);
  }

  double gate_between(const RelativeQuery& query, int token) const {
    if (!gates_.are_given()) return 0;
    const double* sums = gates_.row(query);
    return sums[request_.token_index(query)] - sums[token];
  }
  void add_gate_slope(const RelativeQuery& query, int token, double by_score) {
    if (!gates_.wants_slopes()) return;
    double* slopes = gates_.slopes(query);
    slopes[request_.token_index(query)] += by_score;
    slopes[token] -= by_score;
  }

  RelativeRequest request_;
  int dim_, group_;
  bool keeps_;
  TokenRows directions_, strengths_, direction_slopes_, strength_slopes_;
  GateSums gates_;
  /// The query at each key of a tile; the chunk's queries at the start of each tile.
  Array<double> rows_, kept_;
};

class PathRelative final : public Relative {
 public:
  explicit PathRelative(const Path& spec) : Relative(spec.dim) {
    // The query, and the gradient of it.
    carried = 2 * dim;
    token_widths = {1, 1, 1};
    may_lack_gates = true;
  }

  Begun begin(const RelativeRequest& request) const override {
    auto call = std::make_unique<PathCall>(dim, request);
    if (Error error = call->check()) return error;
    return std::unique_ptr<RelativeCall>(std::move(call));
  }
};

}  // namespace

std::unique_ptr<Relative> Path::make() const { return std::make_unique<PathRelative>(*this); }

}  // namespace posenc
