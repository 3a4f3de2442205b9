// Fourier features: sinusoids of continuous coordinates.
#pragma once

#include "posenc/table/sinusoidal_grid.hpp"

namespace posenc {

enum class FourierForm { gaussian, geometric, linear };
enum class FourierCoordinates { index, centres, endpoints };

template <>
struct Choices<SinusoidBlocks> {
  static constexpr std::array<std::string_view, 4> names{"interleaved", "concat", "grouped", "banded"};
};
template <>
struct Choices<FourierForm> {
  static constexpr std::array<std::string_view, 3> names{"gaussian", "geometric", "linear"};
};
template <>
struct Choices<FourierCoordinates> {
  static constexpr std::array<std::string_view, 3> names{"index", "centres", "endpoints"};
};

/// Sines and cosines of 1 to 4 coordinates c at frequencies that may be learned, in cycles per unit.
/// gaussian: γ(c) = [sin 2π cB | cos 2π cB], B [inputs, dim/2] normal with deviation `std` (SAM; score SDE, with
/// logarithms of σ as positions).
/// geometric and linear: each coordinate separately at π f_k. geometric: f_k = maxFrequency^(k/(K-1)), by default 1, 2,
/// 4, … (NeRF: pairing banded; without π: scale 1/π). linear: evenly spaced from 1 to maxFrequency (Perceiver: half the
/// resolution).
/// Coordinates are the positions themselves, or in [-1, 1]: centres 2(p + ½)/n - 1 (SAM), endpoints 2p/(n - 1) - 1
/// (Perceiver), with n the grid's size.
/// Source: Tancik et al., "Fourier Features …", 2020, arXiv:2006.10739; Mildenhall et al. 2020, arXiv:2003.08934, eq.
/// 4.
struct Fourier {
  using Family = Table;
  static constexpr Method method{
      .kind = "fourier",
      .title = "Fourier features",
      .formula = R"(\gamma(c)=[\sin 2\pi cB\,|\,\cos 2\pi cB])",
      .source = "Tancik et al. 2020, arXiv:2006.10739",
  };

  int dim = 64;
  int inputs = 1;
  FourierForm form = FourierForm::gaussian;
  double max_frequency = 0;
  FourierCoordinates coordinates = FourierCoordinates::index;
  double scale = 1;
  bool include_input = false;
  SinusoidBlocks pairing = SinusoidBlocks::grouped;
  SinusoidOrder order = SinusoidOrder::sine_cosine;
  ImageAxes axis_order = ImageAxes::yx;
  RandomInit init{.std = 1};

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kTableDimField.with(&Field::min, 2);
    field(dim, kDim);
    static constexpr Field kInputs{
        .name = "inputs", .doc = "Number of coordinates per position.", .min = 1, .max = 4, .unit = "coordinates"};
    field(inputs, kInputs);
    static constexpr Field kForm{
        .name = "form", .doc = "gaussian: all coordinates mixed; otherwise separate bands for each coordinate."};
    field(form, kForm);
    static constexpr Field kMaxFrequency{
        .name = "maxFrequency",
        .doc = "Fastest band in half cycles per unit; 0: powers of two, or (linear) the number of bands.",
        .min = 0,
        .max = 1e12};
    field(max_frequency, kMaxFrequency);
    static constexpr Field kCoordinates{
        .name = "coordinates",
        .doc = "Positions unchanged (index), or -1 to 1 over the grid: cell centres or end points."};
    field(coordinates, kCoordinates);
    field(scale, kScaleField);
    static constexpr Field kIncludeInput{.name = "includeInput",
                                         .doc = "Whether rows begin with the coordinates themselves."};
    field(include_input, kIncludeInput);
    static constexpr Field kPairing{
        .name = "pairing",
        .doc = "grouped: sines, then cosines; interleaved, concat: per coordinate; banded: per band."};
    field(pairing, kPairing);
    field(order, kSinusoidOrderField);
    static constexpr Field kAxisOrder{.name = "axisOrder",
                                      .doc = "Axis of the first coordinate: the first (yx) or the last (xy, SAM)."};
    field(axis_order, kAxisOrder);
    init.visit(field);
  }

  /// Number of blocks of sinusoids: gaussian sinusoids use all coordinates together.
  int blocks() const { return form == FourierForm::gaussian ? 1 : inputs; }
  int features() const { return dim - (include_input ? inputs : 0); }
  int bands() const { return features() / (2 * blocks()); }

  Error validate() const;
  std::vector<Parameter> parameters() const;
  std::unique_ptr<Table> make() const;
};

}  // namespace posenc
