#include "relative/layer_gates.hpp"

#include "relative/gate_sums.hpp"

namespace posenc {

Error LayerGates::make(const View& x, HeadLayout layout, const View& out) const noexcept {
  if (Error error = check_input(x)) return error;
  if (Error error = check_result(out, shape(x, layout), "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"x", x}}, &encoding)) return error;
  for_each(x, layout, [&](const float* row, int number, std::ptrdiff_t at) {
    const double read = logit(row, number);
    out.data[at] = float(are_gates ? log_scale * log_sigmoid(read) : read);
  });
  return {};
}

Error LayerGates::make_backward(const View& x, const View& gradient, HeadLayout layout, const View& out,
                                Training& training) const noexcept {
  if (Error error = check_input(x)) return error;
  if (Error error = check_result(gradient, shape(x, layout), "gradOut")) return error;
  if (Error error = check_result(out, x.shape, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"x", x}, {"gradOut", gradient}}, &encoding)) return error;
  if (Error error = training.begin_backward(encoding)) return error;
  std::fill_n(out.data, std::ptrdiff_t(out.length), 0.0f);
  float* weights = training.gradient(0);
  float* biases = encoding.parameters.size() > 1 ? training.gradient(1) : nullptr;
  for_each(x, layout, [&](const float* row, int number, std::ptrdiff_t at) {
    double slope = double(gradient.data[at]);
    if (are_gates) slope *= log_scale * log_sigmoid_slope(logit(row, number));
    const float* weight = weight_of(number);
    float *row_slopes = out.data + (row - x.data), *weight_slopes = weights + (weight - weight_of(0));
    for (int i = 0; i < dim; ++i) {
      row_slopes[i] += float(slope * double(weight[i]));
      weight_slopes[i] += float(slope * double(row[i]));
    }
    if (biases) biases[number] += float(slope);
  });
  return {};
}

Error LayerGates::check_input(const View& x) const {
  if (x.shape.rank != 3 || x.shape[2] != dim)
    return error_at(Code::shape_mismatch, "x", "must have 3 dims, the last %, got %", dim, x.shape);
  return check_view(x, "x");
}

Shape LayerGates::shape(const View& x, HeadLayout layout) const {
  const bool is_bhtd = layout == HeadLayout::bhtd;
  Shape made{x.shape[0], is_bhtd ? heads : x.shape[1], is_bhtd ? x.shape[1] : heads};
  if (!are_gates) made.dims[std::size_t(made.rank++)] = width;
  return made;
}

const float* LayerGates::weight_of(int number) const {
  return encoding.parameters[0].values.data() + std::ptrdiff_t(number) * dim;
}

double LayerGates::logit(const float* row, int number) const {
  const float* weight = weight_of(number);
  double sum = encoding.parameters.size() > 1 ? double(encoding.parameters[1].values[std::size_t(number)]) : 0;
  for (int i = 0; i < dim; ++i) sum += double(weight[i]) * double(row[i]);
  return sum;
}

template <class Visit>
void LayerGates::for_each(const View& x, HeadLayout layout, Visit&& visit) const {
  const std::ptrdiff_t tokens = std::ptrdiff_t(x.shape[1]), columns = width / parts;
  const bool is_bhtd = layout == HeadLayout::bhtd;
  for (std::ptrdiff_t row = 0; row < std::ptrdiff_t(x.shape[0]) * tokens; ++row)
    for (int number = 0; number < outputs(); ++number) {
      const std::ptrdiff_t batch = row / tokens, token = row % tokens, head = number / columns % heads;
      const std::ptrdiff_t column = number % columns + number / (columns * heads) * columns;
      const std::ptrdiff_t index = is_bhtd ? (batch * heads + head) * tokens + token : row * heads + head;
      visit(x.data + row * dim, number, index * width + column);
    }
}

}  // namespace posenc
