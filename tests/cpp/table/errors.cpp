// What tables refuse: the whole call, and x stays as it was.
#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

void check_refused(const Error& error, Code code, std::string_view field) {
  CAPTURE(error.message());
  CHECK(error.code() == code);
  CHECK(error.field() == field);
}

}  // namespace

TEST_CASE("shapes that do not fit are refused", "[table]") {
  auto table = make_right(Sinusoidal{.dim = 4});
  auto x = random_floats(24, 1);
  const auto before = x;
  std::vector<float> out(48);
  const auto add = [&](const Shape& shape) { return table->add_to(view_of(x, shape), run(0, int(shape[-2])), {}); };
  check_refused(table->add_to(view_of(x, {24}), run(0, 1), {}), Code::shape_mismatch, "x");
  check_refused(add({2, 4, 3}), Code::shape_mismatch, "x");
  check_refused(add({2, 4, 4}), Code::shape_mismatch, "x");
  check_refused(add({-2, -3, 4}), Code::shape_mismatch, "x");
  check_refused(table->rows(run(0, 5), view_of(x, {6, 4})), Code::shape_mismatch, "out");
  check_refused(table->rows(run(0, 5), view_of(x, {5, 4})), Code::shape_mismatch, "out");
  check_refused(table->concat_to(view_of(x, {6, 4}), run(0, 6), view_of(out, {6, 9})), Code::shape_mismatch, "out");
  check_refused(table->concat_to(view_of(x, {24}), run(0, 6), view_of(out, {48})), Code::shape_mismatch, "x");
  check_refused(table->shift(1, view_of(x, {6, 4})), Code::shape_mismatch, "out");
  CHECK(same_bits(x, before));
}

TEST_CASE("positions that cannot be are refused", "[table]") {
  auto x = random_floats(24, 1);
  const auto before = x;
  const auto add = [&](const std::unique_ptr<Table>& table, const Positions& positions) {
    return table->add_to(view_of(x, {6, 4}), positions, {});
  };
  const auto sinusoidal = make_right(Sinusoidal{.dim = 4});
  check_refused(add(sinusoidal, given({1, 2})), Code::shape_mismatch, "positions");
  check_refused(add(sinusoidal, given({1, 2, 3, 4, 5, std::nan("")})), Code::invalid_argument, "positions");
  check_refused(add(sinusoidal, given({1, 2, 3, 4, 5, 1e15})), Code::out_of_range, "positions");
  check_refused(add(sinusoidal, run(kInfinity, 6)), Code::invalid_argument, "offset");
  const auto one_hot = make_right(OneHot{.dim = 4}), binary = make_right(Binary{.dim = 4});
  check_refused(add(one_hot, run(0, 6)), Code::out_of_range, "positions");
  check_refused(add(one_hot, run(-1, 6)), Code::out_of_range, "positions");
  check_refused(add(one_hot, given({0, 1, 2, 3, 2, 0.5})), Code::out_of_range, "positions");
  check_refused(add(binary, run(11, 6)), Code::out_of_range, "positions");
  CHECK(same_bits(x, before));
  CHECK_FALSE(add(binary, run(10, 6)));
  CHECK_FALSE(add(one_hot, given({0, 1, 2, 3, 2, 0})));
}

TEST_CASE("dropout and shift check their numbers", "[table]") {
  auto x = random_floats(24, 1);
  const auto before = x;
  const auto table = make_right(Sinusoidal{.dim = 4});
  for (const double rate : {-0.1, 1.0, 1.5, std::nan("")})
    check_refused(table->add_to(view_of(x, {6, 4}), run(0, 6), {.rate = rate}), Code::invalid_argument, "dropout");
  for (const double k : {std::nan(""), kInfinity, 1e15})
    check_refused(table->shift(k, view_of(x, {2, 2, 2})), Code::invalid_argument, "k");
  for (const Sample& sample : samples_of(FamilyName::table))
    if (sample.kind != "sinusoidal")
      check_refused(create_as<Table>(sample.kind, sample.required)->shift(1, view_of(x, {2, 2, 2})), Code::unsupported,
                    "shift");
  check_refused(make_right(Sinusoidal{.dim = 5})->shift(1, view_of(x, {2, 2, 2})), Code::unsupported, "shift");
  CHECK(same_bits(x, before));
}

TEST_CASE("nothing to add to is no error", "[table]") {
  std::vector<float> none;
  for (const Sample& sample : samples_of(FamilyName::table)) {
    const auto table = create_as<Table>(sample.kind, sample.required);
    const double dim = table->dim;
    CAPTURE(sample.kind);
    const Positions nowhere = first_positions(*table, 0);
    CHECK_FALSE(table->add_to(view_of(none, {2, 0, dim}), nowhere, {}));
    CHECK_FALSE(table->add_to(view_of(none, {0, 3, dim}), first_positions(*table, 3), {}));
    CHECK_FALSE(table->rows(nowhere, view_of(none, {0, dim})));
    CHECK_FALSE(table->concat_to(view_of(none, {2, 0, 5}), nowhere, view_of(none, {2, 0, 5 + dim})));
  }
}
