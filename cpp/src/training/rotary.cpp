// Gradients of rotations.
#include "posenc/rotary/rotation.hpp"

namespace posenc {

Error Rotation::backward_from(const Positions* origins, const View& x, const View& gradient, HeadLayout layout,
                              const Positions& positions, double sequence_length, Role role, Training& training,
                              Workspace& workspace) const noexcept {
  if (Error error = check_result(gradient, x.shape, "gradOut")) return error;
  if (Error error = check(x, layout, positions, sequence_length, role)) return error;
  if (Error error = check_apart({{"gradOut", gradient}}, {{"x", x}, {"positions", positions}}, this)) return error;
  if (Error error = check_memory()) return error;
  if (Error error = training.begin_backward(*this)) return error;
  if (Error error = apply(gradient, layout, positions, sequence_length, Direction::transpose, role, workspace))
    return error;
  const double per_row = x.shape[layout == HeadLayout::bhtd ? 2 : 1];
  for (const Slice& slice : slices)
    for (int k = 0; !parameters.empty() && k < slice.pairs; ++k)
      add_frequency_gradient(x, gradient, head_shape(x.shape, layout), counted(positions, per_row), origins, slice, k,
                             training);
  return {};
}

// With g the gradient of a pair x, the gradient of its angle is x_a g_b - x_b g_a.
void Rotation::add_frequency_gradient(const View& x, const View& gradient, const HeadShape& shape,
                                      const Positions& positions, const Positions* origins, const Slice& slice, int k,
                                      Training& training) const {
  const RotationPositions rotation_positions(*this, positions, 1, Role::key);
  const std::size_t pair = std::size_t(slice.first_pair + k), per_row = std::size_t(shape.positions);
  const std::size_t axis = axis_of_pair.empty() ? 0 : std::size_t(axis_of_pair[pair]);
  const bool halves = pairing == Pairing::half;
  const int a = slice.start + (halves ? k : 2 * k), b = a + (halves ? slice.pairs : 1);
  double sum = 0;
  for (int row = 0; row < shape.batch; ++row) {
    Real origin;
    if (origins && origins->count > 0)
      origin = RotationPositions(*this, *origins, 1,
                                 Role::key)[origins->row_start(std::size_t(row), std::size_t(origins->count))]
                   .at[axis];
    for (int t = 0; t < shape.positions; ++t) {
      const Real coordinate =
          rotation_positions[positions.row_start(std::size_t(row), per_row) + std::size_t(t)].at[axis];
      const double distance = (coordinate - origin).hi;
      for (int h = 0; h < shape.heads; ++h) {
        const HeadStrides& by = shape.strides;
        const std::ptrdiff_t at = row * by.batch + h * by.head + t * by.position;
        const float *pair_x = x.data + at, *g = gradient.data + at;
        sum += distance * (double(pair_x[a]) * double(g[b]) - double(pair_x[b]) * double(g[a]));
      }
    }
  }
  training.gradient(0)[pair] += float(frequency_factors_.empty() ? sum : sum / frequency_factors_[pair]);
}

}  // namespace posenc
