// Tables with sinusoidal rows: the columns of the sines and cosines of a set of frequencies.
#pragma once

#include "posenc/core/waves_cache.hpp"
#include "posenc/table/table.hpp"

namespace posenc {

/// Arrangement of the sinusoids of `frequencies` in a row [dim].
struct WaveArrangement {
  enum class Order { sine_cosine, cosine_sine, sine_only };
  int dim = 0;
  Order order = Order::sine_cosine;
  bool interleaved = true;
  /// Number of columns of the first and of the second function (sine or cosine) that are kept; the rest of the row is
  /// 0.
  int first_count = 0, second_count = 0;
  double scale = 1, start = 0;
  /// The row of this position (after `start`, before `scale`) is zero; negative: none.
  double padding_index = -1;
};

class WaveTable final : public Table {
 public:
  WaveTable(const WaveArrangement& arrangement, std::vector<Real> frequencies, WaveSet waves)
      : arrangement_(arrangement), frequencies_(std::move(frequencies)), waves_(std::move(waves)) {
    dim = arrangement.dim;
  }

  std::vector<Real> frequencies() const override {
    if (arrangement_.order == WaveArrangement::Order::sine_only) return {};
    std::vector<Real> scaled = frequencies_;
    for (Real& frequency : scaled) frequency = frequency * Real(arrangement_.scale);
    return scaled;
  }
  bool cosine_first() const override { return arrangement_.order == WaveArrangement::Order::cosine_sine; }
  std::unique_ptr<Cache> make_cache() const override { return make_waves_cache({&waves_, 1}); }

  void row(const double* position, const Positions&, float* out, Cache& cache) const override {
    const WaveArrangement& a = arrangement_;
    Real place{*position, 0};
    if (a.start != 0) place = place + Real(a.start);
    if (a.padding_index >= 0 && place == Real(a.padding_index)) {
      std::fill(out, out + dim, 0.0f);
      return;
    }
    if (a.scale != 1) place = place * Real(a.scale);
    const std::size_t count = waves_.frequencies.size();
    const bool cosine = cosine_first();
    auto& own = static_cast<WavesCache&>(cache);
    if (!cosine && a.interleaved && std::size_t(dim) == 2 * count) return own.waves[0]->woven_row(place, out);
    float *c = own.row.data(), *s = c + count;
    own.waves[0]->row(place, 1, 1, c, s);
    arrange(cosine ? c : s, cosine ? s : c, out);
  }

 private:
  void arrange(const float* first, const float* second, float* out) const {
    const int first_count = arrangement_.first_count, second_count = arrangement_.second_count;
    if (arrangement_.interleaved) {
      for (int k = 0; k < first_count; ++k) out[2 * k] = first[k];
      for (int k = 0; k < second_count; ++k) out[2 * k + 1] = second[k];
    } else {
      std::copy_n(first, first_count, out);
      std::copy_n(second, second_count, out + first_count);
    }
    std::fill(out + first_count + second_count, out + dim, 0.0f);
  }

  WaveArrangement arrangement_;
  std::vector<Real> frequencies_;
  WaveSet waves_;
};

}  // namespace posenc
