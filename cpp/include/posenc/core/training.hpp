// Gradients of learned numbers, and what an optimizer remembers of them.
#pragma once

#include <span>

#include "posenc/core/memory.hpp"
#include "posenc/core/optimizer.hpp"

namespace posenc {

class Learned;

/// What an encoding has while it is trained, and not before: a gradient for each of its learned numbers, and the
/// moments of the optimizer. It belongs to the first encoding that it is used with, which must outlive it, and is in
/// one call at a time. Threads may differentiate an encoding that they share, each into a training of its own.
class Training {
 public:
  /// With gradients of zeros, unless it has begun. Throws: out-of-memory; invalid-argument for another encoding.
  Error begin(const Learned& encoding) noexcept;
  /// The same before a call adds to the gradients: those that a step has used are zeros again.
  Error begin_backward(const Learned& encoding) noexcept;
  /// After one of these: as many numbers as the parameter has.
  [[gnu::noinline]] float* gradient(std::size_t parameter) const;
  /// Those of all parameters, one after another; none before it has begun. Results that should be refused where they
  /// lie on them: Learned::guarded.
  std::span<const float> gradients() const { return {gradients_.data(), gradients_ ? size_ : 0}; }
  void zero_gradients() noexcept;
  /// Moves the encoding's parameters against their gradients: no other call may read them meanwhile. What the optimizer
  /// remembers begins anew with another kind of it.
  Error step(Learned& encoding, const Optimizer& optimizer) noexcept;

 private:
  Error provide(Buffer& numbers) const;

  const Learned* encoding_ = nullptr;
  std::size_t size_ = 0;
  /// Null until needed.
  Buffer gradients_ = nullptr, first_moments_ = nullptr, second_moments_ = nullptr;
  Optimizer::Kind optimizer_ = Optimizer::Kind::sgd;
  /// β₁ and β₂ to the number of steps so far.
  double power1_ = 1, power2_ = 1;
  /// Has a step used the gradients?
  bool used_ = false;
};

}  // namespace posenc
