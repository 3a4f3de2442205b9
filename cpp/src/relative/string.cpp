#include "posenc/relative/string.hpp"

#include "math/matrix.hpp"

namespace posenc {

namespace {

double row_sum(const double* matrix, const float* x, int count) {
  double sum = 0;
  for (int j = 0; j < count; ++j) sum += matrix[j] * double(x[j]);
  return sum;
}

/// Pairs that are rotated in a learned basis.
class StringMaps : public PairMaps {
 protected:
  StringMaps(const String& spec, const Relative& encoding, int pair_count, Pairing layout)
      : PairMaps(encoding.heads, spec.axes, pair_count, layout),
        dim_(spec.dim),
        encoding_(encoding),
        sums_(std::size_t(dim_)),
        row_(std::size_t(dim_)),
        slope_(std::size_t(dim_)) {}
  std::ptrdiff_t area() const { return std::ptrdiff_t(dim_) * dim_; }
  const std::vector<float>& values(std::size_t parameter) const { return encoding_.parameters[parameter].values; }

  int dim_;
  const Relative& encoding_;
  std::vector<double> sums_;
  std::vector<float> row_, slope_;
};

class CayleyMaps final : public StringMaps {
 public:
  CayleyMaps(const String& spec, const Relative& encoding) : StringMaps(spec, encoding, spec.dim / 2, spec.pairing) {
    for (std::size_t i = 0; i < values(1).size(); ++i) set_frequency(i, Real{double(values(1)[i]), 0});
    basis_.resize(std::size_t(heads) * std::size_t(area()));
    std::vector<double> sum(static_cast<std::size_t>(area()));
    for (int head = 0; head < heads; ++head) {
      // I - S and I + S commute.
      write_sum(head, -1, basis_of(head));
      write_sum(head, 1, sum.data());
      solve(sum.data(), basis_of(head), dim_);
    }
  }

  void transform(int head, List maps, float* rows, std::ptrdiff_t stride) override {
    for (std::size_t r = 0; r < maps.size(); ++r) {
      float* x = rows + std::ptrdiff_t(r) * stride;
      for (int i = 0; i < dim_; ++i)
        sums_[std::size_t(i)] = row_sum(basis_of(head) + std::ptrdiff_t(i) * dim_, x, dim_);
      std::ranges::transform(sums_, x, [](double sum) { return float(sum); });
    }
    PairMaps::transform(head, maps, rows, stride);
  }
  void transform_transposed(int head, List maps, float* rows, std::ptrdiff_t stride) override {
    PairMaps::transform_transposed(head, maps, rows, stride);
    for (std::size_t r = 0; r < maps.size(); ++r) {
      float* x = rows + std::ptrdiff_t(r) * stride;
      std::ranges::fill(sums_, 0.0);
      for (int i = 0; i < dim_; ++i)
        for (int j = 0; j < dim_; ++j)
          sums_[std::size_t(j)] += basis_of(head)[std::ptrdiff_t(i) * dim_ + j] * double(x[i]);
      std::ranges::transform(sums_, x, [](double sum) { return float(sum); });
    }
  }

  bool begin_learning(double position_count) override {
    basis_slopes_.assign(basis_.size(), 0.0);
    return PairMaps::begin_learning(position_count);
  }
  void learn(const Slope& of) override {
    PairMaps::learn(of);
    std::copy_n(of.slopes, dim_, slope_.data());
    PairMaps::transform_transposed(of.head, {&of.map, 1}, slope_.data(), 0);
    double* to = basis_slopes_.data() + std::ptrdiff_t(of.head) * area();
    for (int i = 0; i < dim_; ++i)
      for (int j = 0; j < dim_; ++j) *to++ += double(slope_[std::size_t(i)]) * double(of.given[j]);
  }

  // P = (I + S)⁻¹ (I - S), so dP = -(I + S)⁻¹ dS (P + I). With G the gradient of P, the gradient of S is -(I - S)⁻¹ G
  // (P + I)ᵀ.
  void finish_learning(Training& training) override {
    for (std::size_t i = 0; i < slopes_.size(); ++i) training.gradient(1)[i] += float(slopes_[i]);
    const std::size_t elements = std::size_t(area());
    std::vector<double> sum(elements), other(elements);
    for (int head = 0; head < heads; ++head) {
      const double* basis = basis_of(head);
      for (int i = 0; i < dim_; ++i)
        for (int j = 0; j < dim_; ++j)
          other[std::size_t(std::ptrdiff_t(i) * dim_ + j)] = basis[std::ptrdiff_t(j) * dim_ + i] + (i == j ? 1 : 0);
      double* slope = sum.data();
      matrix_product(basis_slopes_.data() + std::ptrdiff_t(head) * area(), other.data(), dim_, slope);
      write_sum(head, -1, other.data());
      solve(other.data(), slope, dim_);
      float* to = training.gradient(0) + std::ptrdiff_t(head) * area();
      for (std::ptrdiff_t i = 0; i < dim_; ++i)
        for (std::ptrdiff_t j = i + 1; j < dim_; ++j)
          to[i * dim_ + j] += float(slope[j * dim_ + i] - slope[i * dim_ + j]);
    }
  }

 private:
  double* basis_of(int head) { return basis_.data() + std::ptrdiff_t(head) * area(); }
  // I + sign · S
  void write_sum(int head, double sign, double* out) const {
    const float* raw = values(0).data() + std::ptrdiff_t(head) * area();
    for (std::ptrdiff_t i = 0; i < dim_; ++i) {
      out[i * dim_ + i] = 1;
      for (std::ptrdiff_t j = i + 1; j < dim_; ++j) {
        out[i * dim_ + j] = sign * double(raw[i * dim_ + j]);
        out[j * dim_ + i] = -out[i * dim_ + j];
      }
    }
  }

  /// P of each head, and its gradient.
  std::vector<double> basis_, basis_slopes_;
};

class CirculantMaps final : public StringMaps {
 public:
  CirculantMaps(const String& spec, const Relative& encoding)
      : StringMaps(spec, encoding, (spec.dim - 1) / 2, Pairing::interleaved) {
    // cos and sin of 2π n / dim: all sinusoids of the transform are among these.
    std::vector<Real> fractions;
    for (int n = 0; n < dim_; ++n) fractions.push_back(Real(n) / Real(dim_));
    cosines_.resize(fractions.size());
    sines_.resize(fractions.size());
    cis_of_turns(fractions, cosines_.data(), sines_.data());
    for (int axis = 0; axis < axes; ++axis)
      for (int head = 0; head < heads; ++head) {
        const float* c = values(2).data() + (std::ptrdiff_t(axis) * heads + head) * dim_;
        for (int k = 0; k < pairs; ++k) {
          double sum = 0;
          for (int r = 0; r < dim_; ++r) sum += double(c[r]) * sines_[phase_index(k, r)];
          set_frequency(index_of(axis, head) + std::size_t(k), Real{2 * sum, 0});
        }
      }
    columns_.resize(std::size_t(2 * pairs) * std::size_t(dim_));
    const double size = std::sqrt(2.0 / dim_);
    for (int k = 0; k < pairs; ++k)
      for (int i = 0; i < dim_; ++i) {
        column(2 * k)[i] = size * cosines_[phase_index(k, i)];
        column(2 * k + 1)[i] = size * sines_[phase_index(k, i)];
      }
  }

  void transform(int, List maps, float* rows, std::ptrdiff_t stride) override { change(maps, rows, stride, 1); }
  void transform_transposed(int, List maps, float* rows, std::ptrdiff_t stride) override {
    change(maps, rows, stride, -1);
  }

  void learn(const Slope& of) override {
    for (int i = 0; i < 2 * pairs; ++i) {
      row_[std::size_t(i)] = float(row_sum(column(i), of.made, dim_));
      slope_[std::size_t(i)] = float(row_sum(column(i), of.slopes, dim_));
    }
    PairMaps::learn({of.head, of.coordinates, of.origin, of.index, of.map, of.given, row_.data(), slope_.data()});
  }
  void finish_learning(Training& training) override {
    for (int axis = 0; axis < axes; ++axis)
      for (int head = 0; head < heads; ++head) {
        float* to = training.gradient(2) + (std::ptrdiff_t(axis) * heads + head) * dim_;
        for (int r = 0; r < dim_; ++r) {
          double sum = 0;
          for (int k = 0; k < pairs; ++k)
            sum += slopes_[index_of(axis, head) + std::size_t(k)] * sines_[phase_index(k, r)];
          to[r] += float(2 * sum);
        }
      }
  }

 private:
  /// Index of the sinusoid of plane k + 1 at feature i.
  std::size_t phase_index(int k, int i) const { return std::size_t(std::int64_t(k + 1) * i % dim_); }
  double* column(int i) { return columns_.data() + std::ptrdiff_t(i) * dim_; }

  // Adds the change by the rotation in each plane.
  void change(List maps, float* rows, std::ptrdiff_t stride, double direction) {
    for (const float* map : maps) {
      for (int i = 0; i < dim_; ++i) sums_[std::size_t(i)] = double(rows[i]);
      for (int k = 0; k < pairs; ++k) {
        const double *u = column(2 * k), *v = column(2 * k + 1), a = row_sum(u, rows, dim_), b = row_sum(v, rows, dim_);
        const double c = double(map[k]) - 1, s = direction * double(map[pairs + k]);
        const double more_a = a * c - b * s, more_b = a * s + b * c;
        for (int i = 0; i < dim_; ++i) sums_[std::size_t(i)] += more_a * u[i] + more_b * v[i];
      }
      std::ranges::transform(sums_, rows, [](double sum) { return float(sum); });
      rows += stride;
    }
  }

  std::vector<double> cosines_, sines_, columns_;
};

class StringRelative final : public RowMapsRelative {
 public:
  explicit StringRelative(const String& spec) : RowMapsRelative(spec.dim, spec.heads, spec.axes), spec_(spec) {
    if (spec.form == StringForm::circulant) farthest = 16777216;
  }

  std::unique_ptr<RowMaps> make_maps() const override {
    if (!can_have(4.0 * sizeof(double) * spec_.dim * spec_.dim * std::max(1, heads))) return nullptr;
    if (spec_.form == StringForm::cayley) return std::make_unique<CayleyMaps>(spec_, *this);
    return std::make_unique<CirculantMaps>(spec_, *this);
  }

 private:
  String spec_;
};

}  // namespace

Error String::validate() const {
  if (form == StringForm::cayley && dim % 2)
    return spec_error(method.kind, "dim", "must be even: features form pairs, got %", dim);
  if (dim < 3 && form == StringForm::circulant)
    return spec_error(method.kind, "dim", "must be ≥ 3 with form circulant, got %", dim);
  return {};
}

std::vector<Parameter> String::parameters() const {
  const bool cayley = form == StringForm::cayley;
  const int own = std::max(1, heads);
  return list_of(
      init.fill("generators", "heads, dim, dim", "Form cayley: only the elements above the diagonal are used.",
                {cayley ? double(own) : 0.0, double(dim), double(dim)}),
      mixed_frequencies(cayley ? own : 0, axes, dim / 2, base, init),
      init.fill("coefficients", "axes, heads, dim", "Form circulant: the generators' first columns.",
                {double(axes), cayley ? 0.0 : double(own), double(dim)}, 2));
}

std::unique_ptr<Relative> String::make() const { return std::make_unique<StringRelative>(*this); }

}  // namespace posenc
