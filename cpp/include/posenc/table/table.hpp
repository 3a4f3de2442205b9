// The family "additive table": the object of every absolute encoding, and its operations.
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
  /// Index of x's first element in the whole tensor, if x is a slice of it.
  std::uint64_t first_element = 0;

  Error check() const;
};

/// Options for adding a gradient of rows to the gradients of the learned parameters.
struct ScatterOptions {
  /// The padding row, which receives no gradient; -1: none.
  double padding = -1;
  /// A row that a call reads n times gets 1/n of each gradient (PyTorch's scale_grad_by_freq).
  bool by_frequency = false;
  Dropout dropout{};
};

/// A vector [dim] for each position, added to or concatenated with the features.
class Table : public Learned {
 public:
  static constexpr FamilyName name = FamilyName::table;
  static constexpr Prose shapes =
      "table [positions, dim]; addTo x [..., positions, dim]; concatTo x [..., positions, features] gives [..., "
      "positions, features + dim]";

  Table() : Learned(name) {}

  int dim = 0;
  /// Number of coordinates per position: 1 for text, 2 for images.
  int axes = 1;
  /// The row of position 0, if rows are stored.
  int start = 0;

  /// Writes the row of a position, which has one coordinate per axis. `call` contains all positions of the call;
  /// `cache` is the encoding's cache.
  virtual void row(const double* coordinates, const Positions& call, float* out, Cache& cache) const = 0;
  /// Checks that this encoding supports the position.
  virtual Error check_position(double) const { return {}; }
  /// The frequency (radians per position) of each pair, if rows are sinusoids. PE(m + k) = T_k PE(m) requires it.
  virtual std::vector<Real> frequencies() const { return {}; }
  /// Whether cosines come before sines in a row.
  virtual bool cosine_first() const { return false; }

  /// Checks the arguments of add_to(x, positions).
  Error check_add(const View& x, const Positions& positions, std::string_view name = "x") const noexcept;
  /// Writes the rows of the positions to out [count, dim].
  Error rows(const Positions& positions, const View& out, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// x [..., T, dim] += PE, then dropout.
  Error add_to(const View& x, const Positions& positions, const Dropout& dropout,
               Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// out [..., T, features + dim] = [x | PE], x [..., T, features].
  Error concat_to(const View& x, const Positions& positions, const View& out,
                  Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// out [dim/2, 2, 2]: the rotations that make PE(m) into PE(m + k).
  Error shift(double k, const View& out) const noexcept;
  /// The gradient of add_to(). `gradient` is the gradient of its result and becomes the gradient of x. The gradients of
  /// the parameters are added to.
  Error backward(const View& gradient, const Positions& positions, const ScatterOptions& options, Training& training,
                 Workspace& workspace = Workspace::of_thread()) const noexcept;

 protected:
  /// Adds slope · factor, the gradient of the row of a position, to the gradients of the parameters.
  virtual void scatter(const double* /*place*/, const Positions&, const float* /*slope*/, float /*factor*/, Training&,
                       Cache&) const {}

 private:
  Error check_positions(const Positions& positions, double per_row, double rows) const;
  /// check_positions(), and fetches the encoding's cache.
  Error begin(const Positions& positions, double per_row, double rows, Workspace& workspace, Cache*& cache) const;
  /// Writes the row of position `index` of the call; zeros before the first cell of a grid.
  void row_at(const Positions& positions, std::size_t index, float* out, Cache& cache) const;
};

}  // namespace posenc
