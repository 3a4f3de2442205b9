// What calls of attention share.
#pragma once

#include "calls.hpp"
#include "oracle_attention.hpp"

namespace posenc::fuzz {

inline Shape heads_shape(HeadLayout layout, double batch, double heads, double positions, double width) {
  return layout == HeadLayout::bhtd ? Shape{batch, heads, positions, width} : Shape{batch, positions, heads, width};
}

/// What attention_backward() gave.
struct Backward {
  const Tensor& gradient;
  /// Of q, k, v, gates, bias, sinks and the inputs of tokens; null: not asked for.
  const Tensor* const (&results)[11];
  /// Where the encoding's gradients are, if they are of this call only; null: nowhere.
  const Training* training;
  std::uint32_t seed;
};
/// The sum of gradients times results, as a function of all that it depends on, has this slope in a direction.
void check_slope(const AttentionCase& at, const AttentionInputs& given, const Backward& got);

}  // namespace posenc::fuzz
