// Frequencies of rotary encodings, and the turns of places.
#include "oracle.hpp"

namespace posenc::fuzz {

namespace {

Wide clamp01(Wide x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

Wide scaled_base(const Model& m, int d, Wide factor) {
  return m.number("base", 10000) * std::pow(factor, Wide(d) / Wide(d - 2));
}

// The share of pair k between the pairs that turn `fast` and `slow` times in the original length.
Wide ramp(const Model& m, int d, double fast, double slow, bool truncates, int k) {
  const Wide base = m.number("base", 10000), length = m.number("originalLength", 1);
  const auto pair = [&](Wide rotations) { return d * std::log(length / (2 * kPi * rotations)) / (2 * std::log(base)); };
  Wide low = pair(fast), high = pair(slow);
  if (truncates) low = std::floor(low), high = std::ceil(high);
  low = std::max<Wide>(low, 0);
  high = std::min<Wide>(high, d - 1);
  if (low == high) high += 0.001L;
  return clamp01((k - low) / (high - low));
}

std::vector<Wide> axial(const Model& m, int rotated_dim) {
  const int axes = m.whole("axes", 2);
  const std::vector<double> dims = m.list("axisDims");
  std::vector<int> counts;
  int all = 0;
  for (int a = 0; a < axes; ++a) {
    counts.push_back(dims.empty() ? rotated_dim / 2 / axes : int(dims[std::size_t(a)]) / 2);
    all += counts.back();
  }
  const Wide base = m.number("base", 10000), fastest = m.number("maxFrequency", 10) / 2;
  const std::string_view form = m.text("form", "own");
  std::vector<Wide> out;
  for (int a = 0; a < axes; ++a) {
    const int n = counts[std::size_t(a)];
    for (int i = 0; i < n; ++i) {
      if (form == "own") out.push_back(std::pow(base, -2 * Wide(i) / Wide(2 * n)));
      if (form == "strided") out.push_back(std::pow(base, -2 * Wide(i * axes + a) / Wide(2 * all)));
      if (form == "pixel") out.push_back((1 + (fastest - 1) * i / Wide(std::max(1, n - 1))) * kPi);
    }
  }
  return out;
}

Wide scaled(const Model& m, int d, int k, double length) {
  const std::string& kind = m.kind();
  const Wide base = m.number("base", 10000), s = m.number("factor", 1), original = m.number("originalLength", 1);
  const auto plain = [&](Wide b) { return std::pow(b, -2 * Wide(k) / Wide(d)); };
  const Wide own = plain(base);
  if (kind == "rope-linear") return own / s;
  if (kind == "rope-ntk") return plain(scaled_base(m, d, s));
  if (kind == "rope-dynamic") {
    const Wide now = std::max<Wide>(length, original);
    return plain(scaled_base(m, d, s * now / original - (s - 1)));
  }
  if (kind == "rope-qwen") {
    Wide alpha = 1;
    for (Wide reach = original; reach < length; reach *= 2) alpha = 2 * alpha + 1;
    return plain(scaled_base(m, d, alpha));
  }
  if (kind == "rope-yarn") {
    const Wide slow = ramp(m, d, m.number("betaFast", 32), m.number("betaSlow", 1), m.flag("truncate", true), k);
    return own / s * slow + own * (1 - slow);
  }
  if (kind == "rope-ntk-by-parts") {
    const Wide linear = ramp(m, d, 1.25, 0.75, true, k), changed = ramp(m, d, 16, 2, true, k);
    const Wide slow = own / s * linear + plain(scaled_base(m, d, s)) * (1 - linear);
    return slow * changed + own * (1 - changed);
  }
  if (kind == "rope-longrope") {
    const auto list = m.list(length > double(original) ? "longFactor" : "shortFactor");
    return own / list[list.size() == 1 ? 0 : std::size_t(k)];
  }
  if (kind == "rope-llama3") {
    const Wide low = m.number("lowFrequencyFactor", 1), high = m.number("highFrequencyFactor", 4);
    const Wide rotations = original * own / (2 * kPi);
    const Wide kept = low < high ? clamp01((rotations - low) / (high - low)) : rotations < low ? 0 : 1;
    return own * ((1 - kept) / s + kept);
  }
  return own;
}

int pairs_of(const Model& m) {
  const int dim = m.whole("dim", 64), rotary = m.whole("rotaryDim", 0);
  if (m.kind() == "rope-proportional") return dim / 2;
  if (m.kind() == "rope-axial") return int(axial(m, rotary ? rotary : dim).size());
  return (rotary ? rotary : dim) / 2;
}

// The axis that each pair turns by.
std::vector<int> axis_of_pairs(const Model& m, int pairs) {
  std::vector<int> out;
  if (m.kind() == "rope-axial") {
    const int axes = m.whole("axes", 2), rotary = m.whole("rotaryDim", 0);
    const auto dims = m.list("axisDims"), order = m.list("axisOrder");
    for (int a = 0; a < axes; ++a) {
      const int n = dims.empty() ? (rotary ? rotary : m.whole("dim", 64)) / 2 / axes : int(dims[std::size_t(a)]) / 2;
      out.insert(out.end(), std::size_t(n), order.empty() ? a : int(order[std::size_t(a)]));
    }
    return out;
  }
  for (const double axis : m.list("axisOfPair")) out.push_back(int(axis));
  const auto sections = m.list("sections");
  if (!out.empty() || sections.empty()) return out.resize(std::size_t(pairs), 0), out;
  if (!m.flag("interleavedSections", false)) {
    for (std::size_t a = 0; a < sections.size(); ++a) out.insert(out.end(), std::size_t(sections[a]), int(a));
    return out;
  }
  // t h w t h w …: an axis that has had its share leaves its turns to the first, or with four axes to the last.
  const int axes = int(sections.size()), cycle = std::min(3, axes);
  std::vector<int> left(sections.begin(), sections.end());
  for (int k = 0; k < pairs; ++k) {
    const int own = k % cycle, rest = axes > 3 ? 3 : 0;
    const bool has = k / cycle < int(sections[std::size_t(own)]);
    out.push_back(has ? own : rest);
  }
  return out;
}

Wide coordinate(const Model& m, const Positions& positions, double position, int axis) {
  if (m.kind() != "rope-axial") return position;
  const std::string_view form = m.text("coordinates", "index");
  const Wide n = extent_of(positions, axis), start = m.number("start", 0), scale = m.number("scale", 1);
  Wide at = position;
  // linspace(-1, 1, n), or the middles of n cells of it.
  if (form == "endpoints") at = n > 1 ? -1 + 2 * Wide(position) / (n - 1) : -1;
  if (form == "centres") at = n > 0 ? (2 * Wide(position) + 1) / n - 1 : -1;
  return start + scale * at;
}

// xPos: ln of what a pair grows by for each position.
Wide growth_rate(const Model& m, int k, int d) {
  return std::log((2 * Wide(k) + 0.4L * d) / (1.4L * d)) / m.number("scaleBase", 512);
}

}  // namespace

std::vector<Wide> frequencies(const Model& m, double length) {
  const int dim = m.whole("dim", 64), rotary = m.whole("rotaryDim", 0), d = rotary ? rotary : dim;
  std::vector<Wide> out;
  if (m.kind() == "rope-axial") out = axial(m, d);
  for (int k = 0; m.kind() != "rope-axial" && k < pairs_of(m); ++k) {
    if (m.kind() == "rope-proportional")
      out.push_back(
          k < d / 2 ? std::pow(Wide(m.number("base", 10000)), -2 * Wide(k) / Wide(dim)) / m.number("factor", 1) : 0);
    else
      out.push_back(scaled(m, d, k, length));
  }
  const auto given = m.kind() == "rope" ? m.list("frequencies") : std::vector<double>();
  for (std::size_t k = 0; k < given.size(); ++k) {
    // As long as they are not trained all digits count.
    const double learned = m.parameters[0][k];
    out[k] = double(float(given[k])) == learned ? given[k] : learned;
  }
  const auto divisors = m.list("frequencyFactors");
  for (std::size_t k = 0; !divisors.empty() && k < out.size(); ++k) out[k] /= divisors[divisors.size() == 1 ? 0 : k];
  return out;
}

Wide attention_factor(const Model& m) {
  const Wide s = m.number("factor", 1);
  if (m.kind() != "rope-yarn" && m.kind() != "rope-longrope") return 1;
  if (m.list("attentionFactor").size()) return m.number("attentionFactor", 1);
  if (s <= 1) return 1;
  if (m.kind() == "rope-longrope") return std::sqrt(1 + std::log(s) / std::log(Wide(m.number("originalLength", 1))));
  const Wide weight = m.number("mscale", 0), all = m.number("mscaleAllDim", 0);
  const auto g = [&](Wide w) { return 0.1L * w * std::log(s) + 1; };
  return weight > 0 && all > 0 ? g(weight) / g(all) : g(1);
}

double length_of(const Positions& positions, double sequence_length) {
  if (sequence_length > 0) return sequence_length;
  if (positions.values.empty() && positions.count == 0) return 1;
  double largest = -kInfinity;
  for (int axis = 0; axis < positions.axes; ++axis) {
    if (positions.values.empty())
      largest = std::max(largest, positions.axes == 1 ? positions.offset + positions.count - 1
                                                      : positions.extent[std::size_t(axis)] - 1);
    for (std::size_t i = 0; i < positions.values.size(); ++i)
      largest = std::max(largest, positions.values.data()[i + std::size_t(axis) * positions.stride]);
  }
  return std::max(1.0, std::floor(largest) + 1);
}

namespace {

Positions with_count(Positions positions, double per_row) {
  if (positions.count == 0) positions.count = int(per_row);
  return positions;
}

}  // namespace

ReferenceRotation::ReferenceRotation(const Model& model, const Positions& positions, double per_row,
                                     double sequence_length, Role role)
    : model_(model),
      positions_(with_count(positions, per_row)),
      per_row_(per_row),
      length_(length_of(positions_, sequence_length)),
      role_(role),
      frequencies_(frequencies(model, length_)),
      axes_(axis_of_pairs(model, int(frequencies_.size()))),
      magnitude_(attention_factor(model)) {}

std::vector<PairRotation> ReferenceRotation::rotations(const std::function<double(int)>& position) const {
  const Model& m = model_;
  const bool blends = m.kind() == "rope-yarn" || m.kind() == "rope-llama3" || m.kind() == "rope-ntk-by-parts";
  const bool is_axial = m.kind() == "rope-axial";
  const double log_base = std::log(std::max(2.0, m.number("base", 10000) * m.number("factor", 1)));
  std::vector<PairRotation> out;
  for (std::size_t k = 0; k < frequencies_.size(); ++k) {
    const int axis = positions_.axes == 1 ? 0 : axes_[k];
    const Wide at = coordinate(m, positions_, position(axis), axis);
    PairRotation pair{at * frequencies_[k], magnitude_, 0};
    const double size = std::abs(double(pair.angle));
    // Coordinates of grids are doubles.
    pair.tolerance = size * (is_axial ? 1e-15 : 1e-17);
    const double shift = std::abs(m.number("start", 0)) + std::abs(m.number("scale", 1));
    if (is_axial) pair.tolerance += double(frequencies_[k]) * shift * 1e-15;
    // Published code takes the growth of the base in doubles.
    if (m.kind() == "rope-dynamic") {
      const double s = m.number("factor", 1), most = s * std::max(length_, 1.0) / m.number("originalLength", 1) + s;
      pair.tolerance += size * 4e-16 * most;
    }
    // A blend of frequencies far apart is as exact as the larger one, and as the ramp between them.
    if (blends) pair.tolerance += std::abs(double(at)) * 1e-16;
    // Where frequencies end amid two numbers of 16 bits, steps decide.
    if (m.flag("float16Frequencies", false) || m.flag("float16Angles", false))
      pair.tolerance = kInfinity;
    else if (m.is_float32())
      pair.tolerance = blends ? kInfinity : size * kHalfUlp * (32 + 8 * log_base) + 2 * kHalfUlp;
    if (m.kind() == "xpos") {
      const double half = length_ / 2;
      const double fallback = m.text("centreRounding", "up") == "up" ? std::ceil(half) : std::floor(half);
      const Wide away = position(0) - Wide(m.number("centre", fallback));
      const Wide rate = growth_rate(m, int(k), 2 * int(frequencies_.size()));
      pair.magnitude *= std::exp((role_ == Role::query ? 1 : -1) * away * rate);
    }
    out.push_back(pair);
  }
  return out;
}

std::vector<PairColumns> pair_columns(const Model& m, int pairs) {
  const int dim = m.whole("dim", 64), given = m.whole("rotaryStart", 0);
  const int start = given < 0 ? dim - 2 * pairs : given;
  const std::string_view pairing = m.text("pairing", "half");
  std::vector<int> blocks{pairs};
  if (m.kind() == "rope-axial" && m.flag("separateAxes", false)) {
    const int axes = m.whole("axes", 2), rotary = m.whole("rotaryDim", 0);
    const auto dims = m.list("axisDims");
    blocks.clear();
    for (int a = 0; a < axes; ++a)
      blocks.push_back(dims.empty() ? (rotary ? rotary : dim) / 2 / axes : int(dims[std::size_t(a)]) / 2);
  }
  std::vector<PairColumns> out;
  int first = start;
  for (const int count : blocks) {
    for (int k = 0; k < count; ++k) {
      PairColumns half{first + k, first + count + k, first + k, first + count + k};
      PairColumns interleaved{first + 2 * k, first + 2 * k + 1, first + 2 * k, first + 2 * k + 1};
      if (pairing == "interleaved-to-half") interleaved.to_a = half.a, interleaved.to_b = half.b;
      out.push_back(pairing == "half" ? half : interleaved);
    }
    first += 2 * count;
  }
  return out;
}

}  // namespace posenc::fuzz
