#include "arguments.hpp"

#include "specs.hpp"
#include "twin.hpp"

namespace posenc::fuzz {

namespace {

constexpr double kMostFloats = 65536;

// As much memory as the shape needs, where that is a number one can get.
std::size_t floats_for(const Shape& shape) {
  const double size = shape.size();
  return size >= 0 && size <= kMostFloats && size == std::floor(size) ? std::size_t(size) : 3;
}

void fill(Input& input, float* data, std::size_t count) {
  std::uint32_t state = input.byte() * 2654435761u + 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = float(state >> 8) * 0x1p-23f - 1;
  }
  for (int left = input.rarely(8) ? input.below(4) : 0; left > 0 && count > 0; --left) {
    const double number = input.number();
    // What does not fit would be undefined, not infinite.
    data[std::size_t(input.byte()) % count] =
        std::abs(number) > 3.4e38 ? std::numeric_limits<float>::infinity() : float(number);
  }
}

}  // namespace

int size_from(Input& input) {
  static constexpr int kSizes[]{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17}, kLarge[]{31, 33, 63, 64, 65, 70, 130};
  const int how = input.below(32);
  if (how == 31) return input.pick(kLarge);
  return how % 4 == 3 ? input.pick(kSizes) : input.between(1, 6);
}

Shape altered(Input& input, Shape shape) {
  if (!input.rarely(24)) return shape;
  if (input.flag()) shape.rank = input.between(0, kMaxRank);
  if (shape.rank > 0) shape.dims[std::size_t(input.below(shape.rank))] = input.number();
  return shape;
}

Shape broadcasting_shape(Input& input, const Shape& scores) {
  Shape shape;
  shape.rank = 1 + input.below(4);
  for (int i = 0; i < shape.rank; ++i) shape.dims[std::size_t(i)] = input.rarely(3) ? 1 : scores[i - shape.rank];
  return shape;
}

Tensor::Tensor(Input& input, const Shape& wanted) {
  view_.shape = altered(input, wanted);
  std::size_t count = floats_for(view_.shape);
  if (input.rarely(48)) count = std::size_t(input.byte());
  data_ = std::make_unique<float[]>(count);
  fill(input, data_.get(), count);
  before_.assign(data_.get(), data_.get() + count);
  view_.data = data_.get();
  view_.length = double(count);
}

bool Tensor::unchanged() const {
  return before_.empty() || std::memcmp(before_.data(), data_.get(), 4 * before_.size()) == 0;
}

bool Tensor::tame() const {
  for (const float number : before_)
    if (!(std::abs(number) <= 1e4f)) return false;
  return true;
}

Mask::Mask(Input& input, const Shape& wanted) {
  view_.shape = altered(input, wanted);
  std::size_t count = floats_for(view_.shape);
  if (input.rarely(48)) count = std::size_t(input.byte());
  data_ = std::make_unique<std::uint8_t[]>(count);
  const int threshold = input.byte();
  ids_ = std::make_unique<std::int32_t[]>(count);
  const bool contiguous = !input.rarely(4);
  for (std::size_t i = 0; i < count; ++i) {
    data_[i] = int(i * 37 % 256) >= threshold;
    ids_[i] = contiguous && i > 0 ? ids_[i - 1] + !data_[i] : data_[i];
  }
  view_.data = data_.get();
  view_.length = double(count);
}

RandomPositions::RandomPositions(Input& input, double count, double rows, int axes) {
  const auto sane = [](double size) { return size >= 0 && size <= kMostFloats ? size : 1; };
  positions_.count = int(sane(count));
  positions_.axes = input.rarely(24) ? input.between(1, kMaxAxes) : axes;
  positions_.extent[0] = positions_.count;
  const int how = input.below(8);
  if (how < 2) {
    positions_.offset = input.number();
    if (positions_.axes > 1) lay_grid(input);
  } else if (how < 5 && positions_.axes > 1) {
    lay_grid(input);
  } else if (how < 7) {
    const double given = input.flag() ? positions_.count : std::min(kMostFloats, positions_.count * sane(rows));
    give(input, input.rarely(24) ? input.byte() : int(given));
  } else if (positions_.axes > 1) {
    lay_grid(input);
  }
}

void RandomPositions::lay_grid(Input& input) {
  // Rows as long as the count divides, so that all places are there.
  int left = std::max(1, positions_.count);
  for (int axis = 0; axis < positions_.axes; ++axis) {
    const int last = positions_.axes - 1, size = axis < last && input.flag() && left % 2 == 0 ? 2 : 1;
    positions_.extent[std::size_t(axis)] = axis == last ? left : size;
    left /= size;
  }
  if (input.rarely(8)) positions_.offset = -1;
  if (input.rarely(24)) positions_.extent[std::size_t(input.below(positions_.axes))] = input.byte();
}

void RandomPositions::give(Input& input, int given) {
  if (given <= 0 || given * positions_.axes > kMostFloats) return;
  const std::size_t all = std::size_t(given) * std::size_t(positions_.axes);
  values_ = std::make_unique<double[]>(all);
  const double start = input.between(-3, 8);
  const bool strange = input.rarely(4);
  for (std::size_t i = 0; i < all; ++i)
    values_[i] = strange && !input.empty() ? input.number() : start + double(i % std::size_t(given));
  positions_.values = {values_.get(), std::size_t(given)};
  positions_.stride = std::size_t(given);
  positions_.offset = 0;
  // As the web tells it (web/src/positions/at.ts).
  for (int axis = 0; axis < positions_.axes && positions_.axes > 1; ++axis) {
    const auto values = positions_.values_of(axis);
    double largest = -1;
    for (const double value : values) largest = value > largest || std::isnan(value) ? value : largest;
    positions_.extent[std::size_t(axis)] = input.rarely(8) ? input.byte() : std::floor(largest) + 1;
  }
}

double sequence_length_from(Input& input) {
  const double number = input.rarely(4) ? input.number() : 0;
  return number >= 1 && std::isfinite(number) ? number : 0;
}

void check_untouched(const Error& error, const Tensor& tensor) {
  check_error(error);
  require(!error || tensor.unchanged(), "changed in spite of the error: " + error.message());
}

void expect_same_error(std::string_view call, const Error& error) {
  check_error(error);
  twin::same(call, error.message());
}

void expect_same_bits(std::string_view call, const Error& error, const Tensor& result) {
  expect_same_error(call, error);
  if (!error) twin::same_bits(call, result.values());
}

}  // namespace posenc::fuzz
