// A learned row for each position.
#pragma once

#include <algorithm>

#include "posenc/kernels/kernels.hpp"
#include "posenc/table/row_table.hpp"

namespace posenc {

/// A separate vector for each of `length` positions, trained like any other weight (BERT, GPT-2, ViT).
/// PE(m) = weights[m + start], m = -start … length - start - 1; untrained weights are normal with deviation `std`.
/// Tokens count from 0 even if the model skips rows: RoBERTa (start = padding_idx + 1 = 2; position -1 is its padding
/// row), OPT and BART (2). Images count their patches row by row, class tokens first; resize() converts a table to
/// another grid.
/// Errors: out-of-range for positions without a row. Source: Gehring et al., "Convolutional Sequence to Sequence
/// Learning", 2017, arXiv:1705.03122, section 3.1.
struct LearnedTable {
  using Family = Table;
  static constexpr Method method{
      .kind = "learned",
      .title = "Learned table",
      .formula = R"(\mathrm{PE}(m)=W_{m+\mathrm{start}})",
      .source = "Gehring et al. 2017, arXiv:1705.03122, section 3.1",
      .calls = {"weights", "gradient", "resize"},
  };

  int length = 512;
  int dim = 64;
  int start = 0;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kLength{.name = "length",
                                   .doc = "Number of rows, including skipped rows.",
                                   .min = 1,
                                   .max = 2147483647,
                                   .unit = "rows",
                                   .required = true,
                                   .example = 512};
    field(length, kLength);
    field(dim, kTableDimField);
    static constexpr Field kStart{
        .name = "start",
        .doc = "Number of skipped rows: position 0 reads row `start` (RoBERTa, OPT, BART: 2).",
        .min = 0,
        .max = 2147483646,
        .unit = "rows"};
    field(start, kStart);
    init.visit(field);
  }
  Error validate() const {
    if (start < length) return {};
    return spec_error(method.kind, "start", "must be < length (%), got %", length, start);
  }

  std::vector<Parameter> parameters() const {
    return list_of(init.fill("weights", "length, dim", "One row per position.", {double(length), double(dim)}));
  }
  std::unique_ptr<Table> make() const;
};

/// Reads rows from the parameter "weights".
class LearnedRows final : public Table {
 public:
  LearnedRows(int width, int skipped) {
    dim = width;
    start = skipped;
  }
  void row(const double* position, const Positions&, float* out, Cache&) const override {
    std::copy_n(parameters[0].values.data() + row_offset(*position), dim, out);
  }
  void scatter(const double* position, const Positions&, const float* slope, float factor, Training& training,
               Cache&) const override {
    add_scaled(training.gradient(0) + row_offset(*position), factor, slope, std::size_t(dim));
  }
  Error check_position(double position) const override {
    const double rows = parameters[0].shape[0];
    if (position == std::floor(position) && position >= -start && position < rows - start) return {};
    return error_at(Code::out_of_range, "positions", "must be whole numbers from % to % (learned has % rows), got %",
                    0 - start, rows - 1 - start, rows, position);
  }

 private:
  std::size_t row_offset(double position) const { return std::size_t(position + start) * std::size_t(dim); }
};

inline std::unique_ptr<Table> LearnedTable::make() const { return std::make_unique<LearnedRows>(dim, start); }

}  // namespace posenc
