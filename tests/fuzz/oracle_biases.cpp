// Biases: what a head adds to the score of a query and a key.
#include "oracle.hpp"

namespace posenc::fuzz {

namespace {

Near rounded(Wide value, double tolerance = 0) {
  return {double(value), 2 * kHalfUlp * std::abs(double(value)) + std::abs(double(value)) * 1e-12 + tolerance};
}

// The distance that counts.
double away(const Model& m, double distance, bool fallback) {
  if (m.flag("bidirectional", fallback)) return std::abs(distance);
  return distance > 0 ? distance : 0;
}

// Beside a whole distance, not on it: which side it is on is lost where differences are rounded.
bool is_near_step(double distance, double query, double key) {
  const double away = std::abs(distance - std::round(distance));
  return away > 0 && away < 1e-14 * (4096 + std::abs(query) + std::abs(key));
}

int t5_bucket(const Model& m, double distance) {
  const bool both = m.flag("bidirectional", true);
  const int all = m.whole("buckets", 32), side = both ? all / 2 : all, exact = side / 2;
  distance = std::trunc(distance);
  const double r = away(m, distance, true);
  const int ahead = both && distance < 0 ? side : 0;
  if (r < exact) return ahead + int(r);
  const Wide steps = std::log(Wide(r) / exact) / std::log(Wide(m.number("maxDistance", 128)) / exact) * (side - exact);
  // Whole where the powers are: a distance that begins a bucket belongs to it.
  const Wide near = std::floor(steps + 0.5L);
  const Wide floor = std::abs(steps - near) < 1e-15L * std::max<Wide>(1, near) ? near : std::floor(steps);
  return ahead + exact + int(std::min<Wide>(floor, side - exact - 1));
}

int swin_bucket(const Model& m, double query, double key) {
  const int h = m.whole("windowHeight", 4), w = m.whole("windowWidth", 4), token = m.flag("classToken", false);
  const int all = (2 * h - 1) * (2 * w - 1), q = int(query) - token, k = int(key) - token;
  if (q < 0 && k < 0) return all + 2;
  if (k < 0) return all + 1;
  if (q < 0) return all;
  return (q / w - k / w + h - 1) * (2 * w - 1) + q % w - k % w + w - 1;
}

double alibi_slope(const Model& m, int head) { return m.parameters[0][std::size_t(head)]; }

Near alibi(const Model& m, int head, double query, double key, double last) {
  const std::string_view form = m.text("form", "relative");
  const Wide slope = alibi_slope(m, head);
  if (form == "relative")
    return rounded(-slope * std::abs(Wide(query) - key),
                   std::abs(double(slope)) * 1e-15 * (64 + std::abs(query) + std::abs(key)));
  return rounded(slope * (Wide(key) - (form == "key" ? last : 0)),
                 std::abs(double(slope)) * 1e-15 * (std::abs(key) + std::abs(last)));
}

Near kerple(const Model& m, int head, double distance) {
  const std::string_view form = m.text("form", "log");
  const auto number = [&](std::size_t which) { return Wide(m.parameters[which][std::size_t(head)]); };
  const auto limited = [&](std::size_t which, Wide most = INFINITY) {
    if (form == "log-power") return number(which);
    return std::min(std::max(number(which), 0.01L), most);
  };
  const Wide d = away(m, distance, false), amplitude = limited(0);
  if (form == "log") return rounded(-amplitude * std::log(1 + limited(1) * d));
  if (d == 0 && limited(2, 2) <= 0) return {0, kInfinity};
  const Wide power = std::pow(d, limited(2, 2));
  if (form != "log-power") return rounded(-amplitude * power);
  const Wide inside = 1 + number(1) * power;
  if (!(inside > 1e-6L)) return {0, kInfinity};
  return rounded(-amplitude * std::log(inside),
                 std::abs(double(amplitude / inside)) * (1 + std::abs(double(inside))) * 1e-13);
}

Near kerple_factor(const Model& m, int head, double distance) {
  if (m.text("form", "log") != "weighted") return {1, 0};
  const auto limited = [&](std::size_t which, Wide most = INFINITY) {
    return std::min(std::max(Wide(m.parameters[which][std::size_t(head)]), 0.01L), most);
  };
  const Wide d = away(m, distance, false), exponent = limited(3) * std::pow(d, limited(4, 2));
  return rounded(std::exp(-exponent), double(std::exp(-exponent) * exponent) * 1e-12);
}

Near sandwich(const Model& m, int head, double distance) {
  const int dim = m.whole("dim", 64), heads = m.whole("heads", 8);
  const Wide d = away(m, distance, false), base = m.number("base", 10000);
  Wide sum = 0;
  for (int i = 1; i <= dim / 2; ++i) sum += std::cos(d * std::pow(base, -2 * Wide(i) / Wide(dim))) - 1;
  const Wide strength = Wide(heads) / (8 * (head + 1));
  return rounded(sum * strength, dim * double(strength) * (1e-14 + double(d) * 1e-18));
}

Near fire(const Model& m, int head, double query, double key) {
  const auto& p = m.parameters;
  const std::size_t width = std::size_t(m.whole("width", 32));
  const Wide c = p[4][0];
  const auto spread = [&](Wide y) { return std::log1p(std::abs(c * y)); };
  const Wide threshold = std::abs(Wide(p[5][0]) * m.number("length", 512));
  const Wide d = away(m, query - key, false),
             divisor = spread(std::max<Wide>(query, threshold)) + m.number("epsilon", 1e-6);
  const Wide x = spread(d) / divisor;
  Wide sum = p[3][std::size_t(head)], size = std::abs(sum);
  for (std::size_t unit = 0; unit < width; ++unit) {
    const Wide in = p[0][unit] * x, at = in + p[1][unit], out = p[2][std::size_t(head) * width + unit];
    sum += std::max<Wide>(at, 0) * out;
    size += (std::abs(in) + std::abs(Wide(p[1][unit]))) * std::abs(out);
  }
  // The network is float32.
  return {double(sum), double(size) * kHalfUlp * (8 + double(width)) + double(std::abs(c)) * 1e-12};
}

Near swin_v2(const Model& m, int head, double query, double key) {
  const auto& p = m.parameters;
  const int height = m.whole("windowHeight", 4), columns = m.whole("windowWidth", 4);
  const int q = int(query), k = int(key);
  const auto spread = [&](int away, std::string_view pretrained, int own) {
    if (away == 0) return Wide(0);
    const Wide most = (m.whole(pretrained, 0) ? m.whole(pretrained, 0) : own) - 1;
    return std::copysign(std::log2(1 + 8 * std::abs(Wide(away)) / most) / 3, Wide(away));
  };
  const Wide y = spread(q / columns - k / columns, "pretrainedHeight", height),
             x = spread(q % columns - k % columns, "pretrainedWidth", columns);
  const std::size_t width = std::size_t(m.whole("width", 512));
  Wide sum = 0, size = 0;
  for (std::size_t unit = 0; unit < width; ++unit) {
    const Wide down = p[0][2 * unit] * y, across = p[0][2 * unit + 1] * x, start = p[1][unit],
               out = p[2][std::size_t(head) * width + unit];
    sum += std::max<Wide>(down + across + start, 0) * out;
    size += (std::abs(down) + std::abs(across) + std::abs(start)) * std::abs(out);
  }
  const Wide share = 1 / (1 + std::exp(-sum));
  return rounded(16 * share, 16 * double(size) * 1e-14 * (1 + double(width) / 64) + 1e-13);
}

Near mask(const Model& m, double distance) {
  const double left = m.number("windowLeft", -1), right = m.number("windowRight", -1);
  const bool after = distance < 0;
  bool masked = after && m.flag("causal", true);
  masked |= !after && left >= 0 && distance > left;
  masked |= after && right >= 0 && -distance > right;
  return {masked ? m.number("hidden", -kInfinity) : 0, 1e-6 * (masked ? std::abs(m.number("hidden", 0)) : 0)};
}

}  // namespace

int bias_bucket(const Model& m, double query, double key) {
  if (m.kind() == "t5") return t5_bucket(m, query - key);
  return m.kind() == "swin" || m.kind() == "swin-v2" ? swin_bucket(m, query, key) : -1;
}

bool bias_of(const Model& m, int head, double query, double key, double last_key, Near& added, Near& factor) {
  const bool is_shared = m.kind() == "mask" || m.kind() == "none";
  const int heads = m.whole("heads", is_shared ? 1 : 8);
  if (heads == 1) head = 0;
  const double distance = query - key;
  factor = {1, 0};
  if ((m.kind() == "t5" || m.kind() == "mask" || m.kind() == "kerple") && is_near_step(distance, query, key))
    return added = {0, kInfinity}, true;
  if (m.kind() == "swin-v2") return added = swin_v2(m, head, query, key), true;
  if (const int row = bias_bucket(m, query, key); row >= 0)
    return added = {m.parameters[0][std::size_t(row) * std::size_t(heads) + std::size_t(head)], 0}, true;
  if (m.kind() == "alibi") return added = alibi(m, head, query, key, last_key), true;
  if (m.kind() == "kerple") return added = kerple(m, head, distance), factor = kerple_factor(m, head, distance), true;
  if (m.kind() == "sandwich") return added = sandwich(m, head, distance), true;
  if (m.kind() == "fire") return added = fire(m, head, query, key), true;
  if (m.kind() == "mask") return added = mask(m, distance), true;
  if (m.kind() == "none") return added = {0, 0}, true;
  return false;
}

}  // namespace posenc::fuzz
