// Where queries stand, to the last bit.
#include "cpp/attention/support.hpp"
#include "posenc/relative/pope.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr int kPositions = 16, kHeads = 2, kDim = 12;

// Logits of queries from an offset on, and the gradient of these queries (xPos has none).
std::vector<float> from(double offset, Call& call) {
  call.options.query_positions.offset = offset;
  const Shape rows = call.shape(kHeads, kPositions, kDim), key_rows = call.shape(kHeads, call.keys, kDim);
  const double keys = call.keys;
  const View q = view_of(call.q, rows), k = view_of(call.k, key_rows), v = view_of(call.v, key_rows);
  std::vector<float> logits(std::size_t(kHeads * kPositions * call.keys)), gradient(call.q.size());
  Workspace workspace;
  REQUIRE_FALSE(attention_rows(q, k, call.options, view_of(logits, {1, kHeads, kPositions, keys}),
                               AttentionRows::logits, workspace));
  if (call.options.rotation) return logits;
  AttentionGradients out;
  Training training;
  out.q = view_of(gradient, rows);
  std::vector<float> of_k(call.k.size()), of_v(call.v.size());
  out.k = view_of(of_k, key_rows), out.v = view_of(of_v, key_rows), out.relative = &training;
  REQUIRE_FALSE(attention_backward(q, k, v, q, call.options, out, workspace));
  logits.insert(logits.end(), gradient.begin(), gradient.end());
  return logits;
}

}  // namespace

TEST_CASE("queries a trifle below their places are turned as there, all sixteen of a chunk", "[attention]") {
  const std::unique_ptr<Learned> encodings[] = {make_right(Rope{.common = {.dim = kDim}}),
                                                make_right(Xpos{.common = {.dim = kDim}}),
                                                make_right(Pope{.dim = kDim, .heads = kHeads})};
  for (const auto& encoding : encodings)
    for (const HeadLayout layout : {HeadLayout::bhtd, HeadLayout::bthd})
      for (const int keys : {2, kPositions}) {
        CAPTURE(encoding->family, layout, keys);
        Call call{1, kHeads, kHeads, kPositions, keys, kDim, kDim, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
        call.options.layout = layout;
        fill_random(7, call);
        put_inside(call.options, *encoding);
        CHECK(largest_difference(from(-1e-171, call), from(0, call)) < 1e-6);
      }
}
