// Transformer-XL's relative positions: projected sinusoids of the distance.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Projected sinusoids of the distance i - j replace the vector of a position. Two learned vectors replace the query's
/// own position.
/// logits = (q_i + u) · k_j + (q_i + v) · W R_(i-j), R_d = [sin d ω_n … | cos d ω_n …], ω_n = base^(-2n/modelDim), u
/// and v per head. Keys before the queries are the memory; keys after them provide XLNet's two directions.
/// Source: Dai et al., "Transformer-XL", 2019, arXiv:1901.02860, section 3.3; XLNet: arXiv:1906.08237 (clamp_len).
struct TransformerXl {
  using Family = Relative;
  static constexpr Method method{
      .kind = "transformer-xl",
      .title = "Transformer-XL's relative positions",
      .formula = R"(A_{ij}=(q_i+u)\cdot k_j+(q_i+v)\cdot W_R R_{i-j})",
      .source = "Dai et al. 2019, arXiv:1901.02860, section 3.3",
      .name = "Transformer-XL",
  };

  int dim = 64;
  int heads = 1;
  int model_dim = 0;
  double base = 10000;
  double clamp_length = 0;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kHeadDimField);
    field(heads, kHeadsField);
    static constexpr Field kModelDim{.name = "modelDim",
                                     .doc = "Number of features of the sinusoids, even; 0: dim times heads.",
                                     .min = 0,
                                     .max = 65536,
                                     .unit = "features"};
    field(model_dim, kModelDim);
    static constexpr Field kBase = kBaseField.with(&Field::doc, "Frequency base of the sinusoids.");
    field(base, kBase);
    static constexpr Field kClampLength{.name = "clampLength",
                                        .doc = "Distances are clamped to this value (clamp_len); 0: no limit.",
                                        .min = 0,
                                        .max = 281474976710656.0,
                                        .unit = "positions"};
    field(clamp_length, kClampLength);
    init.visit(field);
  }
  double width() const { return model_dim ? double(model_dim) : double(dim) * heads; }
  Error validate() const {
    if (std::fmod(width(), 2) != 0) return spec_error(method.kind, "modelDim", "must be even, got %", width());
    // Before the sinusoids' frequencies, which are as many.
    const Shape projection{double(heads) * dim, width()};
    if (projection.size() <= kMaxParameterSize) return {};
    return error_at(Code::out_of_memory, "projection", "out of memory: cannot get % values, %", projection.size(),
                    projection);
  }

  std::vector<Parameter> parameters() const {
    const Shape head{double(heads), double(dim)};
    return list_of(init.fill("u", "heads, dim", "Added to queries for products with keys (r_w_bias).", head),
                   init.fill("v", "heads, dim", "Added to queries for products with distances (r_r_bias).", head, 1),
                   init.fill("projection", "heads · dim, modelDim", "Projects sinusoids to keys (r_net.weight).",
                             {double(heads) * dim, width()}, 2));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
