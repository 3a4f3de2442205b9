// Two copies of the core answer each input in one process: the SIMD build first, then the scalar one (xsimd emulated,
// as in the scalar WebAssembly), whose namespace is another. What the first tells is kept here for the second.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace twin {

/// Which of the two is this?
#ifdef POSENC_FUZZ_SCALAR
inline constexpr bool kIsSecond = true;
#else
inline constexpr bool kIsSecond = false;
#endif

/// Before each copy's run.
void begin(bool is_second);

/// After both.
void end();

/// The same words from both: errors.
void same(std::string_view label, std::string_view words);
/// The same numbers from both; any two NaN are the same.
void same_bits(std::string_view label, std::span<const float> values);
void same_bits(std::string_view label, std::span<const double> values);
/// Numbers that may differ by so much each (one bound: all by that); where it is not finite they are not compared.
void near(std::string_view label, std::span<const float> values, std::span<const double> bounds);
/// What later calls depend on: the second copy goes on with the numbers of the first. They may differ by `bound`, if
/// that is finite.
void share(std::string_view label, std::span<float> values, double bound);
/// A choice of the first copy that the second repeats.
bool agree(bool value);

/// Are numbers compared that may differ a little, too? Not where POSENC_FUZZ_BOUNDS is 0.
bool has_bounds();

/// Ends the program, as a finding: `got` at [index] of `label` where `wanted` is what `who` says.
[[noreturn]] void differ(std::string_view label, std::size_t index, double got, double wanted, double bound,
                         std::string_view who);

}  // namespace twin
