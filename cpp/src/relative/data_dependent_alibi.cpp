#include "posenc/relative/data_dependent_alibi.hpp"

#include "relative/gate_sums.hpp"
#include "relative/layer_gates.hpp"

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

  Error make_gates(const View& x, HeadLayout layout, const View& out) const noexcept override {
    return gates().make(x, layout, out);
  }
  Error make_gates_backward(const View& x, const View& gradient, HeadLayout layout, const View& out,
                            Training& training) const noexcept override {
    return gates().make_backward(x, gradient, layout, out, training);
  }

 private:
  LayerGates gates() const {
    return {.encoding = *this, .dim = spec_.dim, .heads = spec_.gates(), .log_scale = spec_.post_log_scale};
  }

  DataDependentAlibi spec_;
};

}  // namespace

std::unique_ptr<Relative> DataDependentAlibi::make() const {
  return std::make_unique<DataDependentAlibiRelative>(*this);
}

}  // namespace posenc
