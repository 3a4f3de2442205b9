// One-hot positions.
#pragma once

#include "posenc/table/row_table.hpp"

namespace posenc {

/// A vector as long as the longest sequence, with a single 1.
/// PE(m)_i = [i = m], m = 0 … dim - 1. All positions are equally far from each other.
/// Errors: out-of-range for positions that are not whole or not below dim.
struct OneHot {
  using Family = Table;
  static constexpr Method method{
      .kind = "one-hot",
      .title = "One-hot",
      .formula = R"(\mathrm{PE}(m)_i=[i=m])",
      .source = "textbook",
  };

  int dim = 16;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kTableDimField.with(&Field::example, 16);
    field(dim, kDim);
  }
  Error validate() const { return {}; }

  Error check_position(double position) const { return check_whole(method.kind, position, dim); }
  void row(double position, const Positions&, float* out) const {
    std::fill(out, out + dim, 0.0f);
    out[std::size_t(position)] = 1.0f;
  }
};

}  // namespace posenc
