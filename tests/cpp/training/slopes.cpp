// Are gradients the slopes of what they are gradients of? Every kind, each of its choices, by small steps to and fro.
#include <optional>

#include "cpp/attention/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

double product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}

// All numbers move at once, some ways up and down: what is wrong with one of them shows in the sum.
template <class Loss>
void check_gradient(std::span<float> values, std::span<const float> gradient, Loss loss) {
  constexpr float kStep = 0x1p-9f;
  const std::vector<float> before(values.begin(), values.end());
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const auto direction = random_floats(values.size(), 50 + seed);
    const auto loss_at = [&](float step) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = before[i] + step * direction[i];
      return loss();
    };
    const double up = loss_at(kStep), down = loss_at(-kStep), slope = (up - down) / (2 * double(kStep));
    std::copy(before.begin(), before.end(), values.begin());
    REQUIRE(std::abs(product(gradient, direction) - slope) < 4e-3 * (0.2 + std::abs(slope)));
  }
}

// Values that kinds begin with are small or equal: too little would hang on them.
void spread_parameters(Learned& encoding, std::string_view kind) {
  for (Parameter& parameter : encoding.parameters) {
    const auto noise = random_floats(parameter.values.size(), 31);
    // Phases lie between -2π and 0.
    const float middle = kind == "pope" ? -2.0f : 0.0f;
    for (std::size_t i = 0; i < noise.size(); ++i) parameter.values[i] += middle + 0.4f * noise[i];
  }
}

// A call of attention with an encoding inside.
class Slopes {
 public:
  std::vector<float> q, k, v;

  explicit Slopes(Learned& encoding) : encoding_(encoding) {
    put_inside(options_, encoding);
    if (options_.rotation) dim_ = options_.rotation->dim;
    if (options_.encoding_bias) heads_ = options_.encoding_bias->heads;
    if (options_.relative) dim_ = width_of(*options_.relative);
    if (options_.relative && options_.relative->heads) heads_ = options_.relative->heads;
    options_.scale = 0.7;
    tokens_.emplace(options_.relative, kBatch, heads_, heads_, kQueries, kKeys);
    options_.tokens = tokens_->views();
    if (options_.rotation && !options_.rotation->one_for_all) lay_grid(options_.rotation->axes);
    if (options_.relative) lay_grid(options_.relative->axes);
    q = random_floats(size(kQueries), 1);
    k = random_floats(size(kKeys), 2);
    v = random_floats(size(kKeys), 3);
    slopes_ = random_floats(size(kQueries), 4);
  }

  /// Batch rows far from 0, and from each other.
  void move_far() {
    for (const int per_row : {kQueries, kKeys}) {
      std::vector<double>& values = per_row == kKeys ? key_values_ : query_values_;
      for (const double first : {0x1p24, -0x1p30})
        for (int t = 0; t < per_row; ++t) values.push_back(first + t);
      (per_row == kKeys ? options_.key_positions : options_.query_positions) = Positions::given(values, per_row);
    }
  }

  double loss() {
    std::vector<float> out(slopes_.size());
    const Error error = attention(view(q, kQueries), view(k, kKeys), view(v, kKeys), options_, view(out, kQueries));
    INFO(error.message());
    REQUIRE_FALSE(error);
    return product(out, slopes_);
  }

  void check() {
    auto by_q = q, by_k = k, by_v = v;
    Training training;
    AttentionGradients out{view(by_q, kQueries), view(by_k, kKeys), view(by_v, kKeys)};
    out.rotation = out.encoding_bias = out.relative = &training;
    const Error error =
        attention_backward(view(q, kQueries), view(k, kKeys), view(v, kKeys), view(slopes_, kQueries), options_, out);
    INFO(error.message());
    REQUIRE_FALSE(error);
    const auto again = [&] { return loss(); };
    check_gradient(v, by_v, again);
    check_gradient(q, by_q, again);
    check_gradient(k, by_k, again);
    for (std::size_t i = 0; i < encoding_.parameters.size(); ++i) {
      std::vector<float>& values = encoding_.parameters[i].values;
      CAPTURE(encoding_.parameters[i].name);
      const std::vector<float> gradient(training.gradient(i), training.gradient(i) + values.size());
      check_gradient(values, gradient, again);
    }
  }

 private:
  static constexpr int kBatch = 2, kQueries = 4, kKeys = 6;

  void lay_grid(int axes) {
    for (Positions* positions : {&options_.key_positions, &options_.query_positions}) {
      if (axes < 2) continue;
      positions->axes = axes;
      positions->extent.fill(1);
      positions->extent[0] = kKeys / 2, positions->extent[1] = 2;
    }
  }

  std::size_t size(int positions) const { return std::size_t(kBatch * heads_ * positions * dim_); }
  View view(std::vector<float>& values, double positions) const {
    return view_of(values, {kBatch, double(heads_), positions, double(dim_)});
  }

  Learned& encoding_;
  AttentionOptions options_;
  std::vector<double> key_values_, query_values_;
  int heads_ = 2, dim_ = 5;
  std::optional<TokenInputValues> tokens_;
  std::vector<float> slopes_;
};

// A sample, and what it becomes with each other choice.
std::vector<SpecInput> variants(const Sample& sample) {
  std::vector<SpecInput> out{sample.required};
  for (const SampleField& it : sample.fields) {
    for (const std::string_view choice : it.choices) out.push_back(sample.with(it.field.name, text(choice)));
    if (it.type != Slot::Type::boolean) continue;
    for (const bool value : {false, true}) out.push_back(sample.with(it.field.name, boolean(value)));
  }
  if (sample.has("axes")) out.push_back(sample.with("axes", number(2)));
  if (sample.kind == "rope") out.push_back(sample.with("frequencies", numbers({1, 0.7, 0.2, 0.1})));
  if (sample.kind == "deberta") out.push_back(sample.with("buckets", number(4)));
  return out;
}

}  // namespace

TEST_CASE("gradients with an encoding inside are the slopes of attention", "[gradients]") {
  int checked = 0;
  for (const FamilyName family : {FamilyName::rotary, FamilyName::bias, FamilyName::relative})
    for (const Sample& any : samples_of(family)) {
      const Sample sample = small(any);
      int variant = 0;
      for (const SpecInput& spec : variants(sample)) {
        CAPTURE(sample.kind, variant++);
        auto made = create(sample.kind, spec);
        if (!made) continue;  // a choice that needs other fields
        spread_parameters(**made, sample.kind);
        Slopes(**made).check();
        ++checked;
      }
    }
  CHECK(checked > 120);
}

// Queries and keys turn by their positions; scores, and what is learned of them, depend on distances alone.
TEST_CASE("gradients of learned frequencies keep their digits far from position 0", "[gradients]") {
  int checked = 0;
  for (const FamilyName family : {FamilyName::rotary, FamilyName::relative})
    for (const Sample& any : samples_of(family)) {
      const Sample sample = small(any);
      for (const SpecInput& spec : variants(sample)) {
        auto made = create(sample.kind, spec);
        if (!made || (*made)->parameters.empty()) continue;
        const Relative* relative = as<Relative>(**made);
        if (relative && (!relative->maps_rows || relative->axes > 1 || relative->farthest < 0x1p31)) continue;
        CAPTURE(sample.kind);
        spread_parameters(**made, sample.kind);
        Slopes slopes(**made);
        slopes.move_far();
        slopes.check();
        ++checked;
      }
    }
  CHECK(checked > 5);
}

// Rows by themselves depend on their positions, not on differences of these.
TEST_CASE("gradients of rows that turn are the slopes of the rows", "[gradients]") {
  int checked = 0;
  for (const Sample& any : samples_of(FamilyName::relative)) {
    const Sample sample = small(any);
    for (const SpecInput& spec : variants(sample)) {
      auto made = create(sample.kind, spec);
      if (!made || (*made)->parameters.empty()) continue;
      Relative& relative = *as<Relative>(**made);
      if (!relative.maps_rows) continue;
      CAPTURE(sample.kind);
      spread_parameters(relative, sample.kind);
      const Shape shape{2, double(std::max(1, relative.heads)), 6, double(relative.dim)};
      Positions positions{.values = {}, .offset = relative.axes > 1 ? 0.0 : 3.0, .count = 6, .axes = relative.axes};
      positions.extent = {3, 2, 1, 1};
      const auto x = random_floats(std::size_t(shape.size()), 6), slopes = random_floats(x.size(), 7);
      auto gradient_of_rows = slopes;
      Training training;
      auto input = x;
      REQUIRE_FALSE(relative.apply_backward(view_of(input, shape), view_of(gradient_of_rows, shape), HeadLayout::bhtd,
                                            positions, training));
      for (std::size_t i = 0; i < relative.parameters.size(); ++i) {
        std::vector<float>& values = relative.parameters[i].values;
        CAPTURE(relative.parameters[i].name);
        const std::vector<float> gradient(training.gradient(i), training.gradient(i) + values.size());
        check_gradient(values, gradient, [&] {
          auto rows = x;
          REQUIRE_FALSE(relative.apply(view_of(rows, shape), HeadLayout::bhtd, positions, Direction::forward));
          return product(rows, slopes);
        });
      }
      ++checked;
    }
  }
  CHECK(checked > 5);
}

TEST_CASE("gradients of tables are the slopes of their rows", "[gradients]") {
  for (const Sample& any : samples_of(FamilyName::table)) {
    Sample sample = small(any);
    // Two coordinates, one of them beside a class token's place.
    if (sample.has("inputs")) sample.required = sample.with("inputs", number(2));
    int variant = 0;
    for (const SpecInput& spec : variants(sample)) {
      CAPTURE(sample.kind, variant++);
      auto made = create(sample.kind, spec);
      if (!made || (*made)->parameters.empty()) continue;
      Table& table = *as<Table>(**made);
      spread_parameters(table, sample.kind);
      Positions positions{.values = {}, .offset = table.axes > 1 ? -1.0 : 0.0, .count = 7, .axes = table.axes};
      if (table.axes > 1) positions.extent = {2, 3, 1, 1};
      const std::size_t size = std::size_t(positions.count * table.dim);
      const auto slopes = random_floats(size, 5);
      auto gradient_of_rows = slopes;
      std::vector<float> rows(size);
      const Shape shape{double(positions.count), double(table.dim)};
      Training training;
      REQUIRE_FALSE(table.backward(view_of(gradient_of_rows, shape), positions, {}, training));
      std::vector<float>& values = table.parameters[0].values;
      const std::vector<float> gradient(training.gradient(0), training.gradient(0) + values.size());
      check_gradient(values, gradient, [&] {
        REQUIRE_FALSE(table.rows(positions, view_of(rows, shape)));
        return product(rows, slopes);
      });
    }
  }
}
