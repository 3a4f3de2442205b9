// Prints digests of tables, rotations, biases, buckets and learned numbers of every kind as JSON: the native twin of
// tests/golden/digests.mjs, which says what is digested. The two outputs must be equal, byte for byte: all builds give
// the same bits.
#include <bit>
#include <cstdio>
#include <cstring>

#include "posenc/encodings.hpp"

namespace {

using namespace posenc;

constexpr std::array kPositions{0.0,    1.0,     2.0,       3.0,        17.0,         63.0, 64.0, 65.0, 1000.0,
                                4095.0, 65536.0, 1000000.0, 16777217.0, 2147483647.0, -1.0, -5.5, 0.25, 1234.5678};
constexpr int kCount = int(kPositions.size());

Positions given_positions() { return {.values = kPositions, .offset = 0, .count = kCount}; }

// Numbers between -0.5 and 0.5, the same ones as the JavaScript list takes.
std::vector<float> input(std::size_t count) {
  std::vector<float> out(count);
  std::uint32_t state = 1;
  for (float& value : out) {
    state = state * 1664525u + 1013904223u;
    value = float(double(state >> 8) / 16777216.0 - 0.5);
  }
  return out;
}

// FNV-1a over the little-endian bytes, whatever the machine's order is.
template <class Bits, class Number>
std::uint64_t fnv1a64(const std::vector<Number>& data) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (Number number : data) {
    const auto bits = std::bit_cast<Bits>(number);
    for (std::size_t shift = 0; shift < 8 * sizeof(Bits); shift += 8)
      hash = (hash ^ ((bits >> shift) & 0xff)) * 0x100000001b3ull;
  }
  return hash;
}

void print(std::string_view kind, std::string_view what, std::uint64_t hash) {
  static bool first = true;
  std::printf("%s  \"%s/%s\": \"%016llx\"", first ? "{\n" : ",\n", std::string(kind).c_str(), std::string(what).c_str(),
              static_cast<unsigned long long>(hash));
  first = false;
}

void print(std::string_view kind, std::string_view what, const std::vector<float>& data) {
  print(kind, what, fnv1a64<std::uint32_t>(data));
}

View view_of(std::vector<float>& data, const Shape& shape) { return {data.data(), double(data.size()), shape}; }

bool failed(std::string_view kind, const Error& error) {
  if (error) std::fprintf(stderr, "%s: %s\n", std::string(kind).c_str(), error.message.c_str());
  return bool(error);
}

void print_parameters(std::string_view kind, const Learned& encoding) {
  for (const Parameter& parameter : encoding.parameters)
    if (!parameter.values.empty()) print(kind, parameter.name, parameter.values);
}

bool digest(Table& table, std::string_view kind, const SpecInput&) {
  const std::size_t dim = std::size_t(table.dim), axes = std::size_t(table.axes), count = kPositions.size();
  // The others take counted positions only.
  if (kind != "one-hot" && kind != "binary" && kind != "learned") {
    std::vector<double> places(axes * count);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = kPositions[(i % count + i / count) % count];
    Positions positions{.values = std::span(places).first(count), .offset = 0, .count = kCount, .axes = table.axes};
    positions.stride = count;
    for (std::size_t axis = 0; axis < axes; ++axis) positions.extent[axis] = axes > 1 ? 2147483648.0 : kCount;
    std::vector<float> rows(count * dim);
    if (failed(kind, table.rows(positions, view_of(rows, {kCount, double(dim)})))) return false;
    print(kind, "table", rows);
  }
  std::vector<float> near(4 * dim);
  Positions grid{.values = {}, .offset = 0, .count = 4, .axes = table.axes};
  for (std::size_t axis = 0; axis < axes; ++axis) grid.extent[axis] = axes == 1 ? 4 : axis + 2 < axes ? 1 : 2;
  if (failed(kind, table.rows(grid, view_of(near, {4, double(dim)})))) return false;
  print(kind, "table/near", near);
  print_parameters(kind, table);
  return true;
}

// The places of a rotation, axis after axis.
struct RotationPlaces {
  std::vector<double> values;
  Positions positions;

  explicit RotationPlaces(const Rotation& rotation) {
    std::vector<double> list;
    for (const double position : kPositions)
      if (rotation.decay.rates.empty() || position < 10000) list.push_back(position);
    for (int axis = 0; axis < rotation.axes; ++axis) {
      const auto first = list.begin() + 5 * axis;
      values.insert(values.end(), first, list.end());
      values.insert(values.end(), list.begin(), first);
    }
    positions.values = std::span(values).first(list.size());
    positions.count = int(list.size());
    positions.axes = rotation.axes;
    positions.stride = list.size();
  }
};

bool digest_pairing(std::string_view kind, SpecInput spec, std::string_view pairing) {
  Value text;
  text.type = Value::Type::text;
  text.text = pairing;
  spec.emplace_back("pairing", text);
  auto encoding = create(kind, spec);
  if (failed(kind, encoding.error())) return false;
  Rotation& rotation = *as<Rotation>(**encoding);
  const RotationPlaces places(rotation);
  const double count = places.positions.count;
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    auto x = input(2 * std::size_t(count) * std::size_t(rotation.dim));
    const View view = view_of(x, {1, 2, count, double(rotation.dim)});
    const Role role = direction == Direction::forward ? Role::key : Role::query;
    if (failed(kind, rotation.apply(view, HeadLayout::bhtd, places.positions, 0, direction, role))) return false;
    print(kind, join({pairing, direction == Direction::inverse ? "/inverse" : ""}), x);
  }
  return true;
}

bool digest(Rotation& rotation, std::string_view kind, const SpecInput& spec) {
  print(kind, "frequencies", fnv1a64<std::uint64_t>(rotation.inverse_frequencies(1)));
  const RotationPlaces places(rotation);
  const Shape shape{double(places.positions.count), double(rotation.pairs)};
  std::vector<float> cosine(std::size_t(shape.size())), sine(cosine.size());
  if (failed(kind, rotation.tables(places.positions, 0, view_of(cosine, shape), view_of(sine, shape), Role::query)))
    return false;
  print(kind, "cos", cosine);
  print(kind, "sin", sine);
  for (std::string_view pairing : Choices<Pairing>::names)
    if (!digest_pairing(kind, spec, pairing)) return false;
  return true;
}

bool digest(Bias& bias, std::string_view kind, const SpecInput&) {
  std::vector<float> rows(std::size_t(bias.heads) * 5 * 9);
  if (failed(kind, bias.bias(5, 9, 4, {}, view_of(rows, {double(bias.heads), 5, 9})))) return false;
  print(kind, "bias", rows);
  print_parameters(kind, bias);
  return true;
}

bool digest(Relative& relative, std::string_view kind, const SpecInput&) {
  for (const Parameter& parameter : relative.parameters) print(kind, parameter.name, parameter.values);
  if (!relative.has_buckets()) return true;
  std::vector<std::int32_t> buckets(kPositions.size());
  if (failed(kind, relative.buckets(kPositions, buckets.data()))) return false;
  print(kind, "buckets", fnv1a64<std::uint32_t>(buckets));
  return true;
}

// Collects each required field at its example: the specs that describe() leads to.
struct RequiredFields {
  SpecInput input;
  void operator()(std::vector<double>&, const Field& field) {
    Value list;
    list.type = Value::Type::numbers;
    list.numbers = field.examples.empty() ? std::span(&field.example, 1) : field.examples;
    if (field.required) input.emplace_back(field.name, list);
  }
  template <class T>
  void operator()(T&, const Field& field) {
    Value number;
    number.type = Value::Type::number;
    number.number = field.example;
    if (field.required) input.emplace_back(field.name, number);
  }
};

template <class Spec>
bool digest_kind() {
  Spec spec;
  RequiredFields required;
  spec.visit(required);
  auto encoding = create(Spec::method.kind, required.input);
  if (failed(Spec::method.kind, encoding.error())) return false;
  return digest(*as<typename Spec::Family>(**encoding), Spec::method.kind, required.input);
}

template <class... Spec>
bool digest_all(std::type_identity<std::tuple<Spec...>>) {
  return (digest_kind<Spec>() && ...);
}

}  // namespace

int main() {
  if (!digest_all(std::type_identity<posenc::Encodings>{})) return 1;
  std::printf("\n}\n");
  return 0;
}
