// Attention with any encoding.
#pragma once

#include "posenc/bias/bias.hpp"
#include "posenc/core/attention_masks.hpp"
#include "posenc/relative/relative.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Temperature of queries, a multiplier of their scores that depends on the position p.
/// steps: 1 + factor · ln(1 + ⌊(p + offset) / length⌋), and 1 before position 0.
/// log_n: max(1, ln(p + offset + 1) / ln(length)); `factor` is ignored.
/// log: 1 + factor · ln(max(1, (p + offset + 1) / length)).
/// Source: Meta, Llama 4, 2025 (layers without positions), Mistral, Ministral 3, 2025; "LogN": Su 2021,
/// kexue.fm/archives/8823, Qwen, 2023; log: Thinking Machines, Inkling, 2026.
struct Temperature {
  enum class Rule { steps, log_n, log };
  double factor = 0, length = 1, offset = 0;
  Rule rule = Rule::steps;
  bool is_on() const { return factor != 0 || rule == Rule::log_n; }
  double at(double position) const;
  float rounded_at(double position) const;
  Error check() const;
  /// Checks that float32 can represent the multiplier, and `scale` times it, at all these positions.
  Error check_at(const Positions& positions, double scale = 1) const;
};
/// Writes the multiplier at each position to out [count].
Error query_temperature(const Positions& positions, const Temperature& temperature, const View& out) noexcept;

/// Changes the distances that a rotation uses, so that a model can read longer sequences than in training. With the
/// query at position p and the key at position j, d = p - j:
///   self_extend  d < window: d; else ⌊p / group⌋ + window - window / group - ⌊j / group⌋.
///   rerope       |d| < window: d; else window + leak · (d - window), also for keys after the query.
///   dual_chunk   c = chunk - local, keys at j mod c; queries at p mod c for their own chunk of c (and later ones), at
///   min(p mod c + c, chunk) for the previous chunk, at min(2c - 1, chunk) for older chunks. Scores are multiplied by
///   max(1, 1 + ln(sequence length / trained) / 10).
/// Source: Jin et al. 2024, arXiv:2401.01325, eq. 3; Su 2023, kexue.fm/archives/9708; An et al. 2024, arXiv:2402.17463,
/// eq. 2-8, with the scale of Qwen2.5-1M, arXiv:2501.15383.
struct Remap {
  enum class Rule { none, self_extend, rerope, dual_chunk };
  Rule rule = Rule::none;
  double group = 1, window = 1, leak = 0, chunk = 2, local = 1;
  /// Trained length. 0: scores are not multiplied.
  double trained = 0;
  Error check() const;
};

/// Some of the chunks of queries that a call of attention() consists of. Their results do not depend on each other:
/// calls for all chunks, in any order, write what one call writes.
struct ChunkRange {
  /// Index of the first chunk, and the largest number of chunks.
  double first = 0, most = std::numeric_limits<double>::infinity();
  /// Receives the number of chunks of the whole call.
  double all = 0;
};

/// Options of attention, including its masks. Masked scores are -infinity.
struct AttentionOptions : AttentionMasks {
  HeadLayout layout = HeadLayout::bhtd;
  /// Query i attends to key j only if j <= i + (keys - queries).
  bool causal = false;
  /// Number of keys before and after its own position that a query attends to; negative: all.
  double window_left = -1, window_right = -1;
  /// Default: 1 / sqrt(dim).
  std::optional<double> scale;
  /// Softcap of the scores. 0: none.
  double softcap = 0;
  Temperature temperature;
  std::span<const float> sinks;
  /// Added to the scaled scores: [Tq, Tk], [H, Tq, Tk] or [B or 1, H or 1, Tq or 1, Tk]. No data: none.
  View bias;
  /// Rotation of q and k, the positions of keys and queries, and the sequence length for scaling rules (<= 0: derived
  /// from the positions). Keys begin at 0 by default (in each packed sequence). Queries without positions (an offset
  /// that is NaN) are the last of the keys, as in causal attention.
  const Rotation* rotation = nullptr;
  Positions key_positions, query_positions{.values = {}, .offset = std::numeric_limits<double>::quiet_NaN()};
  double sequence_length = 0;
  /// Changes the rotation's distances. Requires a single axis and magnitudes that do not depend on distances.
  Remap remap;
  /// Added to the scaled scores.
  const Bias* encoding_bias = nullptr;
  /// Added to the scores before they are scaled, and to the values. Its `terms` change the default scale.
  const Relative* relative = nullptr;
  /// Shaped like k, for relative encodings that read a second set of keys; no data: they read k. In JavaScript
  /// `gateKeys`: in CoPE, these open the gates, which determine distances.
  View extra_keys{};
  /// For relative encodings that read further inputs of each token.
  TokenInputs tokens{};
  /// For attention(): computes only these chunks, so that a caller can pause or stop a long call. Null: all.
  ChunkRange* chunks = nullptr;
};

/// out = softmax(scale · q kᵀ + bias) v by the online softmax. No [Tq, Tk] buffer is allocated.
/// q [B, Hq, Tq, D], k [B, Hk, Tk, D], v [B, Hk, Tk, Dv], out [B, Hq, Tq, Dv] (or bthd). Query head h uses key head h /
/// (Hq / Hk). The result of a query that attends to no key is 0. Source: Vaswani et al. 2017, eq. 1; Milakov &
/// Gimelshein 2018.
Error attention(const View& q, const View& k, const View& v, const AttentionOptions& options, const View& out,
                Workspace& workspace = Workspace::of_thread()) noexcept;

/// Result of attention_rows() for each query and key: the softmax weights, or the scores before the softmax, which are
/// -infinity for masked keys.
enum class AttentionRows { weights, logits };

/// out [B, Hq, Tq, Tk]
Error attention_rows(const View& q, const View& k, const AttentionOptions& options, const View& out,
                     AttentionRows wanted, Workspace& workspace = Workspace::of_thread()) noexcept;
inline Error attention_weights(const View& q, const View& k, const AttentionOptions& options,
                               const View& out) noexcept {
  return attention_rows(q, k, options, out, AttentionRows::weights);
}

/// Writes to out [B, Hq, Tq, Tk] the position of each key as seen from the query, for encodings with positions of their
/// own (cope: open gates up to the query). Masked keys get 0.
Error context_positions(const View& q, const View& k, const AttentionOptions& options, const View& out,
                        Workspace& workspace = Workspace::of_thread()) noexcept;

/// Destinations of the gradients of attention's inputs, each with the dims of its input.
struct AttentionGradients {
  /// q and k are always required, v if the call has v.
  View q, k, v;
  /// Optional. No data: not wanted.
  View bias{}, extra_keys{};
  TokenInputs tokens{};
  std::span<float> sinks{};
  /// Gradients of the encodings' learned parameters, which are added to. One for each encoding of the call.
  Training *rotation = nullptr, *encoding_bias = nullptr, *relative = nullptr;
};

/// The gradients of attention() for `gradient`, shaped like its result. Without v and out.v: the gradients of the
/// logits of attention_rows(), and `gradient` is shaped like these. The contents of `out` are replaced; gradients of
/// the encodings' parameters are added to.
/// Scores are recomputed in blocks of 64 queries and 64 keys: P = softmax(S), dV = Pᵀ dO, dP = dO Vᵀ, dS = P ∘ (dP -
/// Σ_j P dP), dQ = scale · dS K, dK = scale · dSᵀ Q. The scratch memory does not grow with the number of positions.
/// Source: Dao et al. 2022, arXiv:2205.14135, algorithm 4.
Error attention_backward(const View& q, const View& k, const View& v, const View& gradient,
                         const AttentionOptions& options, const AttentionGradients& out,
                         Workspace& workspace = Workspace::of_thread()) noexcept;

}  // namespace posenc
