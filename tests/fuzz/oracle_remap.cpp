// Remapped distances by their definition: where a query and a key stand for each other.
#include "oracle_attention.hpp"

namespace posenc::fuzz {

namespace {

struct Pair {
  double query, key;
};

Pair remapped_pair(const Remap& remap, double query, double key) {
  const double distance = query - key;
  switch (remap.rule) {
    case Remap::Rule::none:
      break;
    case Remap::Rule::self_extend:
      if (distance < remap.window) break;
      return {std::floor(query / remap.group) + remap.window - remap.window / remap.group,
              std::floor(key / remap.group)};
    case Remap::Rule::rerope:
      if (std::abs(distance) < remap.window) break;
      return {remap.window + remap.leak * (distance - remap.window), 0};
    case Remap::Rule::dual_chunk: {
      const double length = remap.chunk - remap.local;
      const double chunks = std::floor(query / length) - std::floor(key / length);
      const double own = query - length * std::floor(query / length), there = key - length * std::floor(key / length);
      if (chunks <= 0) return {own, there};
      return {std::min(chunks == 1 ? own + length : 2 * length - 1, remap.chunk), there};
    }
  }
  return {query, key};
}

}  // namespace

void remapped_scores(const AttentionCase& at, const RelativeScores& of, std::vector<double>& scores,
                     std::vector<double>& sizes, double& slope) {
  const ReferenceRotation reference(*at.model, at.options.key_positions, at.keys, sequence_length(at), Role::key);
  const std::size_t dim = std::size_t(at.dim);
  for (std::size_t j = 0; j < of.key_positions.size(); ++j) {
    std::vector<double> q(of.q, of.q + dim), k(of.k + j * dim, of.k + (j + 1) * dim);
    const Pair remapped = remapped_pair(at.options.remap, of.query_position, of.key_positions[j]);
    const auto q_sizes = rotate_row(*at.model, reference.at_position(remapped.query), q, slope);
    const auto k_sizes = rotate_row(*at.model, reference.at_position(remapped.key), k, slope);
    double sum = 0, size = 0;
    for (std::size_t i = 0; i < dim; ++i) sum += q[i] * k[i], size += q_sizes[i] * k_sizes[i];
    scores.push_back(sum), sizes.push_back(size);
  }
}

double remapped_scale(const AttentionCase& at) {
  const Remap& remap = at.options.remap;
  if (remap.rule != Remap::Rule::dual_chunk || remap.trained == 0) return 1;
  return std::max(1.0, 1 + std::log(sequence_length(at) / remap.trained) / 10);
}

}  // namespace posenc::fuzz
