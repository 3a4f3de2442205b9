// Is attention the naive softmax, with everything that can be added, hidden and turned?
#include "posenc/attention.hpp"

#include "support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// One call: shapes, data and options. Everything is drawn from one seed.
struct Call {
  int batch, query_heads, key_heads, queries, keys, dim, value_dim;
  std::vector<float> q, k, v, bias, sinks;
  std::vector<std::uint8_t> mask;
  Shape mask_shape, bias_shape;
  AttentionOptions options;

  bool bhtd() const { return options.layout == HeadLayout::bhtd; }
  Shape shape(int heads, int positions, int width) const {
    const double b = batch, h = heads, t = positions, w = width;
    return bhtd() ? Shape{b, h, t, w} : Shape{b, t, h, w};
  }
  std::size_t row(int heads, int positions, int b, int h, int t, int width) const {
    const int index = bhtd() ? (b * heads + h) * positions + t : (b * positions + t) * heads + h;
    return std::size_t(index) * std::size_t(width);
  }
};

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

// Where a broadcast tensor's entry for scores [b, h, i, j] lies.
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

double score(const Call& call, int b, int h, int i, int j) {
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
  if (!call.bias.empty()) sum += call.bias[broadcast_index(call, call.bias_shape, false, b, h, i, j)];
  return sum;
}

// softmax over the keys, the sink taking its share; zeros where no key is visible.
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

// [B, H, Tq, Tk] and the result in q's layout.
struct Naive {
  std::vector<double> weights, out;
  explicit Naive(const Call& call)
      : out(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim), 0.0) {
    for (int b = 0; b < call.batch; ++b)
      for (int h = 0; h < call.query_heads; ++h)
        for (int i = 0; i < call.queries; ++i) {
          const auto row = weights_of(call, b, h, i);
          weights.insert(weights.end(), row.begin(), row.end());
          const std::size_t target = call.row(call.query_heads, call.queries, b, h, i, call.value_dim);
          for (int j = 0; j < call.keys; ++j) {
            const std::size_t source =
                call.row(call.key_heads, call.keys, b, h / (call.query_heads / call.key_heads), j, call.value_dim);
            for (std::size_t d = 0; d < std::size_t(call.value_dim); ++d)
              out[target + d] += row[std::size_t(j)] * call.v[source + d];
          }
        }
  }
};

struct Computed {
  std::vector<float> weights, out;
  explicit Computed(Call& call)
      : weights(std::size_t(call.batch * call.query_heads * call.queries * call.keys), 99),
        out(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim), 99) {
    const View q = view_of(call.q, call.shape(call.query_heads, call.queries, call.dim));
    const View k = view_of(call.k, call.shape(call.key_heads, call.keys, call.dim));
    const View v = view_of(call.v, call.shape(call.key_heads, call.keys, call.value_dim));
    const double b = call.batch, h = call.query_heads, tq = call.queries, tk = call.keys;
    const Error error =
        attention(q, k, v, call.options, view_of(out, call.shape(call.query_heads, call.queries, call.value_dim)));
    INFO(error.message);
    REQUIRE_FALSE(error);
    REQUIRE_FALSE(attention_weights(q, k, call.options, view_of(weights, {b, h, tq, tk})));
  }
};

void check_against_naive(Call& call, const Naive& wanted) {
  CAPTURE(call.batch, call.query_heads, call.key_heads, call.queries, call.keys, call.dim, call.value_dim,
          call.options.softcap);
  const Computed got(call);
  REQUIRE(largest_difference(got.weights, wanted.weights) < 2e-6);
  REQUIRE(largest_difference(got.out, wanted.out) < 4e-6);
}

}  // namespace

TEST_CASE("attention is the naive softmax", "[attention]") {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    Call call = draw_shapes(random, 100 * seed, random.chance(0.5) ? HeadLayout::bhtd : HeadLayout::bthd);
    draw_options(random, 100 * seed, call);
    CAPTURE(seed);
    check_against_naive(call, Naive(call));
  }
}

TEST_CASE("more queries than are at hand at once", "[attention]") {
  for (const auto& [query_heads, key_heads, queries] : {std::array{1, 1, 700}, {6, 2, 200}, {2, 1, 513}})
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      Random random(seed);
      Call call{};
      call.batch = 1;
      call.query_heads = query_heads;
      call.key_heads = key_heads;
      call.queries = queries;
      call.keys = 90;
      call.dim = call.value_dim = 64;
      call.options.layout = seed == 2 ? HeadLayout::bthd : HeadLayout::bhtd;
      draw_numbers(seed, call);
      draw_options(random, seed, call);
      CAPTURE(seed);
      check_against_naive(call, Naive(call));
    }
}

TEST_CASE("q and k turn inside attention as they do before it", "[attention]") {
  for (const std::string_view kind : {"rope", "rope-yarn", "rope-dynamic", "rope-longrope"})
    for (const std::string_view pairing : Choices<Pairing>::names)
      for (const HeadLayout layout : {HeadLayout::bhtd, HeadLayout::bthd}) {
        Random random(17);
        Call call = draw_shapes(random, 17, layout);
        const auto all = samples_of(FamilyName::rotary);
        const auto sample = std::find_if(all.begin(), all.end(), [&](const Sample& it) { return it.kind == kind; });
        SpecInput spec = sample->with("dim", number(call.dim));
        spec.emplace_back("pairing", text(pairing));
        const auto rotation = create_as<Rotation>(kind, spec);
        // Beyond every originalLength, so that scaled frequencies are in use.
        const Positions keys = run(9000, call.keys), queries = run(9000 + call.keys - call.queries, call.queries);
        Call turned = call;
        REQUIRE_FALSE(rotation->apply(view_of(turned.q, call.shape(call.query_heads, call.queries, call.dim)), layout,
                                      queries, 9000 + call.keys, Direction::forward));
        REQUIRE_FALSE(rotation->apply(view_of(turned.k, call.shape(call.key_heads, call.keys, call.dim)), layout, keys,
                                      9000 + call.keys, Direction::forward));
        call.options.rotation = rotation.get();
        call.options.key_positions = keys;
        call.options.query_positions = queries;
        CAPTURE(kind, pairing);
        check_against_naive(call, Naive(turned));
      }
}

TEST_CASE("an encoding's bias is the same as the tensor of it", "[attention]") {
  for (const AlibiForm form : {AlibiForm::relative, AlibiForm::key, AlibiForm::key_absolute})
    for (const bool listed : {false, true}) {
      Random random(23);
      Call call = draw_shapes(random, 23, HeadLayout::bhtd);
      // A sink sees what softmax alone forgets: a constant added to all scores of a query.
      call.sinks = random_floats(std::size_t(call.query_heads), 24);
      call.options.sinks = call.sinks;
      const auto alibi = make_right(Alibi{.heads = call.query_heads, .form = form});
      std::vector<double> places;
      for (int j = 0; j < call.keys; ++j) places.push_back(listed ? 0.5 * ((7 * j) % call.keys) : 3 + j);
      const double h = call.query_heads, tq = call.queries, tk = call.keys;
      call.options.key_positions = listed ? given(places) : run(3, call.keys);
      call.options.query_positions = run(3 + tk - tq, call.queries);
      Call spelled = call;
      spelled.bias_shape = {h, tq, tk};
      spelled.bias.resize(std::size_t(h * tq * tk));
      REQUIRE_FALSE(alibi->bias(tq, tk, 3 + tk - tq, given(places), view_of(spelled.bias, spelled.bias_shape)));
      call.options.encoding_bias = alibi.get();
      check_against_naive(call, Naive(spelled));
    }
}
