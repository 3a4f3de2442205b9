// The calls that train: gradients and steps.
#include "operations.hpp"

namespace posenc::bindings {

Error check_apart_from_learned(Frame& frame) {
  const Learned& encoding = *pointer<Learned>(frame.number());
  return encoding.check_apart_from({{"out", frame.view()}});
}

Error zero_gradients(Frame& frame) {
  Learned& encoding = *pointer<Learned>(frame.number());
  if (Error error = encoding.allocate_gradients()) return error;
  encoding.zero_gradients();
  return {};
}

Error optimizer_step(Frame& frame) {
  Learned& encoding = *pointer<Learned>(frame.number());
  Optimizer how;
  how.kind = frame.choice<Optimizer::Kind>();
  how.learning_rate = frame.number();
  how.weight_decay = frame.number();
  how.momentum = frame.number();
  how.nesterov = frame.flag();
  how.beta1 = frame.number();
  how.beta2 = frame.number();
  how.epsilon = frame.number();
  return encoding.step(how);
}

Error table_backward(Frame& frame) {
  Table& table = frame.encoding<Table>();
  const View gradient = frame.view();
  const Positions positions = frame.positions();
  ScatterOptions options;
  options.padding = frame.number();
  options.by_frequency = frame.flag();
  options.dropout = {frame.number(), 0, 0};
  options.dropout.seed = std::uint32_t(frame.number());
  return table.backward(gradient, positions, options);
}

Error rotary_backward(Frame& frame) {
  Rotation& rotation = frame.encoding<Rotation>();
  const View x = frame.view(), gradient = frame.view();
  const auto layout = frame.choice<HeadLayout>();
  const Positions positions = frame.positions();
  const double length = frame.number();
  return rotation.backward(x, gradient, layout, positions, length, frame.choice<Role>());
}

Error attend_backward(Frame& frame) {
  const View q = frame.view(), k = frame.view(), v = frame.view(), gradient = frame.view();
  AttentionGradients out{frame.view(), frame.view(), frame.view(), frame.view(), frame.view()};
  const View sinks = frame.view();
  out.sinks = {sinks.data, std::size_t(sinks.length)};
  return attention_backward(q, k, v, gradient, read_options(frame), out);
}

}  // namespace posenc::bindings
