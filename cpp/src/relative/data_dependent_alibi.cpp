#include "posenc/relative/data_dependent_alibi.hpp"

#include "relative/gate_sums.hpp"

namespace posenc {

namespace {

class DataDependentAlibiRelative final : public Relative {
 public:
  explicit DataDependentAlibiRelative(const DataDependentAlibi& spec) : Relative(0), spec_(spec) {
    heads = spec.heads;
    token_widths[0] = spec.bidirectional ? 2 : 1;
    makes_gates = true;
  }

  Begun begin(const RelativeRequest& request) const override { return begin_gate_bias(request, token_widths[0]); }

  Error log_gates(const View& x, HeadLayout layout, const View& out) const noexcept override {
    if (Error error = check_input(x)) return error;
    if (Error error = check_result(out, gate_shape(x, layout), "out")) return error;
    if (Error error = check_apart({{"out", out}}, {{"x", x}}, this)) return error;
    for_each_gate(x, layout, [&](const float* row, int gate, std::ptrdiff_t at) {
      out.data[at] = float(spec_.post_log_scale * log_sigmoid(logit(row, gate)));
    });
    return {};
  }

  Error log_gates_backward(const View& x, const View& gradient, HeadLayout layout, const View& out,
                           Training& training) const noexcept override {
    if (Error error = check_input(x)) return error;
    if (Error error = check_result(gradient, gate_shape(x, layout), "gradOut")) return error;
    if (Error error = check_result(out, x.shape, "out")) return error;
    if (Error error = check_apart({{"out", out}}, {{"x", x}, {"gradOut", gradient}}, this)) return error;
    if (Error error = training.begin_backward(*this)) return error;
    std::fill_n(out.data, std::ptrdiff_t(out.length), 0.0f);
    float *weights = training.gradient(0), *biases = training.gradient(1);
    for_each_gate(x, layout, [&](const float* row, int gate, std::ptrdiff_t at) {
      const double slope = spec_.post_log_scale * log_sigmoid_slope(logit(row, gate)) * double(gradient.data[at]);
      const float* weight = weight_of(gate);
      float *row_slopes = out.data + (row - x.data), *weight_slopes = weights + (weight - weight_of(0));
      for (int i = 0; i < spec_.dim; ++i) {
        row_slopes[i] += float(slope * double(weight[i]));
        weight_slopes[i] += float(slope * double(row[i]));
      }
      biases[gate] += float(slope);
    });
    return {};
  }

 private:
  Error check_input(const View& x) const {
    if (x.shape.rank != 3 || x.shape[2] != spec_.dim)
      return error_at(Code::shape_mismatch, "x", "must have 3 dims, the last %, got %", spec_.dim, x.shape);
    return check_view(x, "x");
  }
  Shape gate_shape(const View& x, HeadLayout layout) const {
    const double gates = spec_.gates();
    if (layout == HeadLayout::bhtd) return {x.shape[0], gates, x.shape[1]};
    return {x.shape[0], x.shape[1], gates};
  }
  const float* weight_of(int gate) const { return parameters[0].values.data() + std::ptrdiff_t(gate) * spec_.dim; }
  double logit(const float* row, int gate) const {
    const float* weight = weight_of(gate);
    double sum = double(parameters[1].values[std::size_t(gate)]);
    for (int i = 0; i < spec_.dim; ++i) sum += double(weight[i]) * double(row[i]);
    return sum;
  }
  template <class Visit>
  void for_each_gate(const View& x, HeadLayout layout, Visit&& visit) const {
    const std::ptrdiff_t tokens = std::ptrdiff_t(x.shape[1]), gates = spec_.gates();
    const bool is_bhtd = layout == HeadLayout::bhtd;
    for (std::ptrdiff_t row = 0; row < std::ptrdiff_t(x.shape[0]) * tokens; ++row)
      for (int gate = 0; gate < gates; ++gate) {
        const std::ptrdiff_t batch = row / tokens, token = row % tokens;
        visit(x.data + row * spec_.dim, gate, is_bhtd ? (batch * gates + gate) * tokens + token : row * gates + gate);
      }
  }

  DataDependentAlibi spec_;
};

}  // namespace

std::unique_ptr<Relative> DataDependentAlibi::make() const {
  return std::make_unique<DataDependentAlibiRelative>(*this);
}

}  // namespace posenc
