#include "posenc/bias/bias.hpp"

#include "bias/rows.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

Error check_apart_from_inputs(Regions results, const BiasCall& call, const Bias& bias) {
  const AttentionMasks& visible = call.visible;
  return check_apart(results,
                     {{"mask", visible.mask},
                      {"attentionMask", visible.attention_mask},
                      {"segments", visible.segments.ids()},
                      {"keyPositions", call.key_positions}},
                     &bias);
}

bool is_count(double n) { return is_whole(n, 0, 2147483647); }

// Number of keys from index `start` on at consecutive positions.
std::size_t run_length(const Positions& keys, std::size_t start, std::size_t count) {
  std::size_t length = 1;
  while (length < count && keys.values[start + length] == keys.values[start] + double(length)) ++length;
  return length;
}

// Calls visit(first key's position, index, count) for each run of keys at consecutive positions.
template <class Visit>
void for_each_run(const Positions& keys, std::size_t start, std::size_t count, const Visit& visit) {
  if (count == 0) return;
  if (keys.values.empty()) return visit(keys.offset + double(start), 0, count);
  for (std::size_t done = 0, length = 0; done < count; done += length) {
    length = run_length(keys, start + done, count - done);
    visit(keys.values[start + done], done, length);
  }
}

Positions queries_of(const BiasCall& call) { return Positions::run(call.offset, int(call.queries)); }

}  // namespace

void Bias::apply_row(int head, double query, const Positions& keys, std::size_t start, std::size_t count, bool onto,
                     float* scores, BiasScratch& scratch) const {
  head = heads == 1 ? 0 : head;
  for_each_run(keys, start, count, [&](double key, std::size_t done, std::size_t length) {
    if (onto) return add_run(head, query, key, length, scores + done, scratch);
    row(head, query, key, length, scores + done, scratch);
  });
}

void Bias::add_run(int head, double query, double first_key, std::size_t count, float* scores,
                   BiasScratch& scratch) const {
  constexpr std::size_t kRun = 64;
  float line[kRun];
  for (std::size_t done = 0; done < count; done += kRun) {
    const std::size_t length = std::min(kRun, count - done);
    const double key = first_key + double(done);
    if (factors(head, query, key, length, line, scratch))
      for (std::size_t j = 0; j < length; ++j) scores[done + j] *= line[j];
    row(head, query, key, length, line, scratch);
    add(scores + done, line, length);
  }
}

void Bias::apply_block(int head, double query, std::size_t rows, double key, std::size_t count, std::ptrdiff_t stride,
                       bool onto, float* scores, BiasScratch& scratch) const {
  head = heads == 1 ? 0 : head;
  // Each further query starts one element further left.
  const float* line = kept_row(head, query + double(rows - 1), key, count + rows - 1, scratch);
  for (std::size_t r = 0; r < rows; ++r, scores += stride) {
    if (line && onto)
      add(scores, line + (rows - 1 - r), count);
    else if (line)
      copy_row(line + (rows - 1 - r), count, scores, scratch.streamed);
    else if (onto)
      add_run(head, query + double(r), key, count, scores, scratch);
    else
      row(head, query + double(r), key, count, scores, scratch);
  }
}

Error Bias::check(const BiasCall& call, double batch, double score_heads, ResolvedMask& mask,
                  BiasScratch& scratch) const {
  const auto bad = [](std::string_view name, double value) {
    return error_at(Code::invalid_argument, name, "must be a whole number from 0 to 2147483647, got %", value);
  };
  if (!is_count(call.queries)) return bad("queries", call.queries);
  if (!is_count(call.keys)) return bad("keys", call.keys);
  if (Error error = queries_of(call).check(call.queries, 1)) return error;
  if (Error error = mask.check(call.visible, {batch, score_heads, call.queries, call.keys}, call.offset)) return error;
  if (!call.key_positions.values.empty())
    if (Error error = call.key_positions.check(call.keys, batch, 1, false, "keyPositions")) return error;
  if (!mask.has_segments()) return begin(queries_of(call), call.resolved_key_positions(), kMostBiasesKept, scratch);
  // With segments, queries are a subset of the keys.
  Positions all = call.resolved_key_positions();
  if (all.values.empty()) {
    if (Error error = mask.compute_segment_positions()) return error;
    all = Positions::given(mask.segment_positions(), int(call.keys));
  }
  return begin(all, all, kMostBiasesKept, scratch);
}

void Bias::walk_blocks(const BiasCall& call, int batch, int score_heads, bool onto, float* scores,
                       BiasScratch& scratch) const {
  constexpr int kTogether = 64;
  const std::size_t count = std::size_t(call.keys);
  for (int index = 0; index < batch * score_heads; ++index)
    for (int first = 0, rows; first < int(call.queries); first += rows, scores += std::size_t(rows) * count) {
      rows = std::min(kTogether, int(call.queries) - first);
      apply_block(index % score_heads, call.offset + first, std::size_t(rows), 0, count, std::ptrdiff_t(count), onto,
                  scores, scratch);
    }
}

// scores [batch, heads, queries, keys]
Error Bias::walk(const BiasCall& call, const ResolvedMask& mask, int batch, int score_heads, bool onto, float* scores,
                 BiasScratch& scratch) const {
  const int count = int(call.keys);
  scratch.streamed = product({double(batch), double(score_heads), call.queries, call.keys}) > kCachedFloats;
  if (call.key_positions.values.empty() && !mask.has_segments() && !mask.masks_any()) {
    walk_blocks(call, batch, score_heads, onto, scores, scratch);
    return {};
  }
  return for_each_row(*this, call, mask, batch, score_heads, scratch, [&](const BiasRow& row) {
    float* row_scores = scores + row.index * std::size_t(count);
    std::fill_n(row_scores, row.keys.begin, kMasked);
    apply_row(row.head, row.query_position, row.key_positions, 0, std::size_t(row.keys.count()), onto,
              row_scores + row.keys.begin, scratch);
    std::fill(row_scores + row.keys.end, row_scores + count, kMasked);
    mask.mask_row(row.batch, row.head, row.query, 0, count, row_scores, kMasked);
  });
}

Error Bias::bias(const BiasCall& call, const View& out, Workspace& workspace) const noexcept {
  bool has_batch = false;
  double batch = 1;
  const auto add_batch_of = [&](const auto& view, int rank) {
    if (!view.data || view.shape.rank != rank) return;
    batch = has_batch ? std::max(batch, view.shape[0]) : view.shape[0];
    has_batch = true;
  };
  add_batch_of(call.visible.mask, 4);
  add_batch_of(call.visible.attention_mask, 2);
  add_batch_of(call.visible.segments, 2);
  ResolvedMask mask;
  BiasScratch& scratch = *workspace.of<BiasScratch>(*this);
  if (Error error = check(call, batch, heads, mask, scratch)) return error;
  const Shape shape{double(heads), call.queries, call.keys}, with_batch{batch, double(heads), call.queries, call.keys};
  if (Error error = check_result(out, has_batch ? with_batch : shape, "out")) return error;
  if (Error error = check_apart_from_inputs({{"out", out}}, call, *this)) return error;
  return walk(call, mask, int(batch), heads, false, out.data, scratch);
}

Error Bias::fit(BiasCall& call, const View& scores, std::string_view name, double& batch, ResolvedMask& mask,
                BiasScratch& scratch) const {
  const Shape& shape = scores.shape;
  if (shape.rank < 3)
    return error_at(Code::shape_mismatch, name, "must have at least 3 dims, [..., heads, queries, keys], got %", shape);
  if (Error error = check_view(scores, name)) return error;
  if (heads != 1 && shape[-3] != heads)
    return error_at(Code::shape_mismatch, name, "must have % heads, got %", heads, shape);
  call.queries = shape[-2];
  call.keys = shape[-1];
  batch = 1;
  for (int axis = 0; axis < shape.rank - 3; ++axis) batch *= shape[axis];
  if (Error error = check_apart_from_inputs({{name, scores}}, call, *this)) return error;
  return check(call, batch, shape[-3], mask, scratch);
}

Error Bias::apply_to(BiasCall call, const View& scores, Workspace& workspace) const noexcept {
  double batch = 1;
  ResolvedMask mask;
  BiasScratch& scratch = *workspace.of<BiasScratch>(*this);
  if (Error error = fit(call, scores, "scores", batch, mask, scratch)) return error;
  return walk(call, mask, int(batch), int(scores.shape[-3]), true, scores.data, scratch);
}

Error Bias::buckets(const BiasCall& call, std::span<std::int32_t> out, Workspace& workspace) const noexcept {
  if (bucket(0, 0) < 0) return error_at(Code::unsupported, "buckets", "this kind has no buckets");
  const AttentionMasks& visible = call.visible;
  if (visible.mask.data || visible.attention_mask.data || visible.segments.data)
    return error_at(Code::invalid_argument, visible.segments.data ? "segments" : "mask",
                    "cannot be used: buckets are computed for all pairs");
  ResolvedMask mask;
  BiasScratch& scratch = *workspace.of<BiasScratch>(*this);
  if (Error error = check(call, 1, 1, mask, scratch)) return error;
  if (double(out.size()) != call.queries * call.keys)
    return error_at(Code::shape_mismatch, "out", "must have % values, got %", call.queries * call.keys,
                    double(out.size()));
  if (Error error = check_apart_from_inputs({{"out", out}}, call, *this)) return error;
  const Positions keys = call.resolved_key_positions();
  std::size_t index = 0;
  for (double query = 0; query < call.queries; ++query)
    for (std::size_t key = 0; key < std::size_t(call.keys); ++key)
      out[index++] = bucket(call.offset + query, keys[key]);
  return {};
}

void DistanceBias::fill(bool is_factor, int head, double relative, std::size_t count, float* out,
                        BiasScratch& scratch) const {
  for (std::size_t j = 0; j < count; ++j) {
    const double distance = 0.0 - (relative + double(j));
    out[j] = float(is_factor ? factor(head, distance) : value(head, distance, scratch));
  }
}

Distances::Distances(const Positions& queries, const Positions& keys) {
  if (!queries.count || !keys.count) return;
  first = keys.smallest() - queries.largest();
  const double all = keys.largest() - queries.smallest() - first + 1;
  const double given = std::max(double(keys.count), double(keys.values.size())) + queries.count;
  if (all <= 2 * given) count = all;
}

bool Distances::within(const BiasScratch& scratch) const {
  // Fractional distances never reuse the line of another call, which was computed by other sums.
  return count > 0 && !scratch.moves && first == std::floor(first) && scratch.first == std::floor(scratch.first) &&
         first >= scratch.first && first + count <= scratch.first + double(scratch.length);
}

void Distances::make_lines(double rows, BiasScratch& scratch) const {
  const double last = first + count, before = scratch.first + double(scratch.length);
  const double further = std::floor(count / 4);
  const bool grows = scratch.length && first < scratch.first && last >= scratch.first && last <= before;
  const double spare = grows && product({count + further, rows}) <= kMostLinesKept ? further : 0;
  scratch.first = first - spare;
  scratch.length = 0;
  scratch.lines = nullptr;
  scratch.lines = Buffer({count + spare, rows});
  if (scratch.lines) scratch.length = std::size_t(count + spare);
}

Error DistanceBias::begin(const Positions& queries, const Positions& keys, double most, BiasScratch& scratch) const {
  constexpr double kRows = 1024, kRun = 64;
  Distances distances(queries, keys);
  const double parts = has_factors ? 2 : 1;
  const std::uint64_t made_of = fingerprint();
  if (std::exchange(scratch.made_of, made_of) == made_of && distances.within(scratch)) return {};
  scratch.head = -1;
  // Given positions may be in any order, and take as much memory themselves: the window moves only along runs.
  const bool moves = queries.values.empty() && distances.count * heads * parts > std::max(most, kMostLinesKept);
  if (moves) distances.count = std::min<double>(kRows, queries.count) + kRun;
  if (moves || scratch.moves) scratch.length = 0;
  scratch.moves = moves;
  const std::size_t kept_heads = moves ? 1 : std::size_t(heads);
  distances.make_lines(parts * double(kept_heads), scratch);
  const std::size_t run = heads_share ? 1 : scratch.length;
  for (std::size_t part = 0; !moves && part < std::size_t(parts); ++part)
    for (std::size_t t = 0; t < scratch.length; t += run)
      for (std::size_t head = 0; head < kept_heads; ++head)
        fill(part == 1, int(head), scratch.first + double(t), run,
             scratch.lines.data() + (part * kept_heads + head) * scratch.length + t, scratch);
  return {};
}

const float* DistanceBias::kept(bool is_factor, int head, double relative, std::size_t count,
                                BiasScratch& scratch) const {
  const double length = double(scratch.length);
  const auto outside = [&] {
    return !(relative >= scratch.first && relative + double(count) <= scratch.first + length);
  };
  if (scratch.moves && double(count) <= length && (head != scratch.head || outside())) {
    // Queries ascend, so distances descend.
    scratch.first = relative + double(count) - length;
    scratch.head = head;
    for (int part = 0; part <= int(has_factors); ++part)
      fill(part == 1, head, scratch.first, scratch.length, scratch.lines.data() + std::size_t(part) * scratch.length,
           scratch);
  }
  if (outside() || relative - scratch.first != std::floor(relative - scratch.first)) return nullptr;
  const std::size_t line = scratch.moves ? is_factor : std::size_t(head) + (is_factor ? std::size_t(heads) : 0);
  return scratch.lines.data() + line * scratch.length + std::size_t(relative - scratch.first);
}

void DistanceBias::read(bool is_factor, int head, double relative, std::size_t count, float* out,
                        BiasScratch& scratch) const {
  if (const float* line = kept(is_factor, head, relative, count, scratch))
    copy_row(line, count, out, scratch.streamed);
  else
    fill(is_factor, head, relative, count, out, scratch);
}

void DistanceBias::row(int head, double query, double first_key, std::size_t count, float* out,
                       BiasScratch& scratch) const {
  read(false, head, first_key - query, count, out, scratch);
}

bool DistanceBias::factors(int head, double query, double first_key, std::size_t count, float* out,
                           BiasScratch& scratch) const {
  if (has_factors) read(true, heads == 1 ? 0 : head, first_key - query, count, out, scratch);
  return has_factors;
}

}  // namespace posenc
