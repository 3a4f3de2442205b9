// Specs from bytes, written as the web writes them (web/src/encodings/encoding.ts).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../cpp/samples.hpp"
#include "input.hpp"

namespace posenc::fuzz {

struct SpecText {
  std::string text;
  std::vector<double> numbers;
};

/// A spec of a kind: required fields mostly, others now and then, values mostly right.
SpecText spec_of(Input& input, const test::Sample& sample);

/// What create_from_text() makes of it, from memory that ends where it ends.
Result<Encoding> create_exactly(const SpecText& spec);

/// An error names its reason, and the field that is at fault.
void check_error(const Error& error);

}  // namespace posenc::fuzz
