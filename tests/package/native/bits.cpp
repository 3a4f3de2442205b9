// Prints a digest of the numbers of every kind. It is compiled twice, plainly and with the flags of somebody who cares
// more for speed than for bits: what it prints must be the same.
#include <bit>
#include <cstdint>
#include <cstdio>

#include "posenc/posenc.hpp"

using namespace posenc;

namespace {

constexpr int kCount = 40;
/// Of a rotation's heads by their example.
constexpr std::size_t kPairs = 32;

/// Sets the fields that have no default to their examples.
struct Examples {
  void operator()(int& value, const Field& field) { set(value, field); }
  void operator()(double& value, const Field& field) { set(value, field); }
  void operator()(std::vector<double>& value, const Field& field) {
    if (!field.required) return;
    value.assign(field.examples.begin(), field.examples.end());
    if (value.empty()) value.assign(kPairs, field.example);
  }
  template <class Other>
  void operator()(Other&, const Field&) {}

  template <class Number>
  void set(Number& value, const Field& field) {
    if (field.required) value = Number(field.example);
  }
};

struct Digest {
  std::uint64_t hash = 0xcbf29ce484222325ull;

  template <class Numbers>
  void add(const Numbers& numbers) {
    for (const auto number : numbers) {
      const auto bits = std::bit_cast<std::array<unsigned char, sizeof number>>(number);
      for (const unsigned char byte : bits) hash = (hash ^ byte) * 0x100000001b3ull;
    }
  }
  void add(const Error& error) { add(error.message()); }
};

View view_of(std::vector<float>& data, const Shape& shape) { return {data.data(), double(data.size()), shape}; }

Positions positions_of(int axes) {
  Positions positions{.values = {}, .offset = 0, .count = kCount, .axes = axes};
  for (int axis = 0; axis < axes; ++axis)
    positions.extent[std::size_t(axis)] = axis + 2 < axes ? 1 : axis + 1 < axes ? 5 : 8;
  if (axes == 1) positions.extent[0] = kCount;
  return positions;
}

void digest(Table& table, Digest& out) {
  std::vector<float> rows(std::size_t(kCount * table.dim));
  out.add(table.rows(positions_of(table.axes), view_of(rows, {kCount, double(table.dim)})));
  out.add(rows);
}

void digest(Rotation& rotation, Digest& out) {
  out.add(rotation.inverse_frequencies(100000));
  out.add(std::array{rotation.attention_factor, rotation.softmax_factor});
  std::vector<float> cosine(std::size_t(kCount * rotation.pairs)), sine(cosine.size());
  const Shape shape{kCount, double(rotation.pairs)};
  out.add(rotation.tables(positions_of(rotation.axes), 0, view_of(cosine, shape), view_of(sine, shape), Role::query));
  out.add(cosine);
  out.add(sine);
}

void digest(Bias& bias, Digest& out) {
  std::vector<float> numbers(std::size_t(bias.heads * 5 * 9));
  out.add(bias.bias(5, 9, 4, {}, view_of(numbers, {double(bias.heads), 5, 9})));
  out.add(numbers);
}

void digest(Relative&, Digest&) {}

template <class Spec>
void print() {
  Spec spec;
  Examples examples;
  spec.visit(examples);
  auto made = make(spec);
  Digest out;
  if (made) {
    digest(**made, out);
    for (const Parameter& parameter : (*made)->parameters) out.add(parameter.values);
  }
  std::printf("%s %s%016llx\n", std::string(Spec::method.kind).c_str(), made.error().message().c_str(),
              static_cast<unsigned long long>(out.hash));
}

template <class... Spec>
void print_all(std::type_identity<std::tuple<Spec...>>) {
  (print<Spec>(), ...);
}

}  // namespace

int main() {
  std::printf("posenc %s\n", POSENC_VERSION);
  print_all(std::type_identity<Encodings>{});
  return 0;
}
