// Each allocation of every public call fails once: the answer is out-of-memory, with the call's memory as it was, or it
// is the right one (what is only remembered can be done without); nothing leaks, and the next call is right.
#include <cstdlib>

#include "../../cpp/bindings/schema.hpp"
#include "entries.hpp"
#include "posenc/core/reserve.hpp"

using namespace posenc;
using namespace posenc::test;

TEST_CASE("every operation of the web is among the entries that tests go over") {
  const std::vector<Entry> all = entries();
  for (const bindings::Operation& operation : bindings::operations()) {
    CAPTURE(operation.name);
    CHECK(std::ranges::any_of(all, [&](const Entry& entry) { return entry.operation == operation.name; }));
  }
}

#if POSENC_ALLOCATIONS_FAIL
namespace {

// Allocations since they are counted; the one of index `failing` gets no memory, nor do those of more than `most`
// bytes.
struct Hook {
  bool counts = false;
  int allocations = 0, failing = -1;
  std::size_t most = SIZE_MAX;
  bool keeps_reserve = false;

  bool refuses(std::size_t bytes) {
    if (!counts) return false;
    return allocations++ == failing || bytes > most;
  }
};
Hook hook;

}  // namespace

// The linker sends the program's calls here (cpp/native.cmake).
extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __wrap_malloc(std::size_t bytes) {
  // Nobody writes there, and the sanitizer maps each large block anew, slowly.
  if (hook.keeps_reserve) bytes = 1;
  return hook.refuses(bytes) ? nullptr : __real_malloc(bytes);
}
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  return hook.refuses(count * bytes) ? nullptr : __real_calloc(count, bytes);
}
}

namespace {

// Counts from here on, and lets one fail.
void arm(int failing) { hook = {.counts = true, .allocations = 0, .failing = failing}; }
// Whether it came to that.
bool disarm() {
  hook.counts = false;
  return hook.allocations > hook.failing;
}

bool refill_reserve() {
  hook.keeps_reserve = true;
  const bool kept = keep_reserve();
  hook.keeps_reserve = false;
  return kept;
}

using Values = std::vector<std::vector<float>>;

// The call's memory, and what its encoding has learned.
Values all_values(const Entry& entry, const Arguments& memory) {
  Values all = memory.values();
  if (!entry.encoding) return all;
  for (const Parameter& parameter : entry.encoding->parameters)
    all.emplace_back(parameter.values.begin(), parameter.values.end());
  return all;
}

bool same(const Values& a, const Values& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_bits(a[i], b[i])) return false;
  return true;
}

// All but what the call may have begun to write: its results.
bool same_inputs(const Entry& entry, const Values& a, const Values& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((i >= entry.arguments.size() || entry.arguments[i].role != Argument::Role::result) && !same_bits(a[i], b[i]))
      return false;
  return true;
}

// Entry `index` of a kind while allocation `failing` fails; false: it has not as many.
bool check_failure(const Sample* sample, std::size_t index, int failing, const Values& right) {
  const std::vector<Entry> list = entries_of(sample);
  const Entry& entry = list[index];
  Arguments memory(entry);
  const Values before = all_values(entry, memory);
  const std::vector<View> views = memory.views();
  REQUIRE(refill_reserve());
  arm(failing);
  const Error error = entry.run(views);
  if (!disarm()) return false;
  CAPTURE(entry.label, failing, error.message());
  if (!error) {
    CHECK(same(all_values(entry, memory), right));
    return true;
  }
  CHECK(error.code() == Code::out_of_memory);
  CHECK(same_inputs(entry, all_values(entry, memory), before));
  REQUIRE(refill_reserve());
  const Error second = entry.run(views);
  CHECK_FALSE(second);
  CHECK(same(all_values(entry, memory), right));
  return true;
}

void check_entries(const Sample* sample) {
  CAPTURE(sample ? sample->kind : "");
  const std::size_t count = entries_of(sample).size();
  for (std::size_t index = 0; index < count; ++index) {
    const std::vector<Entry> list = entries_of(sample);
    Arguments memory(list[index]);
    REQUIRE_FALSE(list[index].run(memory.views()));
    const Values right = all_values(list[index], memory);
    for (int failing = 0; check_failure(sample, index, failing, right); ++failing) REQUIRE(failing < 2000);
  }
}

void check_family(FamilyName family) {
  const std::vector<Sample> kinds = samples_of(family);
  REQUIRE_FALSE(kinds.empty());
  for (const Sample& sample : kinds) {
    const Sample one = small(sample);
    check_entries(&one);
  }
}

}  // namespace

TEST_CASE("each allocation of every call without an encoding fails once") { check_entries(nullptr); }
TEST_CASE("each allocation of every call of tables fails once") { check_family(FamilyName::table); }
TEST_CASE("each allocation of every call of rotations fails once") { check_family(FamilyName::rotary); }
TEST_CASE("each allocation of every call of biases fails once") { check_family(FamilyName::bias); }
TEST_CASE("each allocation of every call of relative encodings fails once") { check_family(FamilyName::relative); }

TEST_CASE("what is remembered of turns is done without where memory is short") {
  constexpr int kCount = 4096;
  const Rope spec{.common = {.dim = 2}};
  const auto rotated = [&](std::size_t most) {
    const auto rotation = make_right(spec);
    auto x = random_floats(2 * kCount, 1);
    REQUIRE(refill_reserve());
    hook = {.counts = true, .most = most};
    const Error error =
        rotation->apply(view_of(x, {1, 1, kCount, 2}), HeadLayout::bhtd, run(0, kCount), 0, Direction::forward);
    hook = {};
    CHECK_FALSE(error);
    return x;
  };
  const auto right = rotated(SIZE_MAX);
  // From none of what each position takes to all of it.
  for (std::size_t bytes = 1; bytes <= 128; bytes *= 2) CHECK(same_bits(rotated(bytes * kCount), right));
}

TEST_CASE("waves are copied only where there is memory for them") {
  const auto table = make_right(Sinusoidal{.dim = 65536});
  std::vector<float> out(65536, 1);
  const View view = view_of(out, {1, 65536});
  Workspace workspace;
  const auto made = [&](std::size_t most) {
    REQUIRE(refill_reserve());
    hook = {.counts = true, .most = most};
    const Error error = table->rows(run(0, 1), view, workspace);
    hook = {};
    return error.code();
  };
  CHECK(made(1000000) == Code::out_of_memory);
  CHECK(out == std::vector<float>(65536, 1));
  CHECK(made(SIZE_MAX) == Code::none);
  // From then on it is there.
  CHECK(made(600000) == Code::none);
  CHECK(out[1] == 1);
}

// LeakSanitizer looks for what is lost.
TEST_CASE("each allocation that makes an encoding fails once") {
  for (const Sample& any : samples()) {
    const Sample sample = small(any);
    for (int failing = 0;; ++failing) {
      REQUIRE(failing < 2000);
      REQUIRE(refill_reserve());
      CAPTURE(sample.kind, failing);
      arm(failing);
      auto made = create(sample.kind, sample.required);
      const bool reached = disarm();
      CHECK((made || made.error().code() == Code::out_of_memory));
      if (!reached) break;
    }
  }
}
#endif
