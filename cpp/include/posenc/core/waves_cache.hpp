// Waves in a workspace: they remember rows, so that encodings hold frequencies alone.
#pragma once

#include <memory>
#include <span>

#include "posenc/core/field.hpp"
#include "posenc/core/workspace.hpp"
#include "posenc/math/waves.hpp"

namespace posenc {

/// What waves are made of.
struct WaveSet {
  std::vector<Real> frequencies;
  Precision precision = Precision::exact;
};

struct WavesCache final : Cache {
  static constexpr std::size_t kMost = 4;
  std::array<std::unique_ptr<Waves>, kMost> waves;
  /// Room for a row of the longest: [cosines | sines].
  std::vector<float> row;
};

/// Waves of up to four sets; null: there is no memory for them.
std::unique_ptr<Cache> make_waves_cache(std::span<const WaveSet> sets);
/// "encoding: out of memory for its rows"
Error no_memory_for_rows();

}  // namespace posenc
