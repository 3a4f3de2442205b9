// Effects of an encoding on scores: similarities, decay with distance, the four terms.
#pragma once

#include "posenc/encodings.hpp"

namespace posenc {

/// out[i, j] = ⟨row i, row j⟩; table [T, D], out [T, T].
Error similarity(const View& table, const View& out) noexcept;

/// The change of a score with distance δ = 0 … maxDistance.
/// Tables: ⟨PE(0), PE(δ)⟩, out [n].
/// Rotary: the score of two equal vectors with the same norm in every pair, a² · mean_k cos(δ θ_k), with the attention
/// factor a and including xPos' decay; out [n]. With several axes, the key is δ cells away on each axis, in a grid of n
/// cells.
/// Biases: the bias at that distance, out [heads, n].
Error distance_profile(const Learned& encoding, const View& out,
                       Workspace& workspace = Workspace::of_thread()) noexcept;

/// (x_i + e_i)ᵀ Wqᵀ Wk (x_j + e_j) as its four terms, [T, T] each: content-content, content-position, position-content,
/// position-position. x, table [T, D]; wq, wk [P, D].
Error score_terms(const View& x, const View& table, const View& wq, const View& wk,
                  const std::array<View, 4>& out) noexcept;

}  // namespace posenc
