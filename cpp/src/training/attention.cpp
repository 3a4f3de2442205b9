// The gradient of attention, by recomputation.
#include "training/backward.hpp"

namespace posenc {

namespace {

// Names of the gradients, in the order of Views.
constexpr std::string_view kNames[]{
    "out.q",        "out.k",          "out.v",         "out.bias",     "out.gateKeys",
    "out.logGates", "out.directions", "out.strengths", "out.gateRows", "out.relativeStates"};
using Views = std::array<const View*, std::size(kNames)>;

[[gnu::noinline]] Views views_of(const View& q, const View& k, const View& v, const View& bias, const View& extra_keys,
                                 const TokenInputs& tokens) {
  Views out{&q, &k, &v, &bias, &extra_keys};
  static_assert(std::size(kNames) == 5 + kTokenInputs.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) out[5 + i] = &tokens[i];
  return out;
}
Views results_of(const AttentionGradients& out) {
  return views_of(out.q, out.k, out.v, out.bias, out.extra_keys, out.tokens);
}

Error check_out(const View& q, const View& k, const View& v, const View& gradient, const AttentionOptions& options,
                const AttentionGradients& out) {
  if (!out.sinks.empty() && out.sinks.size() != options.sinks.size())
    return error_at(Code::shape_mismatch, "out.sinks", "must have % values", double(options.sinks.size()));
  const Views inputs = views_of(q, k, v, options.bias, options.extra_keys, options.tokens), results = results_of(out);
  for (std::size_t i = 0; i < std::size(results); ++i) {
    // Gradients of q and k are always computed, that of v if v is given.
    const bool is_needed = i < 2 || (i == 2 && v.shape.rank > 0);
    if (!is_needed && !results[i]->data) continue;
    if (Error error = check_result(*results[i], inputs[i]->shape, kNames[i])) return error;
  }
  const auto region = [&](std::size_t i) { return Region{kNames[i], *results[i]}; };
  return check_apart_from_inputs({region(0),
                                  region(1),
                                  region(2),
                                  region(3),
                                  region(4),
                                  region(5),
                                  region(6),
                                  region(7),
                                  region(8),
                                  region(9),
                                  {"out.sinks", out.sinks}},
                                 {{"q", q}, {"k", k}, {"v", v}, {"gradOut", gradient}}, options);
}

[[gnu::noinline]] Error begin(const Learned* encoding, Training* training) {
  if (!encoding) return {};
  if (!training) return error_at(Code::invalid_argument, "training", "is missing");
  return training->begin_backward(*encoding);
}

void clear(const AttentionGradients& out) {
  for (const View* result : results_of(out))
    if (result->data) std::fill_n(result->data, std::size_t(result->length), 0.0f);
  std::fill(out.sinks.begin(), out.sinks.end(), 0.0f);
}

}  // namespace

Error attention_backward(const View& q, const View& k, const View& v, const View& gradient,
                         const AttentionOptions& given, const AttentionGradients& out, Workspace& workspace) noexcept {
  Sizes sizes;
  AttentionOptions options = given;
  const bool has_values = v.shape.rank > 0;
  if (Error error = check_call(q, k, has_values ? &v : nullptr, options, sizes)) return error;
  Shape expected{double(sizes.q.batch), double(sizes.q.heads), double(sizes.q.positions), double(sizes.k.positions)};
  if (has_values) (expected = q.shape).dims[3] = sizes.v.dim;
  if (Error error = check_result(gradient, expected, "gradOut")) return error;
  if (Error error = check_out(q, k, v, gradient, options, out)) return error;
  Scorer scorer(q, k, sizes, options, workspace, kChunkQueries);
  Backward backward(scorer, v, gradient, sizes, options, out);
  if (!backward) return attention_out_of_memory();
  if (Error error = scorer.prepare(RelativeRequest::Wanted::gradients)) return error;
  if (Error error = begin(options.rotation, out.rotation)) return error;
  if (Error error = begin(options.encoding_bias, out.encoding_bias)) return error;
  if (Error error = begin(options.relative, out.relative)) return error;
  RelativeCall* relative = scorer.relative();
  if (relative) relative->training = out.relative;
  clear(out);
  for (int batch = 0; batch < sizes.q.batch; ++batch)
    for (int head = 0; head < sizes.q.heads; ++head)
      for (int first = 0; first < sizes.q.positions; first += kChunkQueries) backward.chunk(batch, head, first);
  if (relative) relative->finish_backward();
  if (!options.rotation || scorer.rows().branches()) return backward.take_error();
  const double length = rotation_length(options);
  const Rotation& rotation = *options.rotation;
  const Positions queries = counted(options.query_positions, double(sizes.q.positions));
  if (Error error = rotation.backward_from(&queries, k, out.k, options.layout, options.key_positions, length, Role::key,
                                           *out.rotation, workspace))
    return error;
  return rotation.backward_from(&queries, q, out.q, options.layout, queries, length, Role::query, *out.rotation,
                                workspace);
}

}  // namespace posenc
