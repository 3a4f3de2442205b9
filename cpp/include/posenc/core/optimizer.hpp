// Update rules of the learned parameters.
#pragma once

#include "posenc/core/field.hpp"

namespace posenc {

/// Update steps as in PyTorch's torch.optim. w is the parameter, g its gradient, λ weight_decay, η learning_rate.
/// sgd: g += λ w; m = momentum · m + g; w -= η m (nesterov: η (g + momentum · m)).
/// adam: g += λ w; m += (1 - β₁)(g - m); v += (1 - β₂)(g² - v); w -= η m̂ / (√v̂ + ε), m̂ = m / (1 - β₁ᵗ), and v̂
/// likewise.
/// adamw: as adam, but with w -= η λ w instead of g += λ w.
/// Source: Kingma & Ba 2014, arXiv:1412.6980; Loshchilov & Hutter 2017, arXiv:1711.05101.
struct Optimizer {
  enum class Kind { sgd, adam, adamw };
  Kind kind = Kind::sgd;
  double learning_rate = 0, weight_decay = 0;
  double momentum = 0;
  bool nesterov = false;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

  Error check() const;
};

}  // namespace posenc
