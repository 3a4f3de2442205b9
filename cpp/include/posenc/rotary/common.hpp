// The fields that rotary encodings share: which features are rotated, how they form pairs, and which axis rotates each
// pair.
#pragma once

#include "posenc/core/parameter.hpp"
#include "posenc/core/shared_fields.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

template <>
struct Choices<Pairing> {
  static constexpr std::array<std::string_view, 3> names{"half", "interleaved", "interleaved-to-half"};
};
template <>
struct Choices<Precision> {
  static constexpr std::array<std::string_view, 2> names{"exact", "float32"};
};

/// With `sections` or `axis_of_pair`, positions have several axes (time, height, width), and each pair is rotated by
/// one of them: chunked [t t … h h … w w …] (Qwen2-VL), interleaved [t h w t h w …] (Qwen3-VL), or as listed (ERNIE
/// 4.5).
struct RotaryCommon {
  int dim = 64;
  int rotary_dim = 0;
  double base = 10000;
  Pairing pairing = Pairing::half;
  Precision precision = Precision::exact;
  int rotary_start = 0;
  std::vector<double> frequency_factors{};
  std::vector<double> sections{};
  bool interleaved_sections = false;
  std::vector<double> axis_of_pair{};

  template <class Visitor>
  void visit(Visitor& field) {
    visit_rotation_fields(field);
    visit_sections(field, kSectionsField);
    static constexpr Field kAxisOfPair{
        .name = "axisOfPair",
        .doc = "Axis of each pair, for layouts that sections cannot express (ERNIE 4.5).",
        .min = 0,
        .max = kMaxAxes - 1};
    field(axis_of_pair, kAxisOfPair);
  }
  /// Visits the fields that do not depend on axes.
  template <class Visitor>
  void visit_rotation_fields(Visitor& field) {
    static constexpr Field kDim = kHeadDimField.with(&Field::min, 2);
    field(dim, kDim);
    field(rotary_dim, kRotaryDimField);
    static constexpr Field kRotaryStart{
        .name = "rotaryStart",
        .doc = "First feature that is rotated; -1: the last features are rotated (DeepSeek-V4).",
        .min = -1,
        .max = 65536,
        .unit = "features"};
    field(rotary_start, kRotaryStart);
    field(base, kBaseField);
    static constexpr Field kPairing{
        .name = "pairing", .doc = "Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]."};
    field(pairing, kPairing);
    field(precision, kPrecisionField);
    static constexpr Field kFrequencyFactors{.name = "frequencyFactors",
                                             .doc = "Divisor of each pair's frequency (ggml's freq_factors).",
                                             .min = 1e-6,
                                             .max = 1e9};
    field(frequency_factors, kFrequencyFactors);
  }
  template <class Visitor>
  void visit_sections(Visitor& field, const Field& sections_field) {
    field(sections, sections_field);
    static constexpr Field kInterleaved{
        .name = "interleavedSections",
        .doc = "Whether axes are interleaved [t h w t h w …] (Qwen3-VL) instead of chunked."};
    field(interleaved_sections, kInterleaved);
  }

  int rotated_dim() const { return rotary_dim ? rotary_dim : dim; }
  /// Pass `pairs` if it is not half of the rotated features.
  Error validate(std::string_view kind) const { return validate(kind, rotated_dim() / 2); }
  Error validate(std::string_view kind, int pairs) const;

  int axes() const;
  /// The axis of each pair. Empty if there is one axis.
  std::vector<double> axis_map(int pairs) const;

  /// base^(-2k/d) for k = 0 … d/2 - 1, d = rotated_dim(). Follows the steps of the published code in either precision.
  std::vector<Number> inverse(const Number& with_base) const;
  std::vector<Number> inverse() const { return inverse(number(base)); }
  Number number(const Real& value) const { return {value, precision}; }

 private:
  Error validate_axes(std::string_view kind, int pairs) const;
};

/// Checks that a list has one value per pair.
Error check_per_pair(std::string_view kind, std::string_view field, const std::vector<double>& list, int pairs);
/// Checks that a list, if given, has one value per axis.
Error check_per_axis(std::string_view kind, std::string_view field, const std::vector<double>& list, int axes);
/// Checks that "axisOrder" names each axis once.
Error check_axis_order(std::string_view kind, const std::vector<double>& order, int axes);

}  // namespace posenc
