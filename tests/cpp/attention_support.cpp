#include "attention_support.hpp"

namespace posenc::test {

void draw_numbers(std::uint32_t seed, Call& call) {
  call.q = random_floats(std::size_t(call.batch * call.query_heads * call.queries * call.dim), seed + 1);
  call.k = random_floats(std::size_t(call.batch * call.key_heads * call.keys * call.dim), seed + 2);
  call.v = random_floats(std::size_t(call.batch * call.key_heads * call.keys * call.value_dim), seed + 3);
}

Call draw_shapes(Random& random, std::uint32_t seed, HeadLayout layout) {
  Call call{};
  call.batch = 1 + random.below(3);
  call.key_heads = 1 + random.below(3);
  call.query_heads = call.key_heads * (1 + random.below(3));
  // Tiles hold 64 keys, blocks 4 queries: some calls must be longer than one of either.
  call.queries = random.chance(0.3) ? 60 + random.below(20) : 1 + random.below(9);
  call.keys = random.chance(0.4) ? 60 + random.below(80) : 1 + random.below(9);
  call.dim = 2 * (1 + random.below(20));
  call.value_dim = 1 + random.below(37);
  call.options.layout = layout;
  draw_numbers(seed, call);
  return call;
}

namespace {

// Any of the shapes that scores [B, H, Tq, Tk] can be broadcast from.
Shape draw_broadcast(Random& random, const Call& call, bool leading_batch) {
  const double b = call.batch, h = call.query_heads, tq = call.queries, tk = call.keys;
  switch (random.below(leading_batch ? 4 : 3)) {
    case 0:
      return {random.chance(0.5) ? b : 1, random.chance(0.5) ? h : 1, random.chance(0.5) ? tq : 1, tk};
    case 1:
      return {tq, tk};
    case 2:
      return leading_batch ? Shape{random.chance(0.5) ? b : 1, tq, tk} : Shape{h, tq, tk};
    default:
      return {b, tk};
  }
}

}  // namespace

void draw_options(Random& random, std::uint32_t seed, Call& call) {
  AttentionOptions& options = call.options;
  options.causal = random.chance(0.4);
  if (random.chance(0.3)) options.window_left = random.below(20);
  if (random.chance(0.3)) options.window_right = random.below(20);
  if (random.chance(0.3)) options.scale = random.uniform(0.1f, 2);
  if (random.chance(0.3)) options.softcap = random.uniform(0.5f, 50);
  if (random.chance(0.3)) {
    call.sinks = random_floats(std::size_t(call.query_heads), seed + 4);
    options.sinks = call.sinks;
  }
  if (random.chance(0.5)) {
    call.mask_shape = draw_broadcast(random, call, true);
    call.mask.resize(std::size_t(call.mask_shape.size()));
    for (auto& visible : call.mask) visible = random.chance(0.7);
    options.mask = {call.mask.data(), double(call.mask.size()), call.mask_shape};
  }
  if (random.chance(0.5)) {
    call.bias_shape = draw_broadcast(random, call, false);
    call.bias = random_floats(std::size_t(call.bias_shape.size()), seed + 5);
    options.bias = view_of(call.bias, call.bias_shape);
  }
}

std::size_t broadcast_index(const Call& call, const Shape& shape, bool leading_batch, int b, int h, int i, int j) {
  std::array<double, 4> dims{1, 1, 1, double(call.keys)};
  if (shape.rank == 4) dims = {shape[0], shape[1], shape[2], shape[3]};
  if (shape.rank == 3)
    dims =
        leading_batch ? std::array{shape[0], 1.0, shape[1], shape[2]} : std::array{1.0, shape[0], shape[1], shape[2]};
  if (shape.rank == 2) dims = {1, 1, shape[0], shape[1]};
  if (shape.rank == 2 && leading_batch && shape[0] == call.batch) dims = {shape[0], 1, 1, shape[1]};
  const int place[] = {b, h, i, j};
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < 4; ++axis)
    index = index * std::size_t(dims[axis]) + (dims[axis] == 1 ? 0 : std::size_t(place[axis]));
  return index;
}

double capped_score(const Call& call, int b, int h, int i, int j) {
  const AttentionOptions& options = call.options;
  const double place = i + call.keys - call.queries;
  const double right = options.causal ? 0 : options.window_right < 0 ? kInfinity : options.window_right;
  if (j > place + right || (options.window_left >= 0 && j < place - options.window_left)) return -kInfinity;
  if (!call.mask.empty() && !call.mask[broadcast_index(call, call.mask_shape, true, b, h, i, j)]) return -kInfinity;
  const int key_head = h / (call.query_heads / call.key_heads);
  const float* q = call.q.data() + call.row(call.query_heads, call.queries, b, h, i, call.dim);
  const float* k = call.k.data() + call.row(call.key_heads, call.keys, b, key_head, j, call.dim);
  double sum = 0;
  for (int d = 0; d < call.dim; ++d) sum += double(q[d]) * k[d];
  sum *= options.scale.value_or(1 / std::sqrt(double(call.dim)));
  if (options.softcap > 0) sum = options.softcap * std::tanh(sum / options.softcap);
  return sum;
}

namespace {

double score(const Call& call, int b, int h, int i, int j) {
  const double bias = call.bias.empty() ? 0 : call.bias[broadcast_index(call, call.bias_shape, false, b, h, i, j)];
  return capped_score(call, b, h, i, j) + bias;
}

}  // namespace

std::vector<double> weights_of(const Call& call, int b, int h, int i) {
  std::vector<double> weights;
  double total = call.sinks.empty() ? 0 : std::exp(double(call.sinks[std::size_t(h)]));
  for (int j = 0; j < call.keys; ++j) {
    weights.push_back(std::exp(score(call, b, h, i, j)));
    total += weights.back();
  }
  for (double& weight : weights) weight = total > 0 ? weight / total : 0;
  return weights;
}

}  // namespace posenc::test
