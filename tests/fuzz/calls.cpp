// Does every public entry end well and with the right numbers, whatever it is called with? Bytes become encodings and a
// few calls of them: a result or an error, nothing outside the memory given, inputs untouched after an error.
#include "calls.hpp"

namespace posenc::fuzz {

namespace {

// Wider ones only make the same calls slower.
constexpr double kWidest = 256;
// Larger parameters are not compared with formulas.
constexpr double kMostParameters = 20000;

std::optional<Subject> subject_from(Input& input, const test::Sample& sample) {
  const SpecText spec = spec_of(input, sample);
  auto made = create_exactly(spec);
  expect_same_error("create", made.error());
  if (!made) return {};
  return Subject{std::move(*made), twin::kIsSecond ? Model() : Model(spec)};
}

double size_of(const Learned& encoding) {
  double sum = 0;
  for (const Parameter& parameter : encoding.parameters) sum += double(parameter.values.size());
  return sum;
}

bool is_wide(Learned& encoding) {
  if (size_of(encoding) > 100000) return true;
  if (const Table* table = as<Table>(encoding)) return table->dim > kWidest;
  if (const Rotation* rotation = as<Rotation>(encoding)) return rotation->dim > kWidest;
  if (const Relative* relative = as<Relative>(encoding)) return relative->dim > kWidest;
  return as<Bias>(encoding)->heads > kWidest;
}

void call(Input& input, Subject& subject, Subject& other) {
  const int what = input.byte();
  // Few bytes, so that the others go on meaning what they do in the corpus.
  if (what >= 248 && as<Rotation>(*subject.encoding)) return call_remapped(input, subject);
  if (what >= 240 && what < 248) return call_cache(input, subject);
  switch (what % 8) {
    case 0:
      return call_training(input, subject);
    case 1:
      return call_others(input, subject);
    case 2:
    case 3:
      return call_attention(input, input.rarely(8) ? nullptr : &subject);
  }
  Learned& encoding = *subject.encoding;
  if (as<Table>(encoding)) return call_table(input, subject);
  if (as<Bias>(encoding)) return call_bias(input, subject);
  if (as<Relative>(encoding)) return call_relative(input, subject);
  call_rotation(input, subject, other);
}

}  // namespace

const Model* Subject::formula() {
  if (twin::kIsSecond || size_of(*encoding) > kMostParameters) return nullptr;
  model.read(*encoding);
  return model.tame() ? &model : nullptr;
}

bool Subject::fresh_gradients(Input& input) {
  if (!input.flag() || training.begin(*encoding)) return false;
  training.zero_gradients();
  return true;
}

void Subject::share_gradients(double bound) {
  if (training.begin(*encoding)) return;
  for (std::size_t i = 0; i < encoding->parameters.size(); ++i)
    twin::share("gradient", {training.gradient(i), encoding->parameters[i].values.size()}, bound);
}

void Subject::share_parameters() {
  for (Parameter& parameter : encoding->parameters) twin::share(parameter.name, parameter.values, 0);
}

std::vector<double> direction(std::size_t count, std::uint32_t seed) {
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    out.push_back(double(seed >> 8) * 0x1p-23 - 1);
  }
  return out;
}

void run_calls(const std::uint8_t* data, std::size_t size) {
  twin::begin(twin::kIsSecond);
  Input input(data, size);
  const test::Sample& sample = input.pick(test::samples());
  auto subject = subject_from(input, sample);
  if (!subject || is_wide(*subject->encoding)) return;
  auto other = input.rarely(4) ? subject_from(input, sample) : std::optional<Subject>();
  for (int calls = 0; calls < 2 && !input.empty(); ++calls) call(input, *subject, other ? *other : *subject);
}

}  // namespace posenc::fuzz
