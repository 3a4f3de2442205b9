// Results that share memory with what a call reads, or with each other, are refused by name; nothing is written.
#include "entries.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// More numbers than any argument has: what lies on one argument lies on no other.
constexpr std::size_t kMargin = 1024;

// Where a tensor of `length` floats can lie so that it shares memory with another: at its start, with its last number,
// and so that its own last number is the other's first.
std::vector<std::ptrdiff_t> shifts(double length, double other) {
  return {0, std::ptrdiff_t(other) - 1, 1 - std::ptrdiff_t(length)};
}

bool refused(const Error& error, const std::string& field, const std::string& other) {
  return error.code() == Code::invalid_argument && error.field() == field &&
         error.message() == field + ": shares memory with " + other;
}

}  // namespace

TEST_CASE("every call works on memory of its own") {
  for (const Entry& entry : entries()) {
    INFO(entry.label);
    Arguments memory(entry);
    const auto before = memory.values();
    const Error error = entry.run(memory.views());
    INFO(error.message());
    REQUIRE_FALSE(error);
    for (std::size_t i = 0; i < before.size(); ++i)
      if (entry.arguments[i].role == Argument::Role::input) CHECK(same_bits(memory.values()[i], before[i]));
  }
}

TEST_CASE("no result shares memory with another argument of its call") {
  for (const Entry& entry : entries()) {
    INFO(entry.label);
    for (const Argument& argument : entry.arguments) REQUIRE(argument.shape.size() < double(kMargin));
    Arguments memory(entry, kMargin);
    const auto before = memory.values();
    for (std::size_t result = 0; result < entry.arguments.size(); ++result) {
      if (entry.arguments[result].role == Argument::Role::input) continue;
      for (std::size_t other = 0; other < entry.arguments.size(); ++other) {
        // Gates are for contextual encodings alone.
        const bool gates =
            entry.label.find("cope") == std::string::npos &&
            (entry.arguments[other].name.ends_with("gateKeys") || entry.arguments[result].name.ends_with("gateKeys"));
        if (other == result || gates) continue;
        // Numbers for each query and key do not need the values.
        const bool is_square = entry.operation == "attentionRows" || entry.operation == "contextPositions";
        if (is_square && entry.arguments[other].name == "v") continue;
        const double own = entry.arguments[result].shape.size(), length = entry.arguments[other].shape.size();
        for (const std::ptrdiff_t shift : shifts(own, length)) {
          auto views = memory.views();
          views[result].data = views[other].data + shift;
          // The mask's bytes: the last of them.
          if (entry.arguments[other].name == "mask" && shift > 0) continue;
          const Error error = entry.run(views);
          const std::string &a = entry.arguments[result].name, &b = entry.arguments[other].name;
          INFO(a << " on " << b << " at " << shift << " said: " << error.message());
          const bool both = entry.arguments[other].role != Argument::Role::input;
          CHECK((refused(error, a, b) || (both && refused(error, b, a))));
          REQUIRE(memory.values() == before);
        }
      }
    }
  }
}

TEST_CASE("no result shares memory with learned numbers and their gradients") {
  for (const Entry& entry : entries()) {
    if (!entry.encoding || entry.encoding->parameters.empty()) continue;
    INFO(entry.label);
    REQUIRE_FALSE(entry.training->begin(*entry.encoding));
    entry.encoding->guarded = entry.training->gradients();
    Arguments memory(entry, kMargin);
    const auto before = memory.values();
    for (std::size_t result = 0; result < entry.arguments.size(); ++result) {
      if (entry.arguments[result].role == Argument::Role::input) continue;
      if (entry.arguments[result].name == "out.gateKeys" && entry.label.find("cope") == std::string::npos) continue;
      for (std::size_t i = 0; i < entry.encoding->parameters.size(); ++i) {
        Parameter& parameter = entry.encoding->parameters[i];
        if (parameter.values.empty()) continue;
        for (float* target : {parameter.values.data(), entry.training->gradient(i)}) {
          auto views = memory.views();
          views[result].data = target;
          const Error error = entry.run(views);
          INFO(entry.arguments[result].name << " on " << parameter.name << " said: " << error.message());
          CHECK(error.code() == Code::invalid_argument);
          CHECK(error.field() == entry.arguments[result].name);
          // A long one lies on its neighbours, too.
          CHECK(error.message().find(": shares memory with ") != std::string::npos);
          REQUIRE(memory.values() == before);
        }
      }
    }
  }
}
