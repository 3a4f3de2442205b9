// Attention by its definition, in double precision.
#pragma once

#include <memory>

#include "oracle.hpp"

namespace posenc::fuzz {

/// What a call can be differentiated by.
struct AttentionInputs {
  std::vector<double> q, k, v, gates, bias, sinks;
  /// As TokenInputs.
  std::array<std::vector<double>, kTokenInputs.size()> tokens;
  std::vector<std::vector<double>> parameters;
  /// Calls use(list) for each of them.
  template <class Use>
  void for_each(const Use& use) {
    for (auto* list : {&q, &k, &v, &gates, &bias, &sinks}) use(*list);
    for (auto& list : tokens) use(list);
    for (auto& list : parameters) use(list);
  }
};

struct AttentionCase {
  int batch, heads, key_heads, queries, keys, dim, value_dim;
  const Model* model;  // null: no encoding
  AttentionOptions options;
  bool has_values;
  /// Positions that options look at, where the call did not tell them.
  std::shared_ptr<std::vector<double>> key_position_values{}, query_position_values{};

  /// Fills in the positions that the call did not tell.
  void complete();

  std::size_t at(int b, int h, int t, int all_heads, int all_positions, int width) const {
    const bool heads_first = options.layout == HeadLayout::bhtd;
    const std::size_t row =
        heads_first
            ? (std::size_t(b) * std::size_t(all_heads) + std::size_t(h)) * std::size_t(all_positions) + std::size_t(t)
            : (std::size_t(b) * std::size_t(all_positions) + std::size_t(t)) * std::size_t(all_heads) + std::size_t(h);
    return row * std::size_t(width);
  }
  bool is_visible(int b, int h, int i, int j) const;
  /// About how many products.
  double work() const;
};

/// A query against all keys: [keys, dim] rows of its key head; hidden ones are told.
struct RelativeScores {
  const double *q, *k, *gates;
  int head, key_head;
  double query_position;
  std::vector<double> key_positions;
  std::vector<bool> masked;
  /// Which of the keys the query is, and what the call says of each: gates of both sets [2][keys], directions [keys,
  /// dim], strengths [keys], rows [keys, any width]; of the query, its relative state and its temperature.
  int token = 0;
  std::vector<double> log_gates{}, directions{}, strengths{}, gate_rows{}, relative_state{};
  double temperature = 1;
};
/// scores [keys]: contents and positions, before the scale; sizes: sums of magnitudes of what they are sums of; places:
/// how far contextual kinds see each key.
void relative_scores(const Model& model, int dim, const RelativeScores& of, std::vector<double>& scores,
                     std::vector<double>& sizes, std::vector<double>& context_positions);
/// What is added to the score of key j after the scale; `size`: the magnitude of what it is a sum of, if not its own.
double relative_adjustment(const Model& model, int dim, const RelativeScores& of, int j, double& size);
/// Do learned maps of their place change rows? Then row [dim] of a key head at a place on the one axis, the magnitude
/// of what each of its numbers is a sum of, and how far angles are off.
bool maps_rows(const Model& model);
struct MappedRow {
  std::vector<double> row{}, sizes{};
  double tolerance = 0;
};
MappedRow mapped_row(const Model& model, int dim, const double* x, int key_head, double position);
/// The row that joins the value of a key; empty: none.
std::vector<double> relative_value(const Model& model, int dim, double query_position, double key_position);

/// The length that scaling rules go by.
double sequence_length(const AttentionCase& at);
/// A row [dim], turned; how far angles are off, as a share of the products' magnitude, is in `slope`. Returns the
/// magnitude of what each of its numbers is a sum of: near 0 the number itself tells nothing about its rounding.
std::vector<double> rotate_row(const Model& model, const std::vector<PairRotation>& rotations, std::span<double> row,
                               double& slope);
/// Where distances are remapped: scores and sizes of a query, for q and k [keys, dim] as they are given.
void remapped_scores(const AttentionCase& at, const RelativeScores& of, std::vector<double>& scores,
                     std::vector<double>& sizes, double& slope);
/// What all scores are multiplied by then.
double remapped_scale(const AttentionCase& at);

/// Scores that may be so far off say nothing.
inline constexpr double kMaxTolerance = 0.01;

struct AttentionResult {
  /// [batch, heads, queries, keys]: scores (-infinity: hidden), how far off each may be, weights, and places.
  std::vector<double> logits, tolerances, weights, context_positions;
  std::vector<Near> out;  // laid out as the call's
};
AttentionResult attend(const AttentionCase& at, const AttentionInputs& inputs);

}  // namespace posenc::fuzz
