// M-RoPE: RoPE over time, height and width.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Each pair is rotated by one of several coordinates, so that text and patches of images and videos share one
/// sequence. The frequency of a pair is the same as in RoPE. A single list of positions applies to all axes: this is
/// the case of text, and equals plain RoPE.
/// θ_k = base^(-2k/d); chunked [t … h … w …] or interleaved [t h w t h w …], with t in the remaining pairs once the
/// other sections are used up.
/// All other rotary kinds with `sections` take the same fields, so scaled frequencies can have sections, too.
/// Source: Wang et al., "Qwen2-VL", 2024, arXiv:2409.12191, section 2.1; interleaved: Qwen3-VL, 2025.
struct RopeMrope {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-mrope",
      .title = "Multimodal RoPE (M-RoPE)",
      .formula = R"(\text{pair }k\text{ is rotated by }p_{a(k)}\theta_k,\quad a(k)\in\{t,h,w\})",
      .source = "Wang et al. 2024, arXiv:2409.12191, section 2.1",
      .name = "M-RoPE",
  };

  RotaryCommon common{};

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit_rotation_fields(field);
    static constexpr double kThirds[] = {8, 12, 12};
    static constexpr Field kSections =
        kSectionsField.with(&Field::required, true)
            .with(&Field::examples, kThirds)
            .with(&Field::doc, "Pairs that are rotated by each axis (t, h, w); the sum is the number of pairs.");
    common.visit_sections(field, kSections);
  }
  Error validate() const {
    if (Error error = common.validate(method.kind)) return error;
    if (!common.sections.empty()) return {};
    return spec_error(method.kind, "sections", "must sum to the % pairs, got %", common.rotated_dim() / 2, 0);
  }

  std::vector<Number> frequencies(double) const { return common.inverse(); }
};

}  // namespace posenc
