// Does reading a spec end well, whatever the web sends? Bytes become the text and the numbers themselves, or a spec of
// some kind that is nearly right.
#include "specs.hpp"

using namespace posenc;
using namespace posenc::fuzz;

namespace {

constexpr std::string_view kLetters = "\x1e\x1fnbtl0x19";

// Any numbers, then any text.
SpecText any_text(Input& input) {
  SpecText spec;
  for (int left = input.below(12); left > 0; --left) spec.numbers.push_back(input.number());
  if (input.flag()) spec.text = input.pick(test::samples()).kind;
  for (const std::uint8_t byte : input.take(256)) spec.text += char(byte);
  return spec;
}

// A spec with a few letters and numbers that its writer did not mean.
SpecText broken(Input& input, SpecText spec) {
  for (int left = input.below(4); left > 0; --left)
    spec.text[std::size_t(input.below(int(spec.text.size())))] =
        input.rarely(2) ? input.pick(kLetters) : char(input.byte());
  if (input.flag()) spec.numbers.resize(std::size_t(input.below(20)));
  return spec;
}

SpecText any_spec(Input& input) {
  const int how = input.below(8);
  if (how == 0) return any_text(input);
  const test::Sample& sample = input.pick(test::samples());
  return how == 1 ? broken(input, spec_of(input, sample)) : spec_of(input, sample);
}

void check_parameters(Encoding& encoding) {
  for (const Parameter& parameter : encoding->parameters)
    require(double(parameter.values.size()) == parameter.shape.size(), "a parameter that is not as large as it says");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  auto made = create_exactly(any_spec(input));
  check_error(made.error());
  if (made)
    check_parameters(*made);
  else
    require(made.error().code() == Code::invalid_spec || made.error().code() == Code::out_of_memory,
            "an error of the wrong code: " + made.error().message());
  return 0;
}
