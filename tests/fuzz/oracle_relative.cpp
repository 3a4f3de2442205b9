// Scores of relative encodings.
#include "oracle_attention.hpp"

namespace posenc::fuzz {

namespace {

double dot(const double* a, const double* b, int count, double& size) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += a[i] * b[i], size += std::abs(a[i] * b[i]);
  return sum;
}

int shaw_row(const Model& m, double query, double key) {
  const double most = m.number("maxDistance", 16), left = m.number("maxLeft", -1), right = m.number("maxRight", -1);
  const double low = -(left < 0 ? most : left), high = right < 0 ? most : right;
  return int(std::min(std::max(std::floor(key - query + 0.5), low), high) - low);
}

// The row of a distance, which counts from the farthest key before the query.
std::vector<double> nezha_row(const Model& m, int dim, double query, double key) {
  const double most = m.number("maxDistance", 64);
  const Wide index = std::min(std::max(std::floor(key - query + 0.5), -most), most) + most;
  std::vector<double> row(static_cast<std::size_t>(dim));
  for (int i = 0; i < dim - dim % 2; ++i) {
    const Wide angle = index * std::pow(Wide(m.number("base", 10000)), -Wide(i / 2) / (dim / 2.0L));
    row[std::size_t(i)] = double(float(i % 2 ? std::cos(angle) : std::sin(angle)));
  }
  return row;
}

double deberta_bucket(const Model& m, double relative) {
  const double r = std::floor(relative + 0.5), most = m.number("maxDistance", 512),
               mid = std::floor(m.number("buckets", 0) / 2);
  Wide distance = std::abs(r);
  if (m.flag("clampDistance", false)) distance = std::min<Wide>(distance, most - 1);
  if (mid > 0 && distance > mid) {
    const Wide steps = std::log(distance / mid) / std::log(Wide(most - 1) / mid) * (mid - 1),
               near = std::floor(steps + 0.5L);
    distance = (std::abs(steps - near) < 1e-15L * std::max<Wide>(1, near) ? near : std::ceil(steps)) + mid;
  }
  return double(r < 0 ? -distance : distance);
}

void deberta(const Model& m, int dim, const RelativeScores& of, std::size_t j, double& score, double& size) {
  const double buckets = m.number("buckets", 0), span = buckets > 0 ? buckets : m.number("maxDistance", 512);
  const double row =
      std::min(std::max(deberta_bucket(m, of.query_position - of.key_positions[j]) + span, 0.0), 2 * span - 1);
  const std::size_t at = (std::size_t(of.head) * std::size_t(2 * span) + std::size_t(row)) * std::size_t(dim);
  if (m.flag("contentToPosition", true)) score += dot(of.q, m.parameters[0].data() + at, dim, size);
  if (m.flag("positionToContent", true))
    score += dot(of.k + j * std::size_t(dim), m.parameters[1].data() + at, dim, size);
}

void transformer_xl(const Model& m, int dim, const RelativeScores& of, std::size_t j, double& score, double& size) {
  const int given = m.whole("modelDim", 0), width = given ? given : dim * m.whole("heads", 1);
  const double limit = m.number("clampLength", 0);
  double distance = of.query_position - of.key_positions[j];
  if (limit > 0) distance = std::min(std::max(distance, -limit), limit);
  std::vector<double> sinusoid_row(static_cast<std::size_t>(width));
  for (int n = 0; n < width / 2; ++n) {
    const Wide angle = distance * std::pow(Wide(m.number("base", 10000)), -2 * Wide(n) / Wide(width));
    sinusoid_row[std::size_t(n)] = double(std::sin(angle));
    sinusoid_row[std::size_t(width / 2 + n)] = double(std::cos(angle));
  }
  for (int i = 0; i < dim; ++i) {
    const std::size_t row = std::size_t(of.head * dim + i);
    double through = 0;
    const double projected =
        dot(m.parameters[2].data() + row * std::size_t(width), sinusoid_row.data(), width, through);
    const double query = of.q[i] + m.parameters[1][row], k = of.k[j * std::size_t(dim) + std::size_t(i)];
    score += m.parameters[0][row] * k + query * projected;
    size += std::abs(m.parameters[0][row] * k) +
            (std::abs(of.q[i]) + std::abs(m.parameters[1][row])) * through * (1 + width / 16.0);
  }
}

double pope_score(const Model& m, int dim, const RelativeScores& of, std::size_t j, double& size) {
  const int given = m.whole("rotaryDim", 0), rotated_dim = given ? given : dim;
  const double* k = of.k + j * std::size_t(dim);
  const auto magnitude = [](double x) { return x > 30 ? x : std::log1p(std::exp(x)); };
  double score = 0;
  for (int c = 0; c < rotated_dim; ++c) {
    const double bias = m.parameters[0][std::size_t(of.key_head * rotated_dim + c)];
    const Wide phase = std::min<Wide>(0, std::max<Wide>(-2 * kPi, bias));
    const Wide frequency = std::pow(Wide(m.number("base", 10000)), -Wide(c) / Wide(rotated_dim));
    const Wide angle = of.query_position * frequency - (of.key_positions[j] * frequency + phase);
    const double part = magnitude(of.q[c]) * magnitude(k[c]);
    score += part * double(std::cos(angle));
    size += 2 * part * (1 + std::abs(of.q[c]) + std::abs(k[c]));
  }
  for (int c = rotated_dim; c < dim; ++c) score += of.q[c] * k[c], size += std::abs(of.q[c] * k[c]);
  return score;
}

double mapped_score(const Model& m, int dim, const MappedRow& q, const RelativeScores& of, std::size_t j,
                    double& size) {
  const MappedRow k = mapped_row(m, dim, of.k + j * std::size_t(dim), of.key_head, of.key_positions[j]);
  double score = 0;
  for (std::size_t i = 0; i < q.row.size(); ++i) {
    score += q.row[i] * k.row[i];
    size += 4 * q.sizes[i] * k.sizes[i] * (1 + (q.tolerance + k.tolerance) / kHalfUlp);
  }
  return score;
}

void cope(const Model& m, int dim, const RelativeScores& of, std::vector<double>& scores, std::vector<double>& sizes,
          std::vector<double>& context_positions) {
  const int last = m.whole("maxPosition", 64) - 1;
  const double root = std::sqrt(double(dim)), gate_scale = m.flag("scaledGates", true) ? 1 / root : 1;
  const double position_scale = m.flag("scaledPosition", true) ? 1 : root;
  // What a query makes of position p.
  const auto product = [&](int p, double& size) {
    double sum = 0;
    for (int i = 0; i < dim; ++i) {
      const double part = of.q[i] * m.parameters[0][std::size_t(i) * std::size_t(last + 1) + std::size_t(p)];
      sum += part, size += std::abs(part);
    }
    return sum;
  };
  double open = 0, off = 0;
  for (std::size_t j = scores.size(); j-- > 0;) {
    if (of.masked[j]) continue;
    double logit = scores[j], size = sizes[j];
    if (of.gates) size = 0, logit = dot(of.q, of.gates + j * std::size_t(dim), dim, size);
    open += 1 / (1 + std::exp(-logit * gate_scale));
    off += (size * gate_scale * (8 + dim / 4) + 8) * kHalfUlp;
    context_positions[j] = std::min(open, double(last));
    const int floor = int(context_positions[j]), next = std::min(floor + 1, last), before = std::max(floor - 1, 0),
              after = std::min(next + 1, last);
    const double part = context_positions[j] - floor;
    double more = 0, steep = 0;
    const double low = product(floor, more), high = product(next, more);
    for (const int p : {before, after})
      steep = std::max({steep, std::abs(product(p, more) - low), std::abs(product(p, more) - high)});
    scores[j] += position_scale * (low * (1 - part) + high * part);
    sizes[j] += position_scale * more + position_scale * (steep + std::abs(high - low)) *
                                            (off + kHalfUlp * context_positions[j]) / kHalfUlp / 4;
  }
}

// Gates of the tokens after the one of key j, up to the query's.
double gates_between(const RelativeScores& of, int first, int last, int set = 0) {
  const int count = int(of.key_positions.size());
  double sum = 0;
  for (int t = first + 1; t <= last; ++t) sum += of.log_gates[std::size_t(set * count + t)];
  return sum;
}

void path(int dim, const RelativeScores& of, std::vector<double>& scores, std::vector<double>& sizes) {
  std::vector<double> row(of.q, of.q + dim);
  double growth = 0;
  for (int j = of.token; j >= 0; --j) {
    const std::size_t at = std::size_t(j), first = at * std::size_t(dim);
    double size = 0, along = 0;
    scores[at] = dot(row.data(), of.k + first, dim, size);
    const double* direction = of.directions.data() + first;
    const double gates = of.log_gates.empty() ? 0 : gates_between(of, j, of.token);
    scores[at] += gates;
    sizes[at] = std::abs(scores[at]) + std::abs(gates) + (size + std::abs(gates)) * 1e-7 + growth * size * 1e-7;
    const double by = dot(row.data(), direction, dim, along) * of.strengths[at];
    for (int i = 0; i < dim; ++i) row[std::size_t(i)] -= by * direction[i];
    growth = std::max(growth, 1.0) * (1 + along * std::abs(of.strengths[at]));
  }
}

double grape_rate(const Model& m, std::size_t parameter, int dim, int head, const double* row) {
  if (m.parameters[parameter].empty()) return 0;
  const double* by = m.parameters[parameter].data() + std::ptrdiff_t(head) * dim;
  double ignored = 0, length = 1;
  if (m.flag("normalize", true)) length = std::max(std::sqrt(dot(by, by, dim, ignored)), 1e-6);
  const double logit = dot(by, row, dim, ignored) / length / std::sqrt(double(dim));
  return std::max(logit, 0.0) + std::log1p(std::exp(-std::abs(logit)));
}

// ALiBi's slopes: powers of two evenly spaced, for other numbers of heads those between the next power's.
double alibi_slope(int heads, int head) {
  const int whole = int(std::exp2(std::floor(std::log2(double(heads)))));
  return head < whole ? std::exp2(-8.0 * (head + 1) / whole) : std::exp2(-4.0 * (2 * (head - whole) + 1) / whole);
}

double grape_additive(const Model& m, int dim, const RelativeScores& of, int j) {
  const double omega = m.parameters[0][std::size_t(of.head)];
  const double steep = std::max(omega, 0.0) + std::log1p(std::exp(-std::abs(omega)));
  const double rate =
      grape_rate(m, 1, dim, of.head, of.k + std::ptrdiff_t(j) * dim) + grape_rate(m, 2, dim, of.head, of.q);
  const double distance = std::max(0.0, of.query_position - of.key_positions[std::size_t(j)]);
  return 0.0 - distance * steep * alibi_slope(m.whole("heads", 8), of.head) * rate;
}

double grape_path(const Model& m, const RelativeScores& of, int j) {
  const std::size_t width = of.gate_rows.size() / of.key_positions.size();
  const double* own = of.gate_rows.data() + std::size_t(of.token) * width;
  double sum = 0;
  for (int t = of.token; t > j; --t) {
    const double* row = of.gate_rows.data() + std::size_t(t) * width;
    double square = 0, logit = 0;
    for (std::size_t i = 0; i < width; ++i) square += row[i] * row[i];
    const double length = std::sqrt(square / double(std::max<std::size_t>(1, width)) + 1.1920928955078125e-7);
    const Wide angle = of.key_positions[std::size_t(t)];
    const double c = double(std::cos(angle)), s = double(std::sin(angle));
    for (std::size_t i = 0; i < width / 2; ++i) {
      const double x = row[i], y = row[i + width / 2];
      logit += (own[i] * (x * c + y * s) + own[i + width / 2] * (y * c - x * s)) / length;
    }
    logit /= double(std::max<std::size_t>(1, width));
    sum += std::min(logit, 0.0) - std::log1p(std::exp(-std::abs(logit)));
  }
  return sum * alibi_slope(m.whole("heads", 8), of.head);
}

double per_row_alibi(const Model& m, const RelativeScores& of, int j) {
  const std::size_t width = of.gate_rows.size() / of.key_positions.size(), half = width / 2;
  const double* own = of.gate_rows.data() + std::size_t(of.token) * width;
  double sum = 0, ignored = 0;
  for (int t = j; t < of.token; ++t) {
    const double* row = of.gate_rows.data() + std::size_t(t) * width + half;
    const double logit = dot(own, row, int(half), ignored) / std::sqrt(double(half));
    sum += std::min(logit, 0.0) - std::log1p(std::exp(-std::abs(logit)));
  }
  return sum * m.number("postLogScale", 1);
}

double inkling(const Model& m, const RelativeScores& of, int j, double& size) {
  const int extent = m.whole("extent", 1024);
  const double distance = std::floor(of.query_position - of.key_positions[std::size_t(j)] + 0.5);
  if (!(distance >= 0 && distance < extent)) return 0;
  double sum = 0;
  for (std::size_t p = 0; p < of.relative_state.size(); ++p) {
    const double part = of.relative_state[p] * m.parameters[0][p * std::size_t(extent) + std::size_t(distance)];
    sum += part, size += std::abs(part * of.temperature) * double(of.relative_state.size() + 2);
  }
  return of.temperature * sum;
}

}  // namespace

double relative_adjustment(const Model& m, int dim, const RelativeScores& of, int j, double& size) {
  if (m.kind() == "inkling") return inkling(m, of, j, size);
  if (m.kind() == "grape-a") return grape_additive(m, dim, of, j);
  if (m.kind() == "grape-ap") return grape_path(m, of, j);
  if (m.kind() == "per-row-alibi") return per_row_alibi(m, of, j);
  if (m.kind() != "forget" && m.kind() != "data-dependent-alibi") return 0;
  if (j <= of.token) return gates_between(of, j, of.token);
  if (m.flag("bidirectional", false)) return gates_between(of, of.token, j, 1);
  return -gates_between(of, of.token, j);
}

void relative_scores(const Model& m, int dim, const RelativeScores& of, std::vector<double>& scores,
                     std::vector<double>& sizes, std::vector<double>& context_positions) {
  const std::size_t keys = of.key_positions.size();
  scores.assign(keys, 0), sizes.assign(keys, 0), context_positions.assign(keys, 0);
  const bool is_mapped = maps_rows(m);
  const MappedRow query = is_mapped ? mapped_row(m, dim, of.q, of.key_head, of.query_position) : MappedRow{};
  for (std::size_t j = 0; j < keys; ++j) {
    if (is_mapped) {
      scores[j] = mapped_score(m, dim, query, of, j, sizes[j]);
      continue;
    }
    if (m.kind() == "pope") {
      scores[j] = pope_score(m, dim, of, j, sizes[j]);
      continue;
    }
    scores[j] = dot(of.q, of.k + j * std::size_t(dim), dim, sizes[j]);
    const std::size_t row = m.kind() == "shaw" ? std::size_t(shaw_row(m, of.query_position, of.key_positions[j])) : 0;
    if (m.kind() == "shaw") scores[j] += dot(of.q, m.parameters[0].data() + row * std::size_t(dim), dim, sizes[j]);
    if (m.kind() == "nezha")
      scores[j] += dot(of.q, nezha_row(m, dim, of.query_position, of.key_positions[j]).data(), dim, sizes[j]);
    if (m.kind() == "deberta") deberta(m, dim, of, j, scores[j], sizes[j]);
    if (m.kind() == "transformer-xl") transformer_xl(m, dim, of, j, scores[j], sizes[j]);
  }
  if (m.kind() == "path") path(dim, of, scores, sizes);
  if (m.kind() == "cope") cope(m, dim, of, scores, sizes, context_positions);
}

std::vector<double> relative_value(const Model& m, int dim, double query_position, double key_position) {
  if (!m.flag("withValues", true)) return {};
  if (m.kind() == "nezha") return nezha_row(m, dim, query_position, key_position);
  if (m.kind() != "shaw") return {};
  const double* row =
      m.parameters[1].data() + std::size_t(shaw_row(m, query_position, key_position)) * std::size_t(dim);
  return {row, row + dim};
}

}  // namespace posenc::fuzz
