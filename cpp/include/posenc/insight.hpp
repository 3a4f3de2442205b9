// What an encoding does to scores: similarities, decay with distance, the four terms.
#pragma once

#include "posenc/encodings.hpp"

namespace posenc {

/// out[i, j] = ⟨row i, row j⟩; table [T, D], out [T, T].
Error similarity(const View& table, const View& out) noexcept;

/// How a score changes with distance δ = 0 … maxDistance.
/// Tables: ⟨PE(0), PE(δ)⟩, out [n]. Rotary: the score of two equal vectors with the same norm in every pair,
/// a² · mean_k cos(δ θ_k), a the attention factor, xPos' decay inside; with several axes the key is δ places away on
/// each, in a grid of n places, out [n]. Biases: the bias at that distance, out [heads, n].
Error distance_profile(const Learned& encoding, const View& out,
                       Workspace& workspace = Workspace::of_thread()) noexcept;

/// (x_i + e_i)ᵀ Wqᵀ Wk (x_j + e_j) as its four terms, [T, T] each: content-content, content-position, position-content,
/// position-position. x, table [T, D]; wq, wk [P, D].
Error score_terms(const View& x, const View& table, const View& wq, const View& wk,
                  const std::array<View, 4>& out) noexcept;

}  // namespace posenc
