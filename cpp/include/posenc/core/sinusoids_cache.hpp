// Cached sinusoids in a workspace, so that encodings store only frequencies.
#pragma once

#include <memory>
#include <span>

#include "posenc/core/field.hpp"
#include "posenc/core/workspace.hpp"
#include "posenc/math/sinusoids.hpp"

namespace posenc {

/// The frequencies and the precision of a set of sinusoids.
struct SinusoidSet {
  std::vector<Real> frequencies;
  Precision precision = Precision::exact;
};

struct SinusoidsCache final : Cache {
  static constexpr std::size_t kMost = 4;
  std::array<std::unique_ptr<Sinusoids>, kMost> sinusoids;
  /// Buffer for a row of the largest set: [cosines | sines].
  std::vector<float> row;
};

/// Sinusoids of up to four sets. Null if there is not enough memory.
std::unique_ptr<Cache> make_sinusoids_cache(std::span<const SinusoidSet> sets);
/// "encoding: out of memory for its rows"
Error no_memory_for_rows();

}  // namespace posenc
