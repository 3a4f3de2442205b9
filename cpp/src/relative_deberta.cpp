#include "posenc/kernels.hpp"
#include "posenc/real.hpp"
#include "posenc/relative/deberta.hpp"
#include "relative_tables.hpp"

namespace posenc {

double Deberta::bucket(double relative) const {
  const double nearest = std::floor(relative + 0.5), middle = buckets / 2;
  double distance = std::abs(nearest);
  if (clamp_distance) distance = std::min(distance, max_distance - 1.0);
  if (buckets && distance > middle) {
    const Real part = log(Real(distance) / Real(middle)) / log(Real(max_distance - 1.0) / Real(middle));
    const Real steps = part * Real(middle - 1), near = floor(steps + Real(0.5)), off = steps - near;
    // What is this close to a whole number is one: powers of whole numbers would differ by more.
    const bool whole = off < Real(1e-20) && Real(-1e-20) < off;
    distance = double(whole ? near : ceil(steps)) + middle;
  }
  return nearest < 0 ? -distance : distance;
}

namespace {

class DebertaRelative final : public Relative {
 public:
  explicit DebertaRelative(const Deberta& spec) : Relative(spec.dim), spec_(spec), rows_(2 * spec.span()) {
    heads = spec.heads;
    terms = 1 + int(spec.content_to_position) + int(spec.position_to_content);
    // Beyond maxDistance all keys share the last row.
    const double low = 0, high = rows_ - 1.0;
    for (int d = -spec.max_distance; d <= spec.max_distance; ++d)
      index_.push_back(int(std::clamp(spec.bucket(d) + spec.span(), low, high)));
  }

  bool has_buckets() const override { return true; }
  double bucket(double distance) const override { return spec_.bucket(-distance); }

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    int index[tiles::kKeys];
    const double limit = spec_.max_distance;
    for (int j = 0; j < keys.count; ++j)
      index[j] = index_[std::size_t(nearest_within(query.place - keys.places[j], -limit, limit) + spec_.max_distance)];
    const std::ptrdiff_t head = std::ptrdiff_t(query.head) * rows_ * dim;
    if (spec_.content_to_position)
      add_indexed(query.row, parameters[0].values.data() + head, dim, dim, index, keys.count, scores);
    if (!spec_.position_to_content) return;
    const float* table = parameters[1].values.data() + head;
    for (int j = 0; j < keys.count; ++j) {
      float product;
      dot_products(keys.rows + j * keys.stride, table + std::ptrdiff_t(index[j]) * dim, &product, 1, 1,
                   std::size_t(dim));
      scores[j] += product;
    }
  }

 private:
  Deberta spec_;
  int rows_;
  std::vector<int> index_;
};

}  // namespace

std::unique_ptr<Relative> Deberta::make() const { return std::make_unique<DebertaRelative>(*this); }

}  // namespace posenc
