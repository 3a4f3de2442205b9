#include "posenc/relative/grape_path.hpp"

#include "posenc/bias/alibi.hpp"
#include "relative/path_sums.hpp"

namespace posenc {

namespace {

class GrapePathRelative final : public Relative {
 public:
  explicit GrapePathRelative(const GrapePath& spec) : Relative(0) {
    heads = spec.heads;
    carried = kPathCarried;
    token_widths[std::size_t(TokenInput::gate_rows)] = 1;
  }

  Begun begin(const RelativeRequest& request) const override {
    const auto slopes = Alibi{.heads = heads}.slopes();
    return begin_path_bias(request, {.factors = {slopes.begin(), slopes.end()}, .rotates = true});
  }
};

}  // namespace

std::unique_ptr<Relative> GrapePath::make() const { return std::make_unique<GrapePathRelative>(*this); }

}  // namespace posenc
