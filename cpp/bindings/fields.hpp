// Arguments that consist of several numbers: their fields, in the order in which they are passed.
#pragma once

#include "frame.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/relative/grape_m.hpp"
#include "posenc/table/resize.hpp"

namespace posenc::bindings {

template <>
struct Wire<HeadLayout> : WireEnum<HeadLayout> {
  static constexpr std::string_view type = "HeadLayout";
  static constexpr std::array<std::string_view, 2> names{"bhtd", "bthd"};
};
template <>
struct Wire<Direction> : WireEnum<Direction> {
  static constexpr std::string_view type = "Direction";
  static constexpr std::array<std::string_view, 3> names{"forward", "inverse", "transpose"};
};
template <>
struct Wire<Role> : WireEnum<Role> {
  static constexpr std::string_view type = "Role";
  static constexpr std::array<std::string_view, 3> names{"none", "query", "key"};
};
template <>
struct Wire<GateForm> : WireEnum<GateForm> {
  static constexpr std::string_view type = "GateForm";
  static constexpr std::array<std::string_view, 2> names{"sigmoid", "softplus"};
};
template <>
struct Wire<ResizeMode> : WireEnum<ResizeMode> {
  static constexpr std::string_view type = "ResizeMode";
  static constexpr std::array<std::string_view, 3> names{"nearest", "linear", "cubic"};
};
template <>
struct Wire<Optimizer::Kind> : WireEnum<Optimizer::Kind> {
  static constexpr std::string_view type = "OptimizerKind";
  static constexpr std::array<std::string_view, 3> names{"sgd", "adam", "adamw"};
};
template <>
struct Wire<AttentionRows> : WireEnum<AttentionRows> {
  static constexpr std::string_view type = "AttentionRows";
  static constexpr std::array<std::string_view, 2> names{"weights", "logits"};
};

template <>
struct Wire<Initialization> {
  static constexpr std::string_view type = "BeginningFields";
  static constexpr void fields(Initialization& initialization, auto&& field) {
    field("given", initialization.given);
    field("shapesAlone", initialization.shapes_only);
  }
};

template <>
struct Wire<ElementType> : WireEnum<ElementType> {
  static constexpr std::string_view type = "ElementType";
  static constexpr std::array<std::string_view, 3> names{"float32", "float16", "int8"};
};

template <>
struct Wire<Dropout> {
  static constexpr std::string_view type = "DropoutFields";
  static constexpr void fields(Dropout& dropout, auto&& field) {
    field("rate", dropout.rate);
    field("seed", dropout.seed);
    field("firstElement", dropout.first_element);
  }
};

template <>
struct Wire<ScatterOptions> {
  static constexpr std::string_view type = "ScatterFields";
  static constexpr void fields(ScatterOptions& options, auto&& field) {
    field("padding", options.padding);
    field("byFrequency", options.by_frequency);
    field("rate", options.dropout.rate);
    field("seed", options.dropout.seed);
  }
};

template <>
struct Wire<Optimizer> {
  static constexpr std::string_view type = "OptimizerFields";
  static constexpr void fields(Optimizer& optimizer, auto&& field) {
    field("optimizer", optimizer.kind);
    field("learningRate", optimizer.learning_rate);
    field("weightDecay", optimizer.weight_decay);
    field("momentum", optimizer.momentum);
    field("nesterov", optimizer.nesterov);
    field("beta1", optimizer.beta1);
    field("beta2", optimizer.beta2);
    field("epsilon", optimizer.epsilon);
  }
};

template <>
struct Wire<Resize> {
  static constexpr std::string_view type = "ResizeFields";
  static constexpr void fields(Resize& options, auto&& field) {
    field("from", options.from);
    field("to", options.to);
    field("prefix", options.prefix);
    field("suffix", options.suffix);
    field("mode", options.mode);
    field("antialias", options.antialias);
    field("alignCorners", options.align_corners);
    field("scaleOffset", options.scale_offset);
    field("transpose", options.transpose);
  }
};

template <>
struct Wire<Temperature::Rule> : WireEnum<Temperature::Rule> {
  static constexpr std::string_view type = "TemperatureRule";
  static constexpr std::array<std::string_view, 3> names{"steps", "logN", "log"};
};
template <>
struct Wire<Remap::Rule> : WireEnum<Remap::Rule> {
  static constexpr std::string_view type = "RemapRule";
  static constexpr std::array<std::string_view, 4> names{"none", "selfExtend", "rerope", "dualChunk"};
};

template <>
struct Wire<Remap> {
  static constexpr std::string_view type = "RemapFields";
  static constexpr void fields(Remap& remap, auto&& field) {
    field("rule", remap.rule);
    field("group", remap.group);
    field("window", remap.window);
    field("leak", remap.leak);
    field("chunk", remap.chunk);
    field("local", remap.local);
    field("trained", remap.trained);
  }
};

template <>
struct Wire<Temperature> {
  static constexpr std::string_view type = "TemperatureFields";
  static constexpr void fields(Temperature& temperature, auto&& field) {
    field("factor", temperature.factor);
    field("length", temperature.length);
    field("offset", temperature.offset);
    field("rule", temperature.rule);
  }
};

template <>
struct Wire<AttentionMasks> {
  static constexpr std::string_view type = "VisibilityFields";
  static constexpr void fields(AttentionMasks& masks, auto&& field) {
    field("mask", masks.mask);
    field("attentionMask", masks.attention_mask);
    field("segments", masks.segments);
  }
};

template <>
struct Wire<BiasCall> {
  static constexpr std::string_view type = "BiasFields";
  static constexpr void fields(BiasCall& call, auto&& field) {
    field("queries", call.queries);
    field("keys", call.keys);
    field("offset", call.offset);
    field("keyPositions", call.key_positions);
    field("visible", call.visible);
  }
};

template <>
struct Wire<AttentionOptions> {
  static constexpr std::string_view type = "AttentionFields";
  static constexpr void fields(AttentionOptions& options, auto&& field) {
    field("layout", options.layout);
    field("causal", options.causal);
    field("windowLeft", options.window_left);
    field("windowRight", options.window_right);
    bool has_scale = false;
    double scale = 0;
    field("hasScale", has_scale);
    field("scale", scale);
    if (has_scale) options.scale = scale;
    field("softcap", options.softcap);
    field("temperature", options.temperature);
    field("sinks", options.sinks);
    field("visible", static_cast<AttentionMasks&>(options));
    field("bias", options.bias);
    Held* held = nullptr;
    field("encoding", held);
    if (held) {
      options.rotation = as<Rotation>(*held->encoding);
      options.encoding_bias = as<Bias>(*held->encoding);
      options.relative = as<Relative>(*held->encoding);
    }
    field("gateKeys", options.extra_keys);
    for (std::size_t i = 0; i < kTokenInputs.size(); ++i) field(kTokenInputs[i], options.tokens[i]);
    field("keyPositions", options.key_positions);
    field("queryPositions", options.query_positions);
    field("sequenceLength", options.sequence_length);
    field("remap", options.remap);
  }
};

template <>
struct Wire<AttentionGradients> {
  static constexpr std::string_view type = "GradientFields";
  static constexpr void fields(AttentionGradients& out, auto&& field) {
    field("q", out.q);
    field("k", out.k);
    field("v", out.v);
    field("bias", out.bias);
    field("gateKeys", out.extra_keys);
    View sinks{};
    field("sinks", sinks);
    out.sinks = {sinks.data, std::size_t(sinks.length)};
    for (std::size_t i = 0; i < kTokenInputs.size(); ++i) field(kTokenInputs[i], out.tokens[i]);
  }
};

template <>
struct Wire<CacheSpec> {
  static constexpr std::string_view type = "CacheFields";
  static constexpr void fields(CacheSpec& spec, auto&& field) {
    field("batch", spec.batch);
    field("heads", spec.heads);
    field("dim", spec.dim);
    field("valueDim", spec.value_dim);
    field("capacity", spec.capacity);
    field("type", spec.type);
    field("layout", spec.layout);
    field("window", spec.window);
    field("sinks", spec.sinks);
    field("undo", spec.undo);
  }
};

}  // namespace posenc::bindings
