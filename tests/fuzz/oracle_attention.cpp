#include "oracle_attention.hpp"

namespace posenc::fuzz {

namespace {

// How many keys of the same sequence stand before each, row by row.
std::vector<double> counted(const SegmentsView& segments, int keys, double offset) {
  std::vector<double> out;
  for (int first = 0; first < int(segments.length); first += keys)
    for (int j = first; j < first + keys; ++j)
      out.push_back(offset + double(std::count(segments.data + first, segments.data + j, segments.data[j])));
  return out;
}

// The last `count` of each row of `keys`, axis by axis.
std::vector<double> last_of(const Positions& given, int keys, int count) {
  std::vector<double> out;
  const int rows = int(given.values.size()) / keys;
  for (int axis = 0; axis < given.axes; ++axis)
    for (int row = 0; row < rows; ++row)
      for (int t = keys - count; t < keys; ++t) out.push_back(position_of(given, keys, row, t, axis));
  return out;
}

}  // namespace

// Keys of packed sequences count in each; queries that do not say where they are are the last of the keys.
void AttentionCase::complete() {
  Positions &own = options.query_positions, &given = options.key_positions;
  if (options.segments.data && given.values.empty() && given.axes == 1 && keys > 0) {
    key_position_values = std::make_shared<std::vector<double>>(counted(options.segments, keys, given.offset));
    given = {.values = *key_position_values, .offset = 0, .count = keys};
  }
  if (given.count == 0) given.count = keys;
  if (own.values.empty() && std::isnan(own.offset)) {
    own = given;
    if (given.values.empty()) own.offset += keys - queries;
    if (!given.values.empty() && keys > queries) {
      query_position_values = std::make_shared<std::vector<double>>(last_of(given, keys, queries));
      const std::size_t each = query_position_values->size() / std::size_t(given.axes);
      own.values = {query_position_values->data(), each}, own.stride = each;
    }
    own.count = queries;
  }
  if (own.count == 0) own.count = queries;
}

double AttentionCase::work() const {
  double each = dim + value_dim + 8;
  const std::string kind = model ? model->kind() : "";
  if (kind == "transformer-xl") each *= std::max(model->whole("modelDim", 0), dim * model->whole("heads", 1));
  if (kind == "pope" || kind == "cope" || kind == "path" || kind == "grape-a" || kind == "grape-ap") each *= 8;
  if (kind == "forget" || kind == "data-dependent-alibi") each += keys;
  if (kind == "grape-ap" || kind == "per-row-alibi") each *= keys;
  if (kind == "liere") each *= 20.0 * model->whole("blockDim", 8) * model->whole("blockDim", 8);
  if (kind == "string") each *= model->text("form", "") == "circulant" ? 30.0 * dim * dim : 2.0 * dim * dim;
  if (kind == "sandwich") each += 10 * model->whole("dim", 64);
  if (options.remap.rule != Remap::Rule::none) each *= 20;
  if (kind == "fire") each += 4 * model->whole("width", 32);
  return each * batch * heads * queries * keys;
}

bool AttentionCase::is_visible(int b, int h, int i, int j) const {
  const double own = double(i) + keys - queries;
  if (options.causal && j > own) return false;
  if (options.window_left >= 0 && j < own - std::floor(options.window_left)) return false;
  if (options.window_right >= 0 && j > own + std::floor(options.window_right)) return false;
  return is_unmasked(options, keys - queries, {b, h, i, j});
}

double sequence_length(const AttentionCase& at) {
  const AttentionOptions& o = at.options;
  if (o.sequence_length > 0) return o.sequence_length;
  return std::max(length_of(o.key_positions, 0), length_of(o.query_positions, 0));
}

std::vector<double> rotate_row(const Model& model, const std::vector<PairRotation>& rotations, std::span<double> row,
                               double& slope) {
  const auto columns = pair_columns(model, int(rotations.size()));
  const std::vector<double> before(row.begin(), row.end());
  std::vector<double> sizes;
  for (const double number : before) sizes.push_back(std::abs(number));
  for (std::size_t k = 0; k < rotations.size(); ++k) {
    const double c = double(std::cos(rotations[k].angle) * rotations[k].magnitude),
                 s = double(std::sin(rotations[k].angle) * rotations[k].magnitude);
    const double x = before[std::size_t(columns[k].a)], y = before[std::size_t(columns[k].b)];
    row[std::size_t(columns[k].to_a)] = x * c - y * s;
    row[std::size_t(columns[k].to_b)] = x * s + y * c;
    sizes[std::size_t(columns[k].to_a)] = sizes[std::size_t(columns[k].to_b)] =
        std::hypot(x, y) * double(std::abs(rotations[k].magnitude));
    slope = std::max(slope, rotations[k].tolerance);
  }
  return sizes;
}

namespace {

double largest_key(const AttentionCase& at) {
  const Positions& keys = at.options.key_positions;
  if (keys.values.empty()) return keys.offset + at.keys - 1;
  double largest = -kInfinity;
  for (const double value : keys.values) largest = std::max(largest, value);
  return largest;
}

// By how much places on the one axis are multiplied: LieRE's modelGrid makes them linspace(0, steps / trained, steps).
double coordinate_scale(const AttentionCase& at) {
  if (!at.model || at.model->list("modelGrid").empty()) return 1;
  const double steps = std::max(extent_of(at.options.key_positions, 0), extent_of(at.options.query_positions, 0));
  return steps > 1 ? steps / (at.model->list("modelGrid")[0] * (steps - 1)) : 0;
}

double temperature(const Temperature& of, double position) {
  if (of.rule == Temperature::Rule::log)
    return 1 + of.factor * std::log(std::max(1.0, (position + of.offset + 1) / of.length));
  const double steps = std::floor((position + of.offset) / of.length);
  return of.factor == 0 || !(steps > 0) ? 1 : 1 + of.factor * std::log1p(steps);
}

// The turns of a row of the batch, at each of its positions.
std::vector<std::vector<PairRotation>> rotations_of_row(const AttentionCase& at, bool is_key, int b) {
  const AttentionOptions& o = at.options;
  const int count = is_key ? at.keys : at.queries;
  const ReferenceRotation reference(*at.model, is_key ? o.key_positions : o.query_positions, count, sequence_length(at),
                                    is_key ? Role::key : Role::query);
  std::vector<std::vector<PairRotation>> out;
  for (int t = 0; t < count; ++t) out.push_back(reference.at(b, t));
  return out;
}

// Rows [positions, dim] of one head, and magnitudes [positions, dim] of their terms.
std::vector<double> rotate_rows(const AttentionCase& at, const std::vector<std::vector<PairRotation>>& all,
                                std::vector<double>& rows, double& slope) {
  const std::size_t dim = std::size_t(at.dim);
  std::vector<double> sizes;
  for (std::size_t t = 0; t < all.size(); ++t) {
    const auto of_row = rotate_row(*at.model, all[t], std::span(rows).subspan(t * dim, dim), slope);
    sizes.insert(sizes.end(), of_row.begin(), of_row.end());
  }
  return sizes;
}

class Attending {
 public:
  Attending(const AttentionCase& at, const AttentionInputs& inputs) : at_(at), n_(inputs) {
    if (at.model) model_.emplace(*at.model), model_->parameters = inputs.parameters;
    if (model_) at_.model = &*model_;
    const std::size_t square =
        std::size_t(at.batch) * std::size_t(at.heads) * std::size_t(at.queries) * std::size_t(at.keys);
    r_.logits.assign(square, -kInfinity);
    r_.tolerances.assign(square, 0), r_.weights.assign(square, 0), r_.context_positions.assign(square, 0);
    if (at.has_values)
      r_.out.resize(std::size_t(at.batch) * std::size_t(at.heads) * std::size_t(at.queries) *
                    std::size_t(at.value_dim));
    last_key_ = largest_key(at);
    coordinate_scale_ = coordinate_scale(at);
  }

  AttentionResult run() {
    for (int b = 0; b < at_.batch; ++b) {
      if (at_.options.rotation)
        query_rotations_ = rotations_of_row(at_, false, b), key_rotations_ = rotations_of_row(at_, true, b);
      for (int h = 0; h < at_.heads; ++h) head(b, h);
    }
    return std::move(r_);
  }

 private:
  int key_head(int h) const { return h / (at_.heads / at_.key_heads); }
  std::vector<double> rows(const std::vector<double>& x, int b, int h, int heads, int count, int width) const {
    std::vector<double> out;
    for (int t = 0; t < count && !x.empty(); ++t) {
      const auto row = x.begin() + std::ptrdiff_t(at_.at(b, h, t, heads, count, width));
      out.insert(out.end(), row, row + width);
    }
    return out;
  }
  // Where the call says. Kinds that turn rows by maps let heads, or groups of them, stand at places of their own:
  // [batch, groups, positions].
  double position(bool is_key, int b, int h, int t) const {
    const Positions& given = is_key ? at_.options.key_positions : at_.options.query_positions;
    const int count = is_key ? at_.keys : at_.queries, heads = is_key ? at_.key_heads : at_.heads;
    const int own = std::max(1, int(given.values.size()) / (count * at_.batch));
    const int group = (is_key ? key_head(h) : h) * own / heads;
    return position_of(given, count, double(b) * own + group, t);
  }
  double coordinate(bool is_key, int b, int h, int t) const { return coordinate_scale_ * position(is_key, b, h, t); }

  void head(int b, int h) {
    const AttentionOptions& o = at_.options;
    auto q = rows(n_.q, b, h, at_.heads, at_.queries, at_.dim);
    auto k = rows(n_.k, b, key_head(h), at_.key_heads, at_.keys, at_.dim);
    const auto gates = rows(n_.gates, b, key_head(h), at_.key_heads, at_.keys, at_.dim);
    TokenRows tokens = tokens_of(b, h);
    double slope = 0;
    const bool is_remapped = o.remap.rule != Remap::Rule::none;
    std::vector<double> q_sizes, k_sizes;
    if (o.rotation && !is_remapped)
      q_sizes = rotate_rows(at_, query_rotations_, q, slope), k_sizes = rotate_rows(at_, key_rotations_, k, slope);
    for (int i = 0; i < at_.queries; ++i) {
      RelativeScores of{q.data() + std::ptrdiff_t(i) * at_.dim,
                        k.data(),
                        gates.empty() ? nullptr : gates.data(),
                        h,
                        key_head(h),
                        coordinate(false, b, h, i),
                        {},
                        {},
                        i + at_.keys - at_.queries,
                        tokens[0],
                        tokens[1],
                        tokens[2],
                        tokens[3],
                        relative_state(b, h, i),
                        temperature(o.temperature, position(false, b, h, i))};
      for (int j = 0; j < at_.keys; ++j) {
        of.key_positions.push_back(coordinate(true, b, h, j));
        of.masked.push_back(!at_.is_visible(b, h, i, j));
      }
      std::vector<double> scores, sizes, context_positions;
      if (o.relative)
        relative_scores(*at_.model, at_.dim, of, scores, sizes, context_positions);
      else if (is_remapped)
        remapped_scores(at_, of, scores, sizes, slope);
      else
        products(of, q_sizes.empty() ? nullptr : q_sizes.data() + std::ptrdiff_t(i) * at_.dim, k_sizes, scores, sizes);
      context_positions.resize(scores.size());
      for (int j = 0; j < at_.keys; ++j) {
        if (of.masked[std::size_t(j)]) continue;
        Adjustment added{};
        if (o.relative) added.value = relative_adjustment(*at_.model, at_.dim, of, j, added.size);
        finish(b, h, i, j, scores[std::size_t(j)], sizes[std::size_t(j)], slope, context_positions[std::size_t(j)],
               added);
      }
      row(b, h, i);
    }
  }

  // `q_sizes` [dim], `k_sizes` [keys, dim]: of rows that were turned.
  void products(const RelativeScores& of, const double* q_sizes, const std::vector<double>& k_sizes,
                std::vector<double>& scores, std::vector<double>& sizes) const {
    for (int j = 0; j < at_.keys; ++j) {
      double sum = 0, size = 0;
      for (int i = 0; i < at_.dim; ++i) {
        const double part = of.q[i] * of.k[j * at_.dim + i];
        sum += part;
        size += q_sizes ? q_sizes[i] * k_sizes[std::size_t(j * at_.dim + i)] : std::abs(part);
      }
      scores.push_back(sum), sizes.push_back(size);
    }
  }

  struct Adjustment {
    double value = 0, size = 0;
  };
  std::vector<double> relative_state(int b, int h, int i) const {
    const View& given = at_.options.tokens[4];
    if (given.shape.rank != 4) return {};
    const int width = int(given.shape[3]);
    const auto row = n_.tokens[4].begin() + std::ptrdiff_t(at_.at(b, h, i, at_.heads, at_.queries, width));
    return {row, row + width};
  }

  using TokenRows = std::array<std::vector<double>, kTokenInputs.size()>;
  TokenRows tokens_of(int b, int h) const {
    TokenRows out;
    const int sets = at_.options.relative ? at_.options.relative->token_widths[0] : 1;
    for (int set = 0; set < sets; ++set) {
      const auto gates = rows(n_.tokens[0], b, set * at_.heads + h, sets * at_.heads, at_.keys, 1);
      out[0].insert(out[0].end(), gates.begin(), gates.end());
    }
    out[1] = rows(n_.tokens[1], b, key_head(h), at_.key_heads, at_.keys, at_.dim);
    out[2] = rows(n_.tokens[2], b, key_head(h), at_.key_heads, at_.keys, 1);
    const View& given = at_.options.tokens[3];
    if (given.shape.rank == 4) out[3] = rows(n_.tokens[3], b, h, at_.heads, at_.keys, int(given.shape[3]));
    return out;
  }

  void finish(int b, int h, int i, int j, double score, double size, double slope, double context_position,
              const Adjustment& added) {
    const AttentionOptions& o = at_.options;
    const std::size_t index = square(b, h, i) + std::size_t(j);
    double terms = 1;
    if (at_.model && at_.model->kind() == "deberta")
      terms += at_.model->flag("contentToPosition", true) + at_.model->flag("positionToContent", true);
    const double scale = o.scale.value_or(1 / std::sqrt(std::max(1, at_.dim) * terms)) *
                         temperature(o.temperature, position(false, b, h, i)) * remapped_scale(at_);
    double tolerance = size * std::abs(scale) * (kHalfUlp * (12 + at_.dim / 4.0) + 4 * slope);
    score *= scale;
    if (o.softcap > 0) {
      score = o.softcap * std::tanh(score / o.softcap);
      tolerance += std::abs(score) * 8 * kHalfUlp + 8 * kHalfUlp * std::min(1.0, o.softcap);
    }
    if (o.encoding_bias) {
      Near shift, factor;
      bias_of(*at_.model, h, coordinate(false, b, h, i), coordinate(true, b, h, j), last_key_, shift, factor);
      tolerance = tolerance * factor.value + std::abs(score) * (factor.bound + 2 * kHalfUlp) + shift.bound;
      score = score * factor.value + shift.value;
    }
    score += added.value;
    tolerance += std::max(std::abs(added.value), added.size) * 2 * kHalfUlp;
    if (o.bias.data) score += n_.bias[broadcast_index(o.bias.shape, {b, h, i, j})];
    tolerance += std::isfinite(score) ? 4 * kHalfUlp * std::abs(score) : 0;
    // The softmax subtracts a sink where that is the largest, or it from the largest.
    if (!n_.sinks.empty()) tolerance += 2 * kHalfUlp * std::abs(n_.sinks[std::size_t(h)]);
    r_.logits[index] = score;
    r_.tolerances[index] = tolerance;
    r_.context_positions[index] = context_position;
  }
  std::size_t square(int b, int h, int i) const {
    return ((std::size_t(b) * std::size_t(at_.heads) + std::size_t(h)) * std::size_t(at_.queries) + std::size_t(i)) *
           std::size_t(at_.keys);
  }

  void row(int b, int h, int i) {
    const std::size_t first = square(b, h, i), keys = std::size_t(at_.keys);
    const bool has_sink = !n_.sinks.empty();
    double top = has_sink ? n_.sinks[std::size_t(h)] : -kInfinity, total = 0;
    for (std::size_t j = first; j < first + keys; ++j) top = std::max(top, r_.logits[j]);
    if (has_sink) total = std::exp(n_.sinks[std::size_t(h)] - top);
    for (std::size_t j = first; j < first + keys; ++j)
      total += r_.weights[j] = std::isinf(r_.logits[j]) ? 0 : std::exp(r_.logits[j] - top);
    for (std::size_t j = first; j < first + keys; ++j) r_.weights[j] = total > 0 ? r_.weights[j] / total : 0;
    if (at_.has_values) values(b, h, i, first);
  }

  void values(int b, int h, int i, std::size_t first) {
    const std::size_t to = at_.at(b, h, i, at_.heads, at_.queries, at_.value_dim);
    double max_tolerance = 0;
    for (int j = 0; j < at_.keys; ++j) max_tolerance = std::max(max_tolerance, r_.tolerances[first + std::size_t(j)]);
    for (int c = 0; c < at_.value_dim; ++c) {
      double sum = 0, size = 0, off = 0, mean_tolerance = 0;
      for (int j = 0; j < at_.keys; ++j)
        mean_tolerance += r_.weights[first + std::size_t(j)] * r_.tolerances[first + std::size_t(j)];
      for (int j = 0; j < at_.keys; ++j) {
        const double weight = r_.weights[first + std::size_t(j)];
        if (weight == 0) continue;
        double value = n_.v[at_.at(b, key_head(h), j, at_.key_heads, at_.keys, at_.value_dim) + std::size_t(c)];
        double magnitude = std::abs(value);
        if (at_.model && at_.options.relative) {
          const auto own =
              relative_value(*at_.model, at_.value_dim, coordinate(false, b, h, i), coordinate(true, b, h, j));
          if (!own.empty()) value += own[std::size_t(c)], magnitude += std::abs(own[std::size_t(c)]);
        }
        sum += weight * value, size += weight * magnitude;
        off += weight * magnitude * 2 * (r_.tolerances[first + std::size_t(j)] + mean_tolerance);
      }
      r_.out[to + std::size_t(c)] = {sum, off + size * kHalfUlp * (24 + at_.keys / 4.0) + 1e-30};
      // What scores leave open grows as their exponential.
      if (!(max_tolerance < kMaxTolerance)) r_.out[to + std::size_t(c)].bound = kInfinity;
    }
  }

  AttentionCase at_;
  const AttentionInputs& n_;
  std::optional<Model> model_;
  AttentionResult r_;
  std::vector<std::vector<PairRotation>> query_rotations_, key_rotations_;
  double last_key_ = 0, coordinate_scale_ = 1;
};

}  // namespace

AttentionResult attend(const AttentionCase& at, const AttentionInputs& inputs) { return Attending(at, inputs).run(); }

}  // namespace posenc::fuzz
