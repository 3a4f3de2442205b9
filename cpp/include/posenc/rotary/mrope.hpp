// M-RoPE: RoPE over time, height and width.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Each pair turns by one of several positions, so that text and patches of images and videos share one sequence. The
/// pair's frequency stays what it is in RoPE. One list of positions stands for all axes: that is text, and plain RoPE.
/// θ_k = base^(-2k/d); chunked [t … h … w …] or interleaved [t h w t h w …], t where the others have had their share.
/// Scaled frequencies have sections, too: every other kind takes the same fields.
/// Source: Wang et al., "Qwen2-VL", 2024, arXiv:2409.12191, section 2.1; interleaved: Qwen3-VL, 2025.
struct RopeMrope {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-mrope",
      .title = "Multimodal RoPE (M-RoPE)",
      .formula = R"(\text{pair }k\text{ turns by }p_{a(k)}\theta_k,\quad a(k)\in\{t,h,w\})",
      .source = "Wang et al. 2024, arXiv:2409.12191, section 2.1",
      .summary = "nothing is scaled, text turns as in plain RoPE",
      .name = "M-RoPE",
  };

  RotaryCommon common{};

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit_turning(field);
    static constexpr double kThirds[] = {8, 12, 12};
    static constexpr Field kSections =
        kSectionsField.with(&Field::required, true)
            .with(&Field::examples, kThirds)
            .with(&Field::doc, "Pairs that turn by each axis of a place (t, h, w); they sum to all pairs.");
    common.visit_sections(field, kSections);
  }
  Error validate() const {
    if (Error error = common.validate(method.kind)) return error;
    if (!common.sections.empty()) return {};
    return spec_error(method.kind, "sections", "must sum to the % pairs, got %", common.turned() / 2, 0);
  }

  std::vector<Number> frequencies(double) const { return common.inverse(); }
};

}  // namespace posenc
