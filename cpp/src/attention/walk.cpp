#include "attention/walk.hpp"

#include "core/parallel.hpp"

namespace posenc {

using namespace tiles;

namespace {

// Visits all key tiles for the loaded queries.
void walk_tiles(Scorer& scorer, const QueryChunk& chunk, int keys, Walker& walker) {
  const KeyOrder order = scorer.order();
  for_each_tile(keys, order, [&](int first, int count) {
    if (!scorer.load_keys(first, count, order)) return;
    walker.tile(first, count);
    for (int g = chunk.member; g < chunk.member + chunk.members; ++g)
      for (int i = 0; i < chunk.queries; i += kQueries) {
        const int query = chunk.query + i, rows = std::min(kQueries, chunk.queries - i);
        const KeyRange range = scorer.by_rows() ? scorer.tile_range() : scorer.visible_keys(query, rows);
        if (range.count() > 0) walker.block({g, query, rows, range});
      }
    walker.end_tile();
  });
}

int divide_up(int count, int by) { return (count + by - 1) / by; }

}  // namespace

Chunks::Chunks(const Scorer& scorer, const Sizes& sizes, int threads) : scorer_(scorer), sizes_(sizes) {
  const int queries = sizes.q.positions, head_rows = scorer.rows_of(queries), most = scorer.most_rows();
  const int fit = std::max(1, most / head_rows);
  key_heads_ = std::clamp(fit / sizes.group, 1, scorer.key_heads_together());
  together_ = std::min(fit, key_heads_ * sizes.group);
  step_ = scorer.rows_of(divide_up(queries, divide_up(head_rows, most)));
  groups_ = divide_up(sizes.k.heads, key_heads_);
  parts_ = divide_up(key_heads_ * sizes.group, together_);
  if (POSENC_THREADS && threads > 1 && !scorer.by_rows()) shorten(threads);
  steps_ = divide_up(queries, step_);
}

// Shorter chunks let threads finish at the same time. Blocks of queries stay whole, so results do not change.
void Chunks::shorten(int threads) {
  constexpr int kChunksOfThread = 8, kLeastQueries = 128;
  const double others = product({double(sizes_.q.batch), double(groups_), double(parts_)});
  const int wanted = int(std::ceil(kChunksOfThread * threads / std::max(1.0, others)));
  step_ = std::min(step_, std::max(kLeastQueries, scorer_.rows_of(divide_up(sizes_.q.positions, wanted))));
}

QueryChunk Chunks::operator[](int index) const {
  QueryChunk chunk;
  chunk.query = index % steps_ * step_;
  chunk.member = index / steps_ % parts_ * together_;
  chunk.key_head = index / (steps_ * parts_) % groups_ * key_heads_;
  chunk.batch = index / (steps_ * parts_ * groups_);
  const int members = std::min(key_heads_, sizes_.k.heads - chunk.key_head) * sizes_.group;
  chunk.members = std::min(together_, members - chunk.member);
  chunk.queries = std::min(step_, sizes_.q.positions - chunk.query);
  chunk.rows = scorer_.rows_of(chunk.queries);
  return chunk;
}

void walk_chunk(Scorer& scorer, const QueryChunk& chunk, const Sizes& sizes, Walker& walker) {
  if (chunk.members <= 0) return;
  do {
    scorer.load_queries(chunk);
    walker.begin(chunk);
    walk_tiles(scorer, chunk, sizes.k.positions, walker);
  } while (!walker.end());
}

void walk(Scorer& scorer, const Sizes& sizes, Walker& walker) {
  const Chunks chunks(scorer, sizes);
  for (int i = 0; i < chunks.count(); ++i) walk_chunk(scorer, chunks[i], sizes, walker);
}

}  // namespace posenc
