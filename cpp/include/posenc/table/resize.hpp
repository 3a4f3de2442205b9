// Learned tables of one grid made into tables of another.
#pragma once

#include "posenc/core/shape.hpp"

namespace posenc {

enum class ResizeMode { nearest, linear, cubic };

/// How PyTorch's `interpolate` goes from one grid to another.
struct Resize {
  /// Places along each axis, last axis fastest; both have as many axes.
  Shape from, to;
  /// Rows before and after the grid that are copied as they are: class tokens (ViT: before; BEiT: after).
  double prefix = 0, suffix = 0;
  ResizeMode mode = ResizeMode::cubic;
  /// Wider kernels where places get fewer (timm). Needs linear or cubic.
  bool antialias = false;
  /// The outermost places keep theirs; otherwise places are the middles of equal cells.
  bool align_corners = false;
  /// Added to the new size where the step is computed: 0.1 in DINOv2.
  double scale_offset = 0;
  /// The gradient: `table` is that of a result, with the places of `to`, and out becomes that of its table.
  bool transpose = false;
};

/// out [prefix + places of `to` + suffix, dim] from table [prefix + places of `from` + suffix, dim]; leading dims of 1
/// are allowed. Cubic is Keys' kernel with a = -0.75 (-0.5 with antialias), indices are clamped at the border; sums
/// are taken in double precision and rounded once.
/// Source: PyTorch, `upsample_bicubic2d` and its kin; antialias as in Pillow.
Error resize(const View& table, const Resize& options, const View& out) noexcept;

}  // namespace posenc
