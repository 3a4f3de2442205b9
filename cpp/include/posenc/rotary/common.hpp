// The fields that rotary encodings share: which features turn, in which pairs, by which axis of a place.
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

/// With `sections` or `axis_of_pair` places have several axes (time, height, width), and each pair turns by one of
/// them: chunked [t t … h h … w w …] (Qwen2-VL), interleaved [t h w t h w …] (Qwen3-VL), or as listed (ERNIE 4.5).
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
    visit_turning(field);
    visit_sections(field, kSectionsField);
    static constexpr Field kAxisOfPair{.name = "axisOfPair",
                                       .doc = "The axis of each pair, where sections cannot tell it (ERNIE 4.5).",
                                       .min = 0,
                                       .max = kMaxAxes - 1};
    field(axis_of_pair, kAxisOfPair);
  }
  /// What does not depend on axes.
  template <class Visitor>
  void visit_turning(Visitor& field) {
    static constexpr Field kDim = kHeadDimField.with(&Field::min, 2);
    field(dim, kDim);
    field(rotary_dim, kRotaryDimField);
    static constexpr Field kRotaryStart{.name = "rotaryStart",
                                        .doc = "First feature that turns; -1: the last ones turn (DeepSeek-V4).",
                                        .min = -1,
                                        .max = 65536,
                                        .unit = "features"};
    field(rotary_start, kRotaryStart);
    field(base, kBaseField);
    static constexpr Field kPairing{
        .name = "pairing",
        .doc = "Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]."};
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
    static constexpr Field kInterleaved{.name = "interleavedSections",
                                        .doc = "Axes take turns [t h w t h w …] (Qwen3-VL) instead of chunks."};
    field(interleaved_sections, kInterleaved);
  }

  int turned() const { return rotary_dim ? rotary_dim : dim; }
  /// `pairs` where they are not half of the features that turn.
  Error validate(std::string_view kind) const { return validate(kind, turned() / 2); }
  Error validate(std::string_view kind, int pairs) const;

  int axes() const;
  /// The axis of each pair; empty where there is one axis.
  std::vector<double> axis_map(int pairs) const;

  /// base^(-2k/d) for k = 0 … d/2 - 1, d = turned(): the steps of the published code in either arithmetic.
  std::vector<Number> inverse(const Number& with_base) const;
  std::vector<Number> inverse() const { return inverse(number(base)); }
  Number number(const Real& value) const { return {value, precision}; }

 private:
  Error validate_axes(std::string_view kind, int pairs) const;
};

/// A list of numbers for pairs must have one for each of them.
Error check_per_pair(std::string_view kind, std::string_view field, const std::vector<double>& list, int pairs);
/// The same for axes, where it is given at all.
Error check_per_axis(std::string_view kind, std::string_view field, const std::vector<double>& list, int axes);
/// "axisOrder" must name each axis once.
Error check_axis_order(std::string_view kind, const std::vector<double>& order, int axes);

}  // namespace posenc
