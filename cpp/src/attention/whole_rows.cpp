// attention_rows() and context_positions(): one value per query and key.
#include "attention/walk.hpp"

namespace posenc {

using namespace tiles;

namespace {

// Collects whole rows of scores or positions; applies the softmax to scores if weights are wanted.
class WholeRows final : public Walker {
 public:
  enum class Wanted { weights, logits, positions };
  WholeRows(Scorer& scorer, const View& out, const Sizes& sizes, const AttentionOptions& options, Wanted wanted)
      : scorer_(scorer), out_(out), sizes_(sizes), sinks_(options.sinks), wanted_(wanted) {}
  void begin(const QueryChunk& chunk) override { chunk_ = chunk; }

  void block(const Block& block) override {
    alignas(32) float scores[kQueries * kKeys];
    if (wanted_ == Wanted::positions)
      scorer_.relative_scores(block, scores);
    else
      scorer_.scores(block, scores);
    const int first = scorer_.first_key() + block.keys.begin;
    for (int r = 0; r < block.rows; ++r)
      std::copy_n(scores + r * kKeys, block.keys.count(), row(block.member, block.query + r) + first);
  }

  bool end() override {
    for (int g = chunk_.member; wanted_ == Wanted::weights && g < chunk_.member + chunk_.members; ++g)
      for (int i = chunk_.query; i < chunk_.query + chunk_.queries; ++i)
        softmax(g, i, start_of(sinks_, chunk_.key_head * sizes_.group + g));
    return true;
  }

 private:
  float* row(int g, int query) const {
    const std::ptrdiff_t head = std::ptrdiff_t(chunk_.batch) * sizes_.q.heads + chunk_.key_head * sizes_.group + g;
    return out_.data + (head * sizes_.q.positions + query) * sizes_.k.positions;
  }
  void softmax(int g, int query, Softmax state) const {
    float* x = row(g, query);
    const int count = sizes_.k.positions;
    if (count == 0) return;
    if (scorer_.careful()) {
      double exact[kKeys];
      const double total = scorer_.exact_weights(g, query, 0, count, x, state, exact);
      for (int j = 0; j < count; ++j) x[j] = total == 0 ? 0.0f : float(exact[j] / total);
      return;
    }
    const float start = state.total;
    float tile[kKeys], shrink;
    tile[0] = *std::max_element(x, x + count);
    weigh(tile, 1, 1, &state, &shrink);
    // Removes the weight of the maximum again, which was only passed to set `top`.
    state.total = start * shrink;
    for (int j = 0; j < count; j += kKeys) {
      const int some = std::min(kKeys, count - j);
      std::copy_n(x + j, some, tile);
      weigh(tile, 1, some, &state, &shrink);
      std::copy_n(tile, some, x + j);
    }
    for (int j = 0; j < count; j += kKeys) scorer_.sharpen_row(g, query, j, std::min(kKeys, count - j), x + j, state);
    if (state.total != 0) scale(x, count, 1.0f / state.total);
  }

  Scorer& scorer_;
  const View& out_;
  const Sizes& sizes_;
  std::span<const float> sinks_;
  Wanted wanted_;
  QueryChunk chunk_;
};

Error write_rows(const View& q, const View& k, const AttentionOptions& given, const View& out, WholeRows::Wanted wanted,
                 Workspace& workspace) {
  Sizes sizes;
  AttentionOptions options = given;
  const bool positions = wanted == WholeRows::Wanted::positions;
  if (Error error = check_call(q, k, nullptr, options, sizes)) return error;
  const double queries = sizes.q.positions, keys = sizes.k.positions;
  if (Error error = check_result(out, {double(sizes.q.batch), double(sizes.q.heads), queries, keys}, "out"))
    return error;
  if (positions && !(options.relative && options.relative->has_positions))
    return error_at(Code::unsupported, "encoding", "requires an encoding with content-dependent positions");
  if (Error error = check_apart_from_inputs({{"out", out}}, {{"q", q}, {"k", k}}, options)) return error;
  Scorer scorer(q, k, sizes, options, workspace);
  using Request = RelativeRequest::Wanted;
  if (Error error = scorer.prepare(positions ? Request::positions : Request::scores)) return error;
  if (out.length == 0) return {};
  // Keys that no tile visits are masked.
  std::fill_n(out.data, std::size_t(out.length), positions ? 0.0f : kMinusInfinity);
  WholeRows rows(scorer, out, sizes, options, wanted);
  walk(scorer, sizes, rows);
  return {};
}

}  // namespace

Error attention_rows(const View& q, const View& k, const AttentionOptions& options, const View& out,
                     AttentionRows wanted, Workspace& workspace) noexcept {
  using Wanted = WholeRows::Wanted;
  return write_rows(q, k, options, out, wanted == AttentionRows::weights ? Wanted::weights : Wanted::logits, workspace);
}

Error context_positions(const View& q, const View& k, const AttentionOptions& options, const View& out,
                        Workspace& workspace) noexcept {
  return write_rows(q, k, options, out, WholeRows::Wanted::positions, workspace);
}

}  // namespace posenc
