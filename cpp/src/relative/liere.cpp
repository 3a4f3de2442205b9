#include "posenc/relative/liere.hpp"

#include "math/matrix.hpp"

namespace posenc {

namespace {

class LiereMaps final : public RowMaps {
 public:
  LiereMaps(const Liere& spec, const Relative& encoding)
      : RowMaps(std::max(1, encoding.heads), spec.blocks() * spec.block_dim * spec.block_dim),
        encoding_(encoding),
        axes_(spec.axes),
        size_(spec.block_dim),
        blocks_(spec.blocks()),
        exponential_(size_),
        matrix_(std::size_t(area())),
        row_(std::size_t(size_)) {}

  void make(int head, const Coordinates& coordinates, float* map) override {
    for (int block = 0; block < blocks_; ++block) {
      fill(head, block, coordinates, false, matrix_.data(), size_);
      exponential_(matrix_.data());
      for (std::ptrdiff_t i = 0; i < area(); ++i) *map++ = float(matrix_[std::size_t(i)]);
    }
  }
  void transform(int, List maps, float* rows, std::ptrdiff_t stride) override { multiply(maps, rows, stride, false); }
  void transform_transposed(int, List maps, float* rows, std::ptrdiff_t stride) override {
    multiply(maps, rows, stride, true);
  }

  // Sums the gradient of each position's map over all rows at that position.
  bool begin_learning(double position_count) override {
    slopes_ = Array<double>({position_count, double(heads), double(floats)});
    coordinates_ = Array<Coordinates>(position_count);
    count_ = std::size_t(position_count);
    return slopes_ && coordinates_;
  }
  void learn(const Slope& of) override {
    coordinates_.data()[of.index] = of.coordinates;
    double* to = slopes_.data() + (std::ptrdiff_t(of.index) * heads + of.head) * floats;
    for (int at = 0; at < blocks_ * size_; at += size_)
      for (int i = 0; i < size_; ++i)
        for (int j = 0; j < size_; ++j) *to++ += double(of.slopes[at + i]) * double(of.given[at + j]);
  }
  void finish_learning(Training& training) override {
    Exponential whole(2 * size_);
    std::vector<double> twice(std::size_t(4 * area()));
    for (std::size_t position = 0; position < count_; ++position)
      for (int head = 0; head < heads; ++head)
        for (int block = 0; block < blocks_; ++block) {
          const double* slope = slopes_.data() + (std::ptrdiff_t(position) * heads + head) * floats + block * area();
          give(head, block, coordinates_.data()[position], slope, whole, twice, training);
        }
  }

 private:
  std::ptrdiff_t area() const { return std::ptrdiff_t(size_) * size_; }
  std::ptrdiff_t generator_of(int axis, int head, int block) const {
    return ((std::ptrdiff_t(axis) * heads + head) * blocks_ + block) * area();
  }

  // Writes the sum of a block's generators at a position, or its transpose, to rows of `width`.
  void fill(int head, int block, const Coordinates& coordinates, bool transposed, double* out, int width) const {
    for (int i = 0; i < size_; ++i) out[i * width + i] = 0;
    for (int i = 0; i < size_; ++i)
      for (int j = i + 1; j < size_; ++j) {
        double sum = 0;
        for (int axis = 0; axis < axes_; ++axis)
          sum += coordinates[std::size_t(axis)].hi *
                 double(encoding_.parameters[0].values[std::size_t(generator_of(axis, head, block) + i * size_ + j)]);
        out[i * width + j] = transposed ? -sum : sum;
        out[j * width + i] = transposed ? sum : -sum;
      }
  }

  void multiply(List maps, float* rows, std::ptrdiff_t stride, bool transposed) {
    for (const float* map : maps) {
      for (int block = 0; block < blocks_; ++block, map += area()) {
        float* x = rows + block * size_;
        for (int i = 0; i < size_; ++i) {
          double sum = 0;
          for (int j = 0; j < size_; ++j) sum += double(map[transposed ? j * size_ + i : i * size_ + j]) * double(x[j]);
          row_[std::size_t(i)] = sum;
        }
        for (int i = 0; i < size_; ++i) x[i] = float(row_[std::size_t(i)]);
      }
      rows += stride;
    }
  }

  // The derivative of the exponential at Aᵀ in direction G is the upper right block of exp([Aᵀ G; 0 Aᵀ]). Source:
  // Higham, "Functions of Matrices", 2008, theorem 3.6.
  void give(int head, int block, const Coordinates& coordinates, const double* slope, Exponential& whole,
            std::vector<double>& twice, Training& training) const {
    const int width = 2 * size_;
    double largest = 0;
    for (std::ptrdiff_t i = 0; i < area(); ++i) largest = std::max(largest, std::abs(slope[i]));
    if (!(largest > 0)) return;
    std::ranges::fill(twice, 0.0);
    fill(head, block, coordinates, true, twice.data(), width);
    fill(head, block, coordinates, true, twice.data() + size_ * width + size_, width);
    for (int i = 0; i < size_; ++i)
      for (int j = 0; j < size_; ++j) twice[std::size_t(i * width + size_ + j)] = slope[i * size_ + j] / largest;
    whole(twice.data());
    for (int axis = 0; axis < axes_; ++axis) {
      float* to = training.gradient(0) + generator_of(axis, head, block);
      const double factor = largest * coordinates[std::size_t(axis)].hi;
      for (int i = 0; i < size_; ++i)
        for (int j = i + 1; j < size_; ++j)
          to[i * size_ + j] +=
              float(factor * (twice[std::size_t(i * width + size_ + j)] - twice[std::size_t(j * width + size_ + i)]));
    }
  }

  const Relative& encoding_;
  int axes_, size_, blocks_;
  Exponential exponential_;
  std::vector<double> matrix_, row_;
  Array<double> slopes_ = nullptr;
  Array<Coordinates> coordinates_ = nullptr;
  std::size_t count_ = 0;
};

class LiereRelative final : public RowMapsRelative {
 public:
  explicit LiereRelative(const Liere& spec) : RowMapsRelative(spec.dim, spec.heads, spec.axes), spec_(spec) {
    farthest = 65536;
  }

  std::unique_ptr<RowMaps> make_maps() const override { return std::make_unique<LiereMaps>(spec_, *this); }
  bool uses_extent() const override { return !spec_.model_grid.empty(); }
  Real coordinate(double position, int axis, double extent) const override {
    if (spec_.model_grid.empty()) return {position, 0};
    // linspace of one element is its start.
    if (extent <= 1) return {};
    return Real(position) * Real(extent) / (Real(spec_.model_grid[std::size_t(axis)]) * Real(extent - 1));
  }

 private:
  Liere spec_;
};

}  // namespace

Error Liere::validate() const {
  if (block_dim > dim) return spec_error(method.kind, "blockDim", "must be ≤ % (dim), got %", dim, block_dim);
  return check_per_axis(method.kind, "modelGrid", model_grid, axes);
}

std::unique_ptr<Relative> Liere::make() const { return std::make_unique<LiereRelative>(*this); }

}  // namespace posenc
