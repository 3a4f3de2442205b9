// Attention with any encoding.
#pragma once

#include "posenc/bias/bias.hpp"
#include "posenc/core/visibility.hpp"
#include "posenc/relative/relative.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Scores of a query at position p are multiplied by 1 + factor · ln(1 + ⌊(p + offset) / length⌋); before position 0
/// by 1. Source: Meta, Llama 4, 2025 (layers without positions); Mistral, Ministral 3, 2025.
struct Temperature {
  double factor = 0, length = 1, offset = 0;
  double at(double position) const;
  float rounded_at(double position) const;
  Error check() const;
  /// Does float32 hold it, and `scale` times it, at all these positions?
  Error check_at(const Positions& positions, double scale = 1) const;
};
/// out [count]: the multiplier at each position.
Error query_temperature(const Positions& positions, const Temperature& temperature, const View& out) noexcept;

/// Beside its visibility. What it hides has a score of -infinity.
struct AttentionOptions : Visibility {
  HeadLayout layout = HeadLayout::bhtd;
  /// Query i sees key j only if j <= i + (keys - queries).
  bool causal = false;
  /// How many keys before and after its own place a query sees; negative: all.
  double window_left = -1, window_right = -1;
  /// Not given: 1 / sqrt(dim).
  std::optional<double> scale;
  /// 0: none.
  double softcap = 0;
  Temperature temperature;
  std::span<const float> sinks;
  /// Added to the scaled scores: [Tq, Tk], [H, Tq, Tk] or [B or 1, H or 1, Tq or 1, Tk]; no data: none.
  View bias;
  /// Turns q and k; positions of keys and queries, and the sequence length that scaling rules go by (<= 0: from those).
  /// Keys begin at 0 unless told otherwise (in each packed sequence). Queries without positions (an offset that is NaN)
  /// are the last of the keys, as causality has it.
  const Rotation* rotation = nullptr;
  Positions key_positions, query_positions{.values = {}, .offset = std::numeric_limits<double>::quiet_NaN()};
  double sequence_length = 0;
  /// Added to the scaled scores.
  const Bias* encoding_bias = nullptr;
  /// Adds to the scores before they are scaled, and to the values; its own `terms` then go into the scale.
  const Relative* relative = nullptr;
  /// Shaped like k, for relative encodings that read a second set of keys; no data: they read k. In JavaScript
  /// `gateKeys`: to cope, these decide how far apart things are.
  View extra_keys{};
};

/// out = softmax(scale · q kᵀ + bias) v by the online softmax: no [Tq, Tk] buffer exists.
/// q [B, Hq, Tq, D], k [B, Hk, Tk, D], v [B, Hk, Tk, Dv], out [B, Hq, Tq, Dv] (or bthd); query head h reads key head
/// h / (Hq / Hk). A query that sees no key gives 0. Source: Vaswani et al. 2017, eq. 1; Milakov & Gimelshein 2018.
Error attention(const View& q, const View& k, const View& v, const AttentionOptions& options, const View& out,
                Workspace& workspace = Workspace::of_thread()) noexcept;

/// What attention_rows() tells of each query and key: the softmax; the scores before it, -infinity for hidden keys.
enum class AttentionRows { weights, logits };

/// out [B, Hq, Tq, Tk]
Error attention_rows(const View& q, const View& k, const AttentionOptions& options, const View& out,
                     AttentionRows wanted, Workspace& workspace = Workspace::of_thread()) noexcept;
inline Error attention_weights(const View& q, const View& k, const AttentionOptions& options,
                               const View& out) noexcept {
  return attention_rows(q, k, options, out, AttentionRows::weights);
}

/// out [B, Hq, Tq, Tk]: how far an encoding with positions of its own sees each key (cope: open gates up to the query),
/// 0 for hidden keys.
Error context_positions(const View& q, const View& k, const AttentionOptions& options, const View& out,
                        Workspace& workspace = Workspace::of_thread()) noexcept;

/// Where the gradients of attention's inputs go, each with the dims of its input. No data in v: not wanted.
struct AttentionGradients {
  View q, k, v;
  /// Of what the call has.
  View bias{}, extra_keys{};
  std::span<float> sinks{};
  /// What the gradients of the encodings' learned numbers are added to, one for each encoding of the call.
  Training *rotation = nullptr, *encoding_bias = nullptr, *relative = nullptr;
};

/// The gradients of attention() for `gradient`, shaped like its result; without v and out.v those of attention_rows()'
/// logits, shaped like these. They replace what `out` holds; those of the encodings' parameters are added to.
/// Scores are computed anew, a square of 64 queries and keys at a time: P = softmax(S), dV = Pᵀ dO, dP = dO Vᵀ,
/// dS = P ∘ (dP - Σ_j P dP), dQ = scale · dS K, dK = scale · dSᵀ Q. Scratch does not grow with the number of positions.
/// Source: Dao et al. 2022, arXiv:2205.14135, algorithm 4.
Error attention_backward(const View& q, const View& k, const View& v, const View& gradient,
                         const AttentionOptions& options, const AttentionGradients& out,
                         Workspace& workspace = Workspace::of_thread()) noexcept;

}  // namespace posenc
