// float16 <-> float32 by integer operations and one exact product or one rounding sum, bfloat16 <-> float32 only by
// integer operations. No branches: bit-identical in every build.
#include <bit>

#include "kernels/simd.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

using simd::Floats;
using simd::kFloats;
using simd::Words;

namespace {

constexpr std::uint32_t kFloat16Infinity = 0x7c00, kFloat16Nan = 0x7e00;
constexpr std::uint32_t kFloatInfinity = 0x7f800000;
// The smallest normal float16, 2^-14, and the first float32 beyond the float16 range, 2^16.
constexpr std::uint32_t kLeastNormal = 0x38800000, kBeyond = 0x47800000;
// Exponent biases are 127 (float32) and 15 (float16); fractions have 23 and 10 bits.
constexpr std::uint32_t kExponentShift = 112u << 23;
constexpr int kFractionShift = 13;
// The bit that keeps a NaN a NaN when its lower bits are removed.
constexpr std::uint32_t kBFloat16Quiet = 0x0040;

// The formulas are for single words and for batches of them.
float as_floats(std::uint32_t x) { return std::bit_cast<float>(x); }
std::uint32_t as_words(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint32_t select(bool condition, std::uint32_t yes, std::uint32_t no) { return condition ? yes : no; }
bool less(std::uint32_t a, std::uint32_t b) { return a < b; }
std::uint32_t least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
std::uint32_t mask(bool condition) { return condition ? ~0u : 0; }
Floats as_floats(Words x) { return xsimd::bitwise_cast<float>(x); }
Words as_words(Floats x) { return xsimd::bitwise_cast<std::uint32_t>(x); }
// Magnitudes are below 2^31, and engines compare signed integers in fewer steps.
[[maybe_unused]] Words::batch_bool_type less(Words a, Words b) {
  return xsimd::batch_bool_cast<std::uint32_t>(xsimd::bitwise_cast<std::int32_t>(a) <
                                               xsimd::bitwise_cast<std::int32_t>(b));
}
[[maybe_unused]] Words least(Words a, Words b) { return xsimd::min(a, b); }
[[maybe_unused]] Words mask(Words::batch_bool_type condition) { return xsimd::bitwise_cast(condition); }

struct Float16 {
  template <class Word>
  static auto widen(Word bits);
  template <class Float>
  static auto narrow(Float x);
};

/// bfloat16: the upper 16 bits of a float32.
struct BFloat16 {
  template <class Word>
  static auto widen(Word bits) {
    return as_floats(bits << 16);
  }
  template <class Float>
  static auto narrow(Float x) {
    const auto bits = as_words(x);
    using Word = std::remove_const_t<decltype(bits)>;
    const Word upper = bits >> 16;
    // Adds half a step minus one, and one more if the last kept bit is odd: ties go to even.
    const Word rounded = (bits + Word(0x7fffu) + (upper & Word(1u))) >> 16;
    const Word magnitude = bits & Word(0x7fffffffu);
    return select(magnitude > Word(kFloatInfinity), upper | Word(kBFloat16Quiet), rounded);
  }
};

template <class Word>
auto Float16::widen(Word bits) {
  using Float = decltype(as_floats(bits));
  const Word magnitude = bits & Word(0x7fffu);
  // Read as a float32, with exponent bias 127 instead of 15, the value is too small by 2^112.
  const Float value = as_floats(magnitude << kFractionShift) * Float(0x1p112f);
  const Word beyond = mask(less(Word(kFloat16Infinity - 1), magnitude)) & Word(kFloatInfinity);
  return as_floats(as_words(value) | beyond | ((bits ^ magnitude) << 16));
}

template <class Float>
auto Float16::narrow(Float x) {
  const auto bits = as_words(x);
  using Word = std::remove_const_t<decltype(bits)>;
  const Word magnitude = bits & Word(0x7fffffffu), bounded = least(magnitude, Word(kBeyond));
  // Adds half a step minus one, and one more if the last kept bit is odd: ties go to even.
  const Word odd = (bounded >> kFractionShift) & Word(1u);
  const Word normal = (bounded + Word(0x0fffu - kExponentShift) + odd) >> kFractionShift;
  // At 0.5 the last bit of a float32 is worth that of a float16 subnormal: the sum rounds.
  const Word small = as_words(Float(as_floats(bounded) + Float(0.5f))) - as_words(Float(0.5f));
  const Word finite = select(less(bounded, Word(kLeastNormal)), small, normal);
  const Word nan = mask(less(Word(kFloatInfinity), magnitude)) & Word(kFloat16Nan);
  return finite | nan | ((bits ^ magnitude) >> 16);
}

template <class Format>
void widen_all(const std::uint16_t* bits, std::size_t count, float* out) {
  std::size_t i = 0;
  if constexpr (!simd::kBatchesAreLoops)
    for (; i + kFloats <= count; i += kFloats) Format::widen(simd::load_narrow(bits + i)).store_unaligned(out + i);
  for (; i < count; ++i) out[i] = Format::widen(std::uint32_t(bits[i]));
}

template <class Format>
void narrow_all(const float* x, std::size_t count, std::uint16_t* out) {
  std::size_t i = 0;
  if constexpr (!simd::kBatchesAreLoops)
    for (; i + kFloats <= count; i += kFloats)
      simd::store_narrow(Format::narrow(Floats::load_unaligned(x + i)), out + i);
  for (; i < count; ++i) out[i] = std::uint16_t(Format::narrow(x[i]));
}

}  // namespace

void float32_from_float16(const std::uint16_t* bits, std::size_t count, float* out) {
  widen_all<Float16>(bits, count, out);
}

void float16_from_float32(const float* x, std::size_t count, std::uint16_t* out) { narrow_all<Float16>(x, count, out); }

void float32_from_bfloat16(const std::uint16_t* bits, std::size_t count, float* out) {
  widen_all<BFloat16>(bits, count, out);
}

void bfloat16_from_float32(const float* x, std::size_t count, std::uint16_t* out) {
  narrow_all<BFloat16>(x, count, out);
}

}  // namespace posenc
