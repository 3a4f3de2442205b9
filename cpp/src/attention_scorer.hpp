// The scores of queries against keys, tile by tile, with everything that is added or hidden.
#pragma once

#include <cstdlib>

#include "attention_tiles.hpp"
#include "posenc/attention.hpp"

namespace posenc {

/// Scratch that may be too large for the machine: asked for without exceptions.
class Buffer {
 public:
  explicit Buffer(double floats) {
    if (floats < 1e9) data_ = static_cast<float*>(std::calloc(std::size_t(floats) + 1, sizeof(float)));
  }
  ~Buffer() { std::free(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  float* data() const { return data_; }
  explicit operator bool() const { return data_; }

 private:
  float* data_ = nullptr;
};

inline Error attention_out_of_memory() { return {Code::out_of_memory, "", "attention: out of memory for its scratch"}; }

/// The heads of q, k and v, and how many query heads share a key head.
struct Sizes {
  HeadShape q, k, v;
  int group = 1;
};

/// Strides of a mask or bias that is broadcast; 0 where it has one for all.
struct Broadcast {
  std::ptrdiff_t batch = 0, head = 0, query = 0;
};

class Scorer {
 public:
  Scorer(const View& q, const View& k, const Sizes& sizes, const AttentionOptions& options);
  static int round_up_queries(int count) { return (count + tiles::kQueries - 1) / tiles::kQueries * tiles::kQueries; }

  /// Checks mask and bias, and that there was memory.
  Error prepare();
  /// Loads and turns the queries of all heads that share a key head.
  void load_queries(int batch, int key_head);
  /// Loads, turns and transposes a tile of keys.
  void load_keys(int first, int count);
  /// Is any key of the tile visible to any of these queries, by causality and window?
  bool touches(int first_query, int count) const;
  /// scores[4][kKeys] of queries first … first + 3 of group member g; hidden and missing keys are -infinity.
  void scores(int g, int first, float* out);

 private:
  double right() const;
  void load(const View& source, const HeadShape& shape, int head, int t, const Positions& positions, float* row);
  void finish_row(int head, int query, float* row) const;
  void add_encoding_bias(int head, int query, float* row) const;

  const View &q_, &k_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  int rows_;
  Buffer query_buffer_, key_buffer_, row_buffer_;
  Broadcast mask_, bias_;
  float scale_ = 1;
  double length_ = 1;
  int batch_ = 0, key_head_ = 0, first_key_ = 0, key_count_ = 0;
};

/// What happens along a walk over batches, key heads, key tiles, query heads and blocks of queries.
class Walker {
 public:
  virtual ~Walker() = default;
  virtual void begin(int /*batch*/, int /*key_head*/) {}
  virtual void tile(int /*first_key*/, int /*count*/) {}
  /// scores [4][kKeys] of group member g's queries against the tile's keys.
  virtual void block(int g, int query, int rows, int first_key, int count, float* scores) = 0;
  virtual void end() = 0;
};
void walk(Scorer& scorer, const Sizes& sizes, Walker& walker);

}  // namespace posenc
