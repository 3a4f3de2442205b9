// Threads that share an encoding, each with its own workspace.
#include <thread>

#include "cpp/attention/support.hpp"
#include "cpp/samples.hpp"
#include "posenc/insight.hpp"
#include "posenc/table/resize.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// All calls leave an encoding as it is.
template <class Family, class... Arguments>
consteval bool is_const(Error (Family::*)(Arguments...) const) {
  return true;
}
template <class Family, class... Arguments>
consteval bool is_const(Error (Family::*)(Arguments...)) {
  return false;
}
// … and throw nothing.
template <class Call>
constexpr bool is_noexcept = false;
template <class... Arguments>
constexpr bool is_noexcept<Error (*)(Arguments...) noexcept> = true;
template <class Family, class... Arguments>
constexpr bool is_noexcept<Error (Family::*)(Arguments...) const noexcept> = true;
static_assert(is_noexcept<decltype(&attention)> && is_noexcept<decltype(&attention_rows)> &&
              is_noexcept<decltype(&context_positions)> && is_noexcept<decltype(&attention_backward)> &&
              is_noexcept<decltype(&query_temperature)> && is_noexcept<decltype(&relative_shift)> &&
              is_noexcept<decltype(&similarity)> && is_noexcept<decltype(&distance_profile)> &&
              is_noexcept<decltype(&score_terms)> && is_noexcept<decltype(&resize)>);
static_assert(noexcept(create(std::declval<std::string_view>(), std::declval<const SpecInput&>())) && noexcept(
    make(std::declval<const Rope&>())) && noexcept(describe()));

template <auto... calls>
constexpr bool are_const = ((is_const(calls) && is_noexcept<decltype(calls)>)&&...);
static_assert(
    are_const<&Table::check_add, &Table::rows, &Table::add_to, &Table::concat_to, &Table::shift, &Table::backward>);
static_assert(are_const<&Rotation::tables, &Rotation::angles, &Rotation::check, &Rotation::apply, &Rotation::backward,
                        &Rotation::rerotate>);
static_assert(are_const<&Bias::apply_to, &Bias::buckets, &Bias::backward, &Relative::expanded, &Relative::buckets>);
static_assert(
    is_const<Bias>(static_cast<Error (Bias::*)(const BiasCall&, const View&, Workspace&) const>(&Bias::bias)));
static_assert(std::is_same_v<decltype(AttentionOptions::rotation), const Rotation*>);
static_assert(std::is_same_v<decltype(AttentionOptions::encoding_bias), const Bias*>);
static_assert(std::is_same_v<decltype(AttentionOptions::relative), const Relative*>);

constexpr int kQueries = 9, kHeads = 2;

Positions positions_from(double offset) { return Positions::run(offset, kQueries); }

// What an encoding gives around some offset.
std::vector<float> results_of(const Learned& encoding, double offset, Workspace& workspace) {
  std::vector<float> out;
  if (const auto* table = as<Table>(encoding)) {
    if (table->axes > 1) return out;
    out.resize(std::size_t(kQueries * table->dim));
    const Error error = table->rows(positions_from(offset), view_of(out, {kQueries, double(table->dim)}), workspace);
    return error ? std::vector<float>() : out;
  }
  AttentionOptions options;
  put_inside(options, encoding);
  const auto* rotation = options.rotation;
  const auto* relative = options.relative;
  if (rotation && rotation->axes > 1 && !rotation->one_for_all) return out;
  const double dim = rotation ? rotation->dim : relative ? width_of(*relative) : 8;
  const double heads = options.encoding_bias ? options.encoding_bias->heads : kHeads;
  const Shape shape{1, relative && relative->heads ? relative->heads : heads, kQueries, dim};
  auto q = random_floats(std::size_t(shape.size()), 1), k = random_floats(q.size(), 2), v = random_floats(q.size(), 3);
  out.resize(q.size());
  options.key_positions = options.query_positions = positions_from(offset);
  TokenInputValues tokens(relative, 1, shape[1], shape[1], kQueries, kQueries);
  options.tokens = tokens.views();
  const Error error =
      attention(view_of(q, shape), view_of(k, shape), view_of(v, shape), options, view_of(out, shape), workspace);
  return error ? std::vector<float>() : out;
}

}  // namespace

TEST_CASE("two threads share an encoding", "[workspace]") {
  int shared = 0;
  for (const Sample& sample : samples()) {
    auto encoding = create(sample.kind, sample.required);
    REQUIRE(encoding);
    CAPTURE(sample.kind);
    // What a thread finds alone, a workspace of its own for each call.
    const auto run_separately = [&](int i) {
      Workspace fresh;
      return results_of(**encoding, i, fresh);
    };
    constexpr int kCalls = 6;
    std::vector<std::vector<float>> expected, found[2];
    for (int i = 0; i < 2 * kCalls; ++i) expected.push_back(run_separately(i));
    const auto work = [&](int thread) {
      Workspace workspace;
      for (int i = 0; i < kCalls; ++i) found[thread].push_back(results_of(**encoding, thread * kCalls + i, workspace));
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    for (int i = 0; i < 2 * kCalls; ++i) CHECK(found[i / kCalls][std::size_t(i % kCalls)] == expected[std::size_t(i)]);
    shared += !expected[0].empty();
  }
  CHECK(shared > 30);
}

namespace {

// The gradients of its numbers by rows or by attention, added up in a training of one's own.
std::vector<float> gradients_of(const Learned& encoding, std::uint32_t seed) {
  Workspace workspace;
  Training training;
  Error error;
  if (const auto* table = as<Table>(encoding)) {
    if (table->axes > 1 || table->parameters.empty()) return {};
    auto slopes = random_floats(std::size_t(kQueries * table->dim), seed);
    error =
        table->backward(view_of(slopes, {kQueries, double(table->dim)}), positions_from(0), {}, training, workspace);
  } else {
    AttentionOptions options;
    put_inside(options, encoding);
    if (options.rotation && options.rotation->axes > 1 && !options.rotation->one_for_all) return {};
    const double dim = options.rotation ? options.rotation->dim : options.relative ? width_of(*options.relative) : 8;
    const double heads = options.encoding_bias                         ? options.encoding_bias->heads
                         : options.relative && options.relative->heads ? options.relative->heads
                                                                       : kHeads;
    const Shape shape{1, heads, kQueries, dim};
    auto x = random_floats(std::size_t(shape.size()), seed), by_q = x, by_k = x, by_v = x;
    const View view = view_of(x, shape);
    TokenInputValues tokens(options.relative, 1, heads, heads, kQueries, kQueries);
    options.tokens = tokens.views();
    AttentionGradients out{view_of(by_q, shape), view_of(by_k, shape), view_of(by_v, shape)};
    out.rotation = out.encoding_bias = out.relative = &training;
    error = attention_backward(view, view, view, view, options, out, workspace);
  }
  if (error) return {};
  return {training.gradients().begin(), training.gradients().end()};
}

}  // namespace

TEST_CASE("two threads differentiate an encoding that they share", "[workspace]") {
  int shared = 0;
  for (const Sample& sample : samples()) {
    auto encoding = create(sample.kind, sample.required);
    REQUIRE(encoding);
    CAPTURE(sample.kind);
    const std::vector<float> expected[2]{gradients_of(**encoding, 1), gradients_of(**encoding, 2)};
    std::vector<float> found;
    std::thread other([&] { found = gradients_of(**encoding, 2); });
    CHECK(gradients_of(**encoding, 1) == expected[0]);
    other.join();
    CHECK(found == expected[1]);
    shared += !found.empty();
  }
  CHECK(shared > 10);
}

TEST_CASE("a training belongs to one encoding", "[workspace]") {
  const auto table = make_right(LearnedTable{.length = 4, .dim = 2}),
             other = make_right(LearnedTable{.length = 4, .dim = 2});
  std::vector<float> slopes(8, 1);
  const View view = view_of(slopes, {4, 2});
  Training training;
  CHECK(training.gradients().empty());
  REQUIRE_FALSE(table->backward(view, run(0, 4), {}, training));
  CHECK(training.gradients().size() == 8);
  CHECK(other->backward(view, run(0, 4), {}, training).field() == "training");
  CHECK(training.step(*other, {.learning_rate = 1}).code() == Code::invalid_argument);
  // Results lie apart from the gradients where the owner wants that.
  table->guarded = training.gradients();
  const View own{training.gradient(0), 8, {4, 2}};
  CHECK(table->rows(run(0, 4), own).code() == Code::invalid_argument);
  CHECK(table->backward(own, run(0, 4), {}, training).code() == Code::invalid_argument);
}

TEST_CASE("attention asks for a training for each encoding", "[workspace]") {
  const auto alibi = make_right(Alibi{.heads = 2});
  const auto rope = make_right(Rope{.common = {.dim = 4}});
  AttentionOptions options;
  options.encoding_bias = alibi.get();
  const Shape shape{1, 2, 3, 4};
  auto x = random_floats(24, 1), q = x, k = x, v = x;
  const View view = view_of(x, shape);
  AttentionGradients out{view_of(q, shape), view_of(k, shape), view_of(v, shape)};
  CHECK(attention_backward(view, view, view, view, options, out).field() == "training");
  CHECK(same_bits(q, x));
  Training by_alibi, by_rope;
  out.encoding_bias = &by_alibi;
  CHECK_FALSE(attention_backward(view, view, view, view, options, out));
  options.rotation = rope.get();
  CHECK(attention_backward(view, view, view, view, options, out).field() == "training");
  out.rotation = &by_rope;
  CHECK_FALSE(attention_backward(view, view, view, view, options, out));
  CHECK(by_alibi.gradients().size() == 2);
}

namespace {

struct Mark final : Cache {
  int value = 0;
};
struct Marked final : Learned {
  Marked() : Learned(FamilyName::table) {}
  std::unique_ptr<Cache> make_cache() const override { return std::make_unique<Mark>(); }
};

}  // namespace

TEST_CASE("heads are views of q, k and v, of const numbers, too", "[workspace]") {
  const std::vector<float> x = random_floats(2 * 3 * 5 * 4, 1);
  std::vector<float> own = x, out(x.size()), same(x.size());
  const View view = heads(x.data(), 2, 3, 5, 4), given = heads(own.data(), 2, 3, 5, 4);
  CHECK(view.shape == Shape{2, 3, 5, 4});
  CHECK(view.length == double(x.size()));
  REQUIRE_FALSE(attention(view, view, view, {}, heads(out.data(), 2, 3, 5, 4)));
  REQUIRE_FALSE(attention(given, given, given, {}, heads(same.data(), 2, 3, 5, 4)));
  CHECK(same_bits(out, same));
}

TEST_CASE("a workspace forgets an encoding that is gone", "[workspace]") {
  Workspace workspace;
  const auto memory = [&](const Learned& encoding) -> int& { return workspace.of<Mark>(encoding)->value; };
  const Marked first, second;
  memory(first) = 7;
  CHECK(memory(first) == 7);
  CHECK(memory(second) == 0);
  CHECK(memory(first) == 7);
  workspace.forget(first);
  CHECK(memory(first) == 0);
  // It holds 64, and those that were asked for last stay.
  memory(first) = 8;
  memory(second) = 9;
  std::vector<std::unique_ptr<Marked>> others;
  for (int i = 0; i < 100; ++i) {
    memory(*others.emplace_back(std::make_unique<Marked>())) = i + 1;
    REQUIRE(memory(first) == 8);
    if (i == 61) CHECK(memory(second) == 9);
  }
  CHECK(memory(*others[99]) == 100);
  CHECK(memory(*others[50]) == 51);
  // After the 64 came the others.
  CHECK(memory(*others[10]) == 0);
}

TEST_CASE("an encoding that goes is forgotten in its thread", "[workspace]") {
  std::uint64_t gone = 0;
  struct Watched final : Cache {
    explicit Watched(std::uint64_t& count) : counts(count) {}
    ~Watched() override { ++counts; }
    std::uint64_t& counts;
  };
  struct Watching final : Learned {
    explicit Watching(std::uint64_t& count) : Learned(FamilyName::table), counts(count) {}
    std::unique_ptr<Cache> make_cache() const override { return std::make_unique<Watched>(counts); }
    std::uint64_t& counts;
  };
  {
    const Watching encoding(gone);
    Workspace::of_thread().find(encoding);
    CHECK(gone == 0);
  }
  CHECK(gone == 1);
}
