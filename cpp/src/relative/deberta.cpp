#include "posenc/relative/deberta.hpp"

#include "posenc/kernels/kernels.hpp"
#include "posenc/math/real.hpp"
#include "relative/tables.hpp"

namespace posenc {

namespace {

/// ⌈ln(distance / middle) / ln(farthest / middle) · (middle - 1)⌉; rounds values very close to an integer to it.
double logarithmic_steps(double distance, double farthest, double middle) {
  const double range = quick_log(farthest / middle), quick = quick_log(distance / middle) / range * (middle - 1);
  // Farther than this from an integer, rounding does not change the result.
  const double doubt = 1e-14 * (1 + quick) * (1 + 1 / range), above = quick - std::floor(quick);
  if (above > doubt && 1 - above > doubt) return std::ceil(quick);
  const Real part = log(Real(distance) / Real(middle)) / log(Real(farthest) / Real(middle));
  const Real steps = part * Real(middle - 1), near = floor(steps + Real(0.5)), off = steps - near;
  // A value this close to an integer is that integer: otherwise powers of integers would differ by more.
  const bool whole = off < Real(1e-20) && Real(-1e-20) < off;
  return double(whole ? near : ceil(steps));
}

}  // namespace

double Deberta::bucket(double relative) const {
  const double nearest = std::floor(relative + 0.5), middle = buckets / 2;
  double distance = std::abs(nearest);
  if (clamp_distance) distance = std::min(distance, max_distance - 1.0);
  if (buckets && distance > middle) distance = logarithmic_steps(distance, max_distance - 1.0, middle) + middle;
  return nearest < 0 ? -distance : distance;
}

namespace {

// Indices of rows by key - query, a tile beyond maxDistance; farther keys share the last row.
struct DebertaRows {
  explicit DebertaRows(const Deberta& spec) : count(2 * spec.span()), farthest(spec.max_distance + tiles::kKeys) {
    const double low = 0, high = count - 1.0;
    for (int d = -farthest; d <= farthest; ++d) {
      const int within = std::clamp(-d, -spec.max_distance, spec.max_distance);
      rows.push_back(int(std::clamp(spec.bucket(within) + spec.span(), low, high)));
    }
  }
  /// Index into `rows` for a query and a key.
  int index_of(double query, double key) const { return farthest - nearest_within(query - key, -farthest, farthest); }

  int count, farthest;
  std::vector<int> rows;
};

class DebertaCall final : public RelativeCall {
 public:
  DebertaCall(const Relative& encoding, const Deberta& spec, const DebertaRows& rows)
      : encoding_(encoding), spec_(spec), rows_(rows), dim_(std::size_t(spec.dim)) {}

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    const int together = keys.consecutive ? keys.count : 1;
    for (int key = 0; key < keys.count; key += together) {
      const int index = rows_.index_of(query.position, keys.positions[key]);
      add_run(query, keys.rows + key * keys.stride, keys.stride,
              rows_.rows.data() + std::min(index, int(rows_.rows.size()) - together), together, scores + key);
    }
  }

  void add_backward(const RelativeQuery& query, const RelativeKeys& keys, const float*, float* slopes,
                    float* row_slopes) override {
    for (int j = 0; j < keys.count; ++j) {
      if (slopes[j] == 0) continue;
      const int index = rows_.index_of(query.position, keys.positions[j]);
      const std::ptrdiff_t row = start_of(query.head) + std::ptrdiff_t(rows_.rows[std::size_t(index)]) * spec_.dim;
      const std::ptrdiff_t key = j * keys.stride;
      if (spec_.content_to_position)
        scatter_row(query.row, values(0) + row, dim_, slopes[j], row_slopes, training->gradient(0) + row);
      if (spec_.position_to_content)
        scatter_row(keys.rows + key, values(1) + row, dim_, slopes[j], keys.row_gradients + key,
                    training->gradient(1) + row);
    }
  }

 private:
  const float* values(std::size_t parameter) const { return encoding_.parameters[parameter].values.data(); }
  std::ptrdiff_t start_of(int head) const { return std::ptrdiff_t(head) * rows_.count * spec_.dim; }

  // index [count]: rows of consecutive keys, in non-increasing order.
  void add_run(const RelativeQuery& query, const float* keys, std::ptrdiff_t stride, const int* index, int count,
               float* scores) const {
    const std::size_t keys_together = std::size_t(count);
    float products[tiles::kKeys];
    if (spec_.content_to_position) {
      const float* table = values(0) + start_of(query.head);
      const int last = index[count - 1], rows = index[0] - last + 1;
      const bool by_rows = rows <= count;
      if (by_rows)
        dot_rows(query.row, table + std::ptrdiff_t(last) * spec_.dim, spec_.dim, std::size_t(rows), dim_, products);
      else
        dot_pairs(query.row, 0, table, index, keys_together, dim_, products);
      for (int j = 0; j < count; ++j) scores[j] += products[by_rows ? index[j] - last : j];
    }
    if (!spec_.position_to_content) return;
    dot_pairs(keys, stride, values(1) + start_of(query.head), index, keys_together, dim_, products);
    posenc::add(scores, products, keys_together);
  }

  const Relative& encoding_;
  const Deberta& spec_;
  const DebertaRows& rows_;
  std::size_t dim_;
};

class DebertaRelative final : public Relative {
 public:
  explicit DebertaRelative(const Deberta& spec) : Relative(spec.dim), spec_(spec), rows_(spec) {
    heads = spec.heads;
    terms = 1 + int(spec.content_to_position) + int(spec.position_to_content);
  }

  Begun begin(const RelativeRequest&) const override { return begun<DebertaCall>(*this, spec_, rows_); }
  bool has_buckets() const override { return true; }
  double bucket(double distance) const override { return spec_.bucket(-distance); }

 private:
  Deberta spec_;
  DebertaRows rows_;
};

}  // namespace

std::unique_ptr<Relative> Deberta::make() const { return std::make_unique<DebertaRelative>(*this); }

}  // namespace posenc
