// The family "additive table": what every absolute encoding becomes, and what can be done with it.
#pragma once

#include <cstdint>
#include <memory>

#include "posenc/core/parameter.hpp"
#include "posenc/core/shared_fields.hpp"
#include "posenc/core/training.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

struct Dropout {
  double rate = 0;
  std::uint32_t seed = 0;
  /// Index of x's first element in the whole tensor, where x is a slice of it.
  std::uint64_t first_element = 0;

  Error check() const;
};

/// How a gradient of rows reaches the learned numbers.
struct ScatterOptions {
  /// The row that is for padding, and learns nothing; -1: none.
  double padding = -1;
  /// Rows that a call reads n times get 1/n of each gradient (PyTorch's scale_grad_by_freq).
  bool by_frequency = false;
  Dropout dropout{};
};

/// A vector [dim] for each position, added to the features or set beside them.
class Table : public Learned {
 public:
  static constexpr FamilyName name = FamilyName::table;
  static constexpr Prose shapes =
      "table [positions, dim]; addTo x [..., positions, dim]; concatTo x [..., positions, features] gives [..., "
      "positions, features + dim]";

  Table() : Learned(name) {}

  int dim = 0;
  /// How many numbers make a place: 1 in a text, 2 in an image.
  int axes = 1;
  /// The row of position 0, where rows are stored.
  int start = 0;

  /// Writes the row of a place, which has a number for each axis; `call` is all the positions of the call, `cache` the
  /// encoding's own.
  virtual void row(const double* place, const Positions& call, float* out, Cache& cache) const = 0;
  /// Can this encoding stand for this position?
  virtual Error check_position(double) const { return {}; }
  /// The frequency (radians per position) of each pair where rows are waves; PE(m + k) = T_k PE(m) needs it.
  virtual std::vector<Real> frequencies() const { return {}; }
  /// Do rows hold cosine before sine?
  virtual bool cosine_first() const { return false; }

  /// Would add_to(x, positions) work?
  Error check_add(const View& x, const Positions& positions, std::string_view name = "x") const noexcept;
  /// out [count, dim]
  Error rows(const Positions& positions, const View& out, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// x [..., T, dim] += PE, then dropout.
  Error add_to(const View& x, const Positions& positions, const Dropout& dropout,
               Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// out [..., T, features + dim] = [x | PE], x [..., T, features].
  Error concat_to(const View& x, const Positions& positions, const View& out,
                  Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// out [dim/2, 2, 2]: the rotations that make PE(m) into PE(m + k).
  Error shift(double k, const View& out) const noexcept;
  /// The gradient of add_to(): `gradient`, of what it made, becomes that of x, and adds to those of the parameters.
  Error backward(const View& gradient, const Positions& positions, const ScatterOptions& options, Training& training,
                 Workspace& workspace = Workspace::of_thread()) const noexcept;

 protected:
  /// Adds slope · factor, the gradient of a place's row, to the gradients of the parameters.
  virtual void scatter(const double* /*place*/, const Positions&, const float* /*slope*/, float /*factor*/, Training&,
                       Cache&) const {}

 private:
  Error check_positions(const Positions& positions, double per_row, double rows) const;
  /// The same, and the encoding's cache.
  Error begin(const Positions& positions, double per_row, double rows, Workspace& workspace, Cache*& cache) const;
  /// The row of the call's place `index`; zeros before the first place of a grid.
  void row_at(const Positions& positions, std::size_t index, float* out, Cache& cache) const;
};

}  // namespace posenc
