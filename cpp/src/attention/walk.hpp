// The walk over batches, key heads, chunks of queries, key tiles and blocks of queries.
#pragma once

#include "attention/scorer.hpp"

namespace posenc {

/// Initial state of a softmax. A sink is a key without a value.
inline tiles::Softmax start_of(std::span<const float> sinks, int head) {
  return sinks.empty() ? tiles::Softmax{tiles::kMinusInfinity, 0} : tiles::Softmax{sinks[std::size_t(head)], 1};
}

/// Calls each(first, count) for all tiles of keys.
template <class Each>
void for_each_tile(int keys, KeyOrder order, const Each& each) {
  const int tiles = (keys + tiles::kKeys - 1) / tiles::kKeys;
  for (int i = 0; i < tiles; ++i) {
    const int first = tiles::kKeys * (order == KeyOrder::falling ? tiles - 1 - i : i);
    each(first, std::min(tiles::kKeys, keys - first));
  }
}

/// Callbacks of a walk.
class Walker {
 public:
  virtual ~Walker() = default;
  virtual void begin(const QueryChunk&) {}
  /// The keys of a tile are loaded.
  virtual void tile(int /*first_key*/, int /*count*/) {}
  virtual void block(const Block& block) = 0;
  /// All blocks of a tile are done.
  virtual void end_tile() {}
  /// Returns false to repeat the chunk, from begin() on.
  virtual bool end() { return true; }
};

/// The chunks of a call. The results of each do not depend on the order of chunks, nor on the scorer used.
class Chunks {
 public:
  /// As many as the size of scratch requires, or more for several threads.
  Chunks(const Scorer& scorer, const Sizes& sizes, int threads = 1);
  /// Some of these may be empty.
  int count() const { return sizes_.q.batch * groups_ * parts_ * steps_; }
  QueryChunk operator[](int index) const;

 private:
  void shorten(int threads);

  const Scorer& scorer_;
  const Sizes& sizes_;
  /// Maximum key heads, members and queries of a chunk. Then the numbers of chunks: groups of key heads per batch
  /// element, parts of a group's members, steps over the queries.
  int key_heads_, together_, step_, groups_, parts_, steps_;
};

void walk_chunk(Scorer& scorer, const QueryChunk& chunk, const Sizes& sizes, Walker& walker);
void walk(Scorer& scorer, const Sizes& sizes, Walker& walker);

}  // namespace posenc
