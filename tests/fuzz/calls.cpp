// Does every public entry end well, whatever it is called with? Bytes become encodings and a few calls of them: a
// result or an error, nothing outside the memory given, inputs untouched after an error.
#include "calls.hpp"

using namespace posenc;
using namespace posenc::fuzz;

namespace {

// Wider ones only make the same calls slower.
constexpr double kWidest = 1024;

Encoding encoding_from(Input& input, const test::Sample& sample) {
  auto made = create_exactly(spec_of(input, sample));
  check_error(made.error());
  return made ? std::move(*made) : nullptr;
}

bool is_wide(Learned& encoding) {
  if (const Table* table = as<Table>(encoding)) return table->dim > kWidest;
  if (const Rotation* rotation = as<Rotation>(encoding)) return rotation->dim > kWidest;
  if (const Relative* relative = as<Relative>(encoding)) return relative->dim > kWidest;
  return false;
}

void call(Input& input, Learned& encoding, Learned& other) {
  switch (input.below(8)) {
    case 0:
      return call_training(input, encoding);
    case 1:
      return call_others(input, encoding);
    case 2:
    case 3:
      return call_attention(input, input.rarely(8) ? nullptr : &encoding);
  }
  if (Table* table = as<Table>(encoding)) return call_table(input, *table);
  if (Bias* bias = as<Bias>(encoding)) return call_bias(input, *bias);
  if (Relative* relative = as<Relative>(encoding)) return call_relative(input, *relative);
  Rotation& rotation = *as<Rotation>(encoding);
  Rotation* second = as<Rotation>(other);
  call_rotation(input, rotation, second ? *second : rotation);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  const test::Sample& sample = input.pick(test::samples());
  const Encoding encoding = encoding_from(input, sample);
  if (!encoding || is_wide(*encoding)) return 0;
  const Encoding other = input.rarely(4) ? encoding_from(input, sample) : nullptr;
  for (int calls = 0; calls < 6 && !input.empty(); ++calls) call(input, *encoding, other ? *other : *encoding);
  return 0;
}
