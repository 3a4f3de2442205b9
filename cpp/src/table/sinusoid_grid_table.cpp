#include "posenc/table/sinusoidal_grid.hpp"

namespace posenc {

SinusoidColumns SinusoidBlock::columns(SinusoidBlocks order, bool cosine_first, int offset) const {
  SinusoidColumns at{offset + 2 * before, offset + 2 * before + 1, 2};
  if (order == SinusoidBlocks::concat) at = {at.sine, at.sine + count, 1};
  if (order == SinusoidBlocks::grouped) at = {offset + before, offset + total + before, 1};
  if (order == SinusoidBlocks::banded) at = {offset + index, offset + blocks + index, 2 * blocks};
  if (cosine_first) std::swap(at.sine, at.cosine);
  return at;
}

void write_sinusoids(const SinusoidColumns& columns, int count, const float* sines, const float* cosines, int dim,
                     float* out) {
  const auto write = [&](int column, const float* values) {
    for (int k = 0; k < count && column < dim; ++k, column += columns.step) out[column] = values[k];
  };
  write(columns.sine, sines);
  write(columns.cosine, cosines);
}

std::vector<Real> falling_frequencies(int count, double base, const Real& denominator) {
  const Real rate = -log(Real(base)) / denominator;
  std::vector<Real> out(std::size_t(count), Real(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = exp(Real(double(i)) * rate);
  return out;
}

Real SinusoidGridTable::coordinate(const GridAxis& block, double position, const Positions& call) const {
  const Real shifted = start == 0 ? Real{position, 0} : Real{position, 0} + Real{start, 0}, scale{block.scale, 0};
  const double extent = call.extent_of(block.axis);
  if (normalize) {
    const Real last = Real(extent - 1) + Real(start) + Real(eps);
    return last == Real(0) ? Real(0) : shifted / last * scale;
  }
  if (base_size > 0) return shifted * Real(base_size) / Real(std::max(extent, 1.0)) * scale;
  return block.scale == 1 ? shifted : shifted * scale;
}

void SinusoidGridTable::row(const double* coordinates, const Positions& call, float* out, Cache& cache) const {
  std::fill(out, out + dim, 0.0f);
  auto& own = static_cast<SinusoidsCache&>(cache);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const GridAxis& block = blocks[i];
    const int count = own.sinusoids[i]->count();
    float *cosines = own.row.data(), *sines = cosines + count;
    own.sinusoids[i]->row(coordinate(block, coordinates[block.axis], call), 1, 1, cosines, sines);
    write_sinusoids(block.columns, count, sines, cosines, dim, out);
  }
}

std::unique_ptr<SinusoidGridTable> GridSpec::make(std::span<const int> axis_order, std::span<const int> counts) const {
  auto table = std::make_unique<SinusoidGridTable>();
  table->dim = dim;
  table->axes = int(axis_order.size());
  table->start = start;
  table->normalize = normalize;
  table->eps = eps;
  table->base_size = base_size;
  SinusoidBlock block{.index = 0, .blocks = table->axes};
  for (const int count : counts) block.total += count;
  for (const int axis : axis_order) {
    block.count = counts[std::size_t(block.index)];
    const Real shifted = Real(block.count) - Real(frequency_shift), least = frequency_shift > 0 ? 1.0 : 0.5;
    table->sinusoids[table->blocks.size()].frequencies =
        falling_frequencies(block.count, base, std::max(shifted, least));
    table->blocks.push_back(
        {axis, scale, block.columns(SinusoidBlocks(int(pairing)), order == SinusoidOrder::cosine_sine)});
    block.before += block.count;
    ++block.index;
  }
  return table;
}

std::unique_ptr<Table> Sinusoidal2d::make() const {
  const int count = grid.frequency_count(grid.dim, 2);
  const bool rows_first = axis_order == ImageAxes::yx;
  return grid.make(std::array{rows_first ? 0 : 1, rows_first ? 1 : 0}, std::array{count, count});
}

std::unique_ptr<Table> Sinusoidal3d::make() const {
  constexpr std::array<std::array<int, 3>, 3> kOrders{{{0, 1, 2}, {0, 2, 1}, {2, 1, 0}}};
  const int others =
      temporal_dim ? grid.frequency_count(grid.dim - temporal_dim, 2) : grid.frequency_count(grid.dim, 3);
  const int frame = temporal_dim ? temporal_dim / 2 : others;
  std::array counts{frame, others, others};
  if (axis_order == VideoAxes::xyt) std::swap(counts[0], counts[2]);
  auto table = grid.make(kOrders[std::size_t(axis_order)], counts);
  for (GridAxis& block : table->blocks)
    if (block.axis == 0 && temporal_scale) block.scale = *temporal_scale;
  return table;
}

}  // namespace posenc
