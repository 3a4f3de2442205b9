// Tables with sinusoidal rows: the columns of the sines and cosines of a set of frequencies.
#pragma once

#include "posenc/core/sinusoids_cache.hpp"
#include "posenc/table/table.hpp"

namespace posenc {

/// Arrangement of the sinusoids of `frequencies` in a row [dim].
struct SinusoidArrangement {
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

class SinusoidTable final : public Table {
 public:
  SinusoidTable(const SinusoidArrangement& arrangement, std::vector<Real> frequencies, SinusoidSet sinusoids)
      : arrangement_(arrangement), frequencies_(std::move(frequencies)), sinusoids_(std::move(sinusoids)) {
    dim = arrangement.dim;
  }

  std::vector<Real> frequencies() const override {
    if (arrangement_.order == SinusoidArrangement::Order::sine_only) return {};
    std::vector<Real> scaled = frequencies_;
    for (Real& frequency : scaled) frequency = frequency * Real(arrangement_.scale);
    return scaled;
  }
  bool cosine_first() const override { return arrangement_.order == SinusoidArrangement::Order::cosine_sine; }
  std::unique_ptr<Cache> make_cache() const override { return make_sinusoids_cache({&sinusoids_, 1}); }

  void row(const double* position, const Positions&, float* out, Cache& cache) const override {
    const SinusoidArrangement& a = arrangement_;
    Real coordinate{*position, 0};
    if (a.start != 0) coordinate = coordinate + Real(a.start);
    if (a.padding_index >= 0 && coordinate == Real(a.padding_index)) {
      std::fill(out, out + dim, 0.0f);
      return;
    }
    if (a.scale != 1) coordinate = coordinate * Real(a.scale);
    const std::size_t count = sinusoids_.frequencies.size();
    const bool cosine = cosine_first();
    auto& own = static_cast<SinusoidsCache&>(cache);
    if (!cosine && a.interleaved && std::size_t(dim) == 2 * count)
      return own.sinusoids[0]->interleaved_row(coordinate, out);
    float *c = own.row.data(), *s = c + count;
    own.sinusoids[0]->row(coordinate, 1, 1, c, s);
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

  SinusoidArrangement arrangement_;
  std::vector<Real> frequencies_;
  SinusoidSet sinusoids_;
};

}  // namespace posenc
