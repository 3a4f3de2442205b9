// Learned parameters of an encoding: names, shapes, initial values.
#pragma once

#include <cstdint>

#include "posenc/core/memory.hpp"
#include "posenc/core/shape.hpp"
#include "posenc/core/workspace.hpp"

namespace posenc {

/// A tensor of learned parameters, row-major. `axes` names its dims: "buckets, heads".
struct Parameter {
  std::string_view name;
  Prose axes, doc;
  Shape shape;
  /// Empty until allocate() has found memory, unless the initial values differ from those described below.
  std::vector<float> values;
  /// Initial values: all equal to `value`; normally distributed if `std` > 0; uniform within `spread` of `value` if
  /// `spread` is set.
  float value = 0;
  double std = 0;
  double spread = 0;
  std::uint64_t seed = 0;

  /// A parameter whose values are all equal.
  [[gnu::noinline]] static Parameter filled(std::string_view name, Prose axes, Prose doc, const Shape& shape,
                                            float value = 0);
  /// A parameter with values uniformly distributed between low and high. The values are the same in every build.
  [[gnu::noinline]] static Parameter uniform(std::string_view name, Prose axes, Prose doc, const Shape& shape,
                                             double low, double high, int seed);
  /// Sets the initial values.
  void begin();
  /// A hash of the values, used to detect changes. A change of one value always changes the hash; a change of several
  /// values is missed with a probability of 2^-64. `before`: the fingerprint of the preceding parameter.
  std::uint64_t fingerprint(std::uint64_t before = 0) const;
};

[[gnu::noinline]] void append(std::vector<Parameter>& list, Parameter&& parameter);
/// Moves the parameters into a list without copies.
template <class... Parameters>
std::vector<Parameter> list_of(Parameters&&... parameters) {
  std::vector<Parameter> out;
  (append(out, std::move(parameters)), ...);
  return out;
}

/// Initialisation of parameters for callers that do not need initial values.
struct Initialization {
  /// Bit i: the caller provides the values of parameter i next. Until then they are 0.
  std::uint32_t given = 0;
  /// No memory is allocated for the values. Only shapes may then be requested.
  bool shapes_only = false;
};
/// Allocates the parameters that have no values yet. Returns out_of_memory with the name of the parameter if that
/// fails.
Error allocate(std::vector<Parameter>& parameters, Initialization initialization = {});

enum class FamilyName { table, rotary, bias, relative };

/// Base class of every family. Objects are immutable except for the learned parameters, and all calls are const. Cached
/// results are in a Workspace; gradients and the optimizer's moments are in a Training. So threads can share an
/// encoding. Only the owner may write to `parameters` (loading, Training::step()), and only while no call reads them.
/// The next call uses the new values.
class Learned {
 public:
  [[gnu::noinline]] explicit Learned(FamilyName name);
  virtual ~Learned();
  Learned(const Learned&) = delete;
  Learned& operator=(const Learned&) = delete;
  const FamilyName family;
  /// Unique: no other encoding of the program has or had this id.
  const std::uint64_t id;
  [[gnu::noinline]] void adopt(std::vector<Parameter> first);
  std::vector<Parameter> parameters;

  /// Memory that results must not overlap, in addition to the learned parameters, such as Training::gradients().
  std::span<const float> guarded;
  /// Checks that the results overlap neither the learned parameters nor `guarded`.
  Error check_apart_from(Regions results) const;

  /// The fingerprint of all parameters. Caches use it to detect whether they are out of date.
  std::uint64_t fingerprint() const;

  /// The encoding's cache in a workspace. Null if there is not enough memory.
  virtual std::unique_ptr<Cache> make_cache() const { return std::make_unique<Cache>(); }
};

/// Casts the encoding to its family. Null if it belongs to another family.
template <class Family>
Family* as(Learned& encoding) {
  return encoding.family == Family::name ? static_cast<Family*>(&encoding) : nullptr;
}
template <class Family>
const Family* as(const Learned& encoding) {
  return encoding.family == Family::name ? static_cast<const Family*>(&encoding) : nullptr;
}

/// Normally distributed initial values. They are the same in every build.
struct RandomInit {
  double std = 0.02;
  int seed = 0;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kStd{
        .name = "std", .doc = "Standard deviation of the parameters before training.", .min = 0, .max = 1e6};
    field(std, kStd);
    visit_seed(field);
  }
  template <class Visitor>
  void visit_seed(Visitor& field) {
    static constexpr Field kSeed{.name = "seed",
                                 .doc = "Seed of the initial parameters; the same seed gives the same values.",
                                 .min = 0,
                                 .max = 2147483647};
    field(seed, kSeed);
  }
  /// A parameter with random initial values. Each `stream` gives different values, for specs with several parameters.
  [[gnu::noinline]] Parameter fill(std::string_view name, Prose axes, Prose doc, const Shape& shape,
                                   int stream = 0) const;
  /// A parameter of a network layer, initialised like PyTorch's linear layers: uniform within ±limit.
  [[gnu::noinline]] Parameter layer(std::string_view name, Prose axes, Prose doc, const Shape& shape, double limit,
                                    int stream) const;
};

/// Largest number of floats in one parameter that create() accepts.
inline constexpr double kMaxParameterSize = 268435456;

}  // namespace posenc
