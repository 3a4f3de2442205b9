#include "posenc/relative/inkling.hpp"

#include "posenc/kernels/kernels.hpp"
#include "relative/gate_sums.hpp"
#include "relative/tables.hpp"

namespace posenc {

namespace {

using namespace tiles;

class InklingCall final : public RelativeCall {
 public:
  InklingCall(const Relative& encoding, const Inkling& spec, const RelativeRequest& request)
      : dim_(spec.relative_dim),
        extent_(spec.extent),
        profiles_(encoding.parameters[0].values.data()),
        states_(request, request.tokens, TokenInput::relative_states, request.query_heads, dim_),
        state_slopes_(request, request.token_gradients, TokenInput::relative_states, request.query_heads, dim_) {}

  void adjust(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override {
    const float* state = states_.at(query.batch, query.head, query.index);
    const float factor = float(query.temperature);
    for_each_run(query, keys, [&](int last, int count, int distance) {
      float sums[kKeys]{};
      for (int c = 0; c < dim_; ++c) add_scaled(sums, state[c], profile(c) + distance, std::size_t(count));
      for (int d = 0; d < count; ++d) scores[last - d] += factor * sums[d];
    });
  }

  double adjustment(const RelativeQuery& query, const RelativeKeys& key) override {
    const float* state = states_.at(query.batch, query.head, query.index);
    double sum = 0;
    for_each_run(query, key, [&](int, int, int distance) {
      for (int c = 0; c < dim_; ++c) sum += double(state[c]) * double(profile(c)[distance]);
    });
    return query.temperature * sum;
  }

  void adjust_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* slopes, float*) override {
    const float* state = states_.at(query.batch, query.head, query.index);
    const float factor = float(query.temperature);
    for_each_run(query, keys, [&](int last, int count, int distance) {
      float by_distance[kKeys];
      for (int d = 0; d < count; ++d) by_distance[d] = factor * slopes[last - d];
      for (int c = 0; c < dim_; ++c) {
        float* profile_slopes = training->gradient(0) + std::ptrdiff_t(c) * extent_ + distance;
        add_scaled(profile_slopes, state[c], by_distance, std::size_t(count));
        if (state_slopes_) add_product(profile(c) + distance, by_distance, count, query, c);
      }
    });
  }

 private:
  const float* profile(int c) const { return profiles_ + std::ptrdiff_t(c) * extent_; }

  void add_product(const float* values, const float* by_distance, int count, const RelativeQuery& query, int c) {
    float product;
    dot_products(values, by_distance, &product, 1, 1, std::size_t(count));
    state_slopes_.at(query.batch, query.head, query.index)[c] += product;
  }

  // Calls visit(last, count, distance) for runs of keys within the extent: key `last` is at `distance`, the one before
  // it one farther.
  template <class Visit>
  void for_each_run(const RelativeQuery& query, const RelativeKeys& keys, const Visit& visit) const {
    const int together = keys.consecutive ? keys.count : 1;
    for (int key = 0; key < keys.count; key += together) {
      // Of the first key, the farthest.
      const int farthest = nearest_within(query.position - keys.positions[key], -1, double(extent_) + together);
      const int begin = std::max(0, farthest - extent_ + 1), end = std::min(together, farthest + 1);
      if (begin < end) visit(key + end - 1, end - begin, farthest - end + 1);
    }
  }

  int dim_, extent_;
  const float* profiles_;
  TokenRows states_, state_slopes_;
};

class InklingRelative final : public Relative {
 public:
  explicit InklingRelative(const Inkling& spec) : Relative(0), spec_(spec) {
    token_widths[std::size_t(TokenInput::relative_states)] = spec.relative_dim;
    reads_temperature = true;
  }
  Begun begin(const RelativeRequest& request) const override { return begun<InklingCall>(*this, spec_, request); }

 private:
  Inkling spec_;
};

}  // namespace

std::unique_ptr<Relative> Inkling::make() const { return std::make_unique<InklingRelative>(*this); }

}  // namespace posenc
