// Helpers of the native tests: numbers to feed in, and comparisons.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>

#include "samples.hpp"

#if defined(__SANITIZE_ADDRESS__)
#define POSENC_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POSENC_SANITIZED 1
#endif
#endif

namespace posenc::test {

/// The same numbers on every machine (the standard library's distributions differ).
class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
  std::uint32_t next();
  /// Uniform in [low, high), exact in float32.
  float uniform(float low = -1, float high = 1);
  /// 0 … count - 1
  int below(int count) { return int(next() >> 8) % count; }
  bool chance(double probability) { return uniform(0, 1) < probability; }

 private:
  std::uint32_t state_;
};

std::vector<float> random_floats(std::size_t count, std::uint32_t seed);

View view_of(std::vector<float>& data, const Shape& shape);
/// A run of `count` positions from `offset`.
inline Positions run(double offset, int count) { return {.values = {}, .offset = offset, .count = count}; }
inline Positions given(const std::vector<double>& values) {
  return {.values = values, .offset = 0, .count = int(values.size())};
}

/// The first `count` places: a run, or with several axes a grid of one row (of one row …).
inline Positions first_positions(const Table& table, int count) {
  Positions positions{.values = {}, .offset = 0, .count = count, .axes = table.axes};
  if (table.axes > 1) positions.extent.fill(1);
  if (table.axes > 1) positions.extent[std::size_t(table.axes - 1)] = count;
  return positions;
}

/// The float32 nearest to the truth or its neighbour.
bool is_nearest(float got, long double truth);
/// max |a - b|; infinity where the sizes differ or a number is not finite.
double largest_difference(const std::vector<float>& a, const std::vector<float>& b);
double largest_difference(const std::vector<float>& a, const std::vector<double>& b);
/// max |a - b| / |b|
double largest_relative_difference(const std::vector<double>& a, const std::vector<double>& b);
double dot(const float* a, const float* b, int count);
/// The same numbers, bit for bit (NaN and the sign of zero too).
bool same_bits(const std::vector<float>& a, const std::vector<float>& b);

/// The encoding of a spec that must be right: the test fails where it is not.
template <class Family>
std::unique_ptr<Family> create_as(std::string_view kind, const SpecInput& input) {
  auto encoding = create(kind, input);
  INFO(encoding.error().message());
  REQUIRE(encoding);
  Family* made = as<Family>(**encoding);
  REQUIRE(made != nullptr);
  encoding->release();
  return std::unique_ptr<Family>(made);
}

/// The same for a typed spec.
template <class Spec>
auto make_right(const Spec& spec) {
  auto made = make(spec);
  INFO(made.error().message());
  REQUIRE(made);
  return std::move(*made);
}

}  // namespace posenc::test
