// Arguments of calls from bytes: mostly what the call needs, now and then something else. Memory is exactly as large as
// it is said to be, so that AddressSanitizer sees each step beyond.
#pragma once

#include <memory>
#include <vector>

#include "input.hpp"
#include "posenc/attention.hpp"
#include "posenc/encodings.hpp"

namespace posenc::fuzz {

/// A size as tests like them: 0, 1, around the width of a vector register, around a tile.
int size_from(Input& input);

/// Random floats, some with a NaN, an infinity or a huge number among them.
class Tensor {
 public:
  Tensor(Input& input, const Shape& wanted);
  const View& view() const { return view_; }
  /// Is it as it was made?
  bool unchanged() const;
  std::span<const float> values() const { return {data_.get(), std::size_t(view_.length)}; }
  /// What it was made with.
  const std::vector<float>& before() const { return before_; }
  /// Are all numbers ones that sums in float32 can bear?
  bool tame() const;

 private:
  std::unique_ptr<float[]> data_;
  std::vector<float> before_;
  View view_;
};

/// Flags, and the sequences that they may name, mostly in one piece each.
class Mask {
 public:
  Mask(Input& input, const Shape& wanted);
  MaskView view() const { return view_; }
  SegmentsView segments() const { return {ids_.get(), view_.length, view_.shape}; }

 private:
  std::unique_ptr<std::uint8_t[]> data_;
  std::unique_ptr<std::int32_t[]> ids_;
  MaskView view_;
};

/// Positions of `rows` rows of `count` each: a run, a grid, one list for all rows, or one for each.
class RandomPositions {
 public:
  RandomPositions(Input& input, double count, double rows, int axes);
  const Positions& positions() const { return positions_; }

 private:
  void give(Input& input, int given);
  void lay_grid(Input& input);

  std::unique_ptr<double[]> values_;
  Positions positions_;
};

/// The length of a sequence as the web sends it: 0 for none, or from 1 on.
double sequence_length_from(Input& input);

/// A shape with perhaps one thing wrong.
Shape altered(Input& input, Shape shape);

/// A shape that broadcasts to these scores [batch, heads, queries, keys] from the right.
Shape broadcasting_shape(Input& input, const Shape& scores);

/// After an error: has nothing changed?
void check_untouched(const Error& error, const Tensor& tensor);

/// Both builds must give the same error, or none.
void expect_same_error(std::string_view call, const Error& error);
/// The same, and where there is none the same bits.
void expect_same_bits(std::string_view call, const Error& error, const Tensor& result);

}  // namespace posenc::fuzz
