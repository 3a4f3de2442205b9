#include "specs.hpp"

#include <utility>

#include "../../cpp/bindings/spec_text.hpp"

namespace posenc::fuzz {

namespace {

// What is larger takes long to make, until it is too large for the memory.
constexpr double kLarge = 300, kTooLarge = 1e7;
constexpr char kField = '\x1e', kPart = '\x1f';

class Writer {
 public:
  Writer(Input& input, const test::Sample& sample) : input_(input), sample_(sample) { spec_.text = sample.kind; }

  SpecText write() {
    for (const test::SampleField& it : sample_.fields) {
      const int given = input_.below(16);
      if (it.field.required || is_large(it) ? given != 15 : given % 3 == 2) add(it);
    }
    if (input_.rarely(32)) add(input_.pick(sample_.fields));
    return std::move(spec_);
  }

 private:
  void add(const test::SampleField& it) {
    begin(it.field.name, 'n');
    if (input_.rarely(64)) return add_any();
    if (it.type == Slot::Type::boolean) return type('b'), spec_.numbers.push_back(input_.flag());
    if (it.type == Slot::Type::choice) return type('t'), spec_.text += input_.pick(it.choices), void();
    if (it.type == Slot::Type::numbers) return add_list(it);
    if (it.type == Slot::Type::optional_number && input_.rarely(8)) return type('0');
    spec_.numbers.push_back(it.type == Slot::Type::integer ? whole(it.field) : real(it.field));
    record(it.field.name, spec_.numbers.back());
  }

  // Sizes that make tables of many thousand numbers where they are not given.
  bool is_large(const test::SampleField& it) const {
    return sample_.family == FamilyName::relative && it.type == Slot::Type::integer && it.field.min >= 0 &&
           it.field.name != "seed";
  }

  void begin(std::string_view name, char letter) {
    spec_.text += kField;
    spec_.text += name;
    spec_.text += kPart;
    spec_.text += letter;
    spec_.text += kPart;
  }
  void type(char letter) { spec_.text[spec_.text.size() - 2] = letter; }

  // A value of any type, right or wrong.
  void add_any() {
    const char letter = input_.pick(std::string_view("nbtl0x"));
    type(letter);
    if (letter == 'n' || letter == 'b') spec_.numbers.push_back(any_size(input_.number()));
    if (letter == 't' || letter == 'x')
      for (const std::uint8_t byte : input_.take(std::size_t(input_.below(20)))) spec_.text += char(byte);
    if (letter == 'l') list(std::size_t(input_.below(40)), [&] { return input_.number(); });
  }

  void add_list(const test::SampleField& it) {
    type('l');
    const std::string_view name = it.field.name;
    const auto any = [&] { return real(it.field); };
    if (name == "sections") return parts(pairs(), 3, 1);
    if (name == "axisDims") return parts(pairs(), axes_, 2);
    if (name == "axisOrder") return list(std::size_t(axes_), [&, at = 0]() mutable { return axes_ - ++at; });
    if (name == "axisOfPair") return list(pairs(), [&] { return input_.below(3); });
    list(input_.rarely(8) ? 1 : pairs(), any);
  }
  template <class Make>
  void list(std::size_t count, Make make) {
    if (input_.rarely(32)) count = std::size_t(input_.byte());
    spec_.text += std::to_string(count);
    for (std::size_t i = 0; i < count; ++i) spec_.numbers.push_back(make());
  }
  // `count` whole numbers whose sum is `total`, times `unit`.
  void parts(std::size_t total, int count, int unit) {
    list(std::size_t(count), [&, left = int(total), at = 0]() mutable {
      const int part = ++at == count ? left : input_.below(left + 1);
      left -= part;
      return part * unit;
    });
  }

  // Sizes stay small: what matters are their combinations. Large ones are rare, as they take long.
  double whole(const Field& field) {
    if (input_.rarely(64)) return any_size(input_.number());
    const double low = std::max(field.min, -20.0), high = std::min(field.max, low + 12);
    if (field.name == "dim") return input_.rarely(8) ? input_.between(1, 67) : 2 * input_.between(1, 12);
    if (field.name == "rotaryDim") return 2 * input_.below(int(std::min<std::size_t>(20, dim_ / 2 + 2)));
    if (field.name == "length") return input_.rarely(8) ? input_.between(1, 80) : input_.between(1, 16);
    if (field.name == "heads") return input_.rarely(8) ? input_.between(1, 13) : input_.between(1, 4);
    return low + input_.below(int(high - low) + 1);
  }
  // Two large ones make millions of numbers.
  double any_size(double any) {
    if (!(any > 12 && any < kTooLarge)) return any;
    return std::exchange(has_large_size_, true) ? 12 : std::min(any, kLarge);
  }
  double real(const Field& field) {
    const int how = input_.below(32);
    if (how == 31) return input_.number();
    if (how == 30) return field.min;
    if (how == 29) return field.max;
    const double low = std::max(field.min, -20.0), high = std::min(field.max, low + (how < 8 ? 20000 : 20));
    return low + (high - low) * input_.byte() / 255.0;
  }

  void record(std::string_view name, double value) {
    if (!(value >= 1 && value <= 4096)) return;
    if (name == "dim") dim_ = std::size_t(value);
    if (name == "rotaryDim") rotary_dim_ = std::size_t(value);
    if (name == "axes" && value <= 8) axes_ = int(value);
  }
  std::size_t pairs() const { return (rotary_dim_ ? rotary_dim_ : dim_) / 2; }

  Input& input_;
  const test::Sample& sample_;
  SpecText spec_;
  std::size_t dim_ = 64, rotary_dim_ = 0;
  int axes_ = 2;
  bool has_large_size_ = false;
};

}  // namespace

SpecText spec_of(Input& input, const test::Sample& sample) { return Writer(input, sample).write(); }

Result<Encoding> create_exactly(const SpecText& spec) {
  // Not a string's or a vector's own memory, which may go on behind the end.
  const auto text = std::make_unique<char[]>(spec.text.size());
  const auto numbers = std::make_unique<double[]>(spec.numbers.size());
  std::copy(spec.text.begin(), spec.text.end(), text.get());
  std::copy(spec.numbers.begin(), spec.numbers.end(), numbers.get());
  return bindings::create_from_text({text.get(), spec.text.size()}, {numbers.get(), spec.numbers.size()});
}

void check_error(const Error& error) {
  if (!error) return;
  require(!code_name(error.code()).empty(), "an error without a code");
  // A field's name may be empty itself.
  require(!error.field().empty() || error.message().find(".: ") != std::string::npos,
          "an error that names no field: " + error.message());
  require(error.message().size() > error.field().size() + 3, "an error without words about " + error.field());
}

}  // namespace posenc::fuzz
