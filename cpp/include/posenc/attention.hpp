// Attention with any encoding.
#pragma once

#include "posenc/bias/bias.hpp"
#include "posenc/core/visibility.hpp"
#include "posenc/relative/relative.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Scores of a query at position p are multiplied by 1 + factor · ln(1 + ⌊(p + offset) / length⌋), before position 0 by
/// 1; or by max(1, ln(p + offset + 1) / ln(length)), whatever the factor. Source: Meta, Llama 4, 2025 (layers without
/// positions), Mistral, Ministral 3, 2025; "LogN": Su 2021, kexue.fm/archives/8823, Qwen, 2023.
struct Temperature {
  enum class Rule { steps, log_n };
  double factor = 0, length = 1, offset = 0;
  Rule rule = Rule::steps;
  bool is_on() const { return factor != 0 || rule == Rule::log_n; }
  double at(double position) const;
  float rounded_at(double position) const;
  Error check() const;
  /// Does float32 hold it, and `scale` times it, at all these positions?
  Error check_at(const Positions& positions, double scale = 1) const;
};
/// out [count]: the multiplier at each position.
Error query_temperature(const Positions& positions, const Temperature& temperature, const View& out) noexcept;

/// The distances that a rotation sees, so that a model reads more than it was trained on. With query at position p and
/// key at position j, d = p - j:
///   self_extend  d < window: d; else ⌊p / group⌋ + window - window / group - ⌊j / group⌋.
///   rerope       |d| < window: d; else window + leak · (d - window), for keys after the query, too.
///   dual_chunk   c = chunk - local, keys at j mod c; queries against their own chunk of c (and later ones) at p mod c,
///                against the one before at min(p mod c + c, chunk), against older ones at min(2c - 1, chunk). Scores
///                are multiplied by max(1, 1 + ln(sequence length / trained) / 10).
/// Source: Jin et al. 2024, arXiv:2401.01325, eq. 3; Su 2023, kexue.fm/archives/9708; An et al. 2024, arXiv:2402.17463,
/// eq. 2-8, with the scale of Qwen2.5-1M, arXiv:2501.15383.
struct Remap {
  enum class Rule { none, self_extend, rerope, dual_chunk };
  Rule rule = Rule::none;
  double group = 1, window = 1, leak = 0, chunk = 2, local = 1;
  /// 0: scores are not multiplied.
  double trained = 0;
  Error check() const;
};

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
  /// What the rotation's distances become: of a single axis, without magnitudes that go by them.
  Remap remap;
  /// Added to the scaled scores.
  const Bias* encoding_bias = nullptr;
  /// Adds to the scores before they are scaled, and to the values; its own `terms` then go into the scale.
  const Relative* relative = nullptr;
  /// Shaped like k, for relative encodings that read a second set of keys; no data: they read k. In JavaScript
  /// `gateKeys`: to cope, these decide how far apart things are.
  View extra_keys{};
  /// For relative encodings that read more of each token.
  TokenInputs tokens{};
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
  /// All of what the call has.
  View q, k, v;
  /// Where they are wanted.
  View bias{}, extra_keys{};
  TokenInputs tokens{};
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
