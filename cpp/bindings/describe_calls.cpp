// The schema of calls as JSON, for the generator. WebAssembly builds go without this file.
#include "schema.hpp"

namespace posenc::bindings {

namespace {

// Lists of [name, type], by name, each once.
class Lists {
 public:
  void add(std::string_view list, std::string item) {
    auto known = std::ranges::find(lists_, list, &std::pair<std::string_view, std::vector<std::string>>::first);
    if (known == lists_.end()) known = lists_.insert(known, {list, {}});
    if (std::ranges::find(known->second, item) == known->second.end()) known->second.push_back(std::move(item));
  }
  std::string json() const {
    std::string all;
    for (const auto& [name, items] : lists_) {
      std::string list;
      for (const std::string& item : items) list = join({list, list.empty() ? "" : ",", item});
      all = join({all, all.empty() ? "" : ",", quote(name), ":[", list, "]"});
    }
    return join({"{", all, "}"});
  }

 private:
  std::vector<std::pair<std::string_view, std::vector<std::string>>> lists_;
};

struct SchemaLists final : SchemaVisitor {
  std::string_view operation;
  Lists operations, enums, composites;

  static std::string pair(std::string_view name, std::string_view type) {
    return join({"[", quote(name), ",", quote(type), "]"});
  }
  void begin(std::string_view name) override { operation = name; }
  void argument(std::string_view name, std::string_view type) override { operations.add(operation, pair(name, type)); }
  void choices(std::string_view type, std::span<const std::string_view> names) override {
    for (const auto name : names) enums.add(type, quote(name));
  }
  void field(std::string_view type, std::string_view name, std::string_view member_type) override {
    composites.add(type, pair(name, member_type));
  }
};

// Name and number of calls of each part, in the order of the calls.
std::string parts_json() {
  std::string all;
  for (std::size_t part = 0; part < kPartNames.size(); ++part) {
    const auto count = std::ranges::count(operations(), Part(part), &Operation::part);
    all = join({all, all.empty() ? "" : ",", "[", quote(kPartNames[part]), ",", format_number(double(count)), "]"});
  }
  return join({"[", all, "]"});
}

}  // namespace

std::string describe_calls() {
  SchemaLists lists;
  visit(operations(), lists);
  return join({"{\"digest\":", format_number(schema_digest()), ",\"parts\":", parts_json(),
               ",\"operations\":", lists.operations.json(), ",\"enums\":", lists.enums.json(),
               ",\"composites\":", lists.composites.json(), "}"});
}

}  // namespace posenc::bindings
