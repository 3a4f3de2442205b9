// Calls of relative encodings and of attention with any encoding.
#include "calls.hpp"

namespace posenc::fuzz {

namespace {

struct Sizes {
  double batch, groups, key_heads, queries, keys, dim, value_dim;
};

// Sizes that suit the encoding.
Sizes sizes_for(Input& input, Learned* encoding) {
  Sizes sizes{double(input.between(0, 2)), double(input.between(1, 3)), double(input.between(0, 3)),
              double(size_from(input)),    double(size_from(input)),    double(size_from(input)),
              double(size_from(input))};
  if (!encoding || input.rarely(48)) return sizes;
  if (const Rotation* rotation = as<Rotation>(*encoding)) sizes.dim = rotation->dim;
  if (const Bias* bias = as<Bias>(*encoding); bias && bias->heads > 1) sizes.groups = 1, sizes.key_heads = bias->heads;
  if (const Relative* relative = as<Relative>(*encoding)) {
    sizes.dim = relative->dim;
    if (relative->value_dim) sizes.value_dim = relative->value_dim;
    if (relative->heads) sizes.groups = 1, sizes.key_heads = relative->heads;
  }
  return sizes;
}

Shape heads_shape(HeadLayout layout, double batch, double heads, double positions, double width) {
  return layout == HeadLayout::bhtd ? Shape{batch, heads, positions, width} : Shape{batch, positions, heads, width};
}

Shape mask_shape(Input& input, const Sizes& s) {
  const double all[] = {s.batch, s.groups * s.key_heads, s.queries, s.keys};
  Shape shape;
  shape.rank = 1 + input.below(4);
  for (int i = 0; i < shape.rank; ++i) shape.dims[std::size_t(i)] = input.rarely(3) ? 1 : all[4 - shape.rank + i];
  return shape;
}

Shape rows_shape(Input& input, const Sizes& s) {
  return input.flag() ? Shape{s.keys} : Shape{input.rarely(4) ? 1 : s.batch, s.keys};
}

Shape bias_shape(Input& input, const Sizes& s) {
  const double heads = s.groups * s.key_heads;
  switch (input.below(3)) {
    case 0:
      return {s.queries, s.keys};
    case 1:
      return {heads, s.queries, s.keys};
  }
  return {input.flag() ? s.batch : 1, input.flag() ? heads : 1, input.flag() ? s.queries : 1, s.keys};
}

// All that one call of attention is given.
class AttentionCall {
 public:
  AttentionCall(Input& input, Learned* encoding)
      : input_(input),
        sizes_(sizes_for(input, encoding)),
        layout_(input.choice<HeadLayout>(2)),
        heads_(sizes_.groups * sizes_.key_heads),
        q_(input, heads_shape(layout_, sizes_.batch, heads_, sizes_.queries, sizes_.dim)),
        k_(input, heads_shape(layout_, sizes_.batch, sizes_.key_heads, sizes_.keys, sizes_.dim)),
        v_(input, heads_shape(layout_, sizes_.batch, sizes_.key_heads, sizes_.keys, sizes_.value_dim)),
        gates_(input, k_.view().shape),
        mask_(input, mask_shape(input, sizes_)),
        attention_mask_(input, rows_shape(input, sizes_)),
        segments_(input, rows_shape(input, sizes_)),
        bias_(input, bias_shape(input, sizes_)),
        sinks_(input, {heads_}),
        keys_(input, sizes_.keys, sizes_.batch, axes_of(encoding)),
        queries_(input, sizes_.queries, sizes_.batch, axes_of(encoding)) {
    read(encoding);
  }

  void run() {
    const int how = input_.below(3);
    if (how == 0) forward();
    if (how == 1) rows();
    if (how == 2) backward();
    require(q_.unchanged() && k_.unchanged() && v_.unchanged() && gates_.unchanged() && bias_.unchanged(),
            "attention changed its inputs");
  }

 private:
  int axes_of(Learned* encoding) const {
    const Rotation* rotation = encoding ? as<Rotation>(*encoding) : nullptr;
    return rotation && !input_.rarely(4) ? rotation->axes : 1;
  }

  void read(Learned* encoding) {
    options_.layout = layout_;
    options_.causal = input_.flag();
    if (input_.rarely(3)) options_.window_left = input_.number();
    if (input_.rarely(3)) options_.window_right = input_.number();
    if (input_.rarely(4)) options_.scale = input_.number();
    if (input_.rarely(4)) options_.softcap = input_.number();
    if (input_.rarely(4)) options_.temperature = {input_.number(), input_.number(), input_.number()};
    if (input_.rarely(4)) options_.sinks = {sinks_.view().data, std::size_t(sinks_.view().length)};
    if (input_.rarely(3)) options_.mask = mask_.view();
    if (input_.rarely(4)) options_.attention_mask = attention_mask_.view();
    if (input_.rarely(4)) options_.segments = segments_.segments();
    if (input_.rarely(3)) options_.bias = bias_.view();
    options_.key_positions = keys_.positions();
    options_.query_positions = queries_.positions();
    options_.sequence_length = sequence_length_from(input_);
    if (!encoding) return;
    options_.rotation = as<Rotation>(*encoding);
    options_.encoding_bias = as<Bias>(*encoding);
    options_.relative = as<Relative>(*encoding);
    if (input_.rarely(options_.relative && options_.relative->contextual ? 2 : 24)) options_.gate_keys = gates_.view();
  }

  Shape result() const { return heads_shape(layout_, sizes_.batch, heads_, sizes_.queries, sizes_.value_dim); }
  Shape square() const { return {sizes_.batch, heads_, sizes_.queries, sizes_.keys}; }

  void forward() {
    const Tensor out(input_, result());
    check_error(attention(q_.view(), k_.view(), v_.view(), options_, out.view()));
  }
  void rows() {
    const Tensor out(input_, square());
    check_error(attention_rows(q_.view(), k_.view(), options_, out.view(), input_.choice<AttentionRows>(3)));
  }
  void backward() {
    const bool has_values = !input_.rarely(4);
    const Tensor gradient(input_, has_values ? result() : square());
    const Tensor q(input_, q_.view().shape), k(input_, k_.view().shape), v(input_, v_.view().shape);
    const Tensor bias(input_, bias_.view().shape), gates(input_, k_.view().shape), sinks(input_, {heads_});
    AttentionGradients out{q.view(), k.view(), has_values ? v.view() : View{}};
    if (options_.bias.data) out.bias = bias.view();
    if (options_.gate_keys.data) out.gate_keys = gates.view();
    if (!options_.sinks.empty()) out.sinks = {sinks.view().data, std::size_t(sinks.view().length)};
    check_error(
        attention_backward(q_.view(), k_.view(), has_values ? v_.view() : View{}, gradient.view(), options_, out));
    require(gradient.unchanged(), "attention_backward() changed its gradient");
  }

  Input& input_;
  Sizes sizes_;
  HeadLayout layout_;
  double heads_;
  Tensor q_, k_, v_, gates_;
  Mask mask_, attention_mask_, segments_;
  Tensor bias_, sinks_;
  Places keys_, queries_;
  AttentionOptions options_;
};

}  // namespace

void call_attention(Input& input, Learned* encoding) { AttentionCall(input, encoding).run(); }

void call_relative(Input& input, Relative& relative) {
  if (input.flag()) {
    const std::size_t count = input.byte();
    const auto distances = std::make_unique<double[]>(count);
    const auto out = std::make_unique<std::int32_t[]>(count);
    for (std::size_t i = 0; i < count; ++i) distances[i] = input.empty() ? double(i) : input.number();
    return check_error(relative.buckets({distances.get(), count}, out.get()));
  }
  const auto layout = input.choice<HeadLayout>(2);
  const bool is_key = input.flag();
  const double heads = relative.heads ? relative.heads : input.below(4), positions = size_from(input);
  const Tensor x(input, heads_shape(layout, input.below(3), heads, positions, relative.dim));
  const Shape& shape = x.view().shape;
  Shape wanted = shape;
  if (wanted.rank > 0) wanted.dims[std::size_t(wanted.rank - 1)] = is_key ? relative.key_width : relative.query_width;
  const Tensor out(input, wanted);
  const Places places(input, positions, shape.rank == 4 ? shape[0] : 1, 1);
  check_error(relative.expanded(x.view(), is_key, layout, places.positions(), out.view()));
  require(x.unchanged(), "expanded() changed its input");
}

}  // namespace posenc::fuzz
