#include "posenc/relative/pope.hpp"

#include "kernels/tiles.hpp"
#include "posenc/core/sinusoids_cache.hpp"

namespace posenc {

namespace {

// Cosines and sines of positions, cached between calls: all heads and layers share positions.
struct PopeCache final : Cache {
  std::unique_ptr<Cache> sinusoids;
  /// [slots][cosines | sines]; the position of each slot; number of slots - 1.
  Buffer sinusoid_rows = nullptr;
  Array<double> slot_positions = nullptr;
  std::size_t mask = 0;
};

class PopeCall final : public RelativeCall {
 public:
  PopeCall(const Relative& encoding, int rotated_dim, PopeCache& cache, int positions)
      : encoding_(encoding),
        rotated_dim_(rotated_dim),
        half_(tiles::round_up(rotated_dim)),
        sinusoids_(*static_cast<SinusoidsCache&>(*cache.sinusoids).sinusoids[0]),
        cache_(cache),
        phases_({2, double(half_), double(encoding.heads)}) {
    if (!phases_ || !reserve_slots(positions)) return;
    ready_ = true;
    Sinusoids radians(std::vector{Real(1)});
    const std::vector<float>& bias = encoding.parameters[0].values;
    for (std::size_t i = 0; i < bias.size(); ++i) {
      float* phase = phases_.data() + phase_of(int(i) / rotated_dim_) + int(i) % rotated_dim_;
      radians.row(std::min(0.0, std::max(-double(kTwoPi), double(bias[i]))), 1, 1, phase, phase + half_);
      has_phases_ |= bias[i] != 0;
    }
  }
  explicit operator bool() const { return ready_; }

  // Consecutive positions have different slots; other positions may overwrite each other's.
  void expand(const RelativeRows& given) override {
    constexpr std::size_t kTogether = 16;
    const auto& [is_key, batch, head, first, positions, memory, stride] = given;
    float* rows = memory;
    const float* phase = is_key && has_phases_ ? phases_.data() + phase_of(head) : nullptr;
    for (std::size_t i = 0, some; i < positions.size(); i += some, rows += std::ptrdiff_t(some) * stride) {
      const float* sinusoid_rows[kTogether];
      const std::size_t first_slot = std::size_t(std::int64_t(std::floor(positions[i])));
      some = 0;
      do {
        float* row = rows + std::ptrdiff_t(some) * stride;
        if (rotated_dim_ < encoding_.dim)
          std::copy_backward(row + rotated_dim_, row + encoding_.dim, row + encoding_.dim + rotated_dim_);
        sinusoid_rows[some] = sinusoid_row_at((first_slot + some) & cache_.mask, positions[i + some]);
        ++some;
      } while (i + some < positions.size() && some < std::min(kTogether, cache_.mask + 1) &&
               positions[i + some] == positions[i] + double(some));
      tiles::polar_rows(rows, stride, int(some), rotated_dim_, sinusoid_rows, phase);
    }
  }

  // The derivative of the magnitude μ is 1 - e^-μ. Phases outside of their range get no gradient.
  void expand_backward(const RelativeSlope& of) override {
    const std::ptrdiff_t first = std::ptrdiff_t(of.head) * rotated_dim_;
    const float* row = of.made;
    float* slopes = of.slopes;
    const float* phases = encoding_.parameters[0].values.data() + first;
    for (int c = 0; c < rotated_dim_; ++c) {
      const double x = double(row[2 * c]), y = double(row[2 * c + 1]);
      const double by_x = double(slopes[2 * c]), by_y = double(slopes[2 * c + 1]), magnitude = std::sqrt(x * x + y * y);
      if (of.is_key && phases[c] <= 0 && double(phases[c]) >= -double(kTwoPi))
        training->gradient(0)[first + c] += float(by_y * x - by_x * y);
      const double along = magnitude > 0 ? (by_x * x + by_y * y) / magnitude : 0;
      slopes[c] = float(along * (1 - quick_exp(0.0 - magnitude)));
    }
    std::copy_n(slopes + 2 * rotated_dim_, encoding_.dim - rotated_dim_, slopes + rotated_dim_);
  }

 private:
  std::ptrdiff_t phase_of(int head) const { return std::ptrdiff_t(head) * 2 * half_; }

  // Reserves slots for consecutive positions, up to 4 MiB; if out of memory, one slot.
  bool reserve_slots(int positions) {
    constexpr std::size_t kMostFloats = 1048576;
    const std::size_t width = 2 * std::size_t(half_);
    std::size_t slots = 1;
    while (slots < std::size_t(positions) && 2 * slots * width <= kMostFloats) slots *= 2;
    while (!cache_.slot_positions || slots > cache_.mask + 1) {
      Buffer sinusoid_rows({double(slots), double(width)});
      Array<double> slot_positions{double(slots)};
      if (sinusoid_rows && slot_positions) {
        std::fill_n(slot_positions.data(), slots, kInfinity);
        cache_.sinusoid_rows = std::move(sinusoid_rows);
        cache_.slot_positions = std::move(slot_positions);
        cache_.mask = slots - 1;
      } else if (cache_.slot_positions || slots == 1) {
        return bool(cache_.slot_positions);
      } else {
        slots = 1;
      }
    }
    return true;
  }

  const float* sinusoid_row_at(std::size_t slot, double position) {
    float* row = cache_.sinusoid_rows.data() + std::ptrdiff_t(slot) * 2 * half_;
    double& slot_position = cache_.slot_positions.data()[slot];
    if (slot_position != position) sinusoids_.row(slot_position = position, 1, 1, row, row + half_);
    return row;
  }

  const Relative& encoding_;
  int rotated_dim_, half_;
  Sinusoids& sinusoids_;
  PopeCache& cache_;
  /// Cosines and sines of the learned phases of each head.
  Buffer phases_;
  bool has_phases_ = false, ready_ = false;
};

class PopeRelative final : public Relative {
 public:
  explicit PopeRelative(const Pope& spec)
      : Relative(spec.dim),
        rotated_dim_(spec.rotated_dim()),
        // One frequency per feature: those of a rotation of twice as many features.
        sinusoids_{values_of(RotaryCommon{.dim = 2 * rotated_dim_, .base = spec.base}.inverse())} {
    heads = spec.heads;
    keys_have_heads = true;
    query_width = key_width = dim + rotated_dim_;
  }

  Begun begin(const RelativeRequest& request) const override {
    auto* own = request.workspace.of<PopeCache>(*this);
    auto call = own ? std::make_unique<PopeCall>(*this, rotated_dim_, *own, request.key_count) : nullptr;
    if (!call || !*call) return Error{Code::out_of_memory, "", "pope: out of memory for phases"};
    return std::unique_ptr<RelativeCall>(std::move(call));
  }
  std::unique_ptr<Cache> make_cache() const override {
    auto cache = std::make_unique<PopeCache>();
    cache->sinusoids = make_sinusoids_cache({&sinusoids_, 1});
    return cache->sinusoids ? std::move(cache) : nullptr;
  }

 private:
  int rotated_dim_;
  SinusoidSet sinusoids_;
};

}  // namespace

std::unique_ptr<Relative> Pope::make() const { return std::make_unique<PopeRelative>(*this); }

}  // namespace posenc
