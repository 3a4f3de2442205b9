#include "operations.hpp"

#include "posenc/insight.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/table/resize.hpp"

namespace posenc::bindings {

namespace {

std::size_t place_of(char mark, std::string_view text) {
  std::size_t place = 0;
  while (place < text.size() && text[place] != mark) ++place;
  return place;
}

// Cuts the text up to the next mark off its front.
std::string_view cut(std::string_view& text, char mark) {
  const std::string_view head = text.substr(0, place_of(mark, text));
  text.remove_prefix(std::min(head.size() + 1, text.size()));
  return head;
}

std::size_t count_of(std::string_view text) {
  std::size_t count = 0;
  for (char c : text) count = 10 * count + std::size_t(c - '0');
  return count;
}

// The letters of Value::Type, in its order; any other letter is the last type, and so is what lacks its numbers.
Value read_value(char letter, std::string_view text, std::span<const double>& numbers) {
  Value value;
  value.type = Value::Type(place_of(letter, "nbtl0"));
  value.text = text;
  const bool single = value.type == Value::Type::number || value.type == Value::Type::boolean;
  const std::size_t count = single ? 1 : value.type == Value::Type::numbers ? count_of(text) : 0;
  if (count > numbers.size()) return value.type = Value::Type::other, value;
  value.numbers = numbers.first(count);
  if (single) value.number = numbers.front();
  numbers = numbers.subspan(count);
  return value;
}

void write(std::span<const double> values, double address) {
  std::copy(values.begin(), values.end(), pointer<double>(address));
}

Temperature read_temperature(Frame& frame) {
  const double factor = frame.number(), length = frame.number();
  return {factor, length, frame.number()};
}

}  // namespace

AttentionOptions read_options(Frame& frame) {
  AttentionOptions options;
  options.layout = frame.choice<HeadLayout>();
  options.causal = frame.flag();
  options.window_left = frame.number();
  options.window_right = frame.number();
  if (frame.flag()) options.scale = frame.number();
  options.softcap = frame.number();
  options.temperature = read_temperature(frame);
  options.sinks = frame.span<float>();
  static_cast<Visibility&>(options) = frame.visibility();
  options.bias = frame.view();
  if (Learned* encoding = pointer<Learned>(frame.number())) {
    options.rotation = as<Rotation>(*encoding);
    options.encoding_bias = as<Bias>(*encoding);
    options.relative = as<Relative>(*encoding);
  }
  options.gate_keys = frame.view();
  options.key_positions = frame.positions();
  options.query_positions = frame.positions();
  options.sequence_length = frame.number();
  return options;
}

Result<Encoding> create_from_text(std::string_view text, std::span<const double> numbers) {
  const std::string_view kind = cut(text, '\x1e');
  SpecInput input;
  while (!text.empty()) {
    std::string_view field = cut(text, '\x1e');
    const std::string_view name = cut(field, '\x1f');
    const std::string_view type = cut(field, '\x1f');
    input.emplace_back(name, read_value(type.empty() ? 'x' : type[0], field, numbers));
  }
  return create(kind, input);
}

Error parameter_facts(Frame& frame) {
  Learned& encoding = *pointer<Learned>(frame.number());
  const std::size_t index = std::size_t(frame.number());
  Parameter& parameter = encoding.parameters[index];
  const bool wants_gradient = frame.flag();
  const double address = frame.number();
  if (wants_gradient)
    if (Error error = encoding.allocate_gradients()) return error;
  const float* numbers = wants_gradient ? encoding.gradient(index) : parameter.values.data();
  write(std::array{double(reinterpret_cast<std::uintptr_t>(numbers)), double(parameter.shape.rank)}, address);
  write({parameter.shape.dims.data(), std::size_t(parameter.shape.rank)}, address + 2 * sizeof(double));
  return {};
}

Error table_facts(Frame& frame) {
  const Table& table = frame.encoding<Table>();
  const double facts[] = {double(table.dim), double(table.axes), double(table.frequencies().size())};
  write(facts, frame.number());
  return {};
}

Error table_frequencies(Frame& frame) {
  const auto frequencies = frame.encoding<Table>().frequencies();
  double* out = pointer<double>(frame.number());
  for (const Real& frequency : frequencies) *out++ = frequency.hi;
  return {};
}

Error table_check(Frame& frame) {
  const Table& table = frame.encoding<Table>();
  const View x = frame.view();
  return table.check_add(x, frame.positions());
}

Error table_rows(Frame& frame) {
  Table& table = frame.encoding<Table>();
  const Positions positions = frame.positions();
  return table.rows(positions, frame.view());
}

Error table_add(Frame& frame) {
  Table& table = frame.encoding<Table>();
  const View x = frame.view();
  const Positions positions = frame.positions();
  Dropout dropout;
  dropout.rate = frame.number();
  dropout.seed = std::uint32_t(frame.number());
  dropout.first_element = std::uint64_t(frame.number());
  return table.add_to(x, positions, dropout);
}

Error table_concat(Frame& frame) {
  Table& table = frame.encoding<Table>();
  const View x = frame.view();
  const Positions positions = frame.positions();
  return table.concat_to(x, positions, frame.view());
}

Error table_shift(Frame& frame) {
  const Table& table = frame.encoding<Table>();
  const double k = frame.number();
  return table.shift(k, frame.view());
}

Error table_resize(Frame& frame) {
  const View table = frame.view();
  Resize options;
  options.from = frame.shape();
  options.to = frame.shape();
  options.prefix = frame.number();
  options.suffix = frame.number();
  options.mode = frame.choice<ResizeMode>();
  options.antialias = frame.flag();
  options.align_corners = frame.flag();
  options.scale_offset = frame.number();
  options.transpose = frame.flag();
  return resize(table, options, frame.view());
}

Error rotary_facts(Frame& frame) {
  const Rotation& rotation = frame.encoding<Rotation>();
  const double facts[] = {double(rotation.dim), double(rotation.pairs), rotation.attention_factor,
                          rotation.softmax_factor, double(rotation.axes)};
  write(facts, frame.number());
  return {};
}

Error rotary_frequencies(Frame& frame) {
  const Rotation& rotation = frame.encoding<Rotation>();
  const double length = frame.number();
  if (!(length >= 1 && length <= kMaxPosition))
    return error_at(Code::invalid_argument, "sequenceLength", "must be from 1 to 2^48, got %", length);
  write(rotation.inverse_frequencies(length), frame.number());
  return {};
}

Error rotary_tables(Frame& frame) {
  Rotation& rotation = frame.encoding<Rotation>();
  const Positions positions = frame.positions();
  const double length = frame.number();
  const Role role = frame.choice<Role>();
  const View cosine = frame.view();
  return rotation.tables(positions, length, cosine, frame.view(), role);
}

Error rotary_angles(Frame& frame) {
  const Rotation& rotation = frame.encoding<Rotation>();
  const Positions positions = frame.positions();
  const double length = frame.number();
  return rotation.angles(positions, length, pointer<double>(frame.number()));
}

Error rotary_check(Frame& frame) {
  const Rotation& rotation = frame.encoding<Rotation>();
  const View x = frame.view();
  const auto layout = frame.choice<HeadLayout>();
  const Positions positions = frame.positions();
  const double length = frame.number();
  return rotation.check(x, layout, positions, length, frame.choice<Role>());
}

Error rotary_apply(Frame& frame) {
  Rotation& rotation = frame.encoding<Rotation>();
  const View x = frame.view();
  const auto layout = frame.choice<HeadLayout>();
  const Positions positions = frame.positions();
  const double length = frame.number();
  const auto direction = frame.choice<Direction>();
  return rotation.apply(x, layout, positions, length, direction, frame.choice<Role>());
}

Error rotary_rerotate(Frame& frame) {
  Rotation& rotation = frame.encoding<Rotation>();
  Rotation& from_rotation = frame.encoding<Rotation>();
  const View x = frame.view();
  const auto layout = frame.choice<HeadLayout>();
  const Positions from = frame.positions(), to = frame.positions();
  const double from_length = frame.number(), to_length = frame.number();
  return rotation.rerotate(x, layout, {from_rotation, from, from_length}, {rotation, to, to_length});
}

Error bias_rows(Frame& frame) {
  enum class Task { bias, apply, buckets, backward };
  Bias& bias = frame.encoding<Bias>();
  const Task task = frame.choice<Task>();
  BiasCall call;
  call.queries = frame.number();
  call.keys = frame.number();
  call.offset = frame.number();
  call.key_positions = frame.positions();
  call.visible = frame.visibility();
  const View target = frame.view();
  if (task == Task::bias) return bias.bias(call, target);
  if (task == Task::apply) return bias.apply_to(call, target);
  if (task == Task::backward) return bias.backward(call, target, frame.view());
  return bias.buckets(call, {reinterpret_cast<std::int32_t*>(target.data), std::size_t(target.length)});
}

Error attend(Frame& frame) {
  const View q = frame.view(), k = frame.view(), v = frame.view(), out = frame.view();
  return attention(q, k, v, read_options(frame), out);
}

Error attend_rows(Frame& frame) {
  const View q = frame.view(), k = frame.view(), out = frame.view();
  const auto wanted = frame.choice<AttentionRows>();
  return attention_rows(q, k, read_options(frame), out, wanted);
}

Error relative_buckets(Frame& frame) {
  const Relative& relative = frame.encoding<Relative>();
  const std::span<const double> distances = frame.span<double>();
  return relative.buckets(distances, pointer<std::int32_t>(frame.number()));
}

Error relative_expand(Frame& frame) {
  Relative& relative = frame.encoding<Relative>();
  const View x = frame.view();
  const bool is_key = frame.flag();
  const auto layout = frame.choice<HeadLayout>();
  const Positions positions = frame.positions();
  return relative.expanded(x, is_key, layout, positions, frame.view());
}

Error shift_scores(Frame& frame) {
  const View x = frame.view();
  const bool zero_wrapped = frame.flag();
  return relative_shift(x, zero_wrapped, frame.view());
}

Error query_temperature_of(Frame& frame) {
  const Temperature temperature = read_temperature(frame);
  const Positions positions = frame.positions();
  return query_temperature(positions, temperature, frame.view());
}

Error similarity_of(Frame& frame) {
  const View table = frame.view();
  return similarity(table, frame.view());
}

Error distance_profile_of(Frame& frame) {
  Learned& encoding = *pointer<Learned>(frame.number());
  return distance_profile(encoding, frame.view());
}

Error score_terms_of(Frame& frame) {
  const View x = frame.view(), table = frame.view(), wq = frame.view(), wk = frame.view();
  return score_terms(x, table, wq, wk, {frame.view(), frame.view(), frame.view(), frame.view()});
}

Error float32_from_float16_at(Frame& frame) {
  const auto halves = frame.span<std::uint16_t>();
  float32_from_float16(halves.data(), halves.size(), pointer<float>(frame.number()));
  return {};
}

Error float16_from_float32_at(Frame& frame) {
  const auto floats = frame.span<float>();
  float16_from_float32(floats.data(), floats.size(), pointer<std::uint16_t>(frame.number()));
  return {};
}

}  // namespace posenc::bindings
