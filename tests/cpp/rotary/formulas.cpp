// Is each rotary method's formula right? Against plain double code and values known from papers and model code.
#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

using Frequencies = std::vector<double>;

constexpr double kTolerance = 2e-14;
constexpr double kTau = 6.283185307179586;

Frequencies plain(int dim, double base) {
  Frequencies out;
  for (int k = 0; k < dim / 2; ++k) out.push_back(std::pow(base, -2.0 * k / dim));
  return out;
}

Frequencies divided(Frequencies list, double divisor) {
  for (double& frequency : list) frequency /= divisor;
  return list;
}

Frequencies ntk(int dim, double base, double scale) {
  return plain(dim, base * std::pow(scale, double(dim) / (dim - 2)));
}

// As YaRN's published code has it: how far pair k is from turning `fast` times to turning `slow` times, 0 … 1.
double ramp(int k, int dim, double base, double original, double fast, double slow, bool truncate = true) {
  const auto pair_of_rotations = [&](double rotations) {
    return dim * std::log(original / (rotations * kTau)) / (2 * std::log(base));
  };
  double low = pair_of_rotations(fast), high = pair_of_rotations(slow);
  if (truncate) low = std::floor(low), high = std::ceil(high);
  low = std::max(low, 0.0);
  high = std::min(high, dim - 1.0);
  if (low == high) high += 0.001;
  return std::clamp((k - low) / (high - low), 0.0, 1.0);
}

template <class Spec>
Frequencies frequencies_of(const Spec& spec, double length = 1) {
  return make_right(spec)->inverse_frequencies(length);
}

template <class Spec>
Spec spec_of(int dim, double base) {
  Spec spec;
  spec.common.dim = dim;
  spec.common.base = base;
  return spec;
}

void check_equal(const Frequencies& got, const Frequencies& wanted) {
  CHECK(largest_relative_difference(got, wanted) < kTolerance);
}

}  // namespace

TEST_CASE("rope: base^(-2k/d)", "[rotary]") {
  for (const int dim : {2, 4, 64, 80, 128, 256})
    for (const double base : {1.0, 100.0, 10000.0, 500000.0, 1e6})
      check_equal(frequencies_of(spec_of<Rope>(dim, base)), plain(dim, base));
  Rope partial = spec_of<Rope>(80, 10000);
  partial.common.rotary_dim = 32;
  check_equal(frequencies_of(partial), plain(32, 10000));
}

TEST_CASE("rope in float32 takes PyTorch's steps", "[rotary]") {
  Rope spec = spec_of<Rope>(128, 500000);
  spec.common.precision = Precision::float32;
  const auto got = frequencies_of(spec);
  for (int k = 0; k < 64; ++k) {
    const float raised = float(std::pow(500000.0, double(float(2 * k) / 128.0f)));
    // pow of libm may differ from ours in its last bit, float32 keeps that a rounding apart at most.
    CHECK(std::abs(got[std::size_t(k)] / double(1.0f / raised) - 1) < 1.3e-7);
    CHECK(double(float(got[std::size_t(k)])) == got[std::size_t(k)]);
  }
}

TEST_CASE("rope-linear: all pairs s times slower", "[rotary]") {
  for (const double factor : {1.0, 2.5, 8.0}) {
    auto spec = spec_of<RopeLinear>(64, 10000);
    spec.factor = factor;
    check_equal(frequencies_of(spec), divided(plain(64, 10000), factor));
  }
}

TEST_CASE("rope-ntk: the fastest pair stays, the slowest is s times slower", "[rotary]") {
  for (const int dim : {4, 64, 128})
    for (const double factor : {1.0, 2.0, 8.0}) {
      auto spec = spec_of<RopeNtk>(dim, 10000);
      spec.factor = factor;
      const auto got = frequencies_of(spec), unscaled = plain(dim, 10000);
      check_equal(got, ntk(dim, 10000, factor));
      CHECK(got.front() == 1);
      CHECK(std::abs(unscaled.back() / got.back() - factor) < 1e-12);
    }
}

TEST_CASE("rope-dynamic: plain up to the trained length, then a base that grows", "[rotary]") {
  auto spec = spec_of<RopeDynamic>(64, 10000);
  spec.factor = 2;
  spec.original_length = 2048;
  for (const double length : {1.0, 100.0, 2048.0}) check_equal(frequencies_of(spec, length), plain(64, 10000));
  // s L / L0 - (s - 1) = 3 at twice the trained length, 7 at four times
  check_equal(frequencies_of(spec, 4096), ntk(64, 10000, 3));
  check_equal(frequencies_of(spec, 8192), ntk(64, 10000, 7));
}

TEST_CASE("rope-qwen: a base that grows right after each power of two", "[rotary]") {
  auto spec = spec_of<RopeQwen>(64, 10000);
  spec.original_length = 2048;
  const auto check_alpha = [&](double alpha, std::initializer_list<double> lengths) {
    for (const double length : lengths) {
      CHECK(spec.regime(length) == alpha);
      check_equal(frequencies_of(spec, length), ntk(64, 10000, alpha));
    }
  };
  check_alpha(1, {1, 2047, 2048});
  check_alpha(3, {2049, 4096});
  check_alpha(7, {4097, 6144, 8192});
  check_alpha(15, {8193, 16384});
  CHECK(spec.regime(2048.0 * 1048576 + 1) == 4 * 1048576.0 - 1);
}

TEST_CASE("rope-axial: the step of pixel frequencies is not rounded to doubles", "[rotary]") {
  auto axial = spec_of<RopeAxial>(32, 10000);
  axial.form = AxialForm::pixel;
  axial.max_frequency = 10.1;
  const Real last = axial.frequencies(1)[7].value;
  CHECK(std::abs((last / (kTwoPi / Real(2) * Real(10.1 / 2)) - Real(1)).hi) < 1e-30);
}

TEST_CASE("typed specs of scaling rules scale nothing until they are told to", "[rotary]") {
  constexpr int kDim = 16;
  constexpr double kBase = 500;
  const Frequencies wanted = plain(kDim, kBase);
  check_equal(frequencies_of(spec_of<RopeLinear>(kDim, kBase), 9000), wanted);
  check_equal(frequencies_of(spec_of<RopeNtk>(kDim, kBase), 9000), wanted);
  check_equal(frequencies_of(spec_of<RopeNtkByParts>(kDim, kBase), 9000), wanted);
  check_equal(frequencies_of(spec_of<RopeYarn>(kDim, kBase), 9000), wanted);
  check_equal(frequencies_of(spec_of<RopeLlama3>(kDim, kBase), 9000), wanted);
  // Trained on one position: NTK by the sequence's length itself.
  check_equal(frequencies_of(spec_of<RopeDynamic>(kDim, kBase), 1), wanted);
  check_equal(frequencies_of(spec_of<RopeDynamic>(kDim, kBase), 2), ntk(kDim, kBase, 2));
  check_equal(frequencies_of(spec_of<RopeDynamic>(kDim, kBase), 5), ntk(kDim, kBase, 5));
}

TEST_CASE("rope-ntk-by-parts: two ramps", "[rotary]") {
  for (const double factor : {2.0, 8.0}) {
    auto spec = spec_of<RopeNtkByParts>(128, 10000);
    spec.factor = factor;
    spec.original_length = 2048;
    const auto base = plain(128, 10000), grown = ntk(128, 10000, factor);
    Frequencies wanted;
    for (int k = 0; k < 64; ++k) {
      const double outer = 1 - ramp(k, 128, 10000, 2048, 1.25, 0.75), inner = 1 - ramp(k, 128, 10000, 2048, 16, 2);
      const double scaled = base[std::size_t(k)] / factor * (1 - outer) + grown[std::size_t(k)] * outer;
      wanted.push_back(scaled * (1 - inner) + base[std::size_t(k)] * inner);
    }
    check_equal(frequencies_of(spec), wanted);
  }
}

TEST_CASE("rope-yarn: fast pairs stay, slow ones are interpolated", "[rotary]") {
  // Llama 2: dim 128, L0 4096: the published code's ramp runs from pair 20 to pair 46.
  auto spec = spec_of<RopeYarn>(128, 10000);
  spec.factor = 16;
  spec.original_length = 4096;
  const auto got = frequencies_of(spec), base = plain(128, 10000);
  for (std::size_t k = 0; k <= 20; ++k) CHECK(std::abs(got[k] / base[k] - 1) < kTolerance);
  CHECK(got[21] < base[21] * 0.99);
  CHECK(got[45] > base[45] / 16 * 1.01);
  for (std::size_t k = 46; k < 64; ++k) CHECK(std::abs(got[k] * 16 / base[k] - 1) < kTolerance);
}

TEST_CASE("rope-yarn: the ramp, whole and not", "[rotary]") {
  for (const int dim : {64, 128})
    for (const double original : {64.0, 4096.0, 32768.0})
      for (const bool truncate : {true, false}) {
        auto spec = spec_of<RopeYarn>(dim, 150000);
        spec.factor = 32;
        spec.original_length = original;
        spec.truncate = truncate;
        auto wanted = plain(dim, 150000);
        for (std::size_t k = 0; k < wanted.size(); ++k) {
          const double share = ramp(int(k), dim, 150000, original, 32, 1, truncate);
          wanted[k] = wanted[k] / 32 * share + wanted[k] * (1 - share);
        }
        CAPTURE(dim, original, truncate);
        // The ends of the ramp are differences of logarithms: double loses some digits there.
        CHECK(largest_relative_difference(frequencies_of(spec), wanted) < 1e-12);
      }
}

TEST_CASE("rope-yarn: the ramp ends at the last feature", "[rotary]") {
  constexpr int kDim = 8;
  constexpr double kBase = 100, kOriginal = 1e5, kFast = 3000;
  auto spec = spec_of<RopeYarn>(kDim, kBase);
  spec.factor = 4;
  spec.original_length = kOriginal;
  spec.beta_fast = kFast;
  // A pair that turns once would be the ninth feature.
  auto wanted = plain(kDim, kBase);
  for (int k = 0; k < kDim / 2; ++k) wanted[std::size_t(k)] *= 1 - 0.75 * ramp(k, kDim, kBase, kOriginal, kFast, 1);
  check_equal(frequencies_of(spec), wanted);
}

TEST_CASE("rope-yarn: magnitudes", "[rotary]") {
  const auto magnitude = [](double factor, double mscale, double all_dim, std::optional<double> given = {}) {
    RopeYarn spec;
    spec.factor = factor;
    spec.original_length = 4096;
    spec.mscale = mscale;
    spec.mscale_all_dim = all_dim;
    spec.given_attention_factor = given;
    return make_right(spec)->attention_factor;
  };
  CHECK(magnitude(1, 0, 0) == 1);
  CHECK(std::abs(magnitude(4, 0, 0) - 1.1386294361119891) < 1e-15);   // 0.1 ln 4 + 1
  CHECK(std::abs(magnitude(32, 0, 0) - 1.3465735902799727) < 1e-15);  // gpt-oss
  CHECK(magnitude(40, 1, 1) == 1);                                    // DeepSeek-V3
  CHECK(std::abs(magnitude(40, 0.707, 1) - (0.0707 * std::log(40) + 1) / (0.1 * std::log(40) + 1)) < 1e-15);
  CHECK(std::abs(magnitude(40, 0.707, 0) - (0.1 * std::log(40) + 1)) < 1e-15);
  CHECK(magnitude(40, 1, 1, 0.75) == 0.75);
}

TEST_CASE("rope-longrope: a list of divisors for each length, and a magnitude", "[rotary]") {
  RopeLongrope spec = spec_of<RopeLongrope>(8, 10000);
  spec.short_factor = {1, 1.1, 1.2, 1.3};
  spec.long_factor = {1, 4, 16, 64};
  spec.original_length = 4096;
  spec.factor = 32;
  auto brief = plain(8, 10000), extended = brief;
  for (std::size_t k = 0; k < 4; ++k) brief[k] /= spec.short_factor[k], extended[k] /= spec.long_factor[k];
  check_equal(frequencies_of(spec, 1), brief);
  check_equal(frequencies_of(spec, 4096), brief);
  check_equal(frequencies_of(spec, 4097), extended);
  // Phi-3-mini-128k: √(1 + ln 32 / ln 4096)
  CHECK(std::abs(make_right(spec)->attention_factor - 1.1902380714238083) < 1e-15);
  spec.given_attention_factor = 1.5;
  CHECK(make_right(spec)->attention_factor == 1.5);
  spec.given_attention_factor.reset();
  spec.factor = 1;
  CHECK(make_right(spec)->attention_factor == 1);
}

TEST_CASE("rope-llama3: short waves stay, long ones are divided, those between are blended", "[rotary]") {
  // Llama 3.1 8B
  auto spec = spec_of<RopeLlama3>(128, 500000);
  spec.factor = 8;
  spec.original_length = 8192;
  auto wanted = plain(128, 500000);
  int kept = 0, scaled = 0;
  for (double& frequency : wanted) {
    const double wavelength = kTau / frequency, smooth = (8192 / wavelength - 1) / 3;
    if (wavelength < 8192 / 4.0)
      ++kept;
    else if (wavelength > 8192)
      ++scaled, frequency /= 8;
    else
      frequency = (1 - smooth) * frequency / 8 + smooth * frequency;
  }
  check_equal(frequencies_of(spec), wanted);
  CHECK(kept == 29);
  CHECK(scaled == 29);
}

TEST_CASE("rope-llama3: without a band between the two limits nothing is blended", "[rotary]") {
  // Llama 4 Scout
  auto spec = spec_of<RopeLlama3>(128, 500000);
  spec.factor = 8;
  spec.high_frequency_factor = 1;
  spec.original_length = 8192;
  auto wanted = plain(128, 500000);
  for (double& frequency : wanted)
    if (kTau / frequency > 8192) frequency /= 8;
  check_equal(frequencies_of(spec), wanted);
}

TEST_CASE("rope-proportional: the full head's exponents, the slow pairs stand still", "[rotary]") {
  auto spec = spec_of<RopeProportional>(16, 10000);
  spec.common.rotary_dim = 6;
  spec.factor = 2;
  auto wanted = divided(plain(16, 10000), 2);
  std::fill(wanted.begin() + 3, wanted.end(), 0.0);
  const auto rotation = make_right(spec);
  CHECK(rotation->pairs == 8);
  check_equal(rotation->inverse_frequencies(1), wanted);
}
