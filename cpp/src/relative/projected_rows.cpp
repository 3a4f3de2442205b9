#include "relative/projected_rows.hpp"

#include "posenc/kernels/kernels.hpp"

namespace posenc {

using namespace tiles;

bool ProjectedRows::find(const Projection& by, std::uint64_t made_of, double first, double count, bool exact) {
  stride_ = round_up(by.dim);
  if (std::exchange(made_of_, made_of) != made_of) count_ = 0;
  const double last = first + count, kept_last = first_ + double(count_);
  if (count_ && first >= first_ && last <= kept_last) return true;
  const double least = std::min(first, first_), most = std::max(last, kept_last);
  const bool joins =
      count_ && first <= kept_last && last >= first_ && floats_of(most - least, by.dim, by.heads) <= kMostKept;
  if (!joins) count_ = 0;
  // A growing cache needs one more each time: some more rows cost little in addition.
  const double from = joins ? least : first, to = !joins ? last : last > kept_last && !exact ? last + 60 : most;
  const double known = count_ ? first_ : to, known_end = count_ ? kept_last : to;
  const bool stays = to - from + kQueries <= double(capacity_) && (!joins || from == first_);
  bool made = stays || reserve_rows(by.heads, from, to - from);
  first_ = from;
  made = made && project(by, from, known, exact) && project(by, known_end, to, exact);
  count_ = made ? std::ptrdiff_t(to - from) : 0;
  return made;
}

// Keeps known rows at their distances. Blocks may write a few rows beyond the last.
bool ProjectedRows::reserve_rows(int heads, double from, double count) {
  const double capacity = count + kQueries + (count_ ? std::floor(count / 4) : 0);
  if (!count_) rows_ = nullptr;
  Buffer larger({capacity, double(stride_), double(heads)});
  if (!larger) return false;
  for (std::ptrdiff_t head = 0; count_ && head < heads; ++head)
    std::copy_n(rows_.data() + head * capacity_ * stride_, count_ * stride_,
                larger.data() + (head * std::ptrdiff_t(capacity) + std::ptrdiff_t(first_ - from)) * stride_);
  rows_ = std::move(larger);
  capacity_ = std::ptrdiff_t(capacity);
  return true;
}

// Rows of the distances from `from` to before `to` = sinusoids · projectionᵀ
bool ProjectedRows::project(const Projection& by, double from, double to, bool exact) {
  if (from >= to) return true;
  if (exact) return project_exactly(by, from, to);
  constexpr int kTogether = 64;  // rows that stay in cache while all panels are read
  const std::ptrdiff_t width = std::ptrdiff_t(by.width);
  const int depth = int(width);
  const std::ptrdiff_t row = round_up_depth(depth);
  Buffer panels({double(width), double(stride_), double(by.heads)}), sinusoid_rows({double(width), kQueries});
  Buffer blocks({double(row), kTogether});
  if (!panels || !sinusoid_rows || !blocks) return false;
  for (int head = 0; head < by.heads; ++head)
    pack_keys(by.weights + head * by.dim * width, width, by.dim, depth, panels.data() + head * stride_ * width);
  for (double d = from; d < to; d += kTogether) {
    const int some = int(std::min<double>(kTogether, to - d));
    for (int block = 0; block < some; block += kQueries) {
      for (int r = 0; r < kQueries; ++r) by.sinusoid(d + block + r, sinusoid_rows.data() + r * width);
      pack_queries(sinusoid_rows.data(), width, kQueries, depth, blocks.data() + block * row);
    }
    for (int column = 0; column < by.heads * stride_; column += round_up(1))
      for (int block = 0; block < some; block += kQueries)
        block_product(blocks.data() + block * row, depth, panels.data() + column * width, depth, round_up(1),
                      row_at(int(column / stride_), d + block) + column % stride_, int(stride_), false);
  }
  return true;
}

// Same, but each value is rounded once, like all other results of so small a call.
bool ProjectedRows::project_exactly(const Projection& by, double from, double to) {
  Buffer sinusoid_row{double(by.width)};
  for (double d = from; sinusoid_row && d < to; ++d) {
    by.sinusoid(d, sinusoid_row.data());
    const float* projection = by.weights;
    for (int head = 0; head < by.heads; ++head)
      for (int i = 0; i < by.dim; ++i, projection += by.width)
        row_at(head, d)[i] = float(exact_dot(projection, sinusoid_row.data(), by.width));
  }
  return bool(sinusoid_row);
}

}  // namespace posenc
