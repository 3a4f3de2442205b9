// A learned row for each position.
#pragma once

#include <algorithm>

#include "posenc/kernels.hpp"
#include "posenc/table/row_table.hpp"

namespace posenc {

/// A vector of its own for each of `length` positions, trained like any other weight (BERT, GPT-2, ViT).
/// PE(m) = weights[m], m = 0 … length - 1; untrained weights are normal with deviation `std`. Images count their places
/// row by row, class tokens first; resize() makes a table for another grid. Throws: out-of-range for positions that are
/// not whole or not below `length`. Source: Gehring et al., "Convolutional Sequence to Sequence Learning", 2017,
/// arXiv:1705.03122, section 3.1.
struct LearnedTable {
  using Family = Table;
  static constexpr Method method{"learned", "Learned table", R"(\mathrm{PE}(m)=W_m)",
                                 "Gehring et al. 2017, arXiv:1705.03122, section 3.1"};

  int length = 512;
  int dim = 64;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kLength{.name = "length",
                                   .doc = "Number of rows: the positions there are.",
                                   .min = 1,
                                   .max = 2147483647,
                                   .unit = "positions",
                                   .required = true,
                                   .example = 512};
    field(length, kLength);
    field(dim, kTableDimField);
    init.visit(field);
  }
  Error validate() const { return {}; }

  std::vector<Parameter> parameters() const {
    return list_of(init.fill("weights", "length, dim", "A row for each position.", {double(length), double(dim)}));
  }
  std::unique_ptr<Table> make() const;
};

/// Rows that are read from the parameter "weights".
class LearnedRows final : public Table {
 public:
  explicit LearnedRows(int width) { dim = width; }
  void row(const double* place, const Positions&, float* out) override {
    std::copy_n(parameters[0].values.data() + std::size_t(*place) * std::size_t(dim), dim, out);
  }
  void scatter(const double* place, const Positions&, const float* slope, float factor) override {
    add_scaled(gradient(0) + std::size_t(*place) * std::size_t(dim), factor, slope, std::size_t(dim));
  }
  Error check_position(double position) const override {
    const double rows = parameters[0].shape[0];
    if (position == std::floor(position) && position >= 0 && position < rows) return {};
    return error_at(Code::out_of_range, "positions",
                    "learned has % rows: positions are whole numbers from 0 to %, got %", rows, rows - 1, position);
  }
};

inline std::unique_ptr<Table> LearnedTable::make() const { return std::make_unique<LearnedRows>(dim); }

}  // namespace posenc
