// Sinusoidal positions of images and videos, in all published arrangements.
#pragma once

#include "posenc/table/sinusoid_grid_table.hpp"
#include "posenc/table/sinusoidal.hpp"

namespace posenc {

enum class GridPairing { interleaved, concat, grouped };
enum class UnevenDim { round_up, pad };
enum class ImageAxes { yx, xy };
enum class VideoAxes { tyx, txy, xyt };

template <>
struct Choices<GridPairing> {
  static constexpr std::array<std::string_view, 3> names{"interleaved", "concat", "grouped"};
};
template <>
struct Choices<UnevenDim> {
  static constexpr std::array<std::string_view, 2> names{"round-up", "pad"};
};
template <>
struct Choices<ImageAxes> {
  static constexpr std::array<std::string_view, 2> names{"yx", "xy"};
};
template <>
struct Choices<VideoAxes> {
  static constexpr std::array<std::string_view, 3> names{"tyx", "txy", "xyt"};
};

/// Fields that sinusoidal-2d and sinusoidal-3d share. Each axis has a separate part of the row: sines and cosines of c
/// · base^(-i / (n - frequencyShift)), i = 0 … n - 1, where n is the number of frequencies of the axis.
/// The coordinate is c = scale · (position + start). With `normalize`, it is scale · (position + start) / (last + start
/// + eps). With `baseSize`, it is computed as if the grid had that many cells along each axis.
///
/// | library                              | fields                                                                  |
/// |--------------------------------------|-------------------------------------------------------------------------|
/// | MAE, diffusers (class token: prefix) | pairing concat, axisOrder xy; diffusers: baseSize, scale 1/interpolation |
/// | HF build_2d_sinusoidal…              | pairing concat                                                           |
/// | DETR                                 | start 1, normalize, scale 2π; explicit positions where images are padded |
/// | tensor2tensor …_nd                   | pairing concat, frequencyShift 1, unevenDim pad                          |
/// | PyPI positional-encodings            | (the defaults)                                                           |
/// | timm sincos2d                        | pairing grouped; interleave_sin_cos: concat; reverse_coord: axisOrder xy |
/// | diffusers 3-D (CogVideoX)            | pairing concat, axisOrder txy, temporalDim dim/4, temporalScale          |
struct GridSpec {
  int dim = 64;
  double base = 10000;
  GridPairing pairing = GridPairing::interleaved;
  SinusoidOrder order = SinusoidOrder::sine_cosine;
  double frequency_shift = 0;
  UnevenDim uneven_dim = UnevenDim::round_up;
  double scale = 1, start = 0;
  bool normalize = false;
  double eps = 1e-6;
  int base_size = 0;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kTableDimField.with(&Field::doc, "Number of features, all axes together.");
    field(dim, kDim);
    static constexpr Field kBase = kBaseField.with(&Field::doc, "Frequency base.");
    field(base, kBase);
    static constexpr Field kPairing{
        .name = "pairing",
        .doc = "Per axis interleaved [s0 c0 …] or concat [s0 … c0 …]; grouped: all sines, then cosines."};
    field(pairing, kPairing);
    field(order, kSinusoidOrderField);
    static constexpr Field kFrequencyShift{
        .name = "frequencyShift",
        .doc = "Value subtracted from the number of frequencies per axis in the exponent.",
        .min = 0,
        .max = 1};
    field(frequency_shift, kFrequencyShift);
    static constexpr Field kUnevenDim{
        .name = "unevenDim",
        .doc = "Unequal shares: round-up: larger shares, cut at the end; pad: smaller shares and zeros."};
    field(uneven_dim, kUnevenDim);
    field(scale, kScaleField);
    static constexpr Field kStart = kStartField.with(&Field::doc, "Offset added to positions (DETR: 1).");
    field(start, kStart);
    static constexpr Field kNormalize{.name = "normalize",
                                      .doc = "Whether positions are divided by the grid's last position + eps."};
    field(normalize, kNormalize);
    static constexpr Field kEps{
        .name = "eps", .doc = "Value that keeps `normalize` from dividing by 0.", .min = 0, .max = 1};
    field(eps, kEps);
    static constexpr Field kBaseSize{
        .name = "baseSize",
        .doc = "Number of cells along each axis that grids are stretched to; 0: no stretching.",
        .min = 0,
        .max = 1048576,
        .unit = "cells"};
    field(base_size, kBaseSize);
  }
  Error validate(std::string_view kind) const {
    if (!normalize || base_size == 0) return {};
    return spec_error(kind, "baseSize", "must be 0 with normalize, got %", base_size);
  }

  /// Number of frequencies of an axis if `axes` of them share `features`.
  int frequency_count(int features, int axes) const {
    return (features + (uneven_dim == UnevenDim::round_up ? 2 * axes - 1 : 0)) / (2 * axes);
  }

  /// `axis_order`: the order of the axes in a row. `counts`: the number of frequencies of each, in that order.
  std::unique_ptr<SinusoidGridTable> make(std::span<const int> axis_order, std::span<const int> counts) const;
};

/// Sines and cosines of the row and the column of a position in an image, see GridSpec.
/// axisOrder yx: the features of the row (the first axis) come first, then those of the column; xy: the reverse.
/// Source: Parmar et al., "Image Transformer", 2018, arXiv:1802.05751, section 3.1; Carion et al. 2020,
/// arXiv:2005.12872.
struct Sinusoidal2d {
  using Family = Table;
  static constexpr Method method{
      .kind = "sinusoidal-2d",
      .title = "Sinusoidal, 2-D",
      .formula = R"(\mathrm{PE}(y,x)=[\mathrm{PE}(y)\,|\,\mathrm{PE}(x)])",
      .source = "Parmar et al. 2018, arXiv:1802.05751, section 3.1",
  };

  GridSpec grid;
  ImageAxes axis_order = ImageAxes::yx;

  template <class Visitor>
  void visit(Visitor& field) {
    grid.visit(field);
    static constexpr Field kAxisOrder{
        .name = "axisOrder", .doc = "Features that come first: those of the row (yx) or of the column (xy, MAE)."};
    field(axis_order, kAxisOrder);
  }
  Error validate() const { return grid.validate(method.kind); }

  std::unique_ptr<Table> make() const;
};

/// Sines and cosines of the frame, the row and the column of a position in a video, see GridSpec.
/// Source: Vaswani et al. 2018, arXiv:1803.07416 (tensor2tensor), `add_timing_signal_nd`.
struct Sinusoidal3d {
  using Family = Table;
  static constexpr Method method{
      .kind = "sinusoidal-3d",
      .title = "Sinusoidal, 3-D",
      .formula = R"(\mathrm{PE}(t,y,x)=[\mathrm{PE}(t)\,|\,\mathrm{PE}(y)\,|\,\mathrm{PE}(x)])",
      .source = "Vaswani et al. 2018, arXiv:1803.07416",
  };

  GridSpec grid;
  VideoAxes axis_order = VideoAxes::tyx;
  int temporal_dim = 0;
  std::optional<double> temporal_scale;

  template <class Visitor>
  void visit(Visitor& field) {
    grid.visit(field);
    static constexpr Field kAxisOrder{
        .name = "axisOrder", .doc = "Order of the axes in a table row; positions are given as frame, row, column."};
    field(axis_order, kAxisOrder);
    static constexpr Field kTemporalDim{
        .name = "temporalDim",
        .doc = "Features of the frame axis (diffusers: dim / 4), even; 0: an equal share.",
        .min = 0,
        .max = 1048576,
        .unit = "features"};
    field(temporal_dim, kTemporalDim);
    static constexpr Field kTemporalScale{.name = "temporalScale",
                                          .doc = "Multiplier of the frame coordinates; null: the same as `scale`.",
                                          .min = -1e9,
                                          .max = 1e9};
    field(temporal_scale, kTemporalScale);
  }
  Error validate() const {
    if (temporal_dim % 2 || temporal_dim > grid.dim)
      return spec_error(method.kind, "temporalDim", "must be even and ≤ dim, got %", temporal_dim);
    return grid.validate(method.kind);
  }

  std::unique_ptr<Table> make() const;
};

}  // namespace posenc
