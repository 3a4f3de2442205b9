// The rows of a call of a bias: of packed sequences each is as it would be alone.
#pragma once

#include "posenc/bias/bias.hpp"
#include "visibility.hpp"

namespace posenc {

inline constexpr double kMostBiasesKept = 1e9;

/// A query and the keys of its sequence; `index` of the row in scores [batch, heads, queries, keys].
struct BiasRow {
  std::size_t index;
  int batch, head, query;
  double place;
  KeyRange keys;
  const Positions& key_places;
};

inline Positions part_of(const Positions& positions, std::size_t start, int count) {
  if (positions.values.empty()) return {.values = {}, .offset = positions.offset + double(start), .count = count};
  return {.values = positions.values.subspan(start, std::size_t(count)), .offset = 0, .count = count};
}

/// each(row) for all rows of a checked call, query by query of a sequence.
template <class Each>
Error for_each_row(Bias& bias, const BiasCall& call, const Sight& sight, int batch, int heads, const Each& each) {
  const int queries = int(call.queries), count = int(call.keys);
  const Positions places = call.places_of_keys();
  for (int b = 0; b < batch; ++b)
    for (int first = 0, end; first < queries; first = end) {
      const KeyRange keys = sight.sequence(b, first);
      const std::size_t start = places.row_start(std::size_t(b), std::size_t(count));
      Positions key_places = part_of(places, start + std::size_t(keys.begin), keys.count());
      Positions query_places{.values = {}, .offset = call.offset + first};
      end = queries;
      if (sight.has_segments()) {
        const int own = int(call.offset) + first;
        end = sight.in_pieces() ? std::min(queries, first + keys.end - own) : queries;
        query_places = part_of(places, start + std::size_t(own), end - first);
        // Not given, places begin with the sequence.
        if (places.values.empty()) key_places.offset -= keys.begin, query_places.offset -= keys.begin;
        if (Error error = bias.begin(query_places, key_places, kMostBiasesKept)) return error;
      }
      for (int head = 0; head < heads; ++head)
        for (int i = first; i < end; ++i)
          each(
              BiasRow{(std::size_t(b) * std::size_t(heads) + std::size_t(head)) * std::size_t(queries) + std::size_t(i),
                      b, head, i, query_places[std::size_t(i - first)], keys, key_places});
    }
  return {};
}

}  // namespace posenc
