#include "cpp/relative/relative.hpp"

namespace posenc::test {

RelativeCase::RelativeCase(std::uint32_t seed, int width, int heads_wanted) : dim(width) {
  Random random(seed);
  batch = 1 + random.below(2);
  key_heads = heads_wanted ? heads_wanted : 1 + random.below(3);
  group = 1;
  while (heads_wanted ? key_heads % 2 == 0 && random.chance(0.5) : group < 3 && random.chance(0.4)) {
    if (heads_wanted) key_heads /= 2;
    group = heads_wanted ? group * 2 : group + 1;
  }
  // Tiles hold 64 keys, blocks 4 queries.
  queries = random.chance(0.3) ? 62 + random.below(9) : 1 + random.below(9);
  keys = random.chance(0.6) ? 60 + random.below(90) : 1 + random.below(9);
  value_dim = dim;
  options.layout = random.chance(0.5) ? HeadLayout::bhtd : HeadLayout::bthd;
  q = random_floats(std::size_t(batch * heads() * queries * dim), seed + 1);
  k = random_floats(std::size_t(batch * key_heads * keys * dim), seed + 2);
  v = random_floats(std::size_t(batch * key_heads * keys * value_dim), seed + 3);
  options.key_positions = {.values = {}, .offset = double(random.below(50)), .count = keys};
  options.query_positions = {.values = {}, .offset = options.key_positions.offset + keys - queries, .count = queries};
  if (random.chance(0.4)) {
    const int rows = random.chance(0.5) ? batch : 1;
    for (int i = 0; i < rows * keys; ++i) key_position_values.push_back(random.below(40));
    for (int i = 0; i < rows * queries; ++i) query_position_values.push_back(random.below(40));
    options.key_positions = {.values = key_position_values, .offset = 0, .count = keys};
    options.query_positions = {.values = query_position_values, .offset = 0, .count = queries};
  }
  options.causal = random.chance(0.4);
  if (random.chance(0.3)) options.window_left = random.below(20);
  if (random.chance(0.4)) {
    mask.resize(std::size_t(batch * queries * keys));
    for (auto& visible : mask) visible = random.chance(0.7);
    options.mask = {mask.data(), double(mask.size()), {double(batch), 1, double(queries), double(keys)}};
  }
}

Shape RelativeCase::shape(int heads, int positions, int width) const {
  const double b = batch, h = heads, t = positions, w = width;
  return options.layout == HeadLayout::bhtd ? Shape{b, h, t, w} : Shape{b, t, h, w};
}

std::size_t RelativeCase::row(int heads, int positions, int b, int h, int t, int width) const {
  const int index =
      options.layout == HeadLayout::bhtd ? (b * heads + h) * positions + t : (b * positions + t) * heads + h;
  return std::size_t(index) * std::size_t(width);
}

bool RelativeCase::visible(int b, int i, int j) const {
  const int token = i + keys - queries;
  if (options.causal && j > token) return false;
  if (options.window_left >= 0 && j < token - options.window_left) return false;
  return mask.empty() || mask[std::size_t((b * queries + i) * keys + j)];
}

namespace {

std::vector<double> softmax_of(std::vector<double> scores, double scale) {
  double top = -kInfinity, total = 0;
  for (double& score : scores) top = std::max(top, score *= scale);
  for (double& score : scores) total += score = top == -kInfinity ? 0 : std::exp(score - top);
  for (double& score : scores) score /= total > 0 ? total : 1;
  return scores;
}

}  // namespace

void check_relative(RelativeCase& call, Relative& relative, const Score& score, const ValueTerm& value) {
  INFO("B " << call.batch << " H " << call.key_heads << "x" << call.group << " T " << call.queries << "x" << call.keys
            << " D " << call.dim << " causal " << call.options.causal << " window " << call.options.window_left
            << " masked " << !call.mask.empty() << " given " << !call.key_position_values.empty() << " layout "
            << int(call.options.layout));
  call.options.relative = &relative;
  AttentionOptions plain = call.options;
  plain.scale = 1;
  std::vector<float> logits(std::size_t(call.scores().size())), weights(logits.size());
  std::vector<float> out(call.q.size() / std::size_t(call.dim) * std::size_t(call.value_dim));
  REQUIRE_FALSE(
      attention_rows(call.q_view(), call.k_view(), plain, view_of(logits, call.scores()), AttentionRows::logits));
  REQUIRE_FALSE(attention_weights(call.q_view(), call.k_view(), call.options, view_of(weights, call.scores())));
  REQUIRE_FALSE(attention(call.q_view(), call.k_view(), call.v_view(), call.options,
                          view_of(out, call.shape(call.heads(), call.queries, call.value_dim))));
  const double scale = call.options.scale.value_or(1 / std::sqrt(call.dim * relative.terms));
  double logit_error = 0, weight_error = 0, out_error = 0;
  std::size_t at = 0;
  for (int b = 0; b < call.batch; ++b)
    for (int h = 0; h < call.heads(); ++h)
      for (int i = 0; i < call.queries; ++i) {
        std::vector<double> scores(std::size_t(call.keys), -kInfinity);
        for (int j = 0; j < call.keys; ++j)
          if (call.visible(b, i, j)) scores[std::size_t(j)] = score(call, b, h, i, j);
        const std::vector<double> expected = softmax_of(scores, scale);
        for (std::size_t j = 0; j < scores.size(); ++j, ++at) {
          if (scores[j] == -kInfinity) {
            if (logits[at] != float(-kInfinity)) logit_error = kInfinity;
          } else {
            logit_error = std::max(logit_error, std::abs(logits[at] - scores[j]) / (1 + std::abs(scores[j])));
          }
          weight_error = std::max(weight_error, std::abs(weights[at] - expected[j]));
        }
        for (int f = 0; f < call.value_dim; ++f) {
          double sum = 0;
          for (int j = 0; j < call.keys; ++j) {
            const float* row =
                call.v.data() + call.row(call.key_heads, call.keys, b, h / call.group, j, call.value_dim);
            sum += expected[std::size_t(j)] * (row[f] + (value ? value(call, b, h, i, j, f) : 0));
          }
          const std::size_t index = call.row(call.heads(), call.queries, b, h, i, call.value_dim) + std::size_t(f);
          out_error = std::max(out_error, std::abs(out[index] - sum));
        }
      }
  CHECK(logit_error < 2e-6);
  CHECK(weight_error < 2e-6);
  CHECK(out_error < 3e-6);
}

}  // namespace posenc::test
