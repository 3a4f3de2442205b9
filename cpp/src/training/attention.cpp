// The gradient of attention, by recomputation.
#include "training/backward.hpp"

namespace posenc {

namespace {

Error check_out(const View& q, const View& k, const View& v, const View& gradient, const AttentionOptions& options,
                const AttentionGradients& out) {
  if (!out.sinks.empty() && out.sinks.size() != options.sinks.size())
    return error_at(Code::shape_mismatch, "out.sinks", "must hold % numbers", double(options.sinks.size()));
  const View* inputs[]{&q,
                       &k,
                       &v,
                       &options.bias,
                       &options.extra_keys,
                       &options.tokens[0],
                       &options.tokens[1],
                       &options.tokens[2],
                       &options.tokens[3]};
  const View* results[]{&out.q,         &out.k,         &out.v,         &out.bias,     &out.extra_keys,
                        &out.tokens[0], &out.tokens[1], &out.tokens[2], &out.tokens[3]};
  constexpr std::string_view kNames[]{"out.q",        "out.k",          "out.v",         "out.bias",    "out.gateKeys",
                                      "out.logGates", "out.directions", "out.strengths", "out.gateRows"};
  for (std::size_t i = 0; i < std::size(results); ++i) {
    // Those of q and k are always made, that of v if there is one.
    const bool is_needed = i < 2 || (i == 2 && v.shape.rank > 0);
    if (!is_needed && !results[i]->data) continue;
    if (Error error = check_result(*results[i], inputs[i]->shape, kNames[i])) return error;
  }
  return check_apart_from_inputs({{kNames[0], out.q},
                                  {kNames[1], out.k},
                                  {kNames[2], out.v},
                                  {kNames[3], out.bias},
                                  {kNames[4], out.extra_keys},
                                  {kNames[5], out.tokens[0]},
                                  {kNames[6], out.tokens[1]},
                                  {kNames[7], out.tokens[2]},
                                  {kNames[8], out.tokens[3]},
                                  {"out.sinks", out.sinks}},
                                 {{"q", q}, {"k", k}, {"v", v}, {"gradOut", gradient}}, options);
}

[[gnu::noinline]] Error begin(const Learned* encoding, Training* training) {
  if (!encoding) return {};
  if (!training) return error_at(Code::invalid_argument, "training", "is missing");
  return training->begin_backward(*encoding);
}

void clear(const AttentionGradients& out) {
  for (const View* result : {&out.q, &out.k, &out.v, &out.bias, &out.extra_keys, &out.tokens[0], &out.tokens[1],
                             &out.tokens[2], &out.tokens[3]})
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
  if (Error error = rotation.backward(k, out.k, options.layout, options.key_positions, length, Role::key, *out.rotation,
                                      workspace))
    return error;
  return rotation.backward(q, out.q, options.layout, options.query_positions, length, Role::query, *out.rotation,
                           workspace);
}

}  // namespace posenc
