// Is the slope of attention what its gradients say?
#include "calls_attention.hpp"

namespace posenc::fuzz {

namespace {

using Ways = std::vector<std::vector<double>>;
constexpr std::size_t kTensors = 11;

bool is_asked(const Backward& got, const Ways& ways, std::size_t list) {
  if (list >= kTensors) return got.training;
  return got.results[list] && got.results[list]->values().size() == ways[list].size();
}

Ways directions(const AttentionCase& at, const AttentionInputs& given, const Backward& got) {
  Ways ways;
  std::uint32_t seed = got.seed;
  AttentionInputs(given).for_each(
      [&](std::vector<double>& list) { ways.push_back(direction(list.size(), seed += 77)); });
  // What no gradient was asked of, or gradients are the sums of earlier calls, too, stays where it is.
  for (std::size_t list = 0; list < ways.size(); ++list)
    if (!is_asked(got, ways, list)) ways[list].assign(ways[list].size(), 0.0);
  // PoPE's phases begin in a corner.
  for (std::size_t i = 0; at.model && at.model->kind() == "pope" && i < ways[kTensors].size(); ++i)
    if (given.parameters[0][i] > -1e-3 || given.parameters[0][i] < -6.28) ways[kTensors][i] = 0;
  if (at.model) stay_within_limits(*at.model, std::span(ways).subspan(kTensors));
  return ways;
}

// What queries and keys add to the gradient of a frequency cancels where they stand near each other: what is left is as
// exact as the parts.
double rounding_of_frequencies(const AttentionCase& at, const AttentionInputs& given, const Backward& got) {
  if (!at.model || !got.training || (at.model->kind() != "rope" && !maps_rows(*at.model))) return 0;
  double steepest = 1;
  for (const double divisor : at.model->list("frequencyFactors")) steepest = std::max(steepest, 1 / std::abs(divisor));
  if (at.model->kind() == "grape-m") steepest = 1 / std::min(1.0, at.model->number("logScale", 1));
  double parts = 0, reach = 1;
  const auto add = [&](const std::vector<double>& x, const Tensor& gradient) {
    for (std::size_t i = 0; i < x.size(); ++i) parts += std::abs(x[i] * double(gradient.values()[i]));
  };
  add(given.q, *got.results[0]), add(given.k, *got.results[1]);
  const double first = at.options.query_positions.smallest();
  for (const Positions* all : {&at.options.query_positions, &at.options.key_positions})
    reach = std::max({reach, all->largest() - first, first - all->smallest()});
  return 16 * kHalfUlp * parts * reach * steepest;
}

}  // namespace

void check_slope(const AttentionCase& at, const AttentionInputs& given, const Backward& got) {
  const Ways ways = directions(at, given, got);
  double steepest = 0;
  const auto value = [&](double step) {
    AttentionInputs moved = given;
    std::size_t list = 0;
    moved.for_each([&](std::vector<double>& values) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += step * ways[list][i];
      ++list;
    });
    const AttentionResult r = attend(at, moved);
    double sum = 0;
    for (const double tolerance : r.tolerances) steepest = std::max(steepest, tolerance);
    for (std::size_t i = 0; i < got.gradient.before().size(); ++i) {
      const double number = at.has_values ? r.out[i].value : r.logits[i];
      if (std::isfinite(number)) sum += double(got.gradient.before()[i]) * number;
    }
    return sum;
  };
  double sum = 0, size = 0;
  for (std::size_t list = 0; list < ways.size(); ++list)
    for (std::size_t i = 0; i < ways[list].size() && is_asked(got, ways, list); ++i) {
      const double slope =
          double(list < kTensors ? got.results[list]->values()[i] : got.training->gradient(list - kTensors)[i]);
      sum += slope * ways[list][i], size += std::abs(slope * ways[list][i]);
    }
  const double wanted = slope_of(value);
  if (std::isfinite(wanted) && steepest < 1e-3)
    expect("attention_backward along a direction", 0, sum,
           {wanted, (1e-4 + 8 * steepest) * (size + std::abs(wanted)) + 2e-4 + steepest +
                        rounding_of_frequencies(at, given, got)});
}

}  // namespace posenc::fuzz
