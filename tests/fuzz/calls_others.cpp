// Training, and calls that need no encoding.
#include <sys/mman.h>

#include "calls.hpp"
#include "posenc/insight.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::fuzz {

namespace {

Optimizer optimizer_from(Input& input) {
  Optimizer how;
  how.kind = input.choice<Optimizer::Kind>(3);
  how.learning_rate = input.rarely(4) ? input.number() : 0.01;
  if (input.rarely(4)) how.weight_decay = input.number();
  if (input.rarely(3)) how.momentum = input.rarely(4) ? input.number() : 0.9;
  how.nesterov = input.rarely(4);
  if (input.rarely(8)) how.beta1 = input.number();
  if (input.rarely(8)) how.beta2 = input.number();
  if (input.rarely(8)) how.epsilon = input.number();
  return how;
}

// The caller may write whatever it likes.
void overwrite(Input& input, Learned& encoding) {
  if (encoding.parameters.empty()) return;
  auto& values = encoding.parameters[std::size_t(input.below(int(encoding.parameters.size())))].values;
  if (values.empty()) return;
  const double number = input.number();
  values[std::size_t(input.byte()) % values.size()] =
      std::abs(number) > 3.4e38 ? std::numeric_limits<float>::quiet_NaN() : float(number);
}

constexpr std::size_t kVastFloats = 1 << 25;

double largest(const Tensor& a, const Tensor& b) {
  double out = 0;
  for (const Tensor* tensor : {&a, &b})
    for (const float number : tensor->before()) out = std::max(out, std::abs(double(number)));
  return out;
}

// (Wq a_i) · (Wk b_j)
void check_term(const Tensor& a, const Tensor& b, const Tensor& wq, const Tensor& wk, const Tensor& result) {
  const std::size_t width = std::size_t(a.view().shape[1]), inner = std::size_t(wq.view().shape[0]);
  const std::size_t rows = std::size_t(a.view().shape[0]), step = step_over(result.values().size(), 40);
  for (std::size_t at = 0; at < result.values().size(); at += step) {
    double sum = 0, size = 0;
    for (std::size_t p = 0; p < inner; ++p) {
      double q = 0, k = 0, q_size = 0, k_size = 0;
      for (std::size_t c = 0; c < width; ++c) {
        const double x = double(wq.before()[p * width + c]) * double(a.before()[at / rows * width + c]);
        const double y = double(wk.before()[p * width + c]) * double(b.before()[at % rows * width + c]);
        q += x, k += y, q_size += std::abs(x), k_size += std::abs(y);
      }
      sum += q * k, size += q_size * k_size;
    }
    expect("score_terms", at, double(result.values()[at]), {sum, size * kHalfUlp * (8 + double(width + inner) / 2)});
  }
}

// Pages that cost nothing until they are touched.
float* vast_memory(std::size_t count) {
  static float* const memory = [] {
    void* pages = mmap(nullptr, kVastFloats * sizeof(float), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    require(pages != MAP_FAILED, "no address space for vast arguments");
    return static_cast<float*>(pages);
  }();
  require(count <= kVastFloats, "vast arguments that are larger than their memory");
  return memory;
}

// Sizes that arguments hold and whose product nothing does: 2048 · 2097153 is 2048 in 32 bits.
void vast_terms(Input& input) {
  static constexpr double kRows[]{2048, 2047, 1024}, kInner[]{2097153, 2097152, 4194305};
  const double rows = input.pick(kRows), inner = input.pick(kInner);
  const Shape x{rows, 1}, weights{inner, 1}, square{rows, rows};
  std::size_t at = 0;
  std::array<View, 8> views;
  const Shape* const shapes[]{&x, &x, &weights, &weights, &square, &square, &square, &square};
  float* const memory = vast_memory(std::size_t(2 * rows + 2 * inner + 4 * rows * rows));
  for (std::size_t i = 0; i < views.size(); ++i) {
    views[i] = {memory + at, shapes[i]->size(), *shapes[i]};
    at += std::size_t(shapes[i]->size());
  }
  const Error error = score_terms(views[0], views[1], views[2], views[3], {views[4], views[5], views[6], views[7]});
  expect_same_error("score_terms of vast products", error);
  require(error.code() == Code::out_of_memory, "memory for products that nothing holds");
}

void terms(Input& input) {
  if (input.rarely(64)) return vast_terms(input);
  const double count = size_from(input), width = size_from(input), most = count * width > 1000 ? 9 : 130;
  const double inner = std::min(most, double(size_from(input)));
  const Tensor x(input, {count, width}), table(input, {count, width}), wq(input, {inner, width}),
      wk(input, {inner, width});
  const Shape square{count, count};
  const Tensor a(input, square), b(input, square), c(input, square), d(input, square);
  const Tensor* results[]{&a, &b, &c, &d};
  const Error error =
      score_terms(x.view(), table.view(), wq.view(), wk.view(), {a.view(), b.view(), c.view(), d.view()});
  expect_same_error("score_terms", error);
  if (error) return;
  const bool tame = x.tame() && table.tame() && wq.tame() && wk.tame();
  const double limit = 1e-6 * (1 + width) * (1 + width) * (1 + inner) * largest(x, table) * largest(x, table) *
                       largest(wq, wk) * largest(wq, wk);
  for (const Tensor* result : results)
    twin::near("score_terms", result->values(), std::array{tame ? limit : kInfinity});
  for (std::size_t term = 0; tame && !twin::kIsSecond && term < 4; ++term)
    check_term(term < 2 ? x : table, term % 2 ? table : x, wq, wk, *results[term]);
}

void shift(Input& input) {
  Shape shape{double(input.below(4)), double(size_from(input)), double(size_from(input))};
  const Tensor x(input, shape);
  if (input.flag()) shape.dims[2] = input.below(int(shape[2]) + 1);
  const Tensor out(input, shape);
  const bool zeros = input.flag();
  const Error error = relative_shift(x.view(), zeros, out.view());
  expect_same_bits("relative_shift", error, out);
  if (error || twin::kIsSecond) return;
  const std::ptrdiff_t queries = std::ptrdiff_t(x.view().shape[-2]), width = std::ptrdiff_t(x.view().shape[-1]);
  const std::ptrdiff_t keys = std::ptrdiff_t(out.view().shape[-1]);
  for (std::size_t at = 0; at < out.values().size(); at += step_over(out.values().size(), 200)) {
    const std::ptrdiff_t j = std::ptrdiff_t(at) % keys, row = std::ptrdiff_t(at) / keys, i = row % queries;
    // By distance; XLNet's rows hold one more in front.
    const std::ptrdiff_t from = queries - 1 - i + j + (keys < width), first = row * width;
    if (from >= 0 && from < width)
      expect("relative_shift", at, double(out.values()[at]), {double(x.before()[std::size_t(first + from)]), 0});
    else if (zeros)
      expect("relative_shift", at, double(out.values()[at]), {0, 0});
  }
}

void temperature(Input& input) {
  const RandomPositions random_positions(input, size_from(input), 1, 1);
  const Tensor out(input, {double(random_positions.positions().count)});
  const double factor = input.number(), length = input.number(), offset = input.number();
  const bool is_smooth = std::fmod(std::abs(offset), 2) == 1;
  const Temperature of{factor, length, offset, is_smooth ? Temperature::Rule::log : Temperature::Rule::steps};
  const Error error = query_temperature(random_positions.positions(), of, out.view());
  expect_same_bits("query_temperature", error, out);
  for (std::size_t t = 0; !error && t < out.values().size(); ++t) {
    const double position =
        position_of(random_positions.positions(), random_positions.positions().count, 0, double(t)) + offset;
    // The argument of the logarithm.
    const Wide within =
        is_smooth ? Wide(std::max(1.0, (position + 1) / length)) : 1 + Wide(std::floor(position / length));
    const double wanted = within > 1 && factor != 0 ? 1 + factor * double(std::log(within)) : 1;
    expect("query_temperature", t, double(out.values()[t]),
           {wanted, std::abs(wanted) * 2 * kHalfUlp + std::abs(factor) * 1e-13});
  }
}

// There and back again.
void convert_floats(Input& input) {
  const std::size_t count = std::size_t(size_from(input));
  const auto bits = std::make_unique<std::uint16_t[]>(count), back = std::make_unique<std::uint16_t[]>(count);
  const auto floats = std::make_unique<float[]>(count);
  for (std::size_t i = 0; i < count; ++i) bits[i] = std::uint16_t(input.byte() * 256 + input.byte());
  float32_from_float16(bits.get(), count, floats.get());
  twin::same_bits("halves", std::span<const float>(floats.get(), count));
  float16_from_float32(floats.get(), count, back.get());
  for (std::size_t i = 0; i < count; ++i)
    require(bits[i] == back[i] || std::isnan(floats[i]), "a float16 number that does not come back");
  float32_from_bfloat16(bits.get(), count, floats.get());
  twin::same_bits("bfloat16", std::span<const float>(floats.get(), count));
  bfloat16_from_float32(floats.get(), count, back.get());
  for (std::size_t i = 0; i < count; ++i)
    require(bits[i] == back[i] || std::isnan(floats[i]), "a bfloat16 number that does not come back");
}

// The score at a distance by the formulas; false: no opinion.
bool profile_at(const Model& model, Learned& encoding, int head, double distance, double count, Near& wanted) {
  const Positions positions{.values = {}, .offset = 0, .count = int(count)};
  if (as<Bias>(encoding)) {
    Near factor;
    return bias_of(model, head, count - 1, count - 1 - distance, count - 1, wanted, factor);
  }
  if (as<Rotation>(encoding)) {
    const ReferenceRotation reference(model, positions, count, count, Role::query);
    const auto start = reference.at(0, 0), end = reference.at(0, distance);
    const double magnitude = double(attention_factor(model) * attention_factor(model));
    for (std::size_t k = 0; k < end.size(); ++k) {
      const double growth = double(end[k].magnitude / start[k].magnitude) * magnitude / double(end.size());
      wanted.value += double(std::cos(end[k].angle - start[k].angle)) * growth;
      wanted.bound += growth * (8 * kHalfUlp + 2 * (end[k].tolerance + start[k].tolerance));
    }
    return true;
  }
  std::vector<Near> a, b;
  const double zero = 0;
  if (!as<Table>(encoding) || !table_row(model, &zero, positions, a) || !table_row(model, &distance, positions, b))
    return false;
  double size = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    wanted.value += a[c].value * b[c].value;
    wanted.bound += std::abs(a[c].value) * b[c].bound + a[c].bound * std::abs(b[c].value) + 1e-12;
    size += std::abs(a[c].value * b[c].value);
  }
  wanted.bound += size * kHalfUlp * (8 + double(a.size()));
  return true;
}

void profile(Input& input, Subject& subject) {
  const double count = size_from(input);
  const Bias* bias = as<Bias>(*subject.encoding);
  const Tensor out(input, bias ? Shape{double(bias->heads), count} : Shape{count});
  const Error error = distance_profile(*subject.encoding, out.view());
  if (as<Table>(*subject.encoding))
    expect_same_error("distance_profile", error);
  else
    expect_same_bits("distance_profile", error, out);
  const Model* model = error ? nullptr : subject.formula();
  const double length = out.view().shape.rank ? out.view().shape[-1] : 1;
  for (std::size_t at = 0; model && at < out.values().size(); at += step_over(out.values().size(), 24)) {
    Near wanted;
    if (profile_at(*model, *subject.encoding, int(double(at) / length), std::fmod(double(at), length),
                   bias ? length : double(out.values().size()), wanted))
      expect("distance_profile", at, double(out.values()[at]), wanted);
  }
}

void similar(Input& input) {
  const double rows = size_from(input);
  const Tensor table(input, {rows, double(size_from(input))}), out(input, {rows, rows});
  const Error error = similarity(table.view(), out.view());
  expect_same_error("similarity", error);
  if (error || !table.tame() || out.values().empty()) return;
  const std::size_t width = std::size_t(table.view().shape[1]), count = std::size_t(table.view().shape[0]);
  std::vector<double> bounds(out.values().size(), kInfinity);
  for (std::size_t at = 0; at < bounds.size(); at += step_over(bounds.size(), 60)) {
    double sum = 0, size = 0;
    for (std::size_t c = 0; c < width; ++c) {
      const double part =
          double(table.before()[at / count * width + c]) * double(table.before()[at % count * width + c]);
      sum += part, size += std::abs(part);
    }
    bounds[at] = size * kHalfUlp * (8 + double(width) / 2);
    expect("similarity", at, double(out.values()[at]), {sum, bounds[at]});
  }
  twin::near("similarity", out.values(), bounds);
}

}  // namespace

void call_training(Input& input, Subject& subject) {
  Learned& encoding = *subject.encoding;
  switch (input.below(4)) {
    case 0:
      return overwrite(input, encoding);
    case 1:
      expect_same_error("step", subject.training.step(encoding, optimizer_from(input)));
      return subject.share_parameters();
    case 2:
      return expect_same_error("training.begin", subject.training.begin(encoding));
  }
  if (!subject.training.begin(encoding)) subject.training.zero_gradients();
}

void call_others(Input& input, Subject& subject) {
  switch (input.below(7)) {
    case 0:
      return call_resize(input);
    case 1:
      return terms(input);
    case 2:
      return shift(input);
    case 3:
      return temperature(input);
    case 4:
      return profile(input, subject);
    case 5:
      return convert_floats(input);
  }
  similar(input);
}

}  // namespace posenc::fuzz
