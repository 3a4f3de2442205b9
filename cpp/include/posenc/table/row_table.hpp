// Tables with rows that use no sinusoids. The spec has `row(position, call, out)` and, if not every position is
// allowed, `check_position(position)`.
#pragma once

#include "posenc/table/table.hpp"

namespace posenc {

template <class Spec>
class RowTable final : public Table {
 public:
  explicit RowTable(const Spec& spec) : spec_(spec) { dim = spec.dim; }
  void row(const double* position, const Positions& call, float* out, Cache&) const override {
    spec_.row(*position, call, out);
  }
  Error check_position(double position) const override {
    if constexpr (requires { spec_.check_position(position); }) return spec_.check_position(position);
    return {};
  }

 private:
  Spec spec_;
};

/// Checks for a whole position in [0, count).
inline Error check_whole(std::string_view kind, double position, double count) {
  if (position == std::floor(position) && position >= 0 && position < count) return {};
  return error_at(Code::out_of_range, "positions", "must be whole numbers from 0 to % for % of this dim, got %",
                  count - 1, kind, position);
}

}  // namespace posenc
