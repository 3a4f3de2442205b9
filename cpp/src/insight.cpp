#include "posenc/insight.hpp"

#include "posenc/kernels.hpp"

namespace posenc {

namespace {

Error check_rank(const View& view, int rank, std::string_view name) {
  if (view.shape.rank != rank) return error_at(Code::shape_mismatch, name, "must have % dims, got %", rank, view.shape);
  return check_view(view, name);
}

Error table_profile(Table& table, const View& out) {
  std::vector<float> origin(std::size_t(table.dim)), row(origin.size());
  if (Error error = table.check_position(out.length - 1)) return error;
  if (table.axes > 1) return error_at(Code::unsupported, "encoding", "has positions on % axes", table.axes);
  Positions places{.values = {}, .offset = 0, .count = int(out.length)};
  for (double d = 0; d < out.length; ++d) {
    table.row(&d, places, (d == 0 ? origin : row).data());
    if (d == 0) row = origin;
    dot_products(origin.data(), row.data(), out.data + std::size_t(d), 1, 1, row.size());
  }
  return {};
}

// From equal vectors at place 0 to places further along all axes.
void rotation_profile(Rotation& rotation, const View& out) {
  const std::size_t pairs = std::size_t(rotation.pairs);
  const int count = int(out.length);
  const Positions distances{.values = {}, .offset = 0, .count = count};
  std::vector<float> c(pairs), s(pairs);
  const double magnitude = rotation.attention_factor * rotation.attention_factor / double(pairs);
  Waves& waves = rotation.waves(out.length);
  const Places places(rotation, distances, out.length, Role::query);
  for (int d = 0; d < count; ++d) {
    rotation.row(waves, difference(places[std::size_t(d)], places[0]), 1, 1, c.data(), s.data());
    double sum = 0;
    for (float cosine : c) sum += double(cosine);
    out.data[d] = float(sum * magnitude);
  }
}

// The query stands at the last of the keys; distance 0 is its own place.
Error bias_profile(Bias& bias, const View& out) {
  const double count = out.shape.rank == 2 ? out.shape[1] : out.length;
  if (Error error = check_result(out, {double(bias.heads), count}, "out")) return error;
  if (!bias.has_profile()) return error_at(Code::unsupported, "encoding", "goes by two axes, not by one distance");
  const std::size_t length = std::size_t(count);
  if (Error error = bias.begin({.values = {}, .offset = count - 1, .count = 1},
                               {.values = {}, .offset = 0, .count = int(count)}, out.length))
    return error;
  for (int head = 0; head < bias.heads; ++head) {
    float* line = out.data + std::size_t(head) * length;
    bias.row(head, count - 1, 0, length, line);
    std::reverse(line, line + length);
  }
  return {};
}

}  // namespace

Error similarity(const View& table, const View& out) {
  if (Error error = check_rank(table, 2, "table")) return error;
  if (Error error = check_result(out, {table.shape[0], table.shape[0]}, "out")) return error;
  const std::size_t rows = std::size_t(table.shape[0]);
  dot_products(table.data, table.data, out.data, rows, rows, std::size_t(table.shape[1]));
  return {};
}

Error distance_profile(Learned& encoding, const View& out) {
  if (auto* bias = as<Bias>(encoding)) return bias_profile(*bias, out);
  if (as<Relative>(encoding))
    return error_at(Code::unsupported, "encoding", "depends on q and k, not on distance alone; see its logits");
  if (Error error = check_result(out, {out.length}, "out")) return error;
  if (auto* table = as<Table>(encoding)) return table_profile(*table, out);
  rotation_profile(*as<Rotation>(encoding), out);
  return {};
}

Error score_terms(const View& x, const View& table, const View& wq, const View& wk, const std::array<View, 4>& out) {
  if (Error error = check_rank(x, 2, "x")) return error;
  if (Error error = check_result(table, x.shape, "table")) return error;
  if (Error error = check_rank(wq, 2, "wq")) return error;
  if (Error error = check_result(wk, wq.shape, "wk")) return error;
  if (wq.shape[1] != x.shape[1])
    return error_at(Code::shape_mismatch, "wq", "last dim must be x's, got % against %", wq.shape, x.shape);
  const std::size_t rows = std::size_t(x.shape[0]), width = std::size_t(x.shape[1]), inner = std::size_t(wq.shape[0]);
  for (const View& view : out)
    if (Error error = check_result(view, {x.shape[0], x.shape[0]}, "out")) return error;
  std::array<std::vector<float>, 2> queries, keys;
  for (std::size_t i = 0; i < 2; ++i) {
    const float* source = i == 0 ? x.data : table.data;
    queries[i].resize(rows * inner);
    keys[i].resize(rows * inner);
    dot_products(source, wq.data, queries[i].data(), rows, inner, width);
    dot_products(source, wk.data, keys[i].data(), rows, inner, width);
  }
  for (std::size_t i = 0; i < 4; ++i)
    dot_products(queries[i / 2].data(), keys[i % 2].data(), out[i].data, rows, rows, inner);
  return {};
}

}  // namespace posenc
