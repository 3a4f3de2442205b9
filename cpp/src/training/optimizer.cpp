#include "posenc/core/optimizer.hpp"

#include "posenc/core/parameter.hpp"
#include "posenc/core/training.hpp"

namespace posenc {

Error Optimizer::check() const {
  struct Hyperparameter {
    std::string_view field;
    double Optimizer::*value;
    double limit;
  };
  static constexpr Hyperparameter kHyperparameters[]{{"learningRate", &Optimizer::learning_rate, kInfinity},
                                                     {"weightDecay", &Optimizer::weight_decay, kInfinity},
                                                     {"epsilon", &Optimizer::epsilon, kInfinity},
                                                     {"momentum", &Optimizer::momentum, 1},
                                                     {"betas", &Optimizer::beta1, 1},
                                                     {"betas", &Optimizer::beta2, 1}};
  for (const Hyperparameter& hyperparameter : kHyperparameters) {
    const double value = this->*hyperparameter.value;
    if (!(value >= 0 && value < hyperparameter.limit))
      return error_at(Code::invalid_argument, hyperparameter.field, "must be ≥ 0 and below %, got %",
                      hyperparameter.limit, value);
  }
  if (nesterov && momentum == 0) return error_at(Code::invalid_argument, "nesterov", "requires momentum");
  return {};
}

namespace {

Error cannot_train(std::size_t size) {
  return error_at(Code::out_of_memory, "gradients", "out of memory: cannot train % values", double(size));
}

}  // namespace

Error Training::provide(Buffer& buffer) const {
  if (!buffer && can_ask(double(size_) * sizeof(float))) buffer = Buffer(double(size_));
  return buffer ? Error{} : cannot_train(size_);
}

Error Training::begin(const Learned& encoding) noexcept {
  if (!encoding_)
    for (const Parameter& parameter : encoding.parameters) size_ += parameter.values.size();
  else if (encoding_ != &encoding)
    return error_at(Code::invalid_argument, "training", "belongs to another encoding");
  encoding_ = &encoding;
  return provide(gradients_);
}

Error Training::begin_backward(const Learned& encoding) noexcept {
  if (Error error = begin(encoding)) return error;
  if (used_) zero_gradients();
  return {};
}

float* Training::gradient(std::size_t parameter) const {
  float* start = gradients_.data();
  for (std::size_t i = 0; i < parameter; ++i) start += encoding_->parameters[i].values.size();
  return start;
}

void Training::zero_gradients() noexcept {
  used_ = false;
  std::fill_n(gradients_.data(), size_, 0.0f);
}

Error Training::step(Learned& encoding, const Optimizer& how) noexcept {
  if (Error error = how.check()) return error;
  if (Error error = begin(encoding)) return error;
  const bool adapts = how.kind != Optimizer::Kind::sgd;
  if (optimizer_ != how.kind) {
    first_moments_ = nullptr;
    second_moments_ = nullptr;
    optimizer_ = how.kind;
    power1_ = power2_ = 1;
  }
  if (adapts || how.momentum > 0)
    if (Error error = provide(first_moments_)) return error;
  if (adapts)
    if (Error error = provide(second_moments_)) return error;
  power1_ *= how.beta1;
  power2_ *= how.beta2;
  const double rate = adapts ? how.learning_rate / (1 - power1_) : how.learning_rate, root = std::sqrt(1 - power2_);
  const float* gradient = gradients_.data();
  float *first = first_moments_.data(), *second = second_moments_.data();
  for (Parameter& parameter : encoding.parameters)
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
