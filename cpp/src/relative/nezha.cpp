#include "posenc/relative/nezha.hpp"

#include "posenc/core/sinusoids_cache.hpp"
#include "posenc/math/powers.hpp"
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
        sinusoids_{values_of(powers(1 / Number(spec.base), (spec.dim + 1) / 2, spec.dim))} {
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
    const auto cache = made ? make_sinusoids_cache({&sinusoids_, 1}) : nullptr;
    if (!cache) return false;
    auto& own = static_cast<SinusoidsCache&>(*cache);
    float* out = made.data();
    for (double position = 0; position < count; ++position, out += dim) {
      own.sinusoids[0]->interleaved_row(position, own.row.data());
      std::copy_n(own.row.data(), dim - dim % 2, out);
      if (dim % 2) out[dim - 1] = 0;
    }
    rows = std::move(made);
    return true;
  }

  int most_;
  SinusoidSet sinusoids_;
};

}  // namespace

std::unique_ptr<Relative> Nezha::make() const { return std::make_unique<NezhaRelative>(*this); }

}  // namespace posenc
