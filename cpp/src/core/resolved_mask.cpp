#include "core/resolved_mask.hpp"

#include <algorithm>
#include <cstring>

namespace posenc {

namespace {

// Hints for masks of common wrong shapes.
std::string_view advice(const Shape& shape, const Shape& scores) {
  const double batch = scores[0], keys = scores[3];
  if (shape == Shape{batch, keys}) return "; pass a mask [batch, keys] as attentionMask";
  if (shape == Shape{batch, scores[2], keys}) return "; one per batch element is [batch, 1, queries, keys]";
  if (shape == Shape{scores[2] * keys}) return "; pass { data, dims } with dims [queries, keys]";
  if (shape == Shape{batch * keys}) return "; pass a value per batch element and key as attentionMask";
  return "";
}

template <class Rows>
Error check_rows(const Rows& rows, const Shape& scores, std::string_view name) {
  const double batch = scores[0], keys = scores[3];
  if (Error error = check_view({nullptr, rows.length, rows.shape}, name)) return error;
  const Shape& shape = rows.shape;
  if (shape == Shape{keys} || shape == Shape{1, keys} || shape == Shape{batch, keys}) return {};
  return error_at(Code::shape_mismatch, name, "must have dims % or %, got %%", Shape{keys}, Shape{batch, keys}, shape,
                  shape.rank > 2 ? "; pass masks with more dims as mask" : "");
}

// Mostly eight consecutive keys are all visible.
void fill_masked(float* x, const std::uint8_t* mask, int count, float value) {
  constexpr int kBytes = 8;
  for (int j = 0; j < count; j += kBytes) {
    std::uint64_t bytes = 0;
    if (j + kBytes <= count) std::memcpy(&bytes, mask + j, kBytes);
    if (bytes == 0x0101010101010101) continue;
    for (int i = j; i < std::min(j + kBytes, count); ++i)
      if (!mask[i]) x[i] = value;
  }
}

}  // namespace

Result<Broadcast> broadcast(const Shape& shape, const Shape& scores, std::string_view name) {
  std::array<double, 4> dims{1, 1, 1, 1};
  bool fits = shape.rank >= 1 && shape.rank <= 4;
  for (int i = 4 - std::min(shape.rank, 4); i < 4; ++i) {
    const double dim = dims[std::size_t(i)] = shape[i - 4];
    fits &= dim == 1 || dim == scores[i];
  }
  if (!fits)
    return error_at(Code::shape_mismatch, name, "dims % do not broadcast to scores %%", shape, scores,
                    advice(shape, scores));
  const auto stride = [&](std::size_t axis, double step) { return dims[axis] == 1 ? 0 : std::ptrdiff_t(step); };
  return Broadcast{stride(0, dims[1] * dims[2] * dims[3]), stride(1, dims[2] * dims[3]), stride(2, dims[3]),
                   stride(3, 1)};
}

bool compute_segment_positions(const SegmentsView& segments, int keys, double offset, Array<double>& out) {
  out = Array<double>(segments.length);
  if (!out) return false;
  double *positions = out.data(), *end = positions + std::size_t(segments.length);
  for (const std::int32_t* row = segments.data; positions < end; row += keys, positions += keys) {
    // If ids are sorted, only the previous key can be of the same sequence. Otherwise the search is quadratic, but
    // attention takes longer still.
    const bool rises = std::is_sorted(row, row + keys);
    for (int i = 0; i < keys; ++i) {
      int before = i - 1;
      while (before >= 0 && row[before] != row[i]) before = rises ? -1 : before - 1;
      positions[i] = before < 0 ? 0 : positions[before] + 1;
    }
  }
  for (double& position : std::span(out.data(), end)) position += offset;
  return true;
}

Error ResolvedMask::check(const AttentionMasks& given, const Shape& scores, double first_query) {
  given_ = given;
  keys_ = int(scores[3]);
  row_ = nullptr;
  contiguous_ = true;
  if (const MaskView& mask = given.mask; mask.data) {
    if (Error error = check_view({nullptr, mask.length, mask.shape}, "mask")) return error;
    auto strides = broadcast(mask.shape, scores, "mask");
    if (!strides) return std::move(strides.error());
    mask_ = *strides;
  }
  if (given.attention_mask.data)
    if (Error error = check_rows(given.attention_mask, scores, "attentionMask")) return error;
  if (!given.segments.data) return {};
  if (Error error = check_rows(given.segments, scores, "segments")) return error;
  if (first_query != std::floor(first_query) || !(first_query >= 0 && first_query + scores[2] <= scores[3]))
    return error_at(Code::invalid_argument, "segments",
                    "queries must be a range of the keys, got % queries from index % of % keys", scores[2], first_query,
                    scores[3]);
  first_query_ = int(first_query);
  const std::int32_t* row = given.segments.data;
  for (double left = given.segments.length; left > 0; left -= scores[3], row += keys_)
    contiguous_ &= std::is_sorted(row, row + keys_);
  return {};
}

Error ResolvedMask::compute_segment_positions() {
  const SegmentsView& segments = given_.segments;
  if (!posenc::compute_segment_positions(segments, keys_, 0, segment_positions_))
    return error_at(Code::out_of_memory, "segments", "out of memory for positions of % keys", segments.length);
  counted_ = segments.length;
  return {};
}

KeyRange ResolvedMask::find(int batch, int index) const {
  const std::int32_t* row = segments_of(batch);
  if (row != row_ || index < range_.begin || index >= range_.end) {
    const auto range = std::equal_range(row, row + keys_, row[index]);
    row_ = row;
    range_ = {int(range.first - row), int(range.second - row)};
  }
  return range_;
}

void ResolvedMask::mask_row(int batch, int head, int query, int first, int count, float* row, float value) const {
  if (given_.mask.data) {
    const std::uint8_t* mask = given_.mask.data + mask_.at(batch, head, query);
    if (mask_.key) fill_masked(row, mask + first, count, value);
    // One mask value for all keys.
    if (!mask_.key && !*mask) std::fill_n(row, count, value);
  }
  if (const MaskView& mask = given_.attention_mask; mask.data)
    fill_masked(row, mask.data + start_of(mask, batch) + first, count, value);
  if (!given_.segments.data || contiguous_) return;
  const std::int32_t *segments = segments_of(batch), own = segments[first_query_ + query];
  for (int j = 0; j < count; ++j)
    if (segments[first + j] != own) row[j] = value;
}

}  // namespace posenc
