// A cache as it would be without any cleverness: the rows as they were given, attended to from scratch.
#pragma once

#include "cpp/attention/support.hpp"
#include "posenc/attention/cache.hpp"

namespace posenc::test {

struct NaiveToken {
  /// [batch, heads, width] each; [axes, batch]
  std::vector<float> key, value;
  std::vector<double> position;
};

class NaiveCache {
 public:
  NaiveCache(const CacheSpec& spec, int axes = 1) : spec(spec), axes(axes) {}

  CacheSpec spec;
  int axes;
  std::vector<NaiveToken> tokens;
  /// All that left the window, and how many of these truncate() may take back.
  std::vector<NaiveToken> lost;
  int restorable = 0;

  /// Tokens from here on can still be asked for.
  int first_queryable() const { return lost.empty() ? 0 : std::min(int(tokens.size()), spec.sinks + spec.window - 1); }
  void append(const std::vector<NaiveToken>& more);
  bool can_truncate(int length) const;
  void truncate(int length);
  void evict(int first, int count);
  /// By one number, or one per axis.
  void shift(const std::vector<double>& delta);
  void reorder(const std::vector<double>& rows);
  /// q [batch, query heads, queries, dim], the last of the tokens.
  std::vector<float> attend(const std::vector<float>& q, int query_heads, int queries,
                            const AttentionOptions& options) const;

 private:
  std::vector<float> attend_to(const std::vector<NaiveToken>& visible, std::vector<float> q, int query_heads,
                               int queries, AttentionOptions options) const;
};

/// Random tokens; positions go on from the last unless given.
NaiveToken draw_token(Random& random, const CacheSpec& spec, const std::vector<double>& position);
/// The same tokens for both.
Error append(KeyValueCache& cache, NaiveCache& naive, const std::vector<NaiveToken>& tokens, bool with_positions);
std::vector<float> attend(KeyValueCache& cache, std::vector<float> q, int query_heads, int queries,
                          const AttentionOptions& options);

}  // namespace posenc::test
