// What a spec has where nothing is said, typed or from outside: users count on it, and pages state it.
#include "support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// Takes a spec's values down, as Slots does.
struct Defaults {
  std::string text{};

  void operator()(const int& value, const Field& field) { add(field, format_number(value)); }
  void operator()(const double& value, const Field& field) { add(field, format_number(value)); }
  void operator()(const bool& value, const Field& field) { add(field, value ? "true" : "false"); }
  void operator()(const std::optional<double>& value, const Field& field) {
    add(field, value ? format_number(*value) : "null");
  }
  void operator()(const std::vector<double>& values, const Field& field) {
    add(field, values.empty() ? "[]" : "[...]");
  }
  template <class Enum>
  void operator()(const Enum& value, const Field& field) {
    add(field, Choices<Enum>::names[std::size_t(value)]);
  }
  void add(const Field& field, std::string_view value) { text += join({field.name, ":", value, " "}); }
};

template <class Spec>
std::string defaults_of() {
  Spec spec;
  Defaults defaults;
  spec.visit(defaults);
  return defaults.text;
}

template <class... Spec>
std::vector<std::pair<std::string_view, std::string>> all_defaults(std::type_identity<std::tuple<Spec...>>) {
  return {{Spec::method.kind, defaults_of<Spec>()}...};
}

struct ExpectedDefaults {
  std::string_view kind, shared, own;
};

#define ROTARY "dim:64 rotaryDim:0 rotaryStart:0 base:10000 pairing:half precision:exact frequencyFactors:[] "
constexpr std::string_view kRotary = ROTARY, kSections = ROTARY "sections:[] interleavedSections:false axisOfPair:[] ";
#undef ROTARY

}  // namespace

TEST_CASE("what a spec leaves out is what it always was", "[field]") {
  constexpr ExpectedDefaults kAll[]{
      {"one-hot", "", "dim:16"},
      {"integer", "", "dim:1"},
      {"normalized", "", "dim:1 length:0"},
      {"binary", "", "dim:8"},
      {"periodic", "", "dim:16"},
      {"sinusoidal", "",
       "dim:64 base:10000 pairing:interleaved order:sin-cos frequencyShift:0 scale:1 start:0 oddDim:truncate "
       "paddingIndex:-1 precision:exact"},
      {"sinusoidal-2d", "",
       "dim:64 base:10000 pairing:interleaved order:sin-cos frequencyShift:0 unevenDim:round-up scale:1 start:0 "
       "normalize:false eps:1e-6 baseSize:0 axisOrder:yx"},
      {"sinusoidal-3d", "",
       "dim:64 base:10000 pairing:interleaved order:sin-cos frequencyShift:0 unevenDim:round-up scale:1 start:0 "
       "normalize:false eps:1e-6 baseSize:0 axisOrder:tyx temporalDim:0 temporalScale:null"},
      {"fourier", "",
       "dim:64 inputs:1 form:gaussian maxFrequency:0 coordinates:index scale:1 includeInput:false pairing:grouped "
       "order:sin-cos axisOrder:yx std:1 seed:0"},
      {"learned", "", "length:512 dim:64 start:0 std:0.02 seed:0"},
      {"rope", kSections, "frequencies:[]"},
      {"rope-linear", kSections, "factor:1"},
      {"rope-ntk", kSections, "factor:1"},
      {"rope-ntk-by-parts", kSections, "factor:1 originalLength:1"},
      {"rope-dynamic", kSections, "factor:1 originalLength:1"},
      {"rope-qwen", kSections, "originalLength:1"},
      {"rope-yarn", kSections,
       "factor:1 originalLength:1 betaFast:32 betaSlow:1 truncate:true mscale:0 mscaleAllDim:0 attentionFactor:null"},
      {"rope-longrope", kSections, "shortFactor:[] longFactor:[] originalLength:1 factor:1 attentionFactor:null"},
      {"rope-llama3", kSections, "factor:1 lowFrequencyFactor:1 highFrequencyFactor:4 originalLength:1"},
      {"rope-proportional", kSections, "factor:1"},
      {"rope-mrope", kRotary, "sections:[] interleavedSections:false"},
      {"rope-axial", kRotary,
       "axes:2 axisDims:[] axisOrder:[] form:own maxFrequency:10 coordinates:index start:0 scale:1 separateAxes:false "
       "float16Frequencies:false float16Angles:false"},
      {"xpos", kRotary, "scaleBase:512 centre:null centreRounding:up"},
      {"alibi", "", "heads:8 maxBias:8 form:relative activeHeads:0"},
      {"t5", "", "heads:8 buckets:32 maxDistance:128 bidirectional:true std:0.02 seed:0"},
      {"swin", "", "heads:8 windowHeight:4 windowWidth:4 classToken:false std:0.02 seed:0"},
      {"swin-v2", "", "heads:8 windowHeight:4 windowWidth:4 pretrainedHeight:0 pretrainedWidth:0 width:512 seed:0"},
      {"kerple", "", "heads:8 form:log bidirectional:false seed:0"},
      {"sandwich", "", "heads:8 dim:64 base:10000 bidirectional:false"},
      {"fire", "", "heads:8 width:32 length:512 epsilon:1e-6 bidirectional:false seed:0"},
      {"mask", "", "heads:1 causal:true windowLeft:-1 windowRight:-1 hidden:null"},
      {"none", "", "heads:1"},
      {"shaw", "", "dim:64 maxDistance:16 maxLeft:-1 maxRight:-1 withValues:true std:0.02 seed:0"},
      {"nezha", "", "dim:64 maxDistance:64 base:10000 withValues:true"},
      {"transformer-xl", "", "dim:64 heads:1 modelDim:0 base:10000 clampLength:0 std:0.02 seed:0"},
      {"deberta", "",
       "dim:64 heads:1 maxDistance:512 buckets:0 contentToPosition:true positionToContent:true clampDistance:false "
       "std:0.02 seed:0"},
      {"cope", "", "dim:64 maxPosition:64 scaledGates:true scaledPosition:true std:0 seed:0"},
      {"pope", "", "dim:64 heads:8 rotaryDim:0 base:10000"},
      {"forget", "", "heads:8"},
      {"data-dependent-alibi", "", "dim:512 heads:8 bidirectional:false postLogScale:1 biasInit:5 std:0.02 seed:0"},
      {"per-row-alibi", "", "dim:512 heads:8 gateDim:8 postLogScale:1 std:0.02 seed:0"},
      {"path", "", "dim:64"},
      {"grape-a", "", "dim:64 heads:8 gates:key normalize:true seed:0"},
      {"grape-ap", "", "heads:8"},
      {"inkling", "", "relativeDim:16 extent:1024 std:0.02 seed:0"},
      {"rope-mixed", "", "dim:64 heads:8 rotaryDim:0 axes:2 axisOrder:[] base:10 pairing:interleaved seed:0"},
      {"fope", "",
       "dim:64 heads:0 length:2048 base:10000 floor:drop inputDim:0 outputDim:0 cosinePad:1 sinePad:0 oneBasis:false "
       "gain:0.3 seed:0"},
      {"grape-m", "", "dim:64 heads:0 base:10000 logScale:1 pairing:half"},
      {"liere", "", "dim:64 heads:0 axes:2 blockDim:8 modelGrid:[] seed:0"},
      {"string", "", "dim:64 heads:0 axes:2 form:cayley base:10000 pairing:interleaved std:0.02 seed:0"},
  };
  const auto all = all_defaults(std::type_identity<Encodings>{});
  REQUIRE(all.size() == std::size(kAll));
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].first == kAll[i].kind);
    CHECK(all[i].second == join({kAll[i].shared, kAll[i].own, " "}));
  }
}
