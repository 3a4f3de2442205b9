#include "posenc/relative/nezha.hpp"

#include "posenc/table/sinusoidal.hpp"
#include "relative/tables.hpp"

namespace posenc {

namespace {

// The rows of all distances, from the farthest key before the query on; null until a call needs them.
struct NezhaCache final : Cache {
  Buffer rows = nullptr;
};

class NezhaRelative final : public Relative {
 public:
  explicit NezhaRelative(const Nezha& spec)
      : Relative(spec.dim),
        most_(spec.max_distance),
        sinusoids_(Sinusoidal{.dim = spec.dim, .base = spec.base}.make()) {
    if (spec.with_values) value_dim = dim;
  }

  Begun begin(const RelativeRequest& request) const override {
    auto* own = request.workspace.of<NezhaCache>(*this);
    if (!own || !provide(own->rows)) return no_memory_for_rows();
    const DistanceTable table{own->rows.data() + std::ptrdiff_t(most_) * dim, dim, dim, -most_, most_};
    return begun<DistanceVectors>(table, table, false);
  }
  std::unique_ptr<Cache> make_cache() const override { return std::make_unique<NezhaCache>(); }
  bool has_buckets() const override { return true; }
  double bucket(double distance) const override { return nearest_within(distance, -most_, most_) + most_; }

 private:
  bool provide(Buffer& rows) const {
    if (rows) return true;
    const double count = 2.0 * most_ + 1;
    Buffer made({count, double(dim)});
    auto waves = made ? sinusoids_->make_cache() : nullptr;
    if (!waves) return false;
    const Positions all = Positions::run(0, int(count));
    for (int row = 0; row < int(count); ++row) {
      const double place = row;
      sinusoids_->row(&place, all, made.data() + std::ptrdiff_t(row) * dim, *waves);
    }
    rows = std::move(made);
    return true;
  }

  int most_;
  std::unique_ptr<Table> sinusoids_;
};

}  // namespace

std::unique_ptr<Relative> Nezha::make() const { return std::make_unique<NezhaRelative>(*this); }

}  // namespace posenc
