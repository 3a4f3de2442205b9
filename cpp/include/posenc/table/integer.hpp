// The position itself.
#pragma once

#include "posenc/table/row_table.hpp"

namespace posenc {

/// The position itself (cumulative encoding), repeated over `dim` features.
/// PE(m)_i = m. Unbounded: values grow with the sequence.
struct Integer {
  using Family = Table;
  static constexpr Method method{
      .kind = "integer",
      .title = "Integer (cumulative)",
      .formula = R"(\mathrm{PE}(m)_i=m)",
      .source = "textbook",
      .name = "Integer",
  };

  int dim = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kTableDimField.with(&Field::required, false);
    field(dim, kDim);
  }
  Error validate() const { return {}; }

  void row(double position, const Positions&, float* out) const { std::fill(out, out + dim, float(position)); }
};

}  // namespace posenc
