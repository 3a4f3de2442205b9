// Is each kernel the naive loop, for every size, stride and alignment, and does it stay inside its memory?
#include "posenc/kernels/kernels.hpp"

#include <numeric>

#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// Two full vectors of the widest instruction set and some more, then sizes that take the four-vector path.
const std::vector<int>& pair_counts() {
  static const std::vector<int> all{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                    12, 13, 14, 15, 16, 17, 18, 19, 32, 37, 64, 75};
  return all;
}

constexpr int kRowPositions = 5, kUnrotated = 3;

// Cosines and sines [positions, pairs], and the rows in which rotate() takes them: [c … | s …] for each position, not
// one after another in memory.
struct Multipliers {
  std::vector<float> cosines, sines;
  std::vector<std::vector<float>> rows;
  std::vector<const float*> pointers;

  explicit Multipliers(int pairs)
      : cosines(random_floats(std::size_t(kRowPositions * pairs), 11)), sines(random_floats(cosines.size(), 12)) {
    for (int t = 0; t < kRowPositions; ++t) {
      rows.emplace_back(cosines.begin() + t * pairs, cosines.begin() + (t + 1) * pairs);
      rows.back().insert(rows.back().end(), sines.begin() + t * pairs, sines.begin() + (t + 1) * pairs);
    }
    for (const auto& row : rows) pointers.push_back(row.data());
  }
};

struct PairIndices {
  int a, b;
};
PairIndices pair_indices(bool half, int k, int pairs) {
  return half ? PairIndices{k, pairs + k} : PairIndices{2 * k, 2 * k + 1};
}

void rotate_naively(float* x, const RotateBlock& block, Pairing pairing, bool backward,
                    const Multipliers& multipliers) {
  const bool reads_half = pairing == Pairing::half || (pairing == Pairing::interleaved_to_half && backward);
  const bool writes_half = pairing == Pairing::half || (pairing == Pairing::interleaved_to_half && !backward);
  for (int h = 0; h < block.heads; ++h)
    for (int t = 0; t < block.positions; ++t) {
      float* row = x + h * block.head_stride + t * block.position_stride;
      const std::vector<float> old(row, row + 2 * block.pairs);
      for (int k = 0; k < block.pairs; ++k) {
        const auto from = pair_indices(reads_half, k, block.pairs), to = pair_indices(writes_half, k, block.pairs);
        const float a = old[std::size_t(from.a)], b = old[std::size_t(from.b)];
        const float c = multipliers.cosines[std::size_t(t * block.pairs + k)],
                    s = multipliers.sines[std::size_t(t * block.pairs + k)];
        row[to.a] = a * c - b * s;
        row[to.b] = a * s + b * c;
      }
    }
}

// A whole buffer is compared, so what lies between and behind the rows is, too.
void check_rotation(int heads, int pairs, Pairing pairing, bool backward, bool heads_outside, bool streamed) {
  const std::ptrdiff_t width = 2 * pairs + kUnrotated;
  const std::size_t offset = streamed;
  RotateBlock block{heads, kRowPositions, pairs, width * kRowPositions, width};
  block.streamed = streamed;
  if (!heads_outside) block.head_stride = width, block.position_stride = width * heads;
  auto x = random_floats(std::size_t(width * heads * kRowPositions) + offset + 16, 13);
  auto wanted = x;
  const Multipliers multipliers(pairs);
  rotate(x.data() + offset, block, pairing, backward, multipliers.pointers.data());
  rotate_naively(wanted.data() + offset, block, pairing, backward, multipliers);
  CAPTURE(heads, pairs, int(pairing), backward, heads_outside, streamed);
  REQUIRE(same_bits(x, wanted));
}

}  // namespace

TEST_CASE("rotate is the naive loop", "[kernels]") {
  for (const int heads : {1, 2, 3, 4, 5})
    for (const int pairs : pair_counts())
      for (const Pairing pairing : {Pairing::half, Pairing::interleaved, Pairing::interleaved_to_half})
        for (const bool backward : {false, true})
          for (const bool heads_outside : {false, true})
            for (const bool streamed : {false, true})
              check_rotation(heads, pairs, pairing, backward, heads_outside, streamed);
}

TEST_CASE("rotate does nothing to no heads and no positions", "[kernels]") {
  auto x = random_floats(32, 1);
  const auto before = x;
  const Multipliers multipliers(4);
  rotate(x.data(), {0, 3, 4, 8, 8}, Pairing::half, false, multipliers.pointers.data());
  rotate(x.data(), {3, 0, 4, 8, 8}, Pairing::half, false, multipliers.pointers.data());
  // A block has none of either where it says nothing.
  rotate(x.data(), {.heads = 1, .pairs = 4}, Pairing::half, false, multipliers.pointers.data());
  rotate(x.data(), {.positions = 1, .pairs = 4}, Pairing::half, false, multipliers.pointers.data());
  CHECK(same_bits(x, before));
}

TEST_CASE("copy_row copies rows of every length, and nothing behind them", "[kernels]") {
  for (std::size_t count = 0; count < 70; ++count)
    for (const bool streamed : {false, true}) {
      const auto row = random_floats(count + 1, 31);
      auto out = random_floats(count + 2, 32);
      auto wanted = out;
      std::copy_n(row.begin() + 1, count, wanted.begin());
      copy_row(row.data() + 1, count, out.data(), streamed);
      CAPTURE(count, streamed);
      REQUIRE(same_bits(out, wanted));
    }
}

TEST_CASE("add is the naive loop", "[kernels]") {
  for (std::size_t count = 0; count < 40; ++count)
    for (const std::size_t offset : {0, 1}) {
      auto x = random_floats(count + 12, 21);
      const auto y = random_floats(count + 12, 22);
      auto wanted = x;
      for (std::size_t i = 0; i < count; ++i) wanted[offset + i] += y[1 - offset + i];
      add(x.data() + offset, y.data() + 1 - offset, count);
      CAPTURE(count, offset);
      REQUIRE(same_bits(x, wanted));
    }
}

TEST_CASE("dropout zeroes its share and scales the rest", "[kernels]") {
  for (const double rate : {0.1, 0.5, 0.9}) {
    std::vector<float> x(100000, 3.0f);
    dropout(x.data(), x.size(), rate, 7, 0);
    const float kept = 3.0f * float(1 / (1 - rate));
    REQUIRE(std::all_of(x.begin(), x.end(), [&](float value) { return value == 0 || value == kept; }));
    const double zeros = double(std::count(x.begin(), x.end(), 0.0f)) / double(x.size());
    // Five standard deviations.
    CHECK(std::abs(zeros - rate) < 5 * std::sqrt(rate * (1 - rate) / double(x.size())));
  }
}

TEST_CASE("dropout decides each element alike however the tensor is cut", "[kernels]") {
  const auto source = random_floats(1000, 31);
  auto whole = source;
  dropout(whole.data(), whole.size(), 0.3, 5, 0);
  for (const std::size_t step : {1, 7, 64, 999}) {
    auto cut = source;
    for (std::size_t start = 0; start < cut.size(); start += step)
      dropout(cut.data() + start, std::min(step, cut.size() - start), 0.3, 5, start);
    CHECK(same_bits(cut, whole));
  }
}

TEST_CASE("dropout goes by its seed, and neighbours are independent", "[kernels]") {
  constexpr std::size_t kCount = 20000;
  const auto fates = [](std::uint32_t seed, std::uint64_t first) {
    std::vector<float> x(kCount, 1.0f);
    dropout(x.data(), x.size(), 0.5, seed, first);
    return x;
  };
  const auto shared = [](const std::vector<float>& a, const std::vector<float>& b, std::size_t lag) {
    std::size_t same = 0;
    for (std::size_t i = lag; i < kCount; ++i) same += a[i - lag] == b[i];
    return double(same) / double(kCount - lag);
  };
  const auto one = fates(1, 0), two = fates(2, 0), far = fates(1, std::uint64_t(1) << 33);
  CHECK(same_bits(one, fates(1, 0)));
  // Two fair coins agree half the time; 0.02 is more than five standard deviations.
  for (const std::size_t lag : {1, 2, 64}) CHECK(std::abs(shared(one, one, lag) - 0.5) < 0.02);
  for (const std::size_t lag : {0, 1, 2, 64}) CHECK(std::abs(shared(one, two, lag) - 0.5) < 0.02);
  CHECK(std::abs(shared(one, far, 0) - 0.5) < 0.02);
  auto untouched = random_floats(100, 3), kept = untouched;
  dropout(kept.data(), kept.size(), 0, 3, 0);
  CHECK(same_bits(kept, untouched));
}

TEST_CASE("dot_products is the naive loop in double", "[kernels]") {
  for (const std::size_t width : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 19, 33, 64, 129})
    for (const std::size_t offset : {0, 1}) {
      constexpr std::size_t kRows = 3, kKeys = 5, kGuards = 4;
      const auto a = random_floats(kRows * width + 1, 41), b = random_floats(kKeys * width + 1, 42);
      std::vector<float> out(kRows * kKeys + kGuards, 9.0f);
      dot_products(a.data() + offset, b.data() + offset, out.data(), kRows, kKeys, width);
      std::vector<double> wanted(out.size(), 9.0);
      for (std::size_t row = 0; row < kRows; ++row)
        for (std::size_t key = 0; key < kKeys; ++key) {
          double sum = 0;
          for (std::size_t i = 0; i < width; ++i)
            sum += double(a[offset + row * width + i]) * b[offset + key * width + i];
          wanted[row * kKeys + key] = sum;
        }
      CAPTURE(width, offset);
      REQUIRE(largest_difference(out, wanted) < 1e-7 * double(width + 1));
    }
}

TEST_CASE("dot_rows and dot_pairs are the naive loop in double, for rows at any distance", "[kernels]") {
  for (const std::size_t width : {0, 1, 3, 4, 7, 8, 9, 17, 33, 64, 129})
    for (const std::size_t count : {0, 1, 2, 3, 4, 5, 8, 11})
      for (const std::ptrdiff_t spare : {0, 3}) {
        const std::ptrdiff_t stride = std::ptrdiff_t(width) + spare;
        const auto x = random_floats(12 * (width + 3), 43), rows = random_floats(12 * (width + 3), 44);
        const int index[] = {7, 7, 6, 0, 3, 11, 1, 2, 2, 5, 4};
        std::vector<float> by_rows(count + 4, 9.0f), by_pairs = by_rows, backward = by_rows;
        dot_rows(x.data(), rows.data(), stride, count, width, by_rows.data());
        dot_rows(x.data(), rows.data() + 11 * stride, -stride, count, width, backward.data());
        dot_pairs(x.data(), stride, rows.data(), index, count, width, by_pairs.data());
        const auto product = [&](const float* a, const float* b) {
          double sum = 0;
          for (std::size_t i = 0; i < width; ++i) sum += double(a[i]) * b[i];
          return sum;
        };
        std::vector<double> wanted_rows(count + 4, 9.0), wanted_pairs = wanted_rows, wanted_backward = wanted_rows;
        for (std::size_t j = 0; j < count; ++j) {
          const std::ptrdiff_t at = std::ptrdiff_t(j) * stride;
          wanted_rows[j] = product(x.data(), rows.data() + at);
          wanted_backward[j] = product(x.data(), rows.data() + 11 * stride - at);
          wanted_pairs[j] = product(x.data() + at, rows.data() + index[j] * std::ptrdiff_t(width));
        }
        CAPTURE(width, count, spare);
        REQUIRE(largest_difference(by_rows, wanted_rows) < 1e-7 * double(width + 1));
        REQUIRE(largest_difference(backward, wanted_backward) < 1e-7 * double(width + 1));
        REQUIRE(largest_difference(by_pairs, wanted_pairs) < 1e-7 * double(width + 1));
      }
}

// Values of the definition, computed with integers of any length.
TEST_CASE("checksum is that of cache files", "[kernels]") {
  const auto of = [](std::string_view text) {
    return checksum(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  };
  std::string all(256, '\0');
  std::iota(all.begin(), all.end(), char(0));
  REQUIRE(of("") == 0xefaf009fu);
  REQUIRE(of("abc") == 0x9a65fda7u);
  REQUIRE(of("positions") == 0x2a60837eu);
  REQUIRE(of(all) == 0xc6c796c6u);
}

TEST_CASE("rows_by_head exchanges tokens and heads", "[kernels]") {
  for (const std::size_t row : {1, 2, 3, 16}) {
    const std::size_t tokens = 5, heads = 3;
    std::vector<std::uint8_t> from(tokens * heads * row), to(from.size());
    std::iota(from.begin(), from.end(), std::uint8_t(0));
    rows_by_head(from.data(), tokens, heads, row, to.data());
    for (std::size_t token = 0; token < tokens; ++token)
      for (std::size_t head = 0; head < heads; ++head)
        for (std::size_t i = 0; i < row; ++i)
          REQUIRE(to[(head * tokens + token) * row + i] == from[(token * heads + head) * row + i]);
  }
}
