// Learned numbers of an encoding: what they are called, what shape they have, how they begin.
#pragma once

#include <cstdint>

#include "posenc/core/memory.hpp"
#include "posenc/core/shape.hpp"
#include "posenc/core/workspace.hpp"

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
  /// Tells whether the numbers are still what they were: any one that changes makes it another, more of them but for a
  /// chance of 2^-64. `before`: the fingerprint of the parameter before.
  std::uint64_t fingerprint(std::uint64_t before = 0) const;
};

[[gnu::noinline]] void append(std::vector<Parameter>& list, Parameter&& parameter);
/// Parameters as a list, without copies of them.
template <class... Parameters>
std::vector<Parameter> list_of(Parameters&&... parameters) {
  std::vector<Parameter> out;
  (append(out, std::move(parameters)), ...);
  return out;
}

/// How parameters begin, for those who need no first values drawn.
struct Beginning {
  /// Bit i: the numbers of parameter i come next; until then they are 0.
  std::uint32_t given = 0;
  /// Nobody will ask for numbers: they get no memory. Only shapes may then be asked for.
  bool shapes_alone = false;
};
/// Fills in the parameters that have no values yet; out_of_memory, naming the parameter, where that cannot be.
Error allocate(std::vector<Parameter>& parameters, Beginning beginning = {});

enum class FamilyName { table, rotary, bias, relative };

/// What every family's object is: numbers that stay as they were made, but for the learned ones. All calls are const:
/// what they remember is in a Workspace, gradients and the optimizer's moments are in a Training, so that threads may
/// share an encoding. Only its owner writes into `parameters` (loads them), or has Training::step() do so, while no
/// call reads them; the next one sees the new numbers.
class Learned {
 public:
  [[gnu::noinline]] explicit Learned(FamilyName name);
  virtual ~Learned();
  Learned(const Learned&) = delete;
  Learned& operator=(const Learned&) = delete;
  const FamilyName family;
  /// No other encoding of the program has or had this number.
  const std::uint64_t id;
  [[gnu::noinline]] void adopt(std::vector<Parameter> first);
  std::vector<Parameter> parameters;

  /// Memory where its owner wants no result to lie, beside the learned numbers: Training::gradients(), say.
  std::span<const float> guarded;
  /// The same for results: do they lie apart from the learned numbers and from what is guarded?
  Error check_apart_from(Regions results) const;

  /// That of all its parameters. Caches tell by it whether they are out of date.
  std::uint64_t fingerprint() const;

  /// What a workspace has of it; null: there is no memory for it.
  virtual std::unique_ptr<Cache> make_cache() const { return std::make_unique<Cache>(); }
};

/// The encoding as one of its family; null where it is of another one.
template <class Family>
Family* as(Learned& encoding) {
  return encoding.family == Family::name ? static_cast<Family*>(&encoding) : nullptr;
}
template <class Family>
const Family* as(const Learned& encoding) {
  return encoding.family == Family::name ? static_cast<const Family*>(&encoding) : nullptr;
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
  /// The same for a layer of a network, as PyTorch's linear layers begin: evenly distributed within ±limit.
  [[gnu::noinline]] Parameter layer(std::string_view name, Prose axes, Prose doc, const Shape& shape, double limit,
                                    int stream) const;
};

/// In how many floats of one parameter create() still believes; beyond, it is an error.
inline constexpr double kMaxParameterSize = 268435456;

}  // namespace posenc
