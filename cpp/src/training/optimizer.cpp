#include "posenc/core/optimizer.hpp"

#include "posenc/core/parameter.hpp"

namespace posenc {

Error Optimizer::check() const {
  struct Number {
    std::string_view field;
    double Optimizer::*value;
    double limit;
  };
  static constexpr Number kNumbers[]{{"learningRate", &Optimizer::learning_rate, kInfinity},
                                     {"weightDecay", &Optimizer::weight_decay, kInfinity},
                                     {"epsilon", &Optimizer::epsilon, kInfinity},
                                     {"momentum", &Optimizer::momentum, 1},
                                     {"betas", &Optimizer::beta1, 1},
                                     {"betas", &Optimizer::beta2, 1}};
  for (const Number& number : kNumbers) {
    const double value = this->*number.value;
    if (!(value >= 0 && value < number.limit))
      return error_at(Code::invalid_argument, number.field, "must be ≥ 0 and below %, got %", number.limit, value);
  }
  if (nesterov && momentum == 0) return error_at(Code::invalid_argument, "nesterov", "needs momentum");
  return {};
}

double Learned::size() const {
  double sum = 0;
  for (const Parameter& parameter : parameters) sum += double(parameter.values.size());
  return sum;
}

Error Learned::provide(Buffer& buffer) const {
  if (!buffer && can_ask(size() * sizeof(float))) buffer = Buffer(size());
  if (buffer) return {};
  return error_at(Code::out_of_memory, "gradients", "out of memory: cannot train % numbers", size());
}

Error Learned::allocate_gradients() { return provide(gradients_); }

Error Learned::begin_backward() {
  if (Error error = provide(gradients_)) return error;
  if (used_) zero_gradients();
  return {};
}

float* Learned::gradient(std::size_t parameter) const {
  float* place = gradients_.data();
  for (std::size_t i = 0; i < parameter; ++i) place += parameters[i].values.size();
  return place;
}

void Learned::zero_gradients() {
  used_ = false;
  std::fill_n(gradients_.data(), std::size_t(size()), 0.0f);
}

Error Learned::step(const Optimizer& how) {
  if (Error error = how.check()) return error;
  const bool adapts = how.kind != Optimizer::Kind::sgd;
  if (optimizer_ != how.kind) {
    first_moments_ = Buffer(kInfinity);
    second_moments_ = Buffer(kInfinity);
    optimizer_ = how.kind;
    power1_ = power2_ = 1;
  }
  if (Error error = provide(gradients_)) return error;
  if (adapts || how.momentum > 0)
    if (Error error = provide(first_moments_)) return error;
  if (adapts)
    if (Error error = provide(second_moments_)) return error;
  power1_ *= how.beta1;
  power2_ *= how.beta2;
  const double rate = adapts ? how.learning_rate / (1 - power1_) : how.learning_rate, root = std::sqrt(1 - power2_);
  const float* gradient = gradients_.data();
  float *first = first_moments_.data(), *second = second_moments_.data();
  for (Parameter& parameter : parameters)
    for (float& number : parameter.values) {
      const double decay = how.weight_decay * double(number);
      double w = double(number), g = double(*gradient++), m = first ? double(*first) : 0;
      if (how.kind == Optimizer::Kind::adamw)
        w -= how.learning_rate * decay;
      else
        g += decay;
      m = adapts ? m + (1 - how.beta1) * (g - m) : how.momentum * m + g;
      if (first) *first++ = float(m);
      if (adapts) {
        *second = float(how.beta2 * double(*second) + (1 - how.beta2) * g * g);
        m /= std::sqrt(double(*second++)) / root + how.epsilon;
      } else if (how.nesterov) {
        m = g + how.momentum * m;
      }
      number = float(w - rate * m);
    }
  used_ = true;
  return {};
}

}  // namespace posenc
