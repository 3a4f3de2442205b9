// How the table of all public calls is written down.
#pragma once

#include "entries.hpp"

namespace posenc::test {

inline constexpr auto kInput = Argument::Role::input, kResult = Argument::Role::result,
                      kInPlace = Argument::Role::in_place;
inline constexpr int kCount = 5, kHeads = 2;
using Views = std::vector<View>;

// Lists it while they are made.
class List {
 public:
  std::vector<Entry> entries;
  std::string kind{};
  std::shared_ptr<Learned> encoding{};
  std::shared_ptr<Training> training = std::make_shared<Training>();

  void add(std::string operation, std::vector<Argument> arguments, std::function<Error(const Views&)> run) {
    const std::string label = kind.empty() ? operation : operation + " of " + kind;
    entries.push_back({std::move(operation), label, std::move(arguments), std::move(run), encoding, training});
  }
  template <class Family>
  Family& as_family() {
    return *as<Family>(*encoding);
  }
};

/// Attention with the encoding at hand, or with none; and caches without one.
void list_attention(List& list);
void list_cache(List& list);

}  // namespace posenc::test
