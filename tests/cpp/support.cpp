#include "support.hpp"

#include <bit>

#if POSENC_SANITIZED
// Memory that is not there is null, as it is without sanitizers.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace posenc::test {

std::uint32_t Random::next() { return state_ = state_ * 1664525u + 1013904223u; }

float Random::uniform(float low, float high) { return low + (high - low) * float(next() >> 8) * 0x1p-24f; }

std::vector<float> random_floats(std::size_t count, std::uint32_t seed) {
  Random random(seed);
  std::vector<float> out(count);
  for (float& value : out) value = random.uniform();
  return out;
}

View view_of(std::vector<float>& data, const Shape& shape) { return {data.data(), double(data.size()), shape}; }

bool is_nearest(float got, long double truth) {
  const float nearest = float(truth);
  return got >= std::nextafter(nearest, -2e30f) && got <= std::nextafter(nearest, 2e30f);
}

namespace {

template <class Number>
double difference(const std::vector<float>& a, const std::vector<Number>& b) {
  double largest = a.size() == b.size() ? 0 : kInfinity;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double distance = std::abs(double(a[i]) - double(b[i]));
    if (!(distance <= largest)) largest = std::isfinite(distance) ? distance : kInfinity;
  }
  return largest;
}

}  // namespace

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) { return difference(a, b); }
double largest_difference(const std::vector<float>& a, const std::vector<double>& b) { return difference(a, b); }

double largest_relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : kInfinity;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double distance = a[i] == b[i] ? 0 : std::abs((a[i] - b[i]) / b[i]);
    if (!(distance <= largest)) largest = std::isfinite(distance) ? distance : kInfinity;
  }
  return largest;
}

double dot(const float* a, const float* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  });
}

}  // namespace posenc::test
