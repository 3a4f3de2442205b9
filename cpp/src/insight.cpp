#include "posenc/insight.hpp"

#include "posenc/kernels/kernels.hpp"
#include "rotary/multipliers.hpp"

namespace posenc {

namespace {

Error check_rank(const View& view, int rank, std::string_view name) {
  if (view.shape.rank != rank) return error_at(Code::shape_mismatch, name, "must have % dims, got %", rank, view.shape);
  return check_view(view, name);
}

Error table_profile(const Table& table, const View& out, Workspace& workspace) {
  const std::size_t dim = std::size_t(table.dim);
  Buffer origin(table.dim), row(table.dim);
  Cache* cache = workspace.find(table);
  if (!origin || !row || !cache) return no_memory_for_rows();
  if (Error error = table.check_position(out.length - 1)) return error;
  if (table.axes > 1) return error_at(Code::unsupported, "encoding", "positions must have 1 axis, got %", table.axes);
  Positions row_positions = Positions::run(0, int(out.length));
  for (double d = 0; d < out.length; ++d) {
    table.row(&d, row_positions, (d == 0 ? origin : row).data(), *cache);
    dot_products(origin.data(), (d == 0 ? origin : row).data(), out.data + std::size_t(d), 1, 1, dim);
  }
  return {};
}

// Scores of equal vectors: query at position 0, keys at growing distances along all axes.
Error rotation_profile(const Rotation& rotation, const View& out, Workspace& workspace) {
  const std::size_t pairs = std::size_t(rotation.pairs);
  const int count = int(out.length);
  const Positions distances = Positions::run(0, count);
  Buffer c(rotation.pairs), s(rotation.pairs);
  if (!c || !s) return no_memory_for_rows();
  const double magnitude = rotation.attention_factor * rotation.attention_factor / double(pairs);
  const Multipliers multipliers(rotation, out.length, workspace);
  const RotationPositions rotation_positions(rotation, distances, out.length, Role::query);
  for (int d = 0; d < count; ++d) {
    multipliers.write_row(difference(rotation_positions[std::size_t(d)], rotation_positions[0]), 1, 1, c.data(),
                          s.data());
    double sum = 0;
    for (std::size_t k = 0; k < pairs; ++k) sum += double(c.data()[k]);
    out.data[d] = float(sum * magnitude);
  }
  return {};
}

// The query is at the position of the last key; distance 0 is the query's own position.
Error bias_profile(const Bias& bias, const View& out, Workspace& workspace) {
  const double count = out.shape.rank == 2 ? out.shape[1] : out.length;
  if (Error error = check_result(out, {double(bias.heads), count}, "out")) return error;
  if (!bias.has_profile())
    return error_at(Code::unsupported, "encoding", "must depend on one distance, not on two axes");
  const std::size_t length = std::size_t(count);
  BiasScratch& scratch = *workspace.of<BiasScratch>(bias);
  if (Error error = bias.begin(Positions::run(count - 1, 1), Positions::run(0, int(count)), out.length, scratch))
    return error;
  for (int head = 0; head < bias.heads; ++head) {
    float* line = out.data + std::size_t(head) * length;
    bias.row(head, count - 1, 0, length, line, scratch);
    std::reverse(line, line + length);
  }
  return {};
}

}  // namespace

Error similarity(const View& table, const View& out) noexcept {
  if (Error error = check_rank(table, 2, "table")) return error;
  if (Error error = check_result(out, {table.shape[0], table.shape[0]}, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"table", table}})) return error;
  const std::size_t rows = std::size_t(table.shape[0]);
  dot_products(table.data, table.data, out.data, rows, rows, std::size_t(table.shape[1]));
  return {};
}

Error distance_profile(const Learned& encoding, const View& out, Workspace& workspace) noexcept {
  if (Error error = check_apart({{"out", out}}, {}, &encoding)) return error;
  if (const auto* bias = as<Bias>(encoding)) return bias_profile(*bias, out, workspace);
  if (as<Relative>(encoding))
    return error_at(Code::unsupported, "encoding", "must not depend on q and k; use logits()");
  if (Error error = check_result(out, {out.length}, "out")) return error;
  if (const auto* table = as<Table>(encoding)) return table_profile(*table, out, workspace);
  return rotation_profile(*as<Rotation>(encoding), out, workspace);
}

Error score_terms(const View& x, const View& table, const View& wq, const View& wk,
                  const std::array<View, 4>& out) noexcept {
  if (Error error = check_rank(x, 2, "x")) return error;
  if (Error error = check_result(table, x.shape, "table")) return error;
  if (Error error = check_rank(wq, 2, "wq")) return error;
  if (Error error = check_result(wk, wq.shape, "wk")) return error;
  if (wq.shape[1] != x.shape[1])
    return error_at(Code::shape_mismatch, "wq", "last dim must match x, got % against %", wq.shape, x.shape);
  const std::size_t rows = std::size_t(x.shape[0]), width = std::size_t(x.shape[1]), inner = std::size_t(wq.shape[0]);
  for (const View& view : out)
    if (Error error = check_result(view, {x.shape[0], x.shape[0]}, "out")) return error;
  if (Error error = check_apart({{"contentContent", out[0]},
                                 {"contentPosition", out[1]},
                                 {"positionContent", out[2]},
                                 {"positionPosition", out[3]}},
                                {{"x", x}, {"table", table}, {"wq", wq}, {"wk", wk}}))
    return error;
  std::array<Buffer, 4> projected;
  for (Buffer& buffer : projected)
    if (!(buffer = Buffer({x.shape[0], wq.shape[0]})))
      return error_at(Code::out_of_memory, "scoreTerms", "out of memory for % projected rows of % values",
                      4 * x.shape[0], wq.shape[0]);
  const Buffer *queries = projected.data(), *keys = queries + 2;
  for (std::size_t i = 0; i < 2; ++i) {
    const float* source = i == 0 ? x.data : table.data;
    dot_products(source, wq.data, queries[i].data(), rows, inner, width);
    dot_products(source, wk.data, keys[i].data(), rows, inner, width);
  }
  for (std::size_t i = 0; i < 4; ++i)
    dot_products(queries[i / 2].data(), keys[i % 2].data(), out[i].data, rows, rows, inner);
  return {};
}

}  // namespace posenc
