// Only sines, each with half the frequency of the previous one.
#pragma once

#include "posenc/table/sinusoid_table.hpp"

namespace posenc {

/// A smooth version of the binary digits: dimension i first reaches 1 at position 2^i.
/// PE(m)_i = sin(m · (π/2) / 2^i). Without cosines, a shift is not a linear map of the row.
struct Periodic {
  using Family = Table;
  static constexpr Method method{
      .kind = "periodic",
      .title = "Periodic (sine only)",
      .formula = R"(\mathrm{PE}(m)_i=\sin\Bigl(m\,\frac{\pi/2}{2^i}\Bigr))",
      .source = "textbook",
      .name = "Sines only",
  };

  int dim = 16;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kTableDimField.with(&Field::max, 1024).with(&Field::example, 16);
    field(dim, kDim);
  }
  Error validate() const { return {}; }

  std::unique_ptr<Table> make() const {
    std::vector<Real> frequencies(std::size_t(dim), Real(0));
    for (std::size_t i = 0; i < frequencies.size(); ++i) frequencies[i] = kTwoPi * Real(std::ldexp(0.25, -int(i)));
    SinusoidArrangement a{.dim = dim, .order = SinusoidArrangement::Order::sine_only, .interleaved = false};
    a.first_count = dim;
    return std::make_unique<SinusoidTable>(a, frequencies, SinusoidSet{frequencies});
  }
};

}  // namespace posenc
