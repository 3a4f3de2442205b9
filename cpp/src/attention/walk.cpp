// The walk over batches, key heads, chunks of queries, key tiles and blocks of queries.
#include "attention/scorer.hpp"

namespace posenc {

using namespace tiles;

namespace {

// All key tiles against the queries that are loaded.
void walk_tiles(Scorer& scorer, const QueryChunk& chunk, int keys, Walker& walker) {
  alignas(32) float scores[kQueries * kKeys];
  const int tiles = (keys + kKeys - 1) / kKeys;
  for (int tile = 0; tile < tiles; ++tile) {
    const int first = kKeys * (scorer.from_last() ? tiles - 1 - tile : tile);
    const int count = std::min(kKeys, keys - first);
    if (!scorer.load_keys(first, count)) continue;
    walker.tile(first, count);
    for (int g = chunk.member; g < chunk.member + chunk.members; ++g)
      for (int i = 0; i < chunk.queries; i += kQueries) {
        const int query = chunk.query + i, rows = std::min(kQueries, chunk.queries - i);
        const KeyRange range = scorer.seen(query, rows);
        if (range.count() == 0) continue;
        scorer.scores(g, query, range, scores);
        walker.block(g, query, rows, first + range.begin, range.count(), scores);
      }
  }
}

}  // namespace

void walk(Scorer& scorer, const Sizes& sizes, Walker& walker) {
  const int queries = sizes.q.positions, head_rows = whole_blocks(queries), most = scorer.most_rows();
  const int chunks = (head_rows + most - 1) / most, step = whole_blocks((queries + chunks - 1) / chunks);
  const int together = std::max(1, most / head_rows);
  QueryChunk chunk{.rows = step};
  for (chunk.batch = 0; chunk.batch < sizes.q.batch; ++chunk.batch)
    for (chunk.key_head = 0; chunk.key_head < sizes.k.heads; ++chunk.key_head)
      for (chunk.member = 0; chunk.member < sizes.group; chunk.member += together)
        for (chunk.query = 0; chunk.query < queries; chunk.query += step) {
          chunk.members = std::min(together, sizes.group - chunk.member);
          chunk.queries = std::min(step, queries - chunk.query);
          do {
            scorer.load_queries(chunk);
            walker.begin(chunk);
            walk_tiles(scorer, chunk, sizes.k.positions, walker);
          } while (!walker.end());
        }
}

}  // namespace posenc
