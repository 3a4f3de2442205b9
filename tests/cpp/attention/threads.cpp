// Attention whose work several threads share: the same bits as one thread's.
#include <thread>

#include "../../../cpp/src/core/parallel.hpp"
#include "cpp/attention/support.hpp"
#include "cpp/samples.hpp"
#include "posenc/core/memory.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

int pool_calls = 0;

// The others have done all there was before the caller looks.
void helpers_first(int threads, WorkPart part, const void* work) {
  ++pool_calls;
  for (int i = 1; i < threads; ++i) std::thread(part, work, i).join();
  part(work, 0);
}

void together(int threads, WorkPart part, const void* work) {
  ++pool_calls;
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(part, work, i);
  part(work, 0);
  for (std::thread& other : others) other.join();
}

// As long as it lives, calls have it.
struct WithThreadPool {
  WithThreadPool(int threads, ThreadPool pool) {
    pool_calls = 0;
    set_thread_pool(threads, pool);
  }
  ~WithThreadPool() { set_thread_pool(1, nullptr); }
};

// A call that is large enough to be shared.
struct LargeCall {
  Shape q_shape, k_shape;
  std::vector<float> q, k, v;
  AttentionOptions options{};

  LargeCall(const Shape& of_q, const Shape& of_k)
      : q_shape(of_q),
        k_shape(of_k),
        q(random_floats(std::size_t(of_q.size()), 1)),
        k(random_floats(std::size_t(of_k.size()), 2)),
        v(random_floats(k.size(), 3)) {}

  std::vector<float> result() {
    Workspace workspace;
    std::vector<float> out(q.size());
    const Error error = attention(view_of(q, q_shape), view_of(k, k_shape), view_of(v, k_shape), options,
                                  view_of(out, q_shape), workspace);
    return error ? std::vector<float>() : out;
  }

  void check() {
    const auto single = result();
    REQUIRE_FALSE(single.empty());
    for (const auto& [threads, pool] : {std::pair{2, &helpers_first}, {3, &together}}) {
      const WithThreadPool shared(threads, pool);
      CHECK(same_bits(result(), single));
      CHECK(pool_calls == 1);
    }
  }
};

// Positions enough for heads so wide.
double enough_positions(double heads, double dim) { return std::ceil(std::sqrt(8388608 / (heads * 2 * dim))) + 5; }

}  // namespace

TEST_CASE("threads share attention with every encoding inside", "[threads]") {
  int shared = 0;
  for (const Sample& sample : samples()) {
    auto encoding = create(sample.kind, sample.required);
    REQUIRE(encoding);
    CAPTURE(sample.kind);
    if (sample.family == FamilyName::table) continue;
    AttentionOptions options;
    put_inside(options, **encoding);
    const auto* rotation = options.rotation;
    const auto* relative = options.relative;
    if (rotation && rotation->axes > 1 && !rotation->one_for_all) continue;
    const double dim = rotation ? rotation->dim : relative ? width_of(*relative) : 32;
    const double heads = options.encoding_bias         ? options.encoding_bias->heads
                         : relative && relative->heads ? relative->heads
                                                       : 2;
    const Shape shape{1, heads, enough_positions(heads, dim), dim};
    LargeCall call(shape, shape);
    call.options = options;
    TokenInputValues tokens(relative, 1, heads, heads, shape[2], shape[2]);
    call.options.tokens = tokens.views();
    call.options.causal = shared % 2;
    // Some have so many positions as their spec says.
    if (call.result().empty()) continue;
    call.check();
    ++shared;
  }
  CHECK(shared > 20);
}

TEST_CASE("threads share heads, and the queries of few heads", "[threads]") {
  for (int heads = 1; heads <= 12; ++heads)
    for (const int batch : {1, 2}) {
      const double positions = enough_positions(heads * batch, 16);
      const Shape shape{double(batch), double(heads), positions, 16};
      CAPTURE(heads, batch);
      LargeCall call(shape, shape);
      call.options.causal = heads % 3 > 0;
      if (heads % 2) call.options.window_left = 100;
      call.check();
    }
}

TEST_CASE("threads share grouped heads, masks and few queries", "[threads]") {
  LargeCall grouped({1, 12, 300, 16}, {1, 4, 300, 16});
  grouped.check();
  std::vector<std::uint8_t> mask(300 * 300);
  Random random(4);
  for (std::uint8_t& visible : mask) visible = random.chance(0.7);
  grouped.options.mask = {mask.data(), double(mask.size()), {300, 300}};
  grouped.check();
  LargeCall generating({1, 16, 1, 64}, {1, 8, 4200, 64});
  generating.check();
  // Sums of these are no numbers: chunks are gone through once more.
  grouped.v[5] = kInfinity;
  grouped.check();
}

TEST_CASE("small calls stay on their thread", "[threads]") {
  LargeCall call({1, 12, 1, 64}, {1, 12, 1024, 64});
  const WithThreadPool shared(2, &together);
  call.result();
  CHECK(pool_calls == 0);
}
