// Calls of attention with any encoding.
#include "calls_attention.hpp"

namespace posenc::fuzz {

namespace {

struct Sizes {
  double batch, groups, key_heads, queries, keys, dim, value_dim;
};

// Many long heads only make the same calls slower.
Sizes shorter(Input& input, Sizes sizes) {
  const auto work = [&] {
    return sizes.batch * sizes.groups * sizes.key_heads * sizes.queries * sizes.keys * (sizes.dim + sizes.value_dim);
  };
  const double most = input.rarely(32) ? 200000 : 10000;
  if (work() > most) sizes.batch = std::min(sizes.batch, 1.0);
  if (work() > most) sizes.queries = std::min(sizes.queries, 9.0);
  if (work() > most) sizes.keys = std::min(sizes.keys, 17.0);
  return sizes;
}

// Sizes that suit the encoding.
Sizes sizes_for(Input& input, Learned* encoding) {
  Sizes sizes{double(input.between(0, 2)), double(input.between(1, 3)), double(input.between(0, 3)),
              double(size_from(input)),    double(size_from(input)),    double(size_from(input)),
              double(size_from(input))};
  if (!encoding || input.rarely(48)) return shorter(input, sizes);
  if (const Rotation* rotation = as<Rotation>(*encoding)) sizes.dim = rotation->dim;
  if (const Bias* bias = as<Bias>(*encoding); bias && bias->heads > 1) sizes.groups = 1, sizes.key_heads = bias->heads;
  if (const Relative* relative = as<Relative>(*encoding)) {
    if (relative->dim) sizes.dim = relative->dim;
    if (relative->value_dim) sizes.value_dim = relative->value_dim;
    if (relative->heads) sizes.groups = 1, sizes.key_heads = relative->heads;
  }
  return shorter(input, sizes);
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
  AttentionCall(Input& input, Subject* subject, bool is_remapped)
      : input_(input),
        subject_(subject),
        encoding_(subject ? subject->encoding.get() : nullptr),
        sizes_(sizes_for(input, encoding_)),
        layout_(input.choice<HeadLayout>(2)),
        heads_(sizes_.groups * sizes_.key_heads),
        q_(input, heads_shape(layout_, sizes_.batch, heads_, sizes_.queries, sizes_.dim)),
        k_(input, heads_shape(layout_, sizes_.batch, sizes_.key_heads, sizes_.keys, sizes_.dim)),
        v_(input, heads_shape(layout_, sizes_.batch, sizes_.key_heads, sizes_.keys, sizes_.value_dim)),
        keys_(input, sizes_.keys, sizes_.batch, axes_of(encoding_)) {
    read_settings();
    read_tensors();
    if (is_remapped) read_remap();
  }

  void run() {
    const int how = input_.below(3);
    if (how == 0) forward();
    if (how == 1) rows();
    if (how == 2) backward();
    require(q_.unchanged() && k_.unchanged() && v_.unchanged() && (!gates_ || gates_->unchanged()) &&
                tokens_unchanged() && (!bias_ || bias_->unchanged()) && (!sinks_ || sinks_->unchanged()),
            "attention changed its inputs");
  }

 private:
  int axes_of(Learned* encoding) const {
    const Rotation* rotation = encoding ? as<Rotation>(*encoding) : nullptr;
    return rotation && !input_.rarely(4) ? rotation->axes : 1;
  }

  void read_settings() {
    options_.layout = layout_;
    options_.causal = input_.flag();
    if (input_.rarely(3)) options_.window_left = input_.number();
    if (input_.rarely(3)) options_.window_right = input_.number();
    if (input_.rarely(4)) options_.scale = input_.number();
    if (input_.rarely(4)) options_.softcap = input_.number();
    if (input_.rarely(4)) options_.temperature = {input_.number(), input_.number(), input_.number()};
    // No byte of its own: older inputs keep their meaning.
    if (std::fmod(std::abs(options_.temperature.offset), 2) == 1) options_.temperature.rule = Temperature::Rule::log;
    options_.sequence_length = sequence_length_from(input_);
    if (!encoding_) return;
    options_.rotation = as<Rotation>(*encoding_);
    options_.encoding_bias = as<Bias>(*encoding_);
    options_.relative = as<Relative>(*encoding_);
  }

  void read_tensors() {
    const bool reads_gates = options_.relative && options_.relative->reads_extra_keys;
    if (input_.rarely(4)) options_.sinks = sinks_.emplace(input_, Shape{heads_}).values();
    if (input_.rarely(3)) options_.mask = mask_.emplace(input_, broadcasting_shape(input_, square())).view();
    if (input_.rarely(4)) options_.attention_mask = attention_mask_.emplace(input_, rows_shape(input_, sizes_)).view();
    if (input_.rarely(4)) options_.segments = segments_.emplace(input_, rows_shape(input_, sizes_)).segments();
    if (input_.rarely(3)) options_.bias = bias_.emplace(input_, bias_shape(input_, sizes_)).view();
    if (encoding_ && input_.rarely(reads_gates ? 2 : 24))
      options_.extra_keys = gates_.emplace(input_, k_.view().shape).view();
    for (std::size_t i = 0; options_.relative && i < tokens_.size(); ++i)
      if (options_.relative->token_widths[i] > 0 && !input_.rarely(i ? 24 : 6))
        options_.tokens[i] = tokens_[i].emplace(input_, token_shape(i)).view();
    options_.key_positions = keys_.positions();
    if (!input_.rarely(2)) {
      queries_.emplace(input_, sizes_.queries, sizes_.batch, axes_of(encoding_));
      options_.query_positions = queries_->positions();
    }
  }

  Shape token_shape(std::size_t which) const {
    const double values_per_token = options_.relative->token_widths[which];
    const bool of_queries = TokenInput(which) == TokenInput::relative_states;
    const double heads = which == 0 ? heads_ * values_per_token : which >= 3 ? heads_ : sizes_.key_heads;
    const double width = which < 3                            ? sizes_.dim
                         : values_per_token > 1 || of_queries ? values_per_token
                                                              : 2 * std::ceil(sizes_.dim / 2);
    const Shape shape = heads_shape(layout_, sizes_.batch, heads, of_queries ? sizes_.queries : sizes_.keys, width);
    return which % 2 || of_queries ? shape : Shape{shape[0], shape[1], shape[2]};
  }
  bool tokens_unchanged() const {
    return std::ranges::all_of(tokens_, [](const auto& tensor) { return !tensor || tensor->unchanged(); });
  }

  void read_remap() {
    const auto number = [&](int most) { return input_.rarely(24) ? input_.number() : double(input_.between(1, most)); };
    Remap& remap = options_.remap;
    remap.rule = Remap::Rule(input_.between(1, 3));
    remap.group = number(6), remap.window = number(20), remap.leak = (number(5) - 1) / 4;
    remap.local = number(8) - 1, remap.chunk = remap.local + number(20);
    if (input_.flag()) remap.trained = number(20);
  }

  Shape result() const { return heads_shape(layout_, sizes_.batch, heads_, sizes_.queries, sizes_.value_dim); }
  Shape square() const { return {sizes_.batch, heads_, sizes_.queries, sizes_.keys}; }

  void forward() {
    const Tensor out(input_, result());
    const Error error = attention(q_.view(), k_.view(), v_.view(), options_, out.view());
    expect_same_error("attention", error);
    if (error) return;
    std::vector<double> bounds(out.values().size(), kInfinity);
    if (const auto wanted = attended(true))
      for (std::size_t at = 0; at < bounds.size(); ++at) {
        const Near& near = wanted->out[at];
        if (!(near.bound < kMaxTolerance)) continue;
        bounds[at] = near.bound;
        expect("attention", at, double(out.values()[at]), near);
      }
    twin::near("attention", out.values(), bounds);
  }

  void rows() {
    const Tensor out(input_, square());
    enum class Kind { weights, logits, positions };
    const auto kind = input_.choice<Kind>(3);
    const bool positions = kind == Kind::positions;
    const Error error = positions ? context_positions(q_.view(), k_.view(), options_, out.view())
                                  : attention_rows(q_.view(), k_.view(), options_, out.view(), AttentionRows(kind));
    expect_same_error("attention_rows", error);
    if (error) return;
    std::vector<double> bounds(out.values().size(), kInfinity);
    if (const auto wanted = attended(false)) {
      const std::size_t keys = std::size_t(std::max(1.0, out.view().shape[-1]));
      for (std::size_t row = 0; row < bounds.size(); row += keys) {
        double tolerance = 0;
        for (std::size_t at = row; at < row + keys; ++at) tolerance = std::max(tolerance, wanted->tolerances[at]);
        for (std::size_t at = row; at < row + keys; ++at) {
          Near near{wanted->logits[at], wanted->tolerances[at]};
          if (kind == Kind::weights)
            near = {wanted->weights[at],
                    wanted->weights[at] * (2 * tolerance + kHalfUlp * (24 + double(keys) / 4)) + 1e-30};
          // What gates add up to is as exact as the scores before the scale.
          if (positions) near = {wanted->context_positions[at], kInfinity};
          if (!(tolerance < kMaxTolerance)) continue;
          bounds[at] = near.bound;
          expect("attention_rows", at, double(out.values()[at]), near);
        }
      }
    }
    twin::near("attention_rows", out.values(), bounds);
  }

  void backward() {
    // Without dims they count as not given.
    const bool has_values = !input_.rarely(4) && v_.view().shape.rank > 0;
    const Tensor gradient(input_, has_values ? result() : square());
    const Tensor q(input_, q_.view().shape), k(input_, k_.view().shape), v(input_, v_.view().shape);
    std::optional<Tensor> bias, gates, sinks, tokens[kTokenInputs.size()];
    AttentionGradients out{q.view(), k.view(), has_values ? v.view() : View{}};
    if (bias_) out.bias = bias.emplace(input_, bias_->view().shape).view();
    if (gates_) out.extra_keys = gates.emplace(input_, k_.view().shape).view();
    for (std::size_t i = 0; i < tokens_.size(); ++i)
      if (tokens_[i]) out.tokens[i] = tokens[i].emplace(input_, tokens_[i]->view().shape).view();
    if (sinks_) out.sinks = {sinks.emplace(input_, Shape{heads_}).view().data, sinks->values().size()};
    if (subject_) out.rotation = out.encoding_bias = out.relative = &subject_->training;
    const bool fresh = subject_ && subject_->fresh_gradients(input_);
    const Error error =
        attention_backward(q_.view(), k_.view(), has_values ? v_.view() : View{}, gradient.view(), options_, out);
    expect_same_error("attention_backward", error);
    require(gradient.unchanged(), "attention_backward() changed its gradient");
    if (error) return;
    const std::uint32_t seed = input_.byte();
    if (gradient.tame()) {
      const auto asked = [](const std::optional<Tensor>& tensor) { return tensor ? &*tensor : nullptr; };
      const Tensor* const results[]{&q,
                                    &k,
                                    has_values ? &v : nullptr,
                                    asked(gates),
                                    asked(bias),
                                    asked(sinks),
                                    asked(tokens[0]),
                                    asked(tokens[1]),
                                    asked(tokens[2]),
                                    asked(tokens[3]),
                                    asked(tokens[4])};
      const AttentionCase whole = at(has_values);
      if (const auto given = whole.work() > kMostWork / 4 || whole.key_heads == 0 ? std::nullopt : inputs(has_values))
        check_slope(whole, *given, {gradient, results, fresh ? &subject_->training : nullptr, seed});
    }
    if (subject_) subject_->share_gradients(kInfinity);
  }

  // The numbers as the formula sees them; nothing where it has no opinion.
  std::optional<AttentionInputs> inputs(bool has_values) {
    const std::optional<Tensor>* const others[]{&gates_, &bias_, &sinks_};
    bool tame = q_.tame() && k_.tame() && v_.tame();
    for (const auto* tensor : others) tame = tame && (!*tensor || (*tensor)->tame());
    for (const auto& tensor : tokens_) tame = tame && (!tensor || tensor->tame());
    if (twin::kIsSecond || !tame) return {};
    // Its formula of rows that turn has one axis.
    if (options_.relative && options_.relative->axes > 1) return {};
    if (subject_ && !subject_->formula()) return {};
    const auto list = [](const Tensor* tensor) {
      return tensor ? std::vector<double>(tensor->before().begin(), tensor->before().end()) : std::vector<double>();
    };
    const auto list_if = [&](const std::optional<Tensor>& tensor) { return list(tensor ? &*tensor : nullptr); };
    AttentionInputs out{
        list(&q_),
        list(&k_),
        list(has_values ? &v_ : nullptr),
        list_if(gates_),
        list_if(bias_),
        list_if(sinks_),
        {list_if(tokens_[0]), list_if(tokens_[1]), list_if(tokens_[2]), list_if(tokens_[3]), list_if(tokens_[4])},
        {}};
    if (subject_) out.parameters = subject_->model.parameters;
    return out;
  }
  // As the tensors are, which may not be as they were meant.
  AttentionCase at(bool has_values = true) const {
    const auto size = [&](const Tensor& tensor, int axis) {
      const double dim = tensor.view().shape[layout_ == HeadLayout::bthd && axis % 3 ? 3 - axis : axis];
      // Of what the call does not read, dims can be anything.
      return dim >= 0 && dim < 1e9 ? int(dim) : 0;
    };
    const int queries = size(q_, 2), keys = size(k_, 2);
    const Model* model = subject_ ? &subject_->model : nullptr;
    AttentionCase out{size(q_, 0), size(q_, 1), size(k_, 1), queries,  keys,
                      size(q_, 3), size(v_, 3), model,       options_, has_values};
    out.complete();
    return out;
  }
  std::optional<AttentionResult> attended(bool has_values) {
    const AttentionCase whole = at(has_values);
    if (whole.work() > kMostWork || whole.key_heads == 0) return {};
    const auto given = inputs(has_values);
    if (!given) return {};
    return attend(whole, *given);
  }

  static constexpr double kMostWork = 40000;

  Input& input_;
  Subject* subject_;
  Learned* encoding_;
  Sizes sizes_;
  HeadLayout layout_;
  double heads_;
  Tensor q_, k_, v_;
  RandomPositions keys_;
  // What the call is not given is not made.
  std::optional<Tensor> gates_, bias_, sinks_;
  std::array<std::optional<Tensor>, kTokenInputs.size()> tokens_;
  std::optional<Mask> mask_, attention_mask_, segments_;
  std::optional<RandomPositions> queries_;
  AttentionOptions options_;
};

}  // namespace

void call_attention(Input& input, Subject* subject) { AttentionCall(input, subject, false).run(); }
void call_remapped(Input& input, Subject& rotation) { AttentionCall(input, &rotation, true).run(); }

}  // namespace posenc::fuzz
