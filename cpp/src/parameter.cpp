#include "posenc/parameter.hpp"

#include "posenc/real.hpp"

namespace posenc {

namespace {

// SplitMix64 (Steele, Lea, Flood 2014).
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : state_(seed) {}
  /// In (-1, 1).
  double next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double((z ^ (z >> 31)) >> 12) + 0.5) / 2251799813685248.0 - 1;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

Parameter Parameter::filled(std::string_view name, std::string_view axes, std::string_view doc, const Shape& shape,
                            float value) {
  return {name, axes, doc, shape, std::vector<float>(std::size_t(shape.size()), value)};
}

// Marsaglia's polar method, with the library's own logarithm: libm's differ in the last bit.
Parameter RandomInit::fill(std::string_view name, std::string_view axes, std::string_view doc, const Shape& shape,
                           int stream) const {
  Parameter out = Parameter::filled(name, axes, doc, shape);
  Uniform uniform((std::uint64_t(stream) << 32) + std::uint64_t(seed));
  for (std::size_t i = 0; std > 0 && i < out.values.size(); i += 2) {
    double x, y, square;
    do {
      x = uniform.next();
      y = uniform.next();
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double radius = std * std::sqrt(-2 * log(Real(square)).hi / square);
    out.values[i] = float(x * radius);
    if (i + 1 < out.values.size()) out.values[i + 1] = float(y * radius);
  }
  return out;
}

}  // namespace posenc
