#include "attention/cache_inputs.hpp"

#include "core/resolved_mask.hpp"

namespace posenc {

namespace {

// Copies the inputs of one query to out [batch, heads, keys, width]; a stride of 0 broadcasts. False: out of memory.
template <class T>
bool gather(const T* from, const Broadcast& strides, const Shape& dims, int query, const QueryKeys& keys,
            Array<T>& out) {
  const int width = int(dims[3]);
  out = Array<T>({dims[0], dims[1], dims[2], dims[3]});
  if (!out) return false;
  T* to = out.data();
  for (int b = 0; b < int(dims[0]); ++b)
    for (int h = 0; h < int(dims[1]); ++h)
      for (int j = 0; j < int(dims[2]); ++j)
        to = std::copy_n(from + strides.at(b, h, query) + keys.at(j) * strides.key, width, to);
  return true;
}

// Reduces an input that broadcasts to scores [batch, heads, queries, keys] to [batch or 1, heads or 1, 1, keys or 1].
template <class T, class Given>
bool gather_scores(Given& given, const Shape& scores, int query, const QueryKeys& keys, Array<T>& memory) {
  if (!given.data) return true;
  const Broadcast strides = *broadcast(given.shape, scores, "");
  const Shape dims{strides.batch ? scores[0] : 1, strides.head ? scores[1] : 1, strides.key ? double(keys.count) : 1,
                   1};
  if (!gather<T>(given.data, strides, dims, query, keys, memory)) return false;
  given.data = memory.data();
  given.shape = {dims[0], dims[1], 1, dims[2]};
  given.length = given.shape.size();
  return true;
}

// Same for [keys] or [batch or 1, keys].
template <class T, class Given>
bool gather_rows(Given& given, const QueryKeys& keys, Array<T>& memory) {
  if (!given.data) return true;
  const double per_row = given.shape[-1], rows = given.shape.rank == 2 ? given.shape[0] : 1;
  if (!gather<T>(given.data, {std::ptrdiff_t(per_row), 0, 0, 1}, {rows, 1, double(keys.count), 1}, 0, keys, memory))
    return false;
  given.data = memory.data();
  given.shape = {rows, double(keys.count)};
  given.length = given.shape.size();
  return true;
}

// Same for [batch, heads, tokens, …] or [batch, tokens, heads, …].
bool gather_tokens(View& given, HeadLayout layout, const QueryKeys& keys, Buffer& memory) {
  if (!given.data) return true;
  const Shape& shape = given.shape;
  const bool heads_first = layout == HeadLayout::bhtd;
  const double heads = shape[heads_first ? 1 : 2], tokens = shape[heads_first ? 2 : 1];
  const double width = shape.rank == 4 ? shape[3] : 1, row = heads_first ? width : heads * width;
  const Broadcast strides{std::ptrdiff_t(heads * tokens * width), std::ptrdiff_t(heads_first ? tokens * width : width),
                          0, std::ptrdiff_t(row)};
  if (!gather<float>(given.data, strides, {shape[0], heads, double(keys.count), width}, 0, keys, memory)) return false;
  const int rank = shape.rank;
  given.shape = {shape[0], heads, double(keys.count), width};
  given.shape.rank = rank;
  given.length = product({shape[0], heads, double(keys.count), width});
  given.data = memory.data();
  return true;
}

}  // namespace

bool QueryInputs::are_given(const AttentionOptions& options) {
  bool given = options.mask.data || options.attention_mask.data || options.segments.data || options.bias.data;
  for (const View& view : options.tokens) given |= view.data != nullptr;
  return given;
}

bool QueryInputs::take(const AttentionOptions& call, const Shape& scores, int query, const QueryKeys& keys,
                       AttentionOptions& options) {
  options.mask = call.mask;
  options.attention_mask = call.attention_mask;
  options.segments = call.segments;
  options.bias = call.bias;
  options.tokens = call.tokens;
  bool made = gather_scores(options.mask, scores, query, keys, mask_) &&
              gather_scores(options.bias, scores, query, keys, bias_) &&
              gather_rows(options.attention_mask, keys, attention_mask_) &&
              gather_rows(options.segments, keys, segments_);
  const QueryKeys own{0, query, 1};
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const bool of_queries = TokenInput(i) == TokenInput::relative_states;
    made = made && gather_tokens(options.tokens[i], call.layout, of_queries ? own : keys, tokens_[i]);
  }
  return made;
}

bool TailSegments::take(AttentionOptions& options, int total, int kept, double offset) {
  SegmentsView& given = options.segments;
  Array<double> all = nullptr;
  if (!compute_segment_positions(given, total, offset, all)) return false;
  const double rows = given.length / total;
  segments_ = Array<std::int32_t>({rows, double(kept)});
  positions_ = Array<double>({rows, double(kept)});
  if (!segments_ || !positions_) return false;
  for (int r = 0; r < int(rows); ++r) {
    const std::ptrdiff_t from = std::ptrdiff_t(r + 1) * total - kept, to = std::ptrdiff_t(r) * kept;
    std::copy_n(given.data + from, kept, segments_.data() + to);
    std::copy_n(all.data() + from, kept, positions_.data() + to);
  }
  given.data = segments_.data();
  given.length = rows * kept;
  given.shape.dims[std::size_t(given.shape.rank) - 1] = kept;
  options.key_positions = Positions::given({positions_.data(), std::size_t(given.length)}, kept);
  return true;
}

}  // namespace posenc
