// Positions as binary digits.
#pragma once

#include "posenc/table/row_table.hpp"

namespace posenc {

/// The binary digits of the position, most significant first: 3 = [0 0 1 1].
/// PE(m)_i = ⌊m / 2^(dim-1-i)⌋ mod 2. Neighbours may differ in many bits (3 = 011, 4 = 100).
/// Errors: out-of-range for positions that are not whole or need more than dim bits.
struct Binary {
  using Family = Table;
  static constexpr Method method{
      .kind = "binary",
      .title = "Binary digits",
      .formula = R"(\mathrm{PE}(m)_i=\lfloor m/2^{\,\mathrm{dim}-1-i}\rfloor\bmod 2)",
      .source = "textbook",
  };

  int dim = 8;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kTableDimField.with(&Field::example, 8);
    field(dim, kDim);
  }
  Error validate() const { return {}; }

  Error check_position(double position) const {
    return check_whole(method.kind, position, std::ldexp(1.0, std::min(dim, 48)));
  }
  void row(double position, const Positions&, float* out) const {
    for (int i = dim - 1; i >= 0; --i) {
      const double half = std::floor(position / 2);
      out[i] = float(position - 2 * half);
      position = half;
    }
  }
};

}  // namespace posenc
