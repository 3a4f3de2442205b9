// The scores of queries against keys, tile by tile, with everything that is added or hidden.
#pragma once

#include "attention_tiles.hpp"
#include "posenc/attention.hpp"
#include "posenc/memory.hpp"

namespace posenc {

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

/// The sequence length that the rotation goes by: that of queries and keys together.
double rotation_length(const AttentionOptions& options);

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
  /// Adds to the sums of a query of group member g what its weights select of the encoding's own values.
  void add_values(int g, int query, const float* weights, float* sums) const;
  /// Must tiles of keys come from the last to the first?
  bool from_last() const { return options_.relative && options_.relative->contextual; }
  /// From now on scores() gives the places that a contextual encoding finds.
  void find_places() { finds_places_ = true; }
  /// scores[4][kKeys] of queries first … first + 3 of group member g; hidden and missing keys are -infinity.
  void scores(int g, int first, float* out);
  /// What products of this query with keys are multiplied by: the scale, and its temperature.
  float scale_of(int query) const;

 private:
  double right() const;
  void load(const View& source, const HeadShape& shape, int head, int t, const Positions& positions, float* row);
  double place_of(const Positions& positions, const HeadShape& shape, int t) const;
  RelativeQuery relative_query(int g, int query) const;
  void finish_row(int head, int query, float* row) const;
  void hide_row(int head, int query, float* row) const;
  std::ptrdiff_t at(const Broadcast& strides, int head, int query) const;
  void add_encoding_bias(int head, int query, float* row) const;

  const View &q_, &k_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  int rows_, depth_, width_;
  Buffer query_buffer_, key_buffer_, row_buffer_;
  Broadcast mask_, bias_;
  RelativeKeys keys_{};
  double key_places_[tiles::kKeys];
  bool finds_places_ = false;
  float scale_ = 1;
  /// Of each query, or of those of all batch rows where they differ; empty: 1.
  std::vector<float> temperatures_;
  double length_ = 1;
  std::optional<Places> query_turns_, key_turns_;
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
