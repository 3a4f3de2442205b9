#include "posenc/relative/relative.hpp"

#include "posenc/kernels/kernels.hpp"
#include "posenc/relative/shaw.hpp"
#include "relative/tables.hpp"

namespace posenc {

Error Relative::buckets(std::span<const double> distances, std::int32_t* out) const {
  if (!has_buckets()) return {Code::unsupported, "bucketOf", "bucketOf: this kind has no buckets"};
  if (Error error = check_apart({{"out", std::span(out, distances.size())}}, {{"distances", distances}}, this))
    return error;
  for (double distance : distances) {
    if (!std::isfinite(distance))
      return error_at(Code::invalid_argument, "distances", "must be finite, got %", distance);
    if (std::abs(distance) > 2 * kMaxPosition)
      return error_at(Code::out_of_range, "distances", "must lie within ±2^49, got %", distance);
    const double found = bucket(distance);
    *out++ = std::int32_t(std::clamp(found, -2147483648.0, 2147483647.0));
  }
  return {};
}

Error relative_shift(const View& x, bool zero_wrapped, const View& out) {
  if (x.shape.rank < 2) return error_at(Code::shape_mismatch, "x", "must have 2 dims or more, got %", x.shape);
  if (Error error = check_view(x, "x")) return error;
  Shape expected = x.shape;
  double& keys = expected.dims[std::size_t(x.shape.rank - 1)];
  keys = std::min(keys, out.shape.rank ? out.shape[-1] : 0.0);
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"x", x}})) return error;
  // The original pads each row by a zero in front, drops as many numbers as there are rows, and reads rows anew.
  if (out.length == 0) return {};
  const int queries = int(x.shape[-2]), columns = int(x.shape[-1]), pad = int(keys) == columns, row = columns + pad;
  const float* source = x.data;
  float *target = out.data, *const end = target + std::ptrdiff_t(out.length);
  for (int i = 0; target < end; i = (i + 1) % queries) {
    if (i == 0 && target > out.data) source += std::ptrdiff_t(queries) * columns;
    for (int j = 0; j < int(keys); ++j) {
      const std::ptrdiff_t at = queries + std::ptrdiff_t(i) * (row - 1) + j, line = at / row, column = at % row - pad;
      *target++ = column < 0 || (zero_wrapped && line > i) ? 0.0f : source[line * columns + column];
    }
  }
  return {};
}

Error Relative::expanded(const View& x, bool is_key, HeadLayout layout, const Positions& positions, const View& out) {
  if (key_width == dim) return {Code::unsupported, "expand", "expand: rows of this kind do not change"};
  if (Error error = check_view(x, "x")) return error;
  const HeadShape from = x.shape.rank == 4 ? head_shape(x.shape, layout) : HeadShape{};
  const bool has_heads = heads && is_key == keys_have_heads;
  if (x.shape.rank != 4 || from.dim != dim || (has_heads && from.heads != heads))
    return has_heads ? error_at(Code::shape_mismatch, "x", "must have 4 dims, the last %, and heads %, got %", dim,
                                heads, x.shape)
                     : error_at(Code::shape_mismatch, "x", "must have 4 dims, the last %, got %", dim, x.shape);
  if (Error error = positions.check(from.positions, from.batch)) return error;
  Shape expected = x.shape;
  expected.dims[3] = is_key ? key_width : query_width;
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"x", x}, {"positions", positions}}, this)) return error;
  if (Error error = prepare({positions, positions, from.positions, from.positions, from.positions})) return error;
  const HeadShape to = head_shape(out.shape, layout);
  for (int b = 0; b < from.batch; ++b)
    for (int h = 0; h < from.heads; ++h)
      for (int t = 0; t < from.positions; ++t) {
        const auto at = [&](const HeadStrides& s) { return b * s.batch + h * s.head + t * s.position; };
        float* row = std::copy_n(x.data + at(from.strides), dim, out.data + at(to.strides)) - dim;
        expand(is_key, h, positions[positions.row_start(std::size_t(b), std::size_t(from.positions)) + std::size_t(t)],
               row);
      }
  return {};
}

void DistanceTable::add_products(const RelativeKeys& keys, double place, const float* row, float* scores) const {
  float products[tiles::kKeys];
  for_each_run(keys, place, [&](int key, int count, const float* rows, std::ptrdiff_t step) {
    dot_rows(row, rows, step, std::size_t(step ? count : 1), std::size_t(dim), products);
    if (step) return posenc::add(scores + key, products, std::size_t(count));
    for (int j = key; j < key + count; ++j) scores[j] += products[0];
  });
}

double DistanceTable::product(double key, double place, const float* row) const {
  return exact_dot(row, origin + nearest_within(key - place, low, high) * stride, std::size_t(dim));
}

void DistanceTable::scatter(const RelativeKeys& keys, double place, const float* row, const float* slopes,
                            float* row_slopes, float* table_slopes) const {
  for_each_run(keys, place, [&](int key, int count, const float* rows, std::ptrdiff_t step) {
    for (int j = 0; j < count; rows += step) {
      float sum = slopes[key + j];
      while (++j < count && step == 0) sum += slopes[key + j];
      if (sum != 0) scatter_row(row, rows, std::size_t(dim), sum, row_slopes, table_slopes + (rows - origin));
    }
  });
}

void scatter_row(const float* row, const float* other, std::size_t dim, float slope, float* row_slopes,
                 float* other_slopes) {
  if (row_slopes) add_scaled(row_slopes, slope, other, dim);
  add_scaled(other_slopes, slope, row, dim);
}

namespace {

class ShawRelative final : public Relative {
 public:
  explicit ShawRelative(const Shaw& spec) : Relative(spec.dim), left_(spec.left()), right_(spec.right()) {
    if (spec.with_values) value_dim = dim;
  }

  bool has_buckets() const override { return true; }
  double bucket(double distance) const override { return nearest_within(distance, -left_, right_) + left_; }

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    table(0).add_products(keys, query.place, query.row, scores);
  }

  double addition(const RelativeQuery& query, const RelativeKeys& key) override {
    return table(0).product(key.places[0], query.place, query.row);
  }

  void add_values(const RelativeQuery& query, const RelativeKeys& keys, const float* weights, float* sums) override {
    table(1).for_each_run(keys, query.place, [&](int key, int count, const float* rows, std::ptrdiff_t step) {
      if (step) return tiles::add_weighted(weights + key, rows, step, count, dim, sums);
      float weight = 0;
      for (int j = key; j < key + count; ++j) weight += weights[j];
      add_scaled(sums, weight, rows, std::size_t(dim));
    });
  }

  void add_backward(const RelativeQuery& query, const RelativeKeys& keys, const float*, float* slopes,
                    float* row_slopes) override {
    table(0).scatter(keys, query.place, query.row, slopes, row_slopes, gradient(0) + std::ptrdiff_t(left_) * dim);
  }

  void add_values_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* out_slopes,
                           float* weight_slopes) override {
    table(1).add_products(keys, query.place, out_slopes, weight_slopes);
  }

  void scatter_values(const RelativeQuery& query, const RelativeKeys& keys, const float* weights,
                      const float* out_slopes) override {
    table(1).scatter(keys, query.place, out_slopes, weights, nullptr, gradient(1) + std::ptrdiff_t(left_) * dim);
  }

 private:
  DistanceTable table(std::size_t parameter) const {
    return {parameters[parameter].values.data() + std::ptrdiff_t(left_) * dim, dim, dim, -left_, right_};
  }

  int left_, right_;
};

}  // namespace

std::unique_ptr<Relative> Shaw::make() const { return std::make_unique<ShawRelative>(*this); }

}  // namespace posenc
