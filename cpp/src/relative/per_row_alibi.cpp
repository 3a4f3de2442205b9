#include "posenc/relative/per_row_alibi.hpp"

#include "relative/layer_gates.hpp"
#include "relative/path_sums.hpp"

namespace posenc {

namespace {

class PerRowAlibiRelative final : public Relative {
 public:
  explicit PerRowAlibiRelative(const PerRowAlibi& spec) : Relative(0), spec_(spec) {
    heads = spec.heads;
    carried = kPathCarried;
    token_widths[std::size_t(TokenInput::gate_rows)] = spec.row_width();
    makes_gates = true;
  }

  Begun begin(const RelativeRequest& request) const override {
    return begin_path_bias(request,
                           {.factors = std::vector(std::size_t(spec_.heads), spec_.post_log_scale), .rotates = false});
  }

  Error make_gates(const View& x, HeadLayout layout, const View& out) const noexcept override {
    return rows().make(x, layout, out);
  }
  Error make_gates_backward(const View& x, const View& gradient, HeadLayout layout, const View& out,
                            Training& training) const noexcept override {
    return rows().make_backward(x, gradient, layout, out, training);
  }

 private:
  LayerGates rows() const {
    return {.encoding = *this,
            .dim = spec_.dim,
            .heads = spec_.heads,
            .width = spec_.row_width(),
            .parts = 2,
            .are_gates = false};
  }

  PerRowAlibi spec_;
};

}  // namespace

std::unique_ptr<Relative> PerRowAlibi::make() const { return std::make_unique<PerRowAlibiRelative>(*this); }

}  // namespace posenc
