#include "twin.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace twin {

namespace {

// Everything the first copy told, one after another.
struct Note {
  std::string label;
  std::string words;
  std::vector<double> values;
  std::vector<double> bounds;
};

std::vector<Note> notes;
std::size_t next = 0;
bool is_second = false;

Note& take(std::string_view label) {
  if (!is_second) return notes.emplace_back(Note{std::string(label), {}, {}, {}});
  if (next < notes.size() && notes[next].label == label) return notes[next++];
  std::fprintf(stderr, "posenc: the scalar build calls %.*s, the SIMD build %s\n", int(label.size()), label.data(),
               next < notes.size() ? notes[next].label.c_str() : "nothing");
  std::abort();
}

bool equal(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void compare(const Note& note, std::size_t count, auto value_at, auto bound_at) {
  if (note.values.size() != count)
    differ(note.label, 0, double(count), double(note.values.size()), 0, "number of them");
  for (std::size_t i = 0; i < count; ++i) {
    const double mine = value_at(i), theirs = note.values[i], bound = bound_at(i);
    if (equal(mine, theirs) || !std::isfinite(bound) || (bound != 0 && !has_bounds())) continue;
    if (!(std::abs(mine - theirs) <= bound)) differ(note.label, i, theirs, mine, bound, "the scalar build");
  }
}

template <class Number>
void exactly(std::string_view label, std::span<const Number> values) {
  Note& note = take(label);
  if (!is_second) return note.values.assign(values.begin(), values.end());
  compare(
      note, values.size(), [&](std::size_t i) { return double(values[i]); }, [](std::size_t) { return 0.0; });
}

}  // namespace

void begin(bool second) {
  is_second = second;
  next = 0;
  if (!second) notes.clear();
}

void end() { notes = {}; }

void same(std::string_view label, std::string_view words) {
  Note& note = take(label);
  if (!is_second) return note.words = words, void();
  if (note.words == words) return;
  std::fprintf(stderr, "posenc: %s: SIMD build \"%s\", scalar build \"%.*s\"\n", note.label.c_str(), note.words.c_str(),
               int(words.size()), words.data());
  std::abort();
}

void same_bits(std::string_view label, std::span<const float> values) { exactly(label, values); }
void same_bits(std::string_view label, std::span<const double> values) { exactly(label, values); }

void near(std::string_view label, std::span<const float> values, std::span<const double> bounds) {
  Note& note = take(label);
  if (!is_second) {
    note.values.assign(values.begin(), values.end());
    note.bounds.assign(bounds.begin(), bounds.end());
    return;
  }
  compare(
      note, values.size(), [&](std::size_t i) { return double(values[i]); },
      [&](std::size_t i) { return note.bounds[note.bounds.size() > 1 ? i : 0]; });
}

void share(std::string_view label, std::span<float> values, double bound) {
  Note& note = take(label);
  if (!is_second) return note.values.assign(values.begin(), values.end());
  compare(
      note, values.size(), [&](std::size_t i) { return double(values[i]); },
      [&](std::size_t i) { return bound * (1 + std::abs(note.values[i])); });
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(note.values[i]);
}

bool agree(bool value) {
  Note& note = take("choice");
  if (!is_second) note.values = {value ? 1.0 : 0.0};
  return note.values[0] != 0;
}

bool has_bounds() {
  static const char* const wish = std::getenv("POSENC_FUZZ_BOUNDS");
  return !wish || std::string_view(wish) != "0";
}

void differ(std::string_view label, std::size_t index, double got, double wanted, double bound, std::string_view who) {
  std::fprintf(stderr, "posenc: %.*s[%zu] is %.17g; %.*s: %.17g (difference %.3g, bound %.3g)\n", int(label.size()),
               label.data(), index, got, int(who.size()), who.data(), wanted, std::abs(got - wanted), bound);
  std::abort();
}

}  // namespace twin
