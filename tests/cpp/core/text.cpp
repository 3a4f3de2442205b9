// Are numbers, shapes and descriptions written as people and parsers expect?
#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// Takes one JSON value off the front of `rest`; false where it is malformed.
class JsonChecker {
 public:
  explicit JsonChecker(std::string_view text) : rest_(text) {}
  bool whole() { return value() && (skip(), rest_.empty()); }

 private:
  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }
  bool take(std::string_view token) {
    skip();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool string() {
    if (!take("\"")) return false;
    for (; !rest_.empty() && rest_[0] != '"'; rest_.remove_prefix(1)) {
      if (static_cast<unsigned char>(rest_[0]) < 0x20) return false;
      if (rest_[0] != '\\') continue;
      if (rest_.size() < 2 || (rest_[1] != '"' && rest_[1] != '\\')) return false;
      rest_.remove_prefix(1);
    }
    return take("\"");
  }
  bool number() {
    char* end = nullptr;
    const std::string text(rest_.substr(0, rest_.find_first_of(",]}")));
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != 0 || !std::isfinite(value)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  template <class Item>
  bool items(std::string_view close, Item item) {
    if (take(close)) return true;
    do
      if (!item()) return false;
    while (take(","));
    return take(close);
  }
  bool value() {
    if (take("{")) return items("}", [&] { return string() && take(":") && value(); });
    if (take("[")) return items("]", [&] { return value(); });
    return take("null") || take("true") || take("false") || (rest_.starts_with("\"") ? string() : number());
  }

  std::string_view rest_;
};

std::string shape_text(std::vector<double> dims) { return format_shape(dims); }

}  // namespace

TEST_CASE("numbers read as people write them", "[text]") {
  const std::pair<double, const char*> known[] = {{0, "0"},
                                                  {-0.0, "0"},
                                                  {1, "1"},
                                                  {-7, "-7"},
                                                  {10000, "10000"},
                                                  {2147483647, "2147483647"},
                                                  {281474976710656, "281474976710656"},
                                                  {1e12, "1000000000000"},
                                                  {1e20, "100000000000000000000"},
                                                  {1e21, "1e21"},
                                                  {1e300, "1e300"},
                                                  {6.02e23, "6.02e23"},
                                                  {0.5, "0.5"},
                                                  {-0.5, "-0.5"},
                                                  {0.02, "0.02"},
                                                  {0.1 + 0.2, "0.3"},
                                                  {1.0 / 3, "0.333333333333333"},
                                                  {2.0 / 3, "0.666666666666667"},
                                                  {123456789.125, "123456789.125"},
                                                  {0.00001, "0.00001"},
                                                  {1e-6, "1e-6"},
                                                  {1.5e-7, "1.5e-7"},
                                                  {99999999999999.95, "100000000000000"},
                                                  {999999999999999.9, "1000000000000000"},
                                                  {kInfinity, "Infinity"},
                                                  {-kInfinity, "-Infinity"}};
  for (const auto& [value, wanted] : known) CHECK(format_number(value) == wanted);
  CHECK(format_number(std::nan("")) == "NaN");
}

TEST_CASE("a written number reads back within 15 digits", "[text]") {
  Random random(9);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::ldexp(double(random.uniform()), random.below(120) - 60);
    const double back = std::strtod(format_number(value).c_str(), nullptr);
    CAPTURE(value, back);
    REQUIRE(std::abs(back - value) <= 5.1e-15 * std::abs(value));
  }
}

TEST_CASE("shapes, quotes and code names", "[text]") {
  CHECK(shape_text({}) == "[]");
  CHECK(shape_text({1, 2.5, -3}) == "[1, 2.5, -3]");
  CHECK(quote("a\"b\\c\nd") == "\"a\\\"b\\\\c d\"");
  CHECK(join({"a", "", "bc"}) == "abc");
  const auto error = error_at(Code::out_of_range, "offset", "% of % lies too far by %", "a", Shape{2, 3}, 2.5);
  CHECK(error.message() == "offset: a of [2, 3] lies too far by 2.5");
  CHECK(spec_error("rope", "dim", "must be even").message() == "rope.dim: must be even");
  CHECK(error.field() == "offset");
  CHECK(bool(error));
  CHECK_FALSE(bool(Error{}));
  CHECK(code_name(Code::none) == "");
  CHECK(code_name(Code::invalid_spec) == "invalid-spec");
  CHECK(code_name(Code::unsupported) == "unsupported");
}

TEST_CASE("the checker knows JSON from its like", "[text]") {
  CHECK(JsonChecker("{\"a\":[1,-2.5e3,\"b\\\"\"], \"c\":null}").whole());
  for (const char* wrong : {"", "{", "[1,]", "{\"a\"}", "[1 2]", "\"a", "[NaN]", "[1]]", "\"\\q\""}) {
    CAPTURE(wrong);
    CHECK_FALSE(JsonChecker(wrong).whole());
  }
}

TEST_CASE("describe() is JSON and names every kind and field", "[text]") {
  const std::string json = describe();
  CHECK(JsonChecker(json).whole());
  std::size_t at = 0;
  for (const Sample& sample : samples()) {
    CAPTURE(sample.kind);
    at = json.find(join({"{\"kind\":", quote(sample.kind), ",\"family\":",
                         quote(std::array{"table", "rotary", "bias", "relative"}[std::size_t(sample.family)])}),
                   at);
    REQUIRE(at != std::string::npos);
    for (const SampleField& it : sample.fields) {
      at = json.find(join({"{\"name\":", quote(it.field.name)}), at);
      REQUIRE(at != std::string::npos);
      CHECK(json.compare(json.find(",\"doc\":", at), 7 + it.field.doc.size() + 2, ",\"doc\":" + quote(it.field.doc)) ==
            0);
      CHECK_FALSE(it.field.doc.empty());
      for (const auto choice : it.choices) CHECK(json.find(quote(choice), at) != std::string::npos);
    }
  }
}
