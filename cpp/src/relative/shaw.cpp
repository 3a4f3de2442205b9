#include "posenc/relative/shaw.hpp"

#include "posenc/kernels/kernels.hpp"
#include "relative/tables.hpp"

namespace posenc {

namespace {

class ShawCall final : public RelativeCall {
 public:
  ShawCall(const Relative& encoding, int left, int right) : encoding_(encoding), left_(left), right_(right) {}

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    table(0).add_products(keys, query.position, query.row, scores);
  }

  double addition(const RelativeQuery& query, const RelativeKeys& key) override {
    return table(0).product(key.positions[0], query.position, query.row);
  }

  void add_values(const RelativeQuery& query, const RelativeKeys& keys, const float* weights, float* sums) override {
    const int dim = encoding_.dim;
    table(1).for_each_run(keys, query.position, [&](int key, int count, const float* rows, std::ptrdiff_t step) {
      if (step) return tiles::add_weighted(weights + key, rows, step, count, dim, sums);
      float weight = 0;
      for (int j = key; j < key + count; ++j) weight += weights[j];
      add_scaled(sums, weight, rows, std::size_t(dim));
    });
  }

  void add_backward(const RelativeQuery& query, const RelativeKeys& keys, const float*, float* slopes,
                    float* row_slopes) override {
    table(0).scatter(keys, query.position, query.row, slopes, row_slopes, table_slopes(0));
  }

  void add_values_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* out_slopes,
                           float* weight_slopes) override {
    table(1).add_products(keys, query.position, out_slopes, weight_slopes);
  }

  void scatter_values(const RelativeQuery& query, const RelativeKeys& keys, const float* weights,
                      const float* out_slopes) override {
    table(1).scatter(keys, query.position, out_slopes, weights, nullptr, table_slopes(1));
  }

 private:
  std::ptrdiff_t origin() const { return std::ptrdiff_t(left_) * encoding_.dim; }
  float* table_slopes(std::size_t parameter) const { return training->gradient(parameter) + origin(); }
  DistanceTable table(std::size_t parameter) const {
    const float* rows = encoding_.parameters[parameter].values.data();
    return {rows + origin(), encoding_.dim, encoding_.dim, -left_, right_};
  }

  const Relative& encoding_;
  int left_, right_;
};

class ShawRelative final : public Relative {
 public:
  explicit ShawRelative(const Shaw& spec) : Relative(spec.dim), left_(spec.left()), right_(spec.right()) {
    if (spec.with_values) value_dim = dim;
  }

  Begun begin(const RelativeRequest&) const override { return begun<ShawCall>(*this, left_, right_); }
  bool has_buckets() const override { return true; }
  double bucket(double distance) const override { return nearest_within(distance, -left_, right_) + left_; }

 private:
  int left_, right_;
};

}  // namespace

std::unique_ptr<Relative> Shaw::make() const { return std::make_unique<ShawRelative>(*this); }

}  // namespace posenc
