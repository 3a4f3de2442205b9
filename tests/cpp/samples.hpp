// A sample spec of every kind, as its fields tell it; for the tests and the fuzzers.
#pragma once

#include "posenc/encodings.hpp"

namespace posenc::test {

Value number(double value);
Value text(std::string_view value);
Value boolean(bool value);
/// The list lasts as long as the tests.
Value numbers(std::vector<double> values);

struct SampleField {
  Field field;
  Slot::Type type;
  std::span<const std::string_view> choices;
};

/// A kind of the tuple as its fields tell it.
struct Sample {
  std::string kind;
  FamilyName family;
  SpecInput required;  // each required field at its example
  std::vector<SampleField> fields;

  bool has(std::string_view field) const;
  /// `required` with this field set, too.
  SpecInput with(std::string_view field, const Value& value) const;
};

const std::vector<Sample>& samples();
std::vector<Sample> samples_of(FamilyName family);
/// A sample with sizes as small as they can be while its calls go the same ways: for what is asked very often.
Sample small(Sample sample);

}  // namespace posenc::test
