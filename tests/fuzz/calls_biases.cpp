// Calls of biases.
#include "calls.hpp"

namespace posenc::fuzz {

namespace {

BiasCall call_of(Input& input, const RandomPositions& keys, const Mask& rows, const Mask& mask, double queries,
                 double key_count) {
  BiasCall call;
  call.queries = input.rarely(48) ? input.number() : queries;
  call.keys = input.rarely(48) ? input.number() : key_count;
  call.offset = input.rarely(4) ? input.number() : key_count - queries;
  if (input.rarely(2)) call.key_positions = keys.positions();
  if (input.rarely(3)) call.visible.attention_mask = rows.view();
  if (input.rarely(4)) call.visible.segments = rows.segments();
  if (input.rarely(4)) call.visible.mask = mask.view();
  return call;
}

struct BiasTask {
  BiasCall call;
  double batch, heads;

  bool has_positions() const { return !call.key_positions.values.empty(); }
  bool has_sequences() const { return call.visible.segments.data; }
  int segment(double b, double j) const {
    const SegmentsView& own = call.visible.segments;
    return own.data[std::size_t((own.shape.rank == 2 && own.shape[0] > 1 ? b * call.keys : 0) + j)];
  }
  /// Where a key stands: as told, or counted within its sequence, wherever the others of it lie.
  double key(double b, double j) const {
    if (has_positions()) return position_of(call.key_positions, call.keys, b, j);
    if (!has_sequences()) return j;
    double before = 0;
    for (double i = 0; i < j; ++i) before += segment(b, i) == segment(b, j);
    return before;
  }
  double query(double b, double i) const { return has_sequences() ? key(b, call.offset + i) : call.offset + i; }
  double last_key(double b, double i) const {
    double last = -kInfinity;
    // Of all rows of the batch where sequences do not tell them apart.
    if (has_positions() && !has_sequences())
      return *std::max_element(call.key_positions.values.begin(), call.key_positions.values.end());
    for (double j = 0; j < call.keys; ++j)
      if (!has_sequences() || segment(b, j) == segment(b, call.offset + i)) last = std::max(last, key(b, j));
    return last;
  }
  bool is_masked(double b, int head, double i, double j) const {
    const int first_query = call.visible.segments.data ? int(call.offset) : 0;
    return !is_unmasked(call.visible, first_query, {int(b), head, int(i), int(j)});
  }
  /// Is each sequence in one piece, in the order of their numbers?
  bool contiguous() const {
    for (std::size_t i = 1; has_sequences() && i < std::size_t(call.visible.segments.length); ++i)
      if (i % std::size_t(call.keys) != 0 && call.visible.segments.data[i] < call.visible.segments.data[i - 1])
        return false;
    return true;
  }
  /// The number of a score; false: no opinion.
  bool at(const Model& model, double b, int head, double i, double j, Near& added, Near& factor) const {
    const bool needs_last = model.kind() == "alibi" && model.text("form", "relative") == "key";
    // What softmax takes away again is that of the last of all keys where sequences are mixed.
    if (needs_last && !contiguous()) return false;
    return bias_of(model, head, query(b, i), key(b, j), needs_last ? last_key(b, i) : 0, added, factor);
  }
  /// use(index, batch row, head, query, key's index) for some of the scores.
  template <class Use>
  void for_some(std::size_t most, const Use& use) const {
    const std::size_t count = std::size_t(batch * heads * call.queries * call.keys);
    for (std::size_t at = 0, step = step_over(count, most); at < count; at += step) {
      const double j = std::fmod(double(at), call.keys),
                   i = std::fmod(std::floor(double(at) / call.keys), call.queries);
      const double row = std::floor(double(at) / call.keys / call.queries);
      use(at, std::floor(row / heads), int(std::fmod(row, heads)), i, j);
    }
  }
};

void check_bias(const Model& model, const BiasTask& task, const Tensor& result, bool onto) {
  task.for_some(48, [&](std::size_t at, double b, int head, double i, double j) {
    Near wanted, factor;
    if (task.is_masked(b, head, i, j)) return expect("bias", at, double(result.values()[at]), {-kInfinity, 0});
    if (!task.at(model, b, head, i, j, wanted, factor)) return;
    const double old = onto ? double(result.before()[at]) : 0, scaled = old * factor.value, sum = scaled + wanted.value;
    if (onto)
      wanted = {sum, wanted.bound + std::abs(old) * factor.bound + 2 * kHalfUlp * (std::abs(sum) + std::abs(scaled))};
    expect("bias", at, double(result.values()[at]), wanted);
  });
}

void check_bias_gradient(const Model& model, const Training& training, const BiasTask& task, const Tensor& slopes,
                         const Tensor* scores, std::uint32_t seed) {
  if (slopes.values().size() > 600 || !slopes.tame() || (scores && !scores->tame())) return;
  std::vector<std::vector<double>> ways;
  for (const auto& list : model.parameters) ways.push_back(direction(list.size(), seed += 77));
  stay_within_limits(model, ways);
  bool has_opinion = true;
  const auto value = [&](double step) {
    Model moved = model;
    for (std::size_t p = 0; p < ways.size(); ++p)
      for (std::size_t i = 0; i < ways[p].size(); ++i) moved.parameters[p][i] += step * ways[p][i];
    double sum = 0;
    task.for_some(4000, [&](std::size_t at, double b, int head, double i, double j) {
      Near added, factor;
      if (task.is_masked(b, head, i, j)) return;
      if (!task.at(moved, b, head, i, j, added, factor) || std::isinf(added.bound)) return void(has_opinion = false);
      const double slope = double(slopes.before()[at]);
      if (slope != 0) sum += slope * (added.value + (scores ? double(scores->values()[at]) * factor.value : 0));
    });
    return sum;
  };
  double got = 0, size = 0;
  for (std::size_t p = 0; p < ways.size(); ++p)
    for (std::size_t i = 0; i < ways[p].size(); ++i) {
      const double part = double(training.gradient(p)[i]) * ways[p][i];
      got += part, size += std::abs(part);
    }
  if (const double wanted = slope_of(value); std::isfinite(wanted) && has_opinion)
    expect("bias.backward along a direction", 0, got, {wanted, 2e-4 * size + 1e-4 * (1 + std::abs(wanted))});
}

}  // namespace

void stay_within_limits(const Model& model, std::span<std::vector<double>> ways) {
  if (model.kind() != "kerple") return;
  constexpr double kLeast = 0.0102, kMost = 1.9998;
  for (std::size_t list = 0; list < ways.size(); ++list)
    for (std::size_t i = 0; i < ways[list].size(); ++i) {
      const double number = model.parameters[list][i];
      if (number < kLeast || (number > kMost && (list == 2 || list == 4))) ways[list][i] = 0;
    }
}

void call_bias(Input& input, Subject& subject) {
  Bias& bias = *as<Bias>(*subject.encoding);
  double queries = size_from(input), keys = size_from(input), batch = input.below(4);
  const double heads = bias.heads == 1 ? input.below(4) : bias.heads;
  // Many long heads only make the same calls slower.
  if (batch * heads * queries * keys > 3000) queries = std::min(queries, 5.0), batch = std::min(batch, 1.0);
  const RandomPositions random_positions(input, keys, batch, 1);
  const bool per_row = input.flag();
  const Mask rows(input, per_row ? Shape{batch, keys} : Shape{keys});
  const Mask mask(input, broadcasting_shape(input, {batch, heads, queries, keys}));
  const BiasCall call = call_of(input, random_positions, rows, mask, queries, keys);
  const int task = input.below(4);
  if (task == 0) {
    const AttentionMasks& visible = call.visible;
    const bool has_batch = ((visible.attention_mask.data || visible.segments.data) && per_row) ||
                           (visible.mask.data && visible.mask.shape.rank == 4);
    const Tensor out(input, has_batch ? Shape{batch, heads, queries, keys} : Shape{heads, queries, keys});
    const Error error = bias.bias(call, out.view());
    expect_same_bits("bias", error, out);
    if (const Model* model = error ? nullptr : subject.formula())
      check_bias(*model, {call, out.view().shape.rank == 4 ? out.view().shape[0] : 1, double(bias.heads)}, out, false);
    return;
  }
  if (task == 1) {
    const std::size_t count = input.rarely(16) ? input.byte() : std::size_t(queries * keys);
    const auto out = std::make_unique<std::int32_t[]>(count);
    const Error error = bias.buckets(call, {out.get(), count});
    expect_same_error("bias.buckets", error);
    if (const Model* model = error ? nullptr : subject.formula())
      BiasTask{call, 1, 1}.for_some(200, [&](std::size_t at, double, int, double i, double j) {
        const double key = call.key_positions.values.empty() ? j : position_of(call.key_positions, call.keys, 0, j);
        expect("bias.buckets", at, out[at], {double(bias_bucket(*model, call.offset + i, key)), 0});
      });
    return;
  }
  const Shape shape = input.flag() ? Shape{batch, heads, queries, keys} : Shape{heads, queries, keys};
  const Tensor scores(input, shape), gradient(input, shape);
  BiasTask of{call, 1, 1};
  const auto fit = [&](const Shape& got) {
    of.batch = 1;
    for (int axis = 0; axis < got.rank - 3; ++axis) of.batch *= got[axis];
    of.heads = got[-3], of.call.queries = got[-2], of.call.keys = got[-1];
  };
  if (task == 2) {
    const Error error = bias.apply_to(call, scores.view());
    check_untouched(error, scores);
    expect_same_bits("bias.apply_to", error, scores);
    if (const Model* model = error ? nullptr : subject.formula())
      fit(scores.view().shape), check_bias(*model, of, scores, true);
    return;
  }
  const bool has_scores = !input.rarely(4), fresh = subject.fresh_gradients(input);
  const Error error = bias.backward(call, gradient.view(), has_scores ? scores.view() : View{}, subject.training);
  check_untouched(error, gradient);
  require(scores.unchanged(), "backward() changed the scores");
  expect_same_bits("bias.backward", error, gradient);
  if (error) return;
  const std::uint32_t seed = input.byte();
  // Where nothing multiplies scores, they are not looked at.
  const bool counts = has_scores && scores.values().size() == gradient.values().size();
  if (const Model* model = fresh ? subject.formula() : nullptr)
    fit(gradient.view().shape),
        check_bias_gradient(*model, subject.training, of, gradient, counts ? &scores : nullptr, seed);
  subject.share_gradients(gradient.tame() && scores.tame() ? 1e-4 : kInfinity);
}

}  // namespace posenc::fuzz
