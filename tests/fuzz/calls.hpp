// Calls of each family, chosen and filled in by bytes.
#pragma once

#include "arguments.hpp"
#include "oracle.hpp"
#include "specs.hpp"

namespace posenc::fuzz {

/// An encoding, and what its numbers ought to be.
struct Subject {
  Encoding encoding;
  Model model;
  Training training{};

  /// The model with the parameters of this moment, if this build is compared with formulas and they suit them.
  const Model* formula();
  /// Zero gradients to begin with, if a byte says so: what is added can then be told.
  bool fresh_gradients(Input& input);
  /// Both builds go on with the same gradients, or parameters.
  void share_gradients(double bound);
  void share_parameters();
};

void call_table(Input& input, Subject& subject);
/// `other`: another rotation, of the same dim where one could be had.
void call_rotation(Input& input, Subject& subject, Subject& other);
void call_bias(Input& input, Subject& subject);
void call_relative(Input& input, Subject& subject);
/// With the encoding inside, whatever it is; null: with none.
void call_attention(Input& input, Subject* subject);
/// A rotation inside, its distances remapped.
void call_remapped(Input& input, Subject& rotation);
/// A cache of keys and values, with the encoding inside where it suits one.
void call_cache(Input& input, Subject& subject);
/// Gradients and steps, and what is in the parameters.
void call_training(Input& input, Subject& subject);
void call_resize(Input& input);
/// What needs no encoding, and profiles.
void call_others(Input& input, Subject& subject);

/// An input of libFuzzer in this build.
void run_calls(const std::uint8_t* data, std::size_t size);

// Gradients are told by the slope of the formula in a direction that a seed gives.

/// Numbers in [-1, 1].
std::vector<double> direction(std::size_t count, std::uint32_t seed);
/// Parameters beyond their limits have the slope of the limit on purpose (kerple: training can bring them back), which
/// is not the formula's: their ways become 0.
void stay_within_limits(const Model& model, std::span<std::vector<double>> ways);
/// The slope of `value(step)` at 0, for steps in that direction; NaN where it has a corner there or nearby.
template <class Value>
double slope_of(const Value& value) {
  const double here = value(0.0);
  const auto slope = [&](double step) { return (value(step) - here) / step; };
  const double far = slope(1e-4), back = slope(-1e-4), near = slope(2e-5), near_back = slope(-2e-5);
  const double wide = (far + back) / 2, narrow = (near + near_back) / 2, size = std::abs(near) + std::abs(near_back);
  if (!(std::abs(wide - narrow) <= 1e-3 * size + 1e-6)) return NAN;
  // What is smooth has the more of one slope on both sides the nearer they are.
  const bool has_corner = std::abs(near - near_back) > 0.4 * std::abs(far - back) + 1e-5 * size + 1e-7;
  return has_corner ? NAN : narrow;
}

}  // namespace posenc::fuzz
