// Axial RoPE: each axis of an image or a video rotates its own block of pairs.
#pragma once

#include "posenc/math/powers.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

enum class AxialForm { own, strided, pixel };

template <>
struct Choices<AxialForm> {
  static constexpr std::array<std::string_view, 3> names{"own", "strided", "pixel"};
};
template <>
struct Choices<AxisCoordinates::Form> {
  static constexpr std::array<std::string_view, 3> names{"index", "endpoints", "centres"};
};

/// RoPE over two or more axes. Block j of the pairs is rotated by the coordinate on axis j; features beyond the blocks
/// are unchanged.
/// own: θ_i = base^(-2i/d_j), d_j the block's features (Qwen-VL, SAM 2, Llama 4, Flux, Wan, DINOv3).
/// strided: block j takes every axes-th frequency of one table, starting at the j-th (Pixtral).
/// pixel: linspace(1, maxFrequency/2)·π (lucidrains).
/// ChatGLM-6B rotates the two halves of a head by two counts. Its frequencies are rounded to float16; if the model runs
/// in half precision, so are all steps of the angles.
/// A token without a position (class token) is unchanged at coordinate 0, which is position -start/scale on each axis.
/// Source: Heo et al., "Rotary Position Embedding for Vision Transformer", 2024, arXiv:2403.13298, eq. 9.
struct RopeAxial {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-axial",
      .title = "Axial RoPE (2-D, 3-D)",
      .formula = R"(\text{pair }(j,i)\text{ is rotated by }p_j\,\mathrm{base}^{-2i/d_j},\quad j=1\dots\text{axes})",
      .source = "Heo et al. 2024, arXiv:2403.13298, eq. 9",
      .name = "Axial RoPE",
  };

  RotaryCommon common{};
  int axes = 2;
  std::vector<double> axis_dims{}, axis_order{};
  AxialForm form = AxialForm::own;
  double max_frequency = 10;
  AxisCoordinates coordinates{};
  bool separate_axes = false;
  bool float16_frequencies = false, float16_angles = false;

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit_rotation_fields(field);
    static constexpr Field kAxes{
        .name = "axes", .doc = "Number of coordinates per position.", .min = 2, .max = kMaxAxes};
    field(axes, kAxes);
    static constexpr Field kAxisDims{.name = "axisDims",
                                     .doc = "Features of each block; null: equal blocks.",
                                     .min = 2,
                                     .max = 65536,
                                     .unit = "features"};
    field(axis_dims, kAxisDims);
    static constexpr Field kAxisOrder{.name = "axisOrder",
                                      .doc = "Axis that rotates each block; null: in order (h, w). [1, 0]: x first.",
                                      .min = 0,
                                      .max = kMaxAxes - 1};
    field(axis_order, kAxisOrder);
    static constexpr Field kForm{
        .name = "form",
        .doc = "own frequencies per axis, one table strided over the axes (Pixtral), or pixel frequencies."};
    field(form, kForm);
    static constexpr Field kMaxFrequency{
        .name = "maxFrequency", .doc = "Form pixel: twice the fastest frequency, in units of π.", .min = 2, .max = 1e6};
    field(max_frequency, kMaxFrequency);
    static constexpr Field kCoordinates{
        .name = "coordinates",
        .doc = "index: unchanged; endpoints: linspace(-1, 1); centres: cell centres of [-1, 1] (DINOv3)."};
    field(coordinates.form, kCoordinates);
    static constexpr Field kStart{.name = "start",
                                  .doc = "Offset added to scaled coordinates (Llama 4: 1).",
                                  .min = -281474976710656,
                                  .max = 281474976710656};
    field(coordinates.start, kStart);
    static constexpr Field kScale = kScaleField.with(&Field::doc, "Multiplier of coordinates (DINOv3: 2π).");
    field(coordinates.scale, kScale);
    static constexpr Field kSeparateAxes{
        .name = "separateAxes",
        .doc = "Whether features pair within their axis' block (Gemma 4) instead of across all blocks."};
    field(separate_axes, kSeparateAxes);
    static constexpr Field kFloat16{
        .name = "float16Frequencies",
        .doc = "Frequencies from float32 steps, rounded to float16 (ChatGLM-6B); angles use `precision`."};
    field(float16_frequencies, kFloat16);
    static constexpr Field kFloat16Angles{
        .name = "float16Angles",
        .doc = "Frequencies, positions, angles, cosines and sines rounded to float16 (ChatGLM-6B .half())."};
    field(float16_angles, kFloat16Angles);
  }

  Error validate() const;

  int pairs() const;
  int pairs_of(int block) const;

  std::vector<Number> frequencies(double) const {
    std::vector<Number> out(std::size_t(pairs()), Number(0));
    const bool rounds = float16_frequencies || float16_angles;
    const Number base(Real(common.base), rounds ? Precision::float32 : common.precision);
    auto number = out.begin();
    for (int block = 0; block < axes; ++block) {
      const int count = pairs_of(block);
      const bool strided = form == AxialForm::strided;
      const auto all =
          strided ? powers(base, std::max(count * axes, pairs()), 2 * pairs()) : powers(base, count, 2 * count);
      for (int i = 0; i < count; ++i)
        *number++ = form == AxialForm::pixel ? pixel(i, count) : 1 / all[std::size_t(strided ? i * axes + block : i)];
    }
    for (Number& frequency : out)
      if (rounds) frequency = common.number(nearest_float16(frequency.value.hi));
    return out;
  }
  Number pixel(int i, int count) const {
    const Number rise = common.number(Real(max_frequency / 2) - Real(1)), pi = common.number(kTwoPi / Real(2));
    return (1 + rise * Number(i) / std::max(1, count - 1)) * pi;
  }

  void arrange(Rotation& rotation) const;
};

}  // namespace posenc
