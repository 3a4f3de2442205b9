// From the gradients of rows to those of learned parameters.
#include "posenc/table/table.hpp"

#include "posenc/core/memory.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

Error Table::backward(const View& gradient, const Positions& positions, const ScatterOptions& options,
                      Training& training, Workspace& workspace) const noexcept {
  if (parameters.empty()) return error_at(Code::unsupported, "backward", "this kind has no learned parameters");
  if (Error error = check_add(gradient, positions, "gradOfX")) return error;
  if (options.by_frequency && parameters[0].name != "weights")
    return error_at(Code::unsupported, "scaleByFrequency", "requires a table with one row per position");
  if (Error error = options.dropout.check()) return error;
  const std::size_t per_row = gradient.length > 0 ? std::size_t(gradient.shape[-2]) : 0, width = std::size_t(dim);
  const std::size_t count = std::size_t(gradient.length) / width;
  const double row_count = options.by_frequency ? parameters[0].shape[0] : 0;
  Buffer times(row_count);
  Cache* cache = workspace.find(*this);
  if (!times || !cache) return error_at(Code::out_of_memory, "backward", "out of memory for % counts", row_count);
  if (Error error = training.begin_backward(*this)) return error;
  if (options.dropout.rate > 0)
    dropout(gradient.data, std::size_t(gradient.length), options.dropout.rate, options.dropout.seed, 0);
  const auto index_of = [&](std::size_t i) { return positions.row_start(i / per_row, per_row) + i % per_row; };
  for (std::size_t i = 0; options.by_frequency && i < count; ++i)
    times.data()[std::size_t(positions[index_of(i)] + start)] += 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t index = index_of(i);
    double coordinates[kMaxAxes];
    for (int axis = 0; axis < axes; ++axis) coordinates[axis] = positions.at(index, axis);
    if (axes == 1 && *coordinates + start == options.padding) continue;
    // Class tokens come before the grid.
    if (axes > 1 && positions.values.empty() && positions.offset + double(index) < 0) continue;
    const float factor = options.by_frequency ? 1 / times.data()[std::size_t(*coordinates + start)] : 1;
    scatter(coordinates, positions, gradient.data + i * width, factor, training, *cache);
  }
  return {};
}

}  // namespace posenc
