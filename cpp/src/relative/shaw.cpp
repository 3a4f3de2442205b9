#include "posenc/relative/shaw.hpp"

#include "relative/tables.hpp"

namespace posenc {

namespace {

class ShawRelative final : public Relative {
 public:
  explicit ShawRelative(const Shaw& spec) : Relative(spec.dim), left_(spec.left()), right_(spec.right()) {
    if (spec.with_values) value_dim = dim;
  }

  Begun begin(const RelativeRequest&) const override { return begun<DistanceVectors>(table(0), table(1), true); }
  bool has_buckets() const override { return true; }
  double bucket(double distance) const override { return nearest_within(distance, -left_, right_) + left_; }

 private:
  DistanceTable table(std::size_t parameter) const {
    const std::vector<float>& rows = parameters[parameter].values;
    // Without vectors for the values the parameter has no rows.
    const float* origin = rows.empty() ? nullptr : rows.data() + std::ptrdiff_t(left_) * dim;
    return {origin, dim, dim, -left_, right_};
  }

  int left_, right_;
};

}  // namespace

std::unique_ptr<Relative> Shaw::make() const { return std::make_unique<ShawRelative>(*this); }

}  // namespace posenc
