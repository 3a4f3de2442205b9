// Learned numbers of an encoding: what they are called, what shape they have, how they begin.
#pragma once

#include <cstdint>

#include "posenc/core/memory.hpp"
#include "posenc/core/optimizer.hpp"
#include "posenc/core/shape.hpp"

namespace posenc {

/// A table of learned numbers, row-major. `axes` names its dims: "buckets, heads".
struct Parameter {
  std::string_view name;
  Prose axes, doc;
  Shape shape;
  /// Empty until allocate() has found memory for them, unless they begin otherwise than told below.
  std::vector<float> values;
  /// How they begin: all `value`; normally distributed where `std` > 0; within `spread` of `value` where that is.
  float value = 0;
  double std = 0;
  double spread = 0;
  std::uint64_t seed = 0;

  /// All numbers equal.
  [[gnu::noinline]] static Parameter filled(std::string_view name, Prose axes, Prose doc, const Shape& shape,
                                            float value = 0);
  /// Evenly distributed between low and high, the same in every build.
  [[gnu::noinline]] static Parameter uniform(std::string_view name, Prose axes, Prose doc, const Shape& shape,
                                             double low, double high, int seed);
  /// Gives the numbers their first values.
  void begin();
};

[[gnu::noinline]] void append(std::vector<Parameter>& list, Parameter&& parameter);
/// Parameters as a list, without copies of them.
template <class... Parameters>
std::vector<Parameter> list_of(Parameters&&... parameters) {
  std::vector<Parameter> out;
  (append(out, std::move(parameters)), ...);
  return out;
}

/// Fills in the parameters that have no values yet; out_of_memory, naming the parameter, where that cannot be.
Error allocate(std::vector<Parameter>& parameters);

enum class FamilyName { table, rotary, bias, relative };

/// What every family's object is. The caller may write into the parameters between calls: each call reads them anew.
class Learned {
 public:
  explicit Learned(FamilyName name) : family(name) {}
  virtual ~Learned() = default;
  const FamilyName family;
  [[gnu::noinline]] void adopt(std::vector<Parameter> first);
  std::vector<Parameter> parameters;

  /// The same for results: do they lie apart from the learned numbers and their gradients?
  Error check_apart_from(Regions results) const;
  /// Gets memory for the gradients, of zeros, unless there is some already.
  Error allocate_gradients();
  /// Before a call adds to the gradients: those that a step has used are zeros again.
  Error begin_backward();
  /// After one of these: as many numbers as the parameter has.
  [[gnu::noinline]] float* gradient(std::size_t parameter) const;
  void zero_gradients();
  /// Moves the parameters against their gradients. What the optimizer remembers is kept here, and begins anew with
  /// another kind of optimizer.
  Error step(const Optimizer& optimizer);

 private:
  Error provide(Buffer& buffer) const;
  double size() const;

  /// Of all parameters, one after another; null until needed. The moments are what optimizers remember.
  Buffer gradients_{kInfinity}, first_moments_{kInfinity}, second_moments_{kInfinity};
  Optimizer::Kind optimizer_ = Optimizer::Kind::sgd;
  /// β₁ and β₂ to the number of steps so far.
  double power1_ = 1, power2_ = 1;
  /// Has a step used the gradients?
  bool used_ = false;
};

/// The encoding as one of its family; null where it is of another one.
template <class Family>
Family* as(Learned& encoding) {
  return encoding.family == Family::name ? static_cast<Family*>(&encoding) : nullptr;
}

/// Normally distributed first values, the same in every build.
struct RandomInit {
  double std = 0.02;
  int seed = 0;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kStd{
        .name = "std", .doc = "Standard deviation of the values before training.", .min = 0, .max = 1e6};
    field(std, kStd);
    visit_seed(field);
  }
  template <class Visitor>
  void visit_seed(Visitor& field) {
    static constexpr Field kSeed{
        .name = "seed", .doc = "The same seed gives the same first values.", .min = 0, .max = 2147483647};
    field(seed, kSeed);
  }
  /// Another `stream` gives other numbers: for specs with several parameters.
  [[gnu::noinline]] Parameter fill(std::string_view name, Prose axes, Prose doc, const Shape& shape,
                                   int stream = 0) const;
};

/// In how many floats of one parameter create() still believes; beyond, it is an error.
inline constexpr double kMaxParameterSize = 268435456;

}  // namespace posenc
