// The calls from JavaScript. Most are functions of the core; the others write facts about an encoding to `out`.
#include "posenc/insight.hpp"
#include "posenc/kernels/kernels.hpp"
#include "schema.hpp"
#include "spec_text.hpp"

namespace posenc::bindings {

namespace {

Error create_encoding(std::string_view text, std::span<const double> numbers, const Initialization& initialization,
                      double* handle) {
  auto made = create_from_text(text, numbers, initialization);
  if (made) *handle = address_of(new Held{std::move(*made)});
  return std::move(made.error());
}

// Address, rank and dims of a parameter or its gradient.
Error parameter_facts(const Learned& encoding, std::size_t index, bool wants_gradient, double* out,
                      Training& training) {
  const Parameter& parameter = encoding.parameters[index];
  if (wants_gradient)
    if (Error error = training.begin(encoding)) return error;
  *out++ = address_of(wants_gradient ? training.gradient(index) : parameter.values.data());
  *out++ = double(parameter.shape.rank);
  std::copy_n(parameter.shape.dims.begin(), parameter.shape.rank, out);
  return {};
}

Error zero_gradients(const Learned& encoding, Training& training) {
  if (Error error = training.begin(encoding)) return error;
  training.zero_gradients();
  return {};
}

Error optimizer_step(Learned& encoding, const Optimizer& optimizer, Training& training) {
  return training.step(encoding, optimizer);
}

Error check_apart_from_learned(const Learned& encoding, const View& out) {
  return encoding.check_apart_from({{"out", out}});
}

Error table_facts(const Table& table, double* out) {
  for (const double fact : {double(table.dim), double(table.axes), double(table.frequencies().size())}) *out++ = fact;
  return {};
}

Error table_frequencies(const Table& table, double* out) {
  for (const Real& frequency : table.frequencies()) *out++ = frequency.hi;
  return {};
}

Error table_check(const Table& table, const View& x, const Positions& positions) {
  return table.check_add(x, positions);
}

Error rotary_facts(const Rotation& rotation, double* out) {
  for (const double fact : {double(rotation.dim), double(rotation.pairs), rotation.attention_factor,
                            rotation.softmax_factor, double(rotation.axes)})
    *out++ = fact;
  return {};
}

Error rotary_frequencies(const Rotation& rotation, double sequence_length, double* out) {
  if (!(sequence_length >= 1 && sequence_length <= kMaxPosition))
    return error_at(Code::invalid_argument, "length", "must be from 1 to 2^48, got %", sequence_length);
  for (const double frequency : rotation.inverse_frequencies(sequence_length)) *out++ = frequency;
  return {};
}

Error rotary_angles(const Rotation& rotation, const Positions& positions, double sequence_length, double* out) {
  return rotation.angles(positions, sequence_length, {out, std::size_t(positions.count) * std::size_t(rotation.pairs)});
}

Error rotary_rerotate(const Rotation& rotation, const Rotation& from_rotation, const View& x, HeadLayout layout,
                      const Positions& from, const Positions& to, double from_length, double to_length,
                      Workspace& workspace) {
  return rotation.rerotate(x, layout, {from_rotation, from, from_length}, {rotation, to, to_length}, workspace);
}

// Whether the bias of each query is that of the previous one, shifted by one key.
Error bias_facts(const Bias& bias, double* out) {
  *out = bias.by_distance && !bias.is_zero;
  return {};
}

Error bias_rows(const Bias& bias, const BiasCall& call, const View& out, Workspace& workspace) {
  return bias.bias(call, out, workspace);
}

Error bias_buckets(const Bias& bias, const BiasCall& call, const View& out, Workspace& workspace) {
  return bias.buckets(call, {reinterpret_cast<std::int32_t*>(out.data), std::size_t(out.length)}, workspace);
}

Error relative_buckets(const Relative& relative, std::span<const double> distances, std::int32_t* out) {
  return relative.buckets(distances, {out, distances.size()});
}

Error attend_backward(const View& q, const View& k, const View& v, const View& gradient, AttentionGradients out,
                      const AttentionOptions& options, Training* training, Workspace& workspace) {
  out.rotation = out.encoding_bias = out.relative = training;
  return attention_backward(q, k, v, gradient, options, out, workspace);
}

Error attend(const View& q, const View& k, const View& v, AttentionOptions options, ChunkRange* chunks, const View& out,
             Workspace& workspace) {
  options.chunks = chunks;
  return attention(q, k, v, options, out, workspace);
}

// Writes the count, then as many frequencies as fit into `out`.
Error relative_frequencies(const Relative& encoding, std::span<double> out) {
  const std::vector<double> all = encoding.frequencies();
  if (out.empty()) return {};
  out[0] = double(all.size());
  std::copy_n(all.begin(), std::min(all.size(), out.size() - 1), out.begin() + 1);
  return {};
}

Error shift_scores(const View& x, bool zero_wrapped, const View& out) { return relative_shift(x, zero_wrapped, out); }

Error score_terms_of(const View& x, const View& table, const View& wq, const View& wk, const View& content_content,
                     const View& content_position, const View& position_content, const View& position_position) {
  return score_terms(x, table, wq, wk, {content_content, content_position, position_content, position_position});
}

template <auto convert>
Error widen(std::span<const std::uint16_t> from, float* to) {
  convert(from.data(), from.size(), to);
  return {};
}

template <auto convert>
Error narrow(std::span<const float> from, std::uint16_t* to) {
  convert(from.data(), from.size(), to);
  return {};
}

Error checksum_of(std::span<const std::uint8_t> from, double* out) {
  *out = checksum(from.data(), from.size());
  return {};
}

Error put_by_head(std::span<const std::uint8_t> from, std::size_t tokens, std::size_t heads, std::uint8_t* to) {
  rows_by_head(from.data(), tokens, heads, from.size() / (tokens * heads), to);
  return {};
}

Error create_cache(const CacheSpec& spec, double* handle) {
  auto made = KeyValueCache::make(spec);
  if (made) *handle = address_of(made->release());
  return std::move(made.error());
}

Error cache_facts(KeyValueCache* cache, double* out) {
  for (const double fact :
       {double(cache->length()), cache->bytes(), double(cache->position_axes()), double(cache->position_rows()),
        cache->snapshot_bytes(), double(cache->past()), cache->dropped()})
    *out++ = fact;
  return {};
}

Error cache_append(KeyValueCache* cache, Held* encoding, const View& k, const View& v, const Positions& positions) {
  return encoding ? cache->append(k, v, positions, as<Rotation>(*encoding->encoding), as<Relative>(*encoding->encoding))
                  : cache->append(k, v, positions);
}

Error cache_attend(KeyValueCache* cache, const View& q, AttentionOptions options, ChunkRange* chunks, const View& out,
                   Workspace& workspace) {
  options.chunks = chunks;
  return cache->attend(q, options, out, workspace);
}

Error cache_read(KeyValueCache* cache, Held* encoding, const View& k, const View& v, Workspace& workspace) {
  return cache->read(encoding ? as<Rotation>(*encoding->encoding) : nullptr, k, v, workspace);
}

Error cache_positions(KeyValueCache* cache, std::span<double> out) { return cache->positions(out); }
Error cache_truncate(KeyValueCache* cache, double length) { return cache->truncate(length); }
Error cache_clear(KeyValueCache* cache) {
  cache->clear();
  return {};
}
Error cache_evict(KeyValueCache* cache, double first, double count) { return cache->evict(first, count); }
Error cache_shift(KeyValueCache* cache, Held* encoding, std::span<const double> delta) {
  return encoding ? cache->shift(delta, as<Rotation>(*encoding->encoding), as<Relative>(*encoding->encoding))
                  : cache->shift(delta);
}
Error cache_reorder(KeyValueCache* cache, std::span<const double> rows) { return cache->reorder(rows); }
Error cache_snapshot(KeyValueCache* cache, std::span<std::uint8_t> out) { return cache->snapshot(out); }
Error cache_restore(KeyValueCache* cache, std::span<const std::uint8_t> from, double length) {
  return cache->restore(from, length);
}

// Part by part: JavaScript asks for a part by the number of the call.
constexpr Operation kOperations[]{
    operation<create_encoding>(Part::base, "createEncoding", "text numbers beginning handle"),
    operation<parameter_facts>(Part::base, "parameterFacts", "encoding index gradient out"),
    operation<check_apart_from_learned>(Part::base, "checkApart", "encoding out"),
    operation<table_facts>(Part::base, "tableFacts", "encoding out"),
    operation<table_frequencies>(Part::base, "tableFrequencies", "encoding out"),
    operation<table_check>(Part::base, "tableCheck", "encoding x positions"),
    operation<&Table::rows>(Part::base, "tableRows", "encoding positions out"),
    operation<&Table::add_to>(Part::base, "tableAdd", "encoding x positions dropout"),
    operation<&Table::concat_to>(Part::base, "tableConcat", "encoding x positions out"),
    operation<&Table::shift>(Part::base, "tableShift", "encoding k out"),
    operation<rotary_facts>(Part::base, "rotaryFacts", "encoding out"),
    operation<rotary_frequencies>(Part::base, "rotaryFrequencies", "encoding sequenceLength out"),
    operation<&Rotation::tables>(Part::base, "rotaryTables", "encoding positions sequenceLength cosine sine role"),
    operation<rotary_angles>(Part::base, "rotaryAngles", "encoding positions sequenceLength out"),
    operation<&Rotation::check>(Part::base, "rotaryCheck", "encoding x layout positions sequenceLength role"),
    operation<&Rotation::apply>(Part::base, "rotaryApply", "encoding x layout positions sequenceLength direction role"),
    operation<rotary_rerotate>(Part::base, "rotaryRerotate",
                               "encoding fromEncoding x layout from to fromLength toLength"),
    operation<bias_facts>(Part::base, "biasFacts", "encoding out"),
    operation<bias_rows>(Part::base, "biasRows", "encoding call out"),
    operation<&Bias::apply_to>(Part::base, "biasApply", "encoding call scores"),
    operation<bias_buckets>(Part::base, "biasBuckets", "encoding call out"),
    operation<widen<float32_from_float16>>(Part::base, "float32FromFloat16", "from to"),
    operation<narrow<float16_from_float32>>(Part::base, "float16FromFloat32", "from to"),
    operation<widen<float32_from_bfloat16>>(Part::base, "float32FromBfloat16", "from to"),
    operation<narrow<bfloat16_from_float32>>(Part::base, "bfloat16FromFloat32", "from to"),
    operation<checksum_of>(Part::base, "checksum", "from out"),
    operation<put_by_head>(Part::base, "rowsByHead", "from tokens heads to"),
    operation<attend>(Part::attention, "attention", "q k v options chunks out"),
    operation<attention_rows>(Part::attention, "attentionRows", "q k options out wanted"),
    operation<context_positions>(Part::attention, "contextPositions", "q k options out"),
    operation<query_temperature>(Part::attention, "queryTemperature", "positions temperature out"),
    operation<similarity>(Part::attention, "similarity", "table out"),
    operation<distance_profile>(Part::attention, "distanceProfile", "encoding out"),
    operation<score_terms_of>(Part::attention, "scoreTerms",
                              "x table wq wk contentContent contentPosition positionContent positionPosition"),
    operation<relative_buckets>(Part::relative, "relativeBuckets", "encoding distances out"),
    operation<&Relative::expanded>(Part::relative, "relativeExpand", "encoding x isKey layout positions out"),
    operation<&Relative::make_gates>(Part::relative, "relativeGates", "encoding x layout out"),
    operation<&Relative::apply>(Part::relative, "relativeApply", "encoding x layout positions direction"),
    operation<relative_frequencies>(Part::relative, "relativeFrequencies", "encoding out"),
    operation<&cumulative_phases>(Part::relative, "cumulativePhases", "gates form scale out"),
    operation<shift_scores>(Part::relative, "relativeShift", "x zeroWrapped out"),
    operation<zero_gradients>(Part::training, "zeroGradients", "encoding"),
    operation<optimizer_step>(Part::training, "optimizerStep", "encoding optimizer"),
    operation<&Table::backward>(Part::training, "tableBackward", "encoding gradient positions options"),
    operation<&Rotation::backward>(Part::training, "rotaryBackward",
                                   "encoding x gradient layout positions sequenceLength role"),
    operation<&Bias::backward>(Part::training, "biasBackward", "encoding call gradient scores"),
    operation<attend_backward>(Part::training, "attentionBackward", "q k v gradient out options"),
    operation<&Relative::make_gates_backward>(Part::training, "relativeGatesBackward",
                                              "encoding x gradient layout out"),
    operation<&Relative::apply_backward>(Part::training, "relativeApplyBackward",
                                         "encoding x gradient layout positions"),
    operation<create_cache>(Part::cache, "createCache", "spec handle"),
    operation<cache_facts>(Part::cache, "cacheFacts", "cache out"),
    operation<cache_append>(Part::cache, "cacheAppend", "cache encoding k v positions"),
    operation<cache_attend>(Part::cache, "cacheAttend", "cache q options chunks out"),
    operation<cache_read>(Part::cache, "cacheRead", "cache encoding k v"),
    operation<cache_positions>(Part::cache, "cachePositions", "cache out"),
    operation<cache_truncate>(Part::cache, "cacheTruncate", "cache length"),
    operation<cache_clear>(Part::cache, "cacheClear", "cache"),
    operation<cache_evict>(Part::cache, "cacheEvict", "cache first count"),
    operation<cache_shift>(Part::cache, "cacheShift", "cache encoding delta"),
    operation<cache_reorder>(Part::cache, "cacheReorder", "cache rows"),
    operation<cache_snapshot>(Part::cache, "cacheSnapshot", "cache out"),
    operation<cache_restore>(Part::cache, "cacheRestore", "cache from length"),
    operation<resize>(Part::resize, "tableResize", "table options out"),
};

static_assert(std::ranges::is_sorted(kOperations, {}, &Operation::part));

constexpr auto kRunners = [] {
  std::array<Error (*)(Frame&), std::size(kOperations)> runners{};
  for (std::size_t i = 0; i < runners.size(); ++i) runners[i] = kOperations[i].run;
  return runners;
}();

}  // namespace

Held* Frame::held() {
  Held* held = pointer<Held>(number());
  if (!held) return nullptr;
  held->encoding->guarded = held->training.gradients();
  if (first_ == &nobody) first_ = held;
  return held;
}

constinit Held Frame::nobody;

std::span<const Operation> operations() { return kOperations; }
Error run_operation(int index, Frame& frame) { return kRunners[std::size_t(index)](frame); }

std::uint32_t schema_digest() {
  constexpr std::uint32_t kDigest = digest(kOperations);
  return kDigest;
}

}  // namespace posenc::bindings
