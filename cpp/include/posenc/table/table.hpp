// The family "additive table": what every absolute encoding becomes, and what can be done with it.
#pragma once

#include <cstdint>
#include <memory>

#include "posenc/real.hpp"
#include "posenc/shape.hpp"

namespace posenc {

struct Dropout {
  double rate = 0;
  std::uint32_t seed = 0;
  /// Index of x's first element in the whole tensor, where x is a slice of it.
  std::uint64_t first_element = 0;
};

/// A vector [dim] for each position, added to the features or set beside them.
/// Not thread-safe: waves are cached.
class Table {
 public:
  virtual ~Table() = default;

  int dim = 0;

  /// Writes one row. `call_length` is the number of positions of the call.
  virtual void row(double position, double call_length, float* out) = 0;
  /// Can this encoding stand for this position?
  virtual Error check_position(double) const { return {}; }
  /// The frequency (radians per position) of each pair where rows are waves; PE(m + k) = T_k PE(m) needs it.
  virtual std::vector<Real> frequencies() const { return {}; }
  /// Do rows hold cosine before sine?
  virtual bool cosine_first() const { return false; }

  /// Would add_to(x, positions) work?
  Error check_add(const View& x, const Positions& positions) const;
  /// out [count, dim]
  Error rows(const Positions& positions, double call_length, const View& out);
  /// x [..., T, dim] += PE, then dropout.
  Error add_to(const View& x, const Positions& positions, double call_length, const Dropout& dropout);
  /// out [..., T, features + dim] = [x | PE], x [..., T, features].
  Error concat_to(const View& x, const Positions& positions, double call_length, const View& out);
  /// out [dim/2, 2, 2]: the rotations that make PE(m) into PE(m + k).
  Error shift(double k, const View& out) const;

 private:
  Error check_positions(const Positions& positions, double per_row, double rows) const;
};

}  // namespace posenc
