// The rows of a bias call. In packed sequences each row is the same as for its sequence by itself.
#pragma once

#include "core/resolved_mask.hpp"
#include "posenc/bias/bias.hpp"

namespace posenc {

inline constexpr double kMostBiasesKept = 1e9;

/// A query and the keys of its sequence. `index`: its row in scores [batch, heads, queries, keys].
struct BiasRow {
  std::size_t index;
  int batch, head, query;
  double query_position;
  KeyRange keys;
  const Positions& key_positions;
};

inline Positions part_of(const Positions& positions, std::size_t start, int count) {
  if (positions.values.empty()) return Positions::run(positions.offset + double(start), count);
  return Positions::given(positions.values.subspan(start, std::size_t(count)), count);
}

/// Queries from `first` to before `end` that share `keys`: those of one sequence, if sequences are contiguous.
struct SegmentRun {
  KeyRange keys;
  int end;
  Positions query_positions, key_positions;
};

inline SegmentRun segment_run_from(const BiasCall& call, const ResolvedMask& mask, int batch, int first) {
  const int queries = int(call.queries), count = int(call.keys);
  const KeyRange keys = mask.sequence(batch, first);
  Positions key_positions = call.resolved_key_positions();
  if (key_positions.values.empty()) key_positions.values = mask.segment_positions();
  const std::size_t start = key_positions.row_start(std::size_t(batch), std::size_t(count));
  const Positions of_keys = part_of(key_positions, start + std::size_t(keys.begin), keys.count());
  if (!mask.has_segments()) return {keys, queries, Positions::run(call.offset + first, queries - first), of_keys};
  const int own = int(call.offset) + first;
  const int end = mask.contiguous() ? std::min(queries, first + keys.end - own) : queries;
  return {keys, end, part_of(key_positions, start + std::size_t(own), end - first), of_keys};
}

/// Calls each(row) for all rows of a checked call, by batch element, sequence, head and query.
template <class Each>
Error for_each_row(const Bias& bias, const BiasCall& call, const ResolvedMask& mask, int batch, int heads,
                   BiasScratch& scratch, const Each& each) {
  const std::size_t queries = std::size_t(call.queries);
  for (int b = 0; b < batch; ++b)
    for (int first = 0, end; first < int(queries); first = end) {
      const SegmentRun run = segment_run_from(call, mask, b, first);
      end = run.end;
      if (mask.has_segments())
        if (Error error = bias.begin(run.query_positions, run.key_positions, kMostBiasesKept, scratch)) return error;
      for (int head = 0; head < heads; ++head)
        for (int i = first; i < end; ++i) {
          const std::size_t index =
              (std::size_t(b) * std::size_t(heads) + std::size_t(head)) * queries + std::size_t(i);
          each(BiasRow{index, b, head, i, run.query_positions[std::size_t(i - first)], run.keys, run.key_positions});
        }
    }
  return {};
}

}  // namespace posenc
