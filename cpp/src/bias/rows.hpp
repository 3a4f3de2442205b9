// The rows of a bias call. In packed sequences each row is the same as for its sequence by itself.
#pragma once

#include "core/sight.hpp"
#include "posenc/bias/bias.hpp"

namespace posenc {

inline constexpr double kMostBiasesKept = 1e9;

/// A query and the keys of its sequence. `index`: its row in scores [batch, heads, queries, keys].
struct BiasRow {
  std::size_t index;
  int batch, head, query;
  double place;
  KeyRange keys;
  const Positions& key_places;
};

inline Positions part_of(const Positions& positions, std::size_t start, int count) {
  if (positions.values.empty()) return Positions::run(positions.offset + double(start), count);
  return Positions::given(positions.values.subspan(start, std::size_t(count)), count);
}

/// Queries from `first` to before `end` that share `keys`: those of one sequence, if sequences are contiguous.
struct SegmentRun {
  KeyRange keys;
  int end;
  Positions query_places, key_places;
};

inline SegmentRun stretch_from(const BiasCall& call, const ResolvedMask& sight, int batch, int first) {
  const int queries = int(call.queries), count = int(call.keys);
  const KeyRange keys = sight.sequence(batch, first);
  Positions places = call.places_of_keys();
  if (places.values.empty()) places.values = sight.places();
  const std::size_t start = places.row_start(std::size_t(batch), std::size_t(count));
  const Positions of_keys = part_of(places, start + std::size_t(keys.begin), keys.count());
  if (!sight.has_segments()) return {keys, queries, Positions::run(call.offset + first, queries - first), of_keys};
  const int own = int(call.offset) + first;
  const int end = sight.contiguous() ? std::min(queries, first + keys.end - own) : queries;
  return {keys, end, part_of(places, start + std::size_t(own), end - first), of_keys};
}

/// Calls each(row) for all rows of a checked call, by batch element, sequence, head and query.
template <class Each>
Error for_each_row(const Bias& bias, const BiasCall& call, const ResolvedMask& sight, int batch, int heads,
                   BiasScratch& scratch, const Each& each) {
  const std::size_t queries = std::size_t(call.queries);
  for (int b = 0; b < batch; ++b)
    for (int first = 0, end; first < int(queries); first = end) {
      const SegmentRun stretch = stretch_from(call, sight, b, first);
      end = stretch.end;
      if (sight.has_segments())
        if (Error error = bias.begin(stretch.query_places, stretch.key_places, kMostBiasesKept, scratch)) return error;
      for (int head = 0; head < heads; ++head)
        for (int i = first; i < end; ++i) {
          const std::size_t index =
              (std::size_t(b) * std::size_t(heads) + std::size_t(head)) * queries + std::size_t(i);
          each(BiasRow{index, b, head, i, stretch.query_places[std::size_t(i - first)], stretch.keys,
                       stretch.key_places});
        }
    }
  return {};
}

}  // namespace posenc
