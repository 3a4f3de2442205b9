// Every public call of the core, as a table: what is asked of all of them goes over it.
#pragma once

#include <functional>

#include "support.hpp"

namespace posenc::test {

/// A tensor of a call.
struct Argument {
  enum class Role { input, result, in_place };
  std::string name;
  Role role;
  Shape shape;
};

/// A call that works, of the operation that does it on the web; `run` takes a view for each argument.
struct Entry {
  std::string operation, label;
  std::vector<Argument> arguments;
  std::function<Error(const std::vector<View>&)> run;
  /// Null: it has none.
  std::shared_ptr<Learned> encoding{};
  std::shared_ptr<Training> training{};
};

/// The operations that go with a kind, or need none; null: those that need none. Each call makes them anew.
std::vector<Entry> entries_of(const Sample* sample);
/// All of them, with small encodings.
std::vector<Entry> entries();

/// Memory for an entry's arguments, of random numbers, and `margin` more before and after each.
class Arguments {
 public:
  explicit Arguments(const Entry& entry, std::size_t margin = 0);
  std::vector<View> views();
  const std::vector<std::vector<float>>& values() const { return values_; }

 private:
  const Entry& entry_;
  std::size_t margin_;
  std::vector<std::vector<float>> values_;
};

}  // namespace posenc::test
