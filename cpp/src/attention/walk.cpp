#include "attention/walk.hpp"

namespace posenc {

using namespace tiles;

namespace {

// All key tiles against the queries that are loaded.
void walk_tiles(Scorer& scorer, const QueryChunk& chunk, int keys, Walker& walker) {
  const KeyOrder order = scorer.order();
  for_each_tile(keys, order, [&](int first, int count) {
    if (!scorer.load_keys(first, count, order)) return;
    walker.tile(first, count);
    for (int g = chunk.member; g < chunk.member + chunk.members; ++g)
      for (int i = 0; i < chunk.queries; i += kQueries) {
        const int query = chunk.query + i, rows = std::min(kQueries, chunk.queries - i);
        const KeyRange range = scorer.by_rows() ? scorer.tile_range() : scorer.seen(query, rows);
        if (range.count() > 0) walker.block({g, query, rows, range});
      }
    walker.end_tile();
  });
}

void walk_chunk(Scorer& scorer, const QueryChunk& chunk, int keys, Walker& walker) {
  do {
    scorer.load_queries(chunk);
    walker.begin(chunk);
    walk_tiles(scorer, chunk, keys, walker);
  } while (!walker.end());
}

}  // namespace

void walk(Scorer& scorer, const Sizes& sizes, Walker& walker) {
  const int queries = sizes.q.positions, head_rows = scorer.rows_of(queries), most = scorer.most_rows();
  const int chunks = (head_rows + most - 1) / most, step = scorer.rows_of((queries + chunks - 1) / chunks);
  const int fit = std::max(1, most / head_rows);
  const int key_heads = std::clamp(fit / sizes.group, 1, scorer.key_heads_together());
  const int together = std::min(fit, key_heads * sizes.group);
  QueryChunk chunk;
  for (chunk.batch = 0; chunk.batch < sizes.q.batch; ++chunk.batch)
    for (chunk.key_head = 0; chunk.key_head < sizes.k.heads; chunk.key_head += key_heads) {
      const int members = std::min(key_heads, sizes.k.heads - chunk.key_head) * sizes.group;
      for (chunk.member = 0; chunk.member < members; chunk.member += together)
        for (chunk.query = 0; chunk.query < queries; chunk.query += step) {
          chunk.members = std::min(together, members - chunk.member);
          chunk.queries = std::min(step, queries - chunk.query);
          chunk.rows = scorer.rows_of(chunk.queries);
          walk_chunk(scorer, chunk, sizes.k.positions, walker);
        }
    }
}

}  // namespace posenc
