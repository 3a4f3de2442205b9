#include "posenc/core/parameter.hpp"

#include <atomic>
#include <bit>
#include <cstring>

#include "posenc/core/memory.hpp"
#include "posenc/math/real.hpp"

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

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> count = 0;
  return ++count;
}

}  // namespace

Learned::Learned(FamilyName name) : family(name), id(next_id()) {}

Learned::~Learned() { Workspace::forget_in_thread(*this); }

// Eight independent sums, which do not wait for each other. Each step is a bijection of its input and of the previous
// sum. The shift moves upper bits down; otherwise two changed signs would cancel each other.
std::uint64_t Parameter::fingerprint(std::uint64_t before) const {
  const auto join = [](std::uint64_t sum, std::uint64_t bits) {
    sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
    return sum ^ (sum >> 32);
  };
  std::uint64_t sums[8] = {before + 1, 2, 3, 4, 5, 6, 7, 8};
  const float* x = values.data();
  std::size_t left = values.size();
  for (; left >= 16; left -= 16, x += 16) {
    std::uint64_t bits[8];
    std::memcpy(bits, x, sizeof bits);
#pragma GCC unroll 8
    for (int lane = 0; lane < 8; ++lane) sums[lane] = join(sums[lane], bits[lane]);
  }
  for (; left > 0; --left) sums[0] = join(sums[0], std::bit_cast<std::uint32_t>(*x++));
  for (int lane = 1; lane < 8; ++lane) sums[0] = join(sums[0], sums[lane]);
  return sums[0];
}

std::uint64_t Learned::fingerprint() const {
  std::uint64_t print = 0;
  for (const Parameter& parameter : parameters) print = parameter.fingerprint(print);
  return print;
}

void Learned::adopt(std::vector<Parameter> first) { parameters = std::move(first); }

void append(std::vector<Parameter>& list, Parameter&& parameter) { list.push_back(std::move(parameter)); }

Parameter Parameter::filled(std::string_view name, Prose axes, Prose doc, const Shape& shape, float value) {
  return {name, axes, doc, shape, {}, value};
}

Parameter Parameter::uniform(std::string_view name, Prose axes, Prose doc, const Shape& shape, double low, double high,
                             int seed) {
  return {.name = name,
          .axes = axes,
          .doc = doc,
          .shape = shape,
          .values = {},
          .value = float((low + high) / 2),
          .std = 0,
          .spread = (high - low) / 2,
          .seed = std::uint64_t(seed)};
}

Parameter RandomInit::fill(std::string_view name, Prose axes, Prose doc, const Shape& shape, int stream) const {
  return {name, axes, doc, shape, {}, 0, std, 0, (std::uint64_t(stream) << 32) + std::uint64_t(seed)};
}

Parameter RandomInit::layer(std::string_view name, Prose axes, Prose doc, const Shape& shape, double limit,
                            int stream) const {
  return Parameter::uniform(name, axes, doc, shape, -limit, limit, seed % 1000000000 + stream * 7919);
}

// Marsaglia's polar method.
void Parameter::begin() {
  values.assign(std::size_t(shape.size()), value);
  Uniform uniform(seed);
  if (spread > 0)
    for (float& number : values) number = float(double(value) + spread * uniform.next());
  for (std::size_t i = 0; std > 0 && i < values.size(); i += 2) {
    double x, y, square;
    do {
      x = uniform.next();
      y = uniform.next();
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double radius = std * std::sqrt(-2 * quick_log(square) / square);
    values[i] = float(x * radius);
    if (i + 1 < values.size()) values[i + 1] = float(y * radius);
  }
}

namespace {

bool overlap(const Region& a, const Region& b) {
  const auto begin = [](const Region& region) { return double(reinterpret_cast<std::uintptr_t>(region.data)); };
  return a.bytes > 0 && b.bytes > 0 && begin(a) < begin(b) + b.bytes && begin(b) < begin(a) + a.bytes;
}

Error check_apart(Regions results, const Region& other) {
  for (const Region& result : results)
    if (&result != &other && overlap(result, other))
      return error_at(Code::invalid_argument, result.name, "shares memory with %", other.name);
  return {};
}

}  // namespace

Error Learned::check_apart_from(Regions results) const {
  for (const Parameter& parameter : parameters)
    if (Error error = check_apart(results, {parameter.name, std::span(parameter.values)})) return error;
  return check_apart(results, {"gradient", guarded});
}

Error check_apart(Regions results, Regions inputs, const Learned* encoding, const Learned* other) {
  for (const Regions& list : {inputs, results})
    for (const Region& region : list)
      if (Error error = check_apart(results, region)) return error;
  for (const Learned* learned : {encoding, other})
    if (learned)
      if (Error error = learned->check_apart_from(results)) return error;
  return {};
}

Error allocate(std::vector<Parameter>& parameters, Initialization initialization) {
  for (std::size_t i = 0; !initialization.shapes_only && i < parameters.size(); ++i) {
    Parameter& parameter = parameters[i];
    const double size = parameter.shape.size();
    if (double(parameter.values.size()) == size) continue;
    if (size > kMaxParameterSize || !can_have(size * sizeof(float)))
      return error_at(Code::out_of_memory, parameter.name, "out of memory: cannot get % values, %", size,
                      parameter.shape);
    if (i < 32 && initialization.given >> i & 1)
      parameter.values.resize(std::size_t(size));
    else
      parameter.begin();
  }
  return {};
}

}  // namespace posenc
