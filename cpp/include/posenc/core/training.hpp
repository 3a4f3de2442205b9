// Gradients of learned parameters, and the state of the optimizer.
#pragma once

#include <span>

#include "posenc/core/memory.hpp"
#include "posenc/core/optimizer.hpp"

namespace posenc {

class Learned;

/// Training state of an encoding: a gradient for each learned parameter, and the moments of the optimizer. It belongs
/// to the first encoding that uses it, which must outlive it. Only one call at a time may use it. Threads that share an
/// encoding can compute gradients at the same time if each has its own Training.
class Training {
 public:
  /// Allocates gradients of zeros, unless that has been done. Errors: out-of-memory; invalid-argument for another
  /// encoding.
  Error begin(const Learned& encoding) noexcept;
  /// Like begin(), called before a call adds to the gradients. Resets gradients that a step has already used to zero.
  Error begin_backward(const Learned& encoding) noexcept;
  /// The gradient of a parameter, with as many values as the parameter. Call begin() or begin_backward() first.
  [[gnu::noinline]] float* gradient(std::size_t parameter) const;
  /// The gradients of all parameters, one after another. Empty before begin(). Assign them to Learned::guarded to
  /// reject results that overlap them.
  std::span<const float> gradients() const { return {gradients_.data(), gradients_ ? size_ : 0}; }
  void zero_gradients() noexcept;
  /// Updates the encoding's parameters with their gradients. No other call may read the parameters meanwhile. The
  /// optimizer's state is reset if the kind of optimizer changes.
  Error step(Learned& encoding, const Optimizer& optimizer) noexcept;

 private:
  Error provide(Buffer& buffer) const;

  const Learned* encoding_ = nullptr;
  std::size_t size_ = 0;
  /// Null until needed.
  Buffer gradients_ = nullptr, first_moments_ = nullptr, second_moments_ = nullptr;
  Optimizer::Kind optimizer_ = Optimizer::Kind::sgd;
  /// β₁ and β₂, each to the power of the number of steps so far.
  double power1_ = 1, power2_ = 1;
  /// Whether a step has used the gradients.
  bool used_ = false;
};

}  // namespace posenc
