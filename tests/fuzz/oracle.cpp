#include "oracle.hpp"

namespace posenc::fuzz {

namespace {

std::vector<std::string> split(const std::string& text, char mark) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == mark)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace

Model::Model(const SpecText& spec) {
  const auto parts = split(spec.text, '\x1e');
  kind_ = parts[0];
  std::size_t at = 0;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto field = split(parts[i], '\x1f');
    if (field.size() < 2 || field[1].empty()) continue;
    Value value;
    const char letter = field[1][0];
    value.is_null = letter == '0';
    value.text = field.size() > 2 ? field[2] : "";
    const std::size_t count = letter == 'n' || letter == 'b' ? 1 : letter == 'l' ? std::stoul("0" + value.text) : 0;
    for (std::size_t n = 0; n < count && at < spec.numbers.size(); ++n) value.numbers.push_back(spec.numbers[at++]);
    fields_[field[0]] = value;
  }
}

double Model::number(std::string_view name, double fallback) const {
  const auto found = fields_.find(name);
  return found == fields_.end() || found->second.numbers.empty() ? fallback : found->second.numbers[0];
}

std::string_view Model::text(std::string_view name, std::string_view fallback) const {
  const auto found = fields_.find(name);
  return found == fields_.end() || found->second.is_null ? fallback : std::string_view(found->second.text);
}

const std::vector<double>& Model::list(std::string_view name) const {
  static const std::vector<double> none;
  const auto found = fields_.find(name);
  return found == fields_.end() ? none : found->second.numbers;
}

void Model::read(const Learned& encoding) {
  parameters.clear();
  for (const Parameter& parameter : encoding.parameters)
    parameters.emplace_back(parameter.values.begin(), parameter.values.end());
}

bool Model::tame() const {
  for (const auto& parameter : parameters)
    for (const double value : parameter)
      if (!(std::abs(value) <= 1e4)) return false;
  return true;
}

double position_of(const Positions& positions, double per_row, double row, double index, int axis) {
  if (!positions.values.empty()) {
    const bool shared = double(positions.values.size()) <= per_row;
    const double at = (shared ? 0 : row * per_row) + index;
    return positions.values.data()[std::size_t(at) + std::size_t(axis) * positions.stride];
  }
  double cell = positions.offset + index;
  if (positions.axes == 1) return cell;
  // Row by row: the last axis runs fastest.
  for (int a = positions.axes - 1; a > axis; --a) cell = std::floor(cell / positions.extent[std::size_t(a)]);
  const double size = positions.extent[std::size_t(axis)];
  const double rest = std::fmod(cell, size);
  return rest < 0 ? rest + size : rest;
}

std::size_t broadcast_index(const Shape& shape, const ScoreIndex& at) {
  std::size_t index = 0;
  for (int axis = 0; axis < shape.rank; ++axis) {
    const std::size_t mine = std::size_t(at[std::size_t(4 - shape.rank + axis)]);
    index = index * std::size_t(shape[axis]) + (shape[axis] == 1 ? 0 : mine);
  }
  return index;
}

bool is_unmasked(const AttentionMasks& given, int first_query, const ScoreIndex& at) {
  const int b = at[0], i = at[2], j = at[3];
  const auto of_key = [&](const Shape& rows, int key) {
    return std::size_t(rows.rank == 2 && rows[0] > 1 ? b : 0) * std::size_t(rows[-1]) + std::size_t(key);
  };
  if (const MaskView& mask = given.mask; mask.data && !mask.data[broadcast_index(mask.shape, at)]) return false;
  if (const MaskView& mask = given.attention_mask; mask.data && !mask.data[of_key(mask.shape, j)]) return false;
  const SegmentsView& own = given.segments;
  return !own.data || own.data[of_key(own.shape, first_query + i)] == own.data[of_key(own.shape, j)];
}

double extent_of(const Positions& positions, int axis) {
  if (positions.extent[std::size_t(axis)] > 0) return positions.extent[std::size_t(axis)];
  if (positions.axes == 1 || positions.values.empty()) return positions.count;
  double largest = -kInfinity;
  for (std::size_t i = 0; i < positions.values.size(); ++i)
    largest = std::max(largest, positions.values.data()[i + std::size_t(axis) * positions.stride]);
  return std::floor(largest) + 1;
}

void expect(std::string_view label, std::size_t index, double got, const Near& wanted) {
  if (!std::isfinite(wanted.bound) || !twin::has_bounds()) return;
  if (std::isnan(wanted.value) ? std::isnan(got) : got == double(float(wanted.value))) return;
  // What leaves float32's range is infinite, or NaN, and so is a result near its end of which a term does; what falls
  // below it, 0 or denormal.
  if (std::abs(wanted.value) > 1e38 && !std::isfinite(got)) return;
  if (std::abs(got - wanted.value) <= wanted.bound + 1e-38) return;
  twin::differ(label, index, got, wanted.value, wanted.bound, "the formula");
}

}  // namespace posenc::fuzz
