// Positions scaled to [0, 1].
#pragma once

#include "posenc/table/row_table.hpp"

namespace posenc {

/// The position as a fraction of the sequence, repeated over `dim` features.
/// PE(m)_i = m / (length - 1); a sequence of one gives 0. The value of a position changes if the length changes.
struct Normalized {
  using Family = Table;
  static constexpr Method method{
      .kind = "normalized",
      .title = "Normalised to [0, 1]",
      .formula = R"(\mathrm{PE}(m)_i=\frac{m}{n-1})",
      .source = "textbook",
  };

  int dim = 1;
  int length = 0;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kTableDimField.with(&Field::required, false);
    field(dim, kDim);
    static constexpr Field kLength{.name = "length",
                                   .doc = "Sequence length n; 0: the number of positions in each call.",
                                   .min = 0,
                                   .max = 2147483647,
                                   .unit = "positions"};
    field(length, kLength);
  }
  Error validate() const { return {}; }

  void row(double position, const Positions& call, float* out) const {
    const double last = (length ? double(length) : call.extent_of(0)) - 1;
    std::fill(out, out + dim, last > 0 ? float(position / last) : 0.0f);
  }
};

}  // namespace posenc
