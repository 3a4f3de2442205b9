// Random calls of attention, and the naive softmax of their scores.
#pragma once

#include "cpp/support.hpp"
#include "posenc/attention.hpp"

namespace posenc::test {

/// One call: shapes, data and options. Everything is drawn from one seed.
struct Call {
  int batch, query_heads, key_heads, queries, keys, dim, value_dim;
  std::vector<float> q, k, v, bias, sinks;
  std::vector<std::uint8_t> mask, attention_mask;
  std::vector<std::int32_t> segments;
  Shape mask_shape, bias_shape;
  AttentionOptions options;

  bool bhtd() const { return options.layout == HeadLayout::bhtd; }
  Shape shape(int heads, int positions, int width) const {
    const double b = batch, h = heads, t = positions, w = width;
    return bhtd() ? Shape{b, h, t, w} : Shape{b, t, h, w};
  }
  std::size_t row(int heads, int positions, int b, int h, int t, int width) const {
    const int index = bhtd() ? (b * heads + h) * positions + t : (b * positions + t) * heads + h;
    return std::size_t(index) * std::size_t(width);
  }
};

/// Attention with this encoding inside, whatever its family.
inline void put_inside(AttentionOptions& options, const Learned& encoding) {
  options.rotation = as<Rotation>(encoding);
  options.encoding_bias = as<Bias>(encoding);
  options.relative = as<Relative>(encoding);
}

/// How wide its heads are; 4 where it takes any.
inline int width_of(const Relative& relative) { return relative.dim > 0 ? relative.dim : 4; }

/// Does it go by what a call says of each token?
inline bool reads_tokens(const Relative& relative) {
  return std::ranges::any_of(relative.token_widths, [](int width) { return width > 0; });
}

/// An input of tokens that an encoding reads, and its dims.
struct TokenShape {
  std::size_t which;
  Shape shape;
};
/// `relative` may be null, which reads nothing. In bhtd; rows of gates are 4 wide.
std::vector<TokenShape> token_shapes(const Relative* relative, double batch, double query_heads, double key_heads,
                                     double queries, double keys);

/// Numbers for what an encoding reads of each token: gates that are open by halves, directions of length 1, strengths
/// around 1, rows.
class TokenInputValues {
 public:
  /// As token_shapes().
  TokenInputValues(const Relative* relative, double batch, double query_heads, double key_heads, double queries,
                   double keys);
  /// Good as long as this is.
  TokenInputs views();

 private:
  std::vector<TokenShape> shapes_;
  /// Of each of these.
  std::vector<std::vector<float>> values_;
};

/// q, k and v of the shapes that the call has.
void fill_random(std::uint32_t seed, Call& call);
Call draw_shapes(Random& random, std::uint32_t seed, HeadLayout layout);
void draw_options(Random& random, std::uint32_t seed, Call& call);

/// Where a broadcast tensor's entry for scores [b, h, i, j] lies.
std::size_t broadcast_index(const Shape& shape, int b, int h, int i, int j);
/// May query i look at key j?
bool is_visible(const Call& call, int b, int h, int i, int j);
/// The score before the bias; -infinity for hidden keys.
double capped_score(const Call& call, int b, int h, int i, int j);
/// Softmax over the keys, the sink taking its share; zeros where no key is visible.
std::vector<double> weights_of(const Call& call, int b, int h, int i);

/// [B, H, Tq, Tk], and the result in q's layout.
struct Naive {
  std::vector<double> weights, out;
  explicit Naive(const Call& call);
};
/// Are attention() and attention_weights() of the call what was wanted?
void check_against_naive(Call& call, const Naive& wanted);

}  // namespace posenc::test
