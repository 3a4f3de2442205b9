#include "posenc/relative/forget.hpp"

#include "relative/gate_sums.hpp"

namespace posenc {

namespace {

class ForgetRelative final : public Relative {
 public:
  explicit ForgetRelative(const Forget& spec) : Relative(0) {
    heads = spec.heads;
    token_widths[0] = 1;
    makes_gates = true;
  }

  Begun begin(const RelativeRequest& request) const override { return begin_gate_bias(request, 1); }

  Error make_gates(const View& x, HeadLayout, const View& out) const noexcept override {
    if (Error error = check_view(x, "x")) return error;
    if (Error error = check_result(out, x.shape, "out")) return error;
    if (Error error = check_apart({{"out", out}}, {{"x", x}})) return error;
    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(x.length); ++i) out.data[i] = float(log_sigmoid(double(x.data[i])));
    return {};
  }
  Error make_gates_backward(const View& x, const View& gradient, HeadLayout, const View& out,
                            Training&) const noexcept override {
    if (Error error = check_view(x, "x")) return error;
    if (Error error = check_result(gradient, x.shape, "gradOut")) return error;
    if (Error error = check_result(out, x.shape, "out")) return error;
    if (Error error = check_apart({{"out", out}}, {{"x", x}, {"gradOut", gradient}})) return error;
    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(x.length); ++i)
      out.data[i] = float(double(gradient.data[i]) * log_sigmoid_slope(double(x.data[i])));
    return {};
  }
};

}  // namespace

std::unique_ptr<Relative> Forget::make() const { return std::make_unique<ForgetRelative>(*this); }

}  // namespace posenc
