#include "posenc/rotary/axial.hpp"

namespace posenc {

int RopeAxial::pairs_of(int block) const {
  return axis_dims.empty() ? common.rotated_dim() / 2 / axes : int(axis_dims[std::size_t(block)]) / 2;
}

int RopeAxial::pairs() const {
  int sum = 0;
  for (int block = 0; block < axes; ++block) sum += pairs_of(block);
  return sum;
}

Error RopeAxial::validate() const {
  if (Error error = check_per_axis(method.kind, "axisDims", axis_dims, axes)) return error;
  if (Error error = check_axis_order(method.kind, axis_order, axes)) return error;
  double sum = 0;
  for (const double width : axis_dims) {
    if (std::fmod(width, 2) != 0)
      return spec_error(method.kind, "axisDims", "must be multiples of %: features form pairs, got %", 2, width);
    sum += width;
  }
  if (axis_dims.empty() && common.rotated_dim() % (2 * axes))
    return spec_error(method.kind, common.rotary_dim ? "rotaryDim" : "dim",
                      "must be a multiple of % without axisDims, got %", 2 * axes, common.rotated_dim());
  if (sum > common.dim)
    return spec_error(method.kind, "axisDims", "must sum to at most % (dim), got %", common.dim, sum);
  if (sum > 0 && common.rotary_dim && sum != common.rotary_dim)
    return spec_error(method.kind, "axisDims", "must sum to % (rotaryDim), got %", common.rotary_dim, sum);
  return common.validate(method.kind, pairs());
}

void RopeAxial::arrange(Rotation& rotation) const {
  rotation.axes = axes;
  rotation.one_for_all = false;
  rotation.coordinates = coordinates;
  if (float16_angles) rotation.precision = Precision::float16;
  Slice slice = rotation.slices[0];
  if (separate_axes) rotation.slices.clear();
  for (int block = 0; block < axes; ++block) {
    slice.pairs = pairs_of(block);
    const int axis = axis_order.empty() ? block : int(axis_order[std::size_t(block)]);
    for (int k = 0; k < slice.pairs; ++k) rotation.axis_of_pair.push_back(axis);
    if (separate_axes) rotation.slices.push_back(slice);
    slice.start += 2 * slice.pairs;
    slice.first_pair += slice.pairs;
  }
}

}  // namespace posenc
