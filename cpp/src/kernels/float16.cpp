// float16 <-> float32 by integer operations and one exact product or one rounding sum, bfloat16 <-> float32 only by
// integer operations. Bit-identical in every build: which numbers are converted together changes no bits.
#include <bit>

#include "kernels/simd.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

using simd::Floats;
using simd::kFloats;
using simd::kShorts;
using simd::Shorts;
using simd::Words;

namespace {

// V8 computes constants again in each iteration of a loop, but not the values of volatile variables.
const volatile std::uint32_t kOneBit = 1, kMagnitude = 0x7fffffff, kFloatInfinity = 0x7f800000;
// Exponent biases are 127 (float32) and 15 (float16); fractions have 23 and 10 bits.
constexpr std::uint32_t kExponentShift = 112u << 23;
constexpr int kFractionShift = 13;
const volatile std::uint32_t kMagnitude16 = 0x7fff, kLargest16 = 0x7bff, kNan16 = 0x7e00;
// Sign, exponent and fraction of a float16 whose fraction is shifted to that of a float32.
const volatile std::uint32_t kKept = 0x8fffe000;
// As float32: the smallest normal float16, 2^-14; the first number beyond the range of float16, 2^16; 2^112; 0.5.
const volatile std::uint32_t kLeastNormal = 0x38800000, kBeyond = 0x47800000, kScale = 0x77800000,
                             kHalfBits = 0x3f000000;
// 2^13 as an exponent; 0.5, whose exponent is 126, shifted like a fraction.
const volatile std::uint32_t kFractionExponent = 13u << 23, kLeastPower = 126u << 10;
// Half a step of rounding, minus one.
const volatile std::uint32_t kHalfStep = 0x0fff - kExponentShift, kBFloat16HalfStep = 0x7fff;
// The bit that keeps a NaN a NaN when its lower bits are removed.
const volatile std::uint32_t kBFloat16Quiet = 0x0040;

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

template <class Float>
using WordOf = decltype(as_words(Float()));

template <class Float>
class FromFloat16 {
 public:
  Float operator()(WordOf<Float> bits) const {
    const auto magnitude = bits & magnitude_;
    // Read as a float32, with exponent bias 127 instead of 15, the value is too small by 2^112.
    const Float value = as_floats(magnitude << kFractionShift) * scale_;
    const auto beyond = mask(less(largest_, magnitude)) & infinity_;
    return as_floats(as_words(value) | beyond | ((bits ^ magnitude) << 16));
  }

 private:
  WordOf<Float> magnitude_{kMagnitude16}, largest_{kLargest16}, infinity_{kFloatInfinity};
  Float scale_ = as_floats(WordOf<Float>{kScale});
};

// Numbers that are converted together.
constexpr std::size_t kTogether = 4 * kFloats;

// The same in half the steps, for numbers that are finite.
class FromFiniteFloat16 {
 public:
  // Whether kTogether numbers are finite.
  bool takes(const std::uint16_t* bits) const {
    static_assert(kTogether == 2 * kShorts);
    const Shorts first = Shorts::load_unaligned(as_signed(bits)) & magnitude_,
                 second = Shorts::load_unaligned(as_signed(bits) + kShorts) & magnitude_;
    return !xsimd::any(xsimd::max(first, second) > largest_);
  }
  void operator()(const std::uint16_t* bits, float* out) const {
    // A sign fills the upper half of its word, of which one bit is kept.
    const Words word = (simd::load_narrow(as_signed(bits)) << kFractionShift) & kept_;
    (as_floats(word) * scale_).store_unaligned(out);
  }

 private:
  static const std::int16_t* as_signed(const std::uint16_t* bits) {
    return reinterpret_cast<const std::int16_t*>(bits);
  }

  Shorts magnitude_{std::int16_t(kMagnitude16)}, largest_{std::int16_t(kLargest16)};
  Words kept_{kKept};
  Floats scale_ = as_floats(Words{kScale});
};

template <class Float>
class ToFloat16 {
 public:
  using Word = WordOf<Float>;
  Word operator()(Float x) const {
    const Word bits = as_words(x), magnitude = bits & magnitude_, bounded = least(magnitude, beyond_);
    // Adds half a step minus one, and one more if the last kept bit is odd: ties go to even.
    const Word odd = (bounded >> kFractionShift) & one_;
    const Word normal = (bounded + half_step_ + odd) >> kFractionShift;
    // At 0.5 the last bit of a float32 is worth that of a float16 subnormal: the sum rounds.
    const Word small = as_words(Float(as_floats(bounded) + as_floats(half_))) - half_;
    const Word finite = select(less(bounded, least_normal_), small, normal);
    const Word nan = mask(less(infinity_, magnitude)) & nan_;
    return finite | nan | ((bits ^ magnitude) >> 16);
  }

 private:
  Word one_{kOneBit}, magnitude_{kMagnitude}, infinity_{kFloatInfinity}, nan_{kNan16};
  Word least_normal_{kLeastNormal}, beyond_{kBeyond}, half_{kHalfBits}, half_step_{kHalfStep};
};

// The same in fewer steps, for magnitudes below 2^16.
class ToFiniteFloat16 {
 public:
  bool takes(const float* x) const {
    Words most = magnitude(x);
    for (std::size_t i = kFloats; i < kTogether; i += kFloats) most = xsimd::max(most, magnitude(x + i));
    return xsimd::all(less(most, beyond_));
  }
  void operator()(const float* x, std::uint16_t* out) const {
    const Words size = magnitude(x), sign = as_words(Floats::load_unaligned(x)) ^ size;
    // The last bit of a float32 that is 2^13 times the power of two below x is worth that of x as a float16, at 0.5
    // that of a subnormal: the sum rounds.
    const Words power = xsimd::max((size & infinity_) + shift_, half_);
    const Words sum = as_words(Floats(as_floats(size) + as_floats(power)));
    simd::store_narrow((sum - power + (power >> kFractionShift) - least_) | (sign >> 16), out);
  }

 private:
  Words magnitude(const float* x) const { return as_words(Floats::load_unaligned(x)) & magnitude_; }

  Words magnitude_{kMagnitude}, infinity_{kFloatInfinity}, beyond_{kBeyond}, half_{kHalfBits};
  Words shift_{kFractionExponent}, least_{kLeastPower};
};

// bfloat16: the upper 16 bits of a float32.
template <class Float>
struct FromBFloat16 {
  Float operator()(WordOf<Float> bits) const { return as_floats(bits << 16); }
};

template <class Float>
class ToBFloat16 {
 public:
  using Word = WordOf<Float>;
  Word operator()(Float x) const {
    const Word bits = as_words(x), upper = bits >> 16;
    // Adds half a step minus one, and one more if the last kept bit is odd: ties go to even.
    const Word rounded = (bits + half_step_ + (upper & one_)) >> 16;
    return select((bits & magnitude_) > infinity_, upper | quiet_, rounded);
  }

 private:
  Word one_{kOneBit}, magnitude_{kMagnitude}, infinity_{kFloatInfinity};
  Word half_step_{kBFloat16HalfStep}, quiet_{kBFloat16Quiet};
};

// The constants of single words are loaded only where numbers are left over.
template <template <class> class Widen>
[[gnu::noinline]] void widen_all(const std::uint16_t* bits, std::size_t count, float* out) {
  std::size_t i = 0;
  if constexpr (!simd::kBatchesAreLoops) {
    const Widen<Floats> widen{};
    for (; i + kFloats <= count; i += kFloats) widen(simd::load_narrow(bits + i)).store_unaligned(out + i);
  }
  if (i == count) return;
  const Widen<float> widen{};
  for (; i < count; ++i) out[i] = widen(std::uint32_t(bits[i]));
}

template <template <class> class Narrow>
[[gnu::noinline]] void narrow_all(const float* x, std::size_t count, std::uint16_t* out) {
  std::size_t i = 0;
  if constexpr (!simd::kBatchesAreLoops) {
    const Narrow<Floats> narrow{};
    for (; i + kFloats <= count; i += kFloats) simd::store_narrow(narrow(Floats::load_unaligned(x + i)), out + i);
  }
  if (i == count) return;
  const Narrow<float> narrow{};
  for (; i < count; ++i) out[i] = std::uint16_t(narrow(x[i]));
}

// Converts runs of numbers that Finite takes by it, all others by `rest`.
template <class Finite, class From, class To>
void convert_all(const From* x, std::size_t count, To* out, void (*rest)(const From*, std::size_t, To*)) {
  if constexpr (!simd::kBatchesAreLoops) {
    const Finite convert{};
    for (; count >= kTogether; count -= kTogether, x += kTogether, out += kTogether)
      if (!convert.takes(x))
        rest(x, kTogether, out);
      else
        for (std::size_t i = 0; i < kTogether; i += kFloats) convert(x + i, out + i);
  }
  if (count > 0) rest(x, count, out);
}

}  // namespace

void float32_from_float16(const std::uint16_t* bits, std::size_t count, float* out) {
  convert_all<FromFiniteFloat16>(bits, count, out, widen_all<FromFloat16>);
}

void float16_from_float32(const float* x, std::size_t count, std::uint16_t* out) {
  convert_all<ToFiniteFloat16>(x, count, out, narrow_all<ToFloat16>);
}

void float32_from_bfloat16(const std::uint16_t* bits, std::size_t count, float* out) {
  widen_all<FromBFloat16>(bits, count, out);
}

void bfloat16_from_float32(const float* x, std::size_t count, std::uint16_t* out) {
  narrow_all<ToBFloat16>(x, count, out);
}

}  // namespace posenc
