// The calls of the table in bindings.cpp: each unpacks its frame and hands over to the core.
#pragma once

#include "frame.hpp"

namespace posenc::bindings {

/// A spec as text: fields separated by \x1e, each `name \x1f type \x1f text`; numbers wait in a list of their own.
/// Types: n number, b boolean, t text, l list (text = its length), 0 null, x anything else (text = its name).
Result<Encoding> create_from_text(std::string_view text, std::span<const double> numbers);

// Gradients; cpp/bindings/gradients.cpp.
Error check_apart_from_learned(Frame& frame);
Error zero_gradients(Frame& frame);
Error optimizer_step(Frame& frame);
Error table_backward(Frame& frame);
Error rotary_backward(Frame& frame);
Error attend_backward(Frame& frame);

// Facts and frequencies are written to memory that the frame names.
Error parameter_facts(Frame& frame);
Error table_facts(Frame& frame);
Error table_frequencies(Frame& frame);
Error table_check(Frame& frame);
Error table_rows(Frame& frame);
Error table_add(Frame& frame);
Error table_concat(Frame& frame);
Error table_shift(Frame& frame);
Error table_resize(Frame& frame);
Error rotary_facts(Frame& frame);
Error rotary_frequencies(Frame& frame);
Error rotary_tables(Frame& frame);
Error rotary_angles(Frame& frame);
Error rotary_check(Frame& frame);
Error rotary_apply(Frame& frame);
Error rotary_rerotate(Frame& frame);
Error bias_rows(Frame& frame);
AttentionOptions read_options(Frame& frame);
Error attend(Frame& frame);
Error attend_rows(Frame& frame);
Error relative_buckets(Frame& frame);
Error relative_expand(Frame& frame);
Error shift_scores(Frame& frame);
Error query_temperature_of(Frame& frame);
Error similarity_of(Frame& frame);
Error distance_profile_of(Frame& frame);
Error score_terms_of(Frame& frame);
Error float32_from_float16_at(Frame& frame);
Error float16_from_float32_at(Frame& frame);

/// What the web calls by number, in this order.
struct Operation {
  std::string_view name;
  Error (*run)(Frame& frame);
};

inline constexpr Operation kOperations[]{
    {"parameterFacts", parameter_facts},
    {"tableFacts", table_facts},
    {"tableFrequencies", table_frequencies},
    {"tableCheck", table_check},
    {"tableRows", table_rows},
    {"tableAdd", table_add},
    {"tableConcat", table_concat},
    {"tableShift", table_shift},
    {"tableResize", table_resize},
    {"rotaryFacts", rotary_facts},
    {"rotaryFrequencies", rotary_frequencies},
    {"rotaryTables", rotary_tables},
    {"rotaryAngles", rotary_angles},
    {"rotaryCheck", rotary_check},
    {"rotaryApply", rotary_apply},
    {"rotaryRerotate", rotary_rerotate},
    {"biasRows", bias_rows},
    {"attention", attend},
    {"attentionRows", attend_rows},
    {"attentionBackward", attend_backward},
    {"tableBackward", table_backward},
    {"rotaryBackward", rotary_backward},
    {"checkApart", check_apart_from_learned},
    {"zeroGradients", zero_gradients},
    {"optimizerStep", optimizer_step},
    {"relativeBuckets", relative_buckets},
    {"relativeExpand", relative_expand},
    {"relativeShift", shift_scores},
    {"queryTemperature", query_temperature_of},
    {"similarity", similarity_of},
    {"distanceProfile", distance_profile_of},
    {"scoreTerms", score_terms_of},
    {"float32FromFloat16", float32_from_float16_at},
    {"float16FromFloat32", float16_from_float32_at},
};

}  // namespace posenc::bindings
