// Rows of tables.
#include "oracle.hpp"

namespace posenc::fuzz {

namespace {

// A wave of an angle that may be off by `tolerance`: the float next to it, or that one's neighbour.
Near sinusoid(Wide value, double tolerance) {
  return {double(value), 2 * kHalfUlp * std::abs(double(value)) + tolerance + 1e-13};
}

struct SinusoidRows {
  std::vector<Near> sines, cosines;
};

// rate · c for each of the frequencies. `steps`: how many float32 roundings the frequencies and angles have.
SinusoidRows sinusoids(Wide coordinate, const std::vector<Wide>& frequencies, bool is_float32 = false) {
  SinusoidRows out;
  for (const Wide frequency : frequencies) {
    const Wide angle = coordinate * frequency;
    const double size = std::abs(double(angle));
    double tolerance = size * 1e-18;
    if (is_float32) tolerance = size * kHalfUlp * (8 + 4 * std::abs(double(std::log(frequency)))) + 2 * kHalfUlp;
    out.sines.push_back(sinusoid(std::sin(angle), tolerance));
    out.cosines.push_back(sinusoid(std::cos(angle), tolerance));
  }
  return out;
}

// base^(-i / denominator)
std::vector<Wide> falling(int count, Wide base, Wide width, Wide shift) {
  Wide denominator = width - shift;
  if (shift > 0 && denominator < 1) denominator = 1;
  if (shift == 0 && denominator < 0.5L) denominator = 0.5L;
  std::vector<Wide> out;
  for (int i = 0; i < count; ++i) out.push_back(std::pow(base, -Wide(i) / denominator));
  return out;
}

void sinusoidal(const Model& m, double position, std::vector<Near>& row) {
  const int dim = m.whole("dim", 64);
  const std::string_view odd = m.text("oddDim", "truncate");
  const int count = odd == "pad" ? dim / 2 : (dim + 1) / 2;
  const Wide start = m.number("start", 0), shifted = position + start;
  row.assign(std::size_t(dim), Near{});
  // A sum that was rounded is not the padding's index, however near.
  const bool is_exact = shifted - start == position && shifted - position == start;
  if (const double padding = m.number("paddingIndex", -1); padding >= 0 && is_exact && shifted == padding) return;
  const Wide width = odd == "truncate" ? dim / Wide(2) : Wide(count);
  const SinusoidRows at =
      sinusoids(shifted * m.number("scale", 1),
                falling(count, m.number("base", 10000), width, m.number("frequencyShift", 0)), m.is_float32());
  const bool cosine_first = m.text("order", "sin-cos") == "cos-sin";
  const auto &first = cosine_first ? at.cosines : at.sines, &second = cosine_first ? at.sines : at.cosines;
  const bool interleaved = m.text("pairing", "interleaved") == "interleaved";
  for (int k = 0; k < count; ++k) {
    const int a = interleaved ? 2 * k : k, b = interleaved ? 2 * k + 1 : count + k;
    row[std::size_t(a)] = first[std::size_t(k)];
    if (b < dim) row[std::size_t(b)] = second[std::size_t(k)];
  }
}

// Axis by axis, as columns of [interleaved], [sines | cosines] or all sines before all cosines.
void write_axis(const Model& m, const SinusoidRows& at, std::size_t before, std::size_t all, std::vector<Near>& row) {
  const std::string_view pairing = m.text("pairing", "interleaved");
  const bool cosine_first = m.text("order", "sin-cos") == "cos-sin";
  const auto &first = cosine_first ? at.cosines : at.sines, &second = cosine_first ? at.sines : at.cosines;
  const std::size_t count = first.size();
  const auto put = [&](std::size_t column, const Near& value) {
    if (column < row.size()) row[column] = value;
  };
  for (std::size_t k = 0; k < count; ++k) {
    std::size_t a = 2 * before + 2 * k, b = a + 1;
    if (pairing == "concat") a = 2 * before + k, b = a + count;
    if (pairing == "grouped") a = before + k, b = all + before + k;
    put(a, first[k]);
    put(b, second[k]);
  }
}

// `tolerance`: how far it may be off, as a share of it. Coordinates are held to what doubles can tell.
Wide grid_coordinate(const Model& m, double position, double cells, double scale, double& tolerance) {
  const double start = m.number("start", 0);
  const Wide shifted = Wide(position) + start;
  tolerance = 1e-15;
  if (m.flag("normalize", false)) {
    const double eps = m.number("eps", 1e-6);
    const Wide last = Wide(cells) - 1 + start + eps;
    // Where the sum cancels, its roundings weigh more.
    tolerance += 0x1p-62 * (cells + std::abs(start) + std::abs(eps)) / std::abs(double(last));
    return last == 0 ? 0 : shifted / last * scale;
  }
  const double size = m.number("baseSize", 0);
  return size == 0 ? shifted * scale : shifted * size / std::max(cells, 1.0) * scale;
}

void grid(const Model& m, const double* coordinates, const Positions& call, std::vector<Near>& row) {
  const bool video = m.kind() == "sinusoidal-3d";
  const int dim = m.whole("dim", 64), frame_dim = video ? m.whole("temporalDim", 0) : 0;
  const bool pads = m.text("unevenDim", "round-up") == "pad";
  const auto share = [&](int features, int axes) {
    return pads ? features / (2 * axes) : (features + 2 * axes - 1) / (2 * axes);
  };
  const std::string_view order = m.text("axisOrder", video ? "tyx" : "yx");
  row.assign(std::size_t(dim), Near{});
  std::vector<int> axes, counts;
  for (const char letter : order) {
    axes.push_back(letter == 't' ? 0 : letter == 'y' ? int(video) : 1 + int(video));
    const int other = frame_dim ? share(dim - frame_dim, 2) : share(dim, video ? 3 : 2);
    counts.push_back(letter == 't' && frame_dim ? frame_dim / 2 : other);
  }
  std::size_t all = 0, before = 0;
  for (const int count : counts) all += std::size_t(count);
  for (std::size_t block = 0; block < axes.size(); ++block) {
    const int axis = axes[block];
    double scale = m.number("scale", 1);
    if (video && axis == 0) scale = m.number("temporalScale", scale);
    double tolerance = 0;
    const Wide at = grid_coordinate(m, coordinates[axis], extent_of(call, axis), scale, tolerance);
    auto rows =
        sinusoids(at, falling(counts[block], m.number("base", 10000), counts[block], m.number("frequencyShift", 0)));
    for (auto* list : {&rows.sines, &rows.cosines})
      for (Near& value : *list) value.bound += std::abs(double(at)) * tolerance;
    write_axis(m, rows, before, all, row);
    before += std::size_t(counts[block]);
  }
}

void fourier(const Model& m, const double* coordinates, const Positions& call, std::vector<Near>& row) {
  const int dim = m.whole("dim", 64), inputs = m.whole("inputs", 1);
  const bool raw = m.flag("includeInput", false), mixes = m.text("form", "gaussian") == "gaussian";
  const int blocks = mixes ? 1 : inputs, features = dim - (raw ? inputs : 0), bands = features / 2 / blocks;
  const std::string_view how = m.text("coordinates", "index"), pairing = m.text("pairing", "grouped");
  std::vector<Wide> c;
  for (int i = 0; i < inputs; ++i) {
    const int axis = m.text("axisOrder", "yx") == "yx" ? i : inputs - 1 - i;
    const Wide p = coordinates[axis], n = extent_of(call, axis);
    Wide at = p;
    if (how == "centres") at = 2 * (p + 0.5L) / std::max<Wide>(n, 1) - 1;
    if (how == "endpoints") at = 2 * p / std::max<Wide>(n - 1, 1) - 1;
    c.push_back(at * m.number("scale", 1));
  }
  row.assign(std::size_t(dim), Near{});
  for (int i = 0; raw && i < inputs; ++i)
    row[std::size_t(i)] = {double(c[std::size_t(i)]), 1e-6 * std::abs(double(c[std::size_t(i)])) + 1e-15};
  const bool cosine_first = m.text("order", "sin-cos") == "cos-sin";
  for (int b = 0; b < blocks; ++b)
    for (int k = 0; k < bands; ++k) {
      Wide turns = 0, size = 0;
      for (int i = 0; i < inputs; ++i)
        if (mixes || i == b) {
          const Wide part = c[std::size_t(i)] * m.parameters[0][std::size_t(i * bands + k)];
          turns += part;
          size += std::abs(part) + std::abs(m.parameters[0][std::size_t(i * bands + k)]);
        }
      // Coordinates are doubles.
      const double tolerance = double(size) * 4e-15;
      int a = b * bands + k, z = a + blocks * bands;
      if (pairing == "interleaved") a = 2 * (b * bands + k), z = a + 1;
      if (pairing == "concat") a = 2 * b * bands + k, z = a + bands;
      if (pairing == "banded") a = 2 * k * blocks + b, z = a + blocks;
      if (cosine_first) std::swap(a, z);
      const Wide angle = 2 * kPi * (turns - std::floor(turns));
      const std::size_t first = raw ? std::size_t(inputs) : 0;
      row[first + std::size_t(a)] = sinusoid(std::sin(angle), tolerance);
      row[first + std::size_t(z)] = sinusoid(std::cos(angle), tolerance);
    }
}

bool simple_row(const Model& m, double position, const Positions& call, std::vector<Near>& row) {
  const std::size_t dim = std::size_t(m.whole("dim", m.kind() == "binary"                              ? 8
                                                     : m.kind() == "one-hot" || m.kind() == "periodic" ? 16
                                                                                                       : 1));
  row.assign(dim, Near{});
  const auto exact = [](double value) { return Near{double(float(value)), 0}; };
  if (m.kind() == "one-hot") return row[std::size_t(position)] = {1, 0}, true;
  if (m.kind() == "integer") return row.assign(dim, exact(position)), true;
  if (m.kind() == "normalized") {
    const double n = m.number("length", 0), last = (n != 0 ? n : extent_of(call, 0)) - 1;
    return row.assign(dim, last > 0 ? exact(position / last) : Near{}), true;
  }
  if (m.kind() == "binary") {
    for (std::size_t i = 0; i < dim; ++i)
      row[i] = {std::fmod(std::floor(position / std::exp2(double(dim - 1 - i))), 2), 0};
    return true;
  }
  if (m.kind() != "periodic") return false;
  for (std::size_t i = 0; i < dim; ++i) {
    const Wide angle = Wide(position) * kPi / 2 * std::exp2(-Wide(i));
    row[i] = sinusoid(std::sin(angle), std::abs(double(angle)) * 1e-18);
  }
  return true;
}

}  // namespace

bool table_row(const Model& m, const double* coordinates, const Positions& call, std::vector<Near>& row) {
  if (m.kind() == "sinusoidal") return sinusoidal(m, *coordinates, row), true;
  if (m.kind() == "sinusoidal-2d" || m.kind() == "sinusoidal-3d") return grid(m, coordinates, call, row), true;
  if (m.kind() == "fourier") return fourier(m, coordinates, call, row), true;
  if (m.kind() != "learned") return simple_row(m, *coordinates, call, row);
  const std::size_t dim = std::size_t(m.whole("dim", 64)),
                    first = std::size_t(*coordinates + m.whole("start", 0)) * dim;
  row.clear();
  for (std::size_t i = 0; i < dim; ++i) row.push_back({m.parameters[0][first + i], 0});
  return true;
}

}  // namespace posenc::fuzz
