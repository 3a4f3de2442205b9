// Conversion of learned tables from one grid to another.
#pragma once

#include "posenc/core/shape.hpp"

namespace posenc {

enum class ResizeMode { nearest, linear, cubic };

/// Options of resize(), as in PyTorch's `interpolate`.
struct Resize {
  /// Number of cells along each axis, last axis fastest. Both have the same number of axes.
  Shape from, to;
  /// Rows before and after the grid that are copied as they are: class tokens (ViT: before; BEiT: after).
  double prefix = 0, suffix = 0;
  ResizeMode mode = ResizeMode::cubic;
  /// Whether kernels are widened when the grid shrinks (timm). Needs linear or cubic.
  bool antialias = false;
  /// Whether the outermost cells keep their positions; otherwise positions are the centres of equal cells.
  bool align_corners = false;
  /// Added to the new size when the step is computed: 0.1 in DINOv2.
  double scale_offset = 0;
  /// Computes the gradient: `table` is the gradient of a result, with the grid `to`; `out` becomes the gradient of the
  /// table.
  bool transpose = false;
};

/// out [prefix + cells of `to` + suffix, dim] from table [prefix + cells of `from` + suffix, dim]; leading dims of 1
/// are allowed. Cubic is Keys' kernel with a = -0.75 (-0.5 with antialias). Indices are clamped at the border. Sums are
/// computed in double precision and rounded once.
/// Source: PyTorch, `upsample_bicubic2d` and related kernels; antialias as in Pillow.
Error resize(const View& table, const Resize& options, const View& out) noexcept;

}  // namespace posenc
