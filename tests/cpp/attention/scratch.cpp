// Attention's scratch memory, whatever the number of positions. Counted by the sanitizer's allocator.
#include "cpp/attention/support.hpp"

#if POSENC_SANITIZED
// Of <sanitizer/allocator_interface.h>, which does not come with every compiler.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*made)(const volatile void*, std::size_t),
                                                         void (*freed)(const volatile void*));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void* memory);

using namespace posenc;
using namespace posenc::test;

namespace {

// Since it was made: bytes in use, and the most there were at once.
class Memory {
 public:
  Memory() {
    static const int installed = __sanitizer_install_malloc_and_free_hooks(
        [](const volatile void*, std::size_t bytes) {
          used += std::ptrdiff_t(bytes);
          most = std::max(most, used);
        },
        [](const volatile void* memory) {
          if (memory) used -= std::ptrdiff_t(__sanitizer_get_allocated_size(memory));
        });
    REQUIRE(installed > 0);
    used = most = 0;
  }
  static inline std::ptrdiff_t used = 0, most = 0;
};

struct LongCall {
  int heads = 2, dim = 8;
  AttentionOptions options;

  /// The most bytes of scratch that forward or backward has had at once.
  std::ptrdiff_t run(int queries, int keys) {
    const auto shape = [&](int positions) { return Shape{1, double(heads), double(positions), double(dim)}; };
    auto q = random_floats(std::size_t(heads * queries * dim), 1),
         k = random_floats(std::size_t(heads * keys * dim), 2);
    auto v = random_floats(k.size(), 3), out = q, q_slopes = q, k_slopes = k, v_slopes = v;
    const View views[]{view_of(q, shape(queries)), view_of(k, shape(keys)), view_of(v, shape(keys))};
    options.query_positions.offset = std::max(0, keys - queries);
    TokenInputValues tokens(options.relative, 1, heads, heads, queries, keys);
    options.tokens = tokens.views();
    const View result = view_of(out, shape(queries));
    const std::ptrdiff_t forward = most([&] { return attention(views[0], views[1], views[2], options, result); });
    Training training;
    AttentionGradients gradients{view_of(q_slopes, shape(queries)), view_of(k_slopes, shape(keys)),
                                 view_of(v_slopes, shape(keys))};
    gradients.rotation = gradients.encoding_bias = gradients.relative = &training;
    const std::ptrdiff_t backward =
        most([&] { return attention_backward(views[0], views[1], views[2], result, options, gradients); });
    return std::max(forward, backward);
  }

 private:
  // What a workspace and a training keep for the next call is theirs: the first call is not counted.
  template <class Run>
  static std::ptrdiff_t most(Run run) {
    REQUIRE(run().message() == "");
    const Memory memory;
    REQUIRE(run().message() == "");
    return memory.most;
  }
};

}  // namespace

TEST_CASE("attention's scratch does not grow with the number of positions", "[attention]") {
  for (const bool causal : {false, true}) {
    LongCall call;
    call.options.causal = causal;
    CHECK(call.run(20, 15000) <= 1 << 21);
    CHECK(call.run(15000, 20) <= 1 << 21);
  }
}

TEST_CASE("nor does it with an encoding inside", "[attention]") {
  // Windows of Swin are small, Transformer-XL projects the sinusoids of all distances, LieRE has a matrix for each
  // place.
  const auto left_out = [](std::string_view kind) {
    return kind.starts_with("swin") || kind == "transformer-xl" || kind == "liere";
  };
  for (const FamilyName family : {FamilyName::rotary, FamilyName::bias, FamilyName::relative})
    for (const Sample& sample : samples_of(family)) {
      const std::string_view kind = sample.kind;
      if (left_out(kind) || kind.starts_with("rope-")) continue;  // rope's frequencies make no difference
      CAPTURE(kind);
      auto encoding = create(kind, sample.has("heads") ? sample.with("heads", number(2)) : sample.required);
      REQUIRE(encoding);
      LongCall call;
      put_inside(call.options, **encoding);
      if (const Rotation* rotation = call.options.rotation) call.dim = rotation->dim;
      if (const Bias* bias = call.options.encoding_bias) call.heads = std::max(1, bias->heads);
      if (const Relative* relative = call.options.relative) {
        call.heads = std::max(1, relative->heads);
        call.dim = width_of(*relative);
      }
      // Gradients keep something of up to 2048 keys.
      const std::ptrdiff_t keys = call.run(5, 2200);
      CHECK(keys <= 1 << 21);
      // What reads tokens sums them up to each key, and wants queries that stand among the keys.
      if (call.options.relative && reads_tokens(*call.options.relative)) continue;
      CHECK(keys == call.run(5, 2100));
      const std::ptrdiff_t queries = call.run(1200, 5);
      CHECK(queries <= 1 << 21);
      CHECK(queries == call.run(1100, 5));
    }
}
#endif
