// Do all kinds give the committed bits? tests/fixtures/digests.txt holds specs and digests; tests/golden/digests.mjs,
// the twin of this file, says what is digested.
#include <bit>
#include <cstdlib>
#include <fstream>

#include "support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr std::array kDigestPositions{0.0,        1.0,          2.0,    3.0,    17.0,    63.0,
                                      64.0,       65.0,         1000.0, 4095.0, 65536.0, 1000000.0,
                                      16777217.0, 2147483647.0, -1.0,   -5.5,   0.25,    1234.5678};
constexpr int kCount = int(kDigestPositions.size());

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

// A flat JSON object as JSON.stringify writes it; the text must outlast the spec.
SpecInput parse(std::string_view line) {
  SpecInput spec;
  const auto take = [&](std::string_view token) {
    if (!line.starts_with(token)) return false;
    line.remove_prefix(token.size());
    return true;
  };
  const auto word = [&] {
    REQUIRE(take("\""));
    const std::string_view out = line.substr(0, line.find('"'));
    line.remove_prefix(out.size() + 1);
    return out;
  };
  const auto number_here = [&] {
    char* end = nullptr;
    const double value = std::strtod(line.data(), &end);
    line.remove_prefix(std::size_t(end - line.data()));
    return value;
  };
  while (take("{") || take(",")) {
    const std::string_view name = word();
    REQUIRE(take(":"));
    Value value;
    if (line.starts_with('"'))
      value = text(word());
    else if (take("true"))
      value = boolean(true);
    else if (take("false"))
      value = boolean(false);
    else if (take("[")) {
      std::vector<double> list;
      while (!take("]")) {
        take(",");
        list.push_back(number_here());
      }
      value = numbers(list);
    } else if (!take("null"))
      value = number(number_here());
    spec.emplace_back(name, value);
  }
  REQUIRE(line == "}");
  return spec;
}

// The lines below a spec.
class Lines {
 public:
  std::string text;

  void add(std::string_view what, const Error& error, std::uint64_t hash) {
    std::array<char, 17> digits;
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
    text += join({what, " ", error ? code_name(error.code()) : std::string_view(digits.data()), "\n"});
  }
  void add(std::string_view what, const Error& error, const std::vector<float>& data) {
    add(what, error, fnv1a64<std::uint32_t>(data));
  }
  void add_parameters(const Learned& encoding) {
    for (const Parameter& parameter : encoding.parameters)
      if (!parameter.values.empty()) add(parameter.name, {}, parameter.values);
  }
};

void digest(Table& table, const SpecInput&, Lines& lines) {
  const std::size_t dim = std::size_t(table.dim), axes = std::size_t(table.axes), count = kDigestPositions.size();
  std::vector<double> values(axes * count);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = kDigestPositions[(i % count + i / count) % count];
  Positions positions{.values = std::span(values).first(count), .offset = 0, .count = kCount, .axes = table.axes};
  positions.stride = count;
  // As the API completes positions without a grid.
  for (std::size_t axis = 0; axis < axes; ++axis) positions.extent[axis] = axes > 1 ? 2147483648.0 : kCount;
  std::vector<float> rows(count * dim), near(4 * dim);
  lines.add("table", table.rows(positions, view_of(rows, {kCount, double(dim)})), rows);
  Positions grid{.values = {}, .offset = 0, .count = 4, .axes = table.axes};
  for (std::size_t axis = 0; axis < axes; ++axis) grid.extent[axis] = axes == 1 ? 4 : axis + 2 < axes ? 1 : 2;
  lines.add("table/near", table.rows(grid, view_of(near, {4, double(dim)})), near);
  lines.add_parameters(table);
}

// The places of a rotation, axis after axis.
struct RotationInputs {
  std::vector<double> values;
  Positions positions;

  explicit RotationInputs(const Rotation& rotation) {
    std::vector<double> list;
    for (const double position : kDigestPositions)
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

void digest_pairing(SpecInput spec, std::string_view kind, std::string_view pairing, Lines& lines) {
  std::erase_if(spec, [](const auto& entry) { return entry.first == "pairing"; });
  spec.emplace_back("pairing", text(pairing));
  const auto rotation = create_as<Rotation>(kind, spec);
  const RotationInputs inputs(*rotation);
  const double count = inputs.positions.count;
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    auto x = input(2 * std::size_t(count) * std::size_t(rotation->dim));
    const View view = view_of(x, {1, 2, count, double(rotation->dim)});
    const bool inverse = direction == Direction::inverse;
    const Error error =
        rotation->apply(view, HeadLayout::bhtd, inputs.positions, 0, direction, inverse ? Role::query : Role::key);
    lines.add(join({pairing, inverse ? "/inverse" : ""}), error, x);
  }
}

void digest(Rotation& rotation, const SpecInput& spec, std::string_view kind, Lines& lines) {
  lines.add("frequencies", {}, fnv1a64<std::uint64_t>(rotation.inverse_frequencies(1)));
  const RotationInputs inputs(rotation);
  const Shape shape{double(inputs.positions.count), double(rotation.pairs)};
  std::vector<float> cosine(std::size_t(shape.size())), sine(cosine.size());
  const Error error = rotation.tables(inputs.positions, 0, view_of(cosine, shape), view_of(sine, shape), Role::query);
  lines.add("cos", error, cosine);
  lines.add("sin", error, sine);
  for (std::string_view pairing : Choices<Pairing>::names) digest_pairing(spec, kind, pairing, lines);
}

void digest(Bias& bias, const SpecInput&, Lines& lines) {
  std::vector<float> rows(std::size_t(bias.heads) * 5 * 9);
  lines.add("bias", bias.bias(5, 9, 4, {}, view_of(rows, {double(bias.heads), 5, 9})), rows);
  lines.add_parameters(bias);
}

void digest(Relative& relative, const SpecInput&, Lines& lines) {
  lines.add_parameters(relative);
  std::vector<std::int32_t> buckets(kDigestPositions.size());
  const Error error = relative.buckets(kDigestPositions, buckets);
  lines.add("buckets", error, fnv1a64<std::uint32_t>(buckets));
  if (!relative.maps_rows) return;
  std::vector<double> list, values;
  for (const double position : kDigestPositions)
    if (position <= 65536) list.push_back(position);
  for (int axis = 0; axis < relative.axes; ++axis) {
    values.insert(values.end(), list.begin() + axis, list.end());
    values.insert(values.end(), list.begin(), list.begin() + axis);
  }
  Positions positions = Positions::given(std::span(values).first(list.size()), int(list.size()));
  positions.axes = relative.axes;
  positions.stride = list.size();
  // As the API completes positions without a grid.
  for (int axis = 0; axis < relative.axes; ++axis)
    positions.extent[std::size_t(axis)] = relative.axes > 1 ? 65537 : double(list.size());
  const Shape shape{1, double(relative.heads ? relative.heads : 2), double(list.size()), double(relative.dim)};
  auto x = input(std::size_t(shape.size()));
  const View view = view_of(x, shape);
  lines.add("rows", relative.apply(view, HeadLayout::bhtd, positions, Direction::forward), x);
}

std::string digest(std::string_view line) {
  SpecInput spec = parse(line);
  const std::string_view kind = spec.front().second.text;
  spec.erase(spec.begin());
  INFO(std::string(line));
  auto made = create(kind, spec);
  INFO(made.error().message());
  REQUIRE(made);
  Lines lines;
  if (Table* table = as<Table>(**made)) digest(*table, spec, lines);
  if (Rotation* rotation = as<Rotation>(**made)) digest(*rotation, spec, kind, lines);
  if (Bias* bias = as<Bias>(**made)) digest(*bias, spec, lines);
  if (Relative* relative = as<Relative>(**made)) digest(*relative, spec, lines);
  return lines.text;
}

}  // namespace

TEST_CASE("every kind gives the committed bits", "[digests]") {
  INFO("run at the top of the checkout: it reads tests/fixtures");
  std::ifstream file("tests/fixtures/digests.txt");
  REQUIRE(file.is_open());
  std::vector<std::string> kinds;
  for (std::string line; std::getline(file, line);) {
    REQUIRE(line.starts_with("{\"kind\":\""));
    kinds.push_back(line.substr(9, line.find('"', 9) - 9));
    std::string wanted;
    for (std::string digest_line; std::getline(file, digest_line) && !digest_line.empty();)
      wanted += digest_line + "\n";
    CAPTURE(line);
    CHECK(digest(line) == wanted);
  }
  for (const Sample& sample : samples()) CHECK(std::count(kinds.begin(), kinds.end(), sample.kind) > 0);
}
