// GRAPE-A: ALiBi with content-dependent slopes.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

enum class GrapeGates { key, query, query_key };

template <>
struct Choices<GrapeGates> {
  static constexpr std::array<std::string_view, 3> names{"key", "query", "query-key"};
};

/// ALiBi with a slope that depends on keys, queries or both: b_ij = -max(0, i - j) · s_h · ln(1 + e^ω_h) · r_ij, s the
/// slopes of ALiBi, r_ij = ln(1 + e^(u_h · k_j / √dim)), the same of v_h and q_i, or the sum of both. Added after scale
/// and softcap. With `normalize`, u and v are normalised to length 1.
/// Source: Zhang et al., "Group Representational Position Encoding (GRAPE)", 2025, arXiv:2512.07805, section 4;
/// `KeyGatedAdditiveBias`, `QueryGatedAdditiveBias`, `QueryKeyGatedAdditiveBias` of the authors' code.
struct GrapeAdditive {
  using Family = Relative;
  static constexpr Method method{
      .kind = "grape-a",
      .title = "GRAPE-A (additive)",
      .formula = R"(b_{h,i,j}=-(i-j)\,s_h\ln(1+e^{\omega_h})\ln\big(1+e^{u_h\cdot k_j/\sqrt d}\big))",
      .source = "Zhang et al. 2025, arXiv:2512.07805, section 4",
      .name = "GRAPE-A",
      .calls = {"biasOf"},
  };

  int dim = 64;
  int heads = 8;
  GrapeGates gates = GrapeGates::key;
  bool normalize = true;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kHeadDimField);
    field(heads, kHeadsField);
    static constexpr Field kGates{.name = "gates", .doc = "Source of the slope: key, query or query-key."};
    field(gates, kGates);
    static constexpr Field kNormalize{.name = "normalize", .doc = "Whether the directions are normalised to length 1."};
    field(normalize, kNormalize);
    init.visit_seed(field);
  }
  Error validate() const { return {}; }
  bool by_keys() const { return gates != GrapeGates::query; }
  bool by_queries() const { return gates != GrapeGates::key; }

  /// Parameters that the gates do not use are empty.
  std::vector<Parameter> parameters() const {
    const RandomInit directions{.std = 1 / std::sqrt(double(dim)), .seed = init.seed};
    const auto direction = [&](std::string_view name, Prose doc, bool used, int stream) {
      return directions.fill(name, "heads, dim", doc, {used ? double(heads) : 0.0, double(dim)}, stream);
    };
    // ln(e - 1): its slope begins as ALiBi's.
    return list_of(Parameter::filled("omega", "heads", "Steepness of each head: ln(1 + e^omega).", {double(heads)},
                                     0.541324854612918f),
                   direction("u", "Direction that keys are projected on.", by_keys(), 0),
                   direction("v", "Direction that queries are projected on.", by_queries(), 1));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
