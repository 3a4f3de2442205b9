// Rows that learned maps of a place change, in long double; on one axis, as all calls here stand.
#include "oracle_attention.hpp"

namespace posenc::fuzz {

namespace {

using Row = std::vector<Wide>;

struct Matrix {
  std::size_t size;
  Row values{};
  explicit Matrix(std::size_t n) : size(n), values(n * n) {}
  Wide& at(std::size_t i, std::size_t j) { return values[i * size + j]; }
  const Wide& at(std::size_t i, std::size_t j) const { return values[i * size + j]; }
};

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix out(a.size);
  for (std::size_t i = 0; i < a.size; ++i)
    for (std::size_t k = 0; k < a.size; ++k)
      for (std::size_t j = 0; j < a.size; ++j) out.at(i, j) += a.at(i, k) * b.at(k, j);
  return out;
}

// The series of a matrix that is halved until it is small.
Matrix exponential(Matrix a) {
  Wide norm = 0;
  for (const Wide& number : a.values) norm = std::max(norm, std::abs(number));
  norm *= Wide(a.size);
  int halvings = 0;
  for (; norm > 0.125L; norm /= 2) ++halvings;
  for (Wide& number : a.values) number = std::ldexp(number, -halvings);
  Matrix sum(a.size), term(a.size);
  for (std::size_t i = 0; i < a.size; ++i) sum.at(i, i) = term.at(i, i) = 1;
  for (int k = 1; k <= 14; ++k) {
    term = product(term, a);
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += term.values[i] /= k;
  }
  for (; halvings > 0; --halvings) sum = product(sum, sum);
  return sum;
}

void rotate_pair(Row& row, std::size_t a, std::size_t b, Wide cosine, Wide sine) {
  const Wide x = row[a], y = row[b];
  row[a] = x * cosine - y * sine;
  row[b] = x * sine + y * cosine;
}

// By the angles [pairs]; how far these may be off is added to `tolerance`.
void rotate_pairs(const Model& m, std::string_view fallback, const Row& angles, Row& row, double& tolerance) {
  const std::size_t pairs = angles.size();
  const bool halves = m.text("pairing", fallback) == "half";
  for (std::size_t k = 0; k < pairs; ++k) {
    rotate_pair(row, halves ? k : 2 * k, halves ? k + pairs : 2 * k + 1, std::cos(angles[k]), std::sin(angles[k]));
    tolerance = std::max(tolerance, double(std::abs(angles[k])) * 0x1p-62);
  }
}

void fope(const Model& m, std::size_t head, double position, Row& row, std::vector<double>& sizes) {
  const std::size_t half = row.size() / 2;
  const std::string_view floor = m.text("floor", "drop");
  const Wide least = 2 * kPi / Wide(m.number("length", 2048));
  const int given = m.whole("inputDim", 0);
  Row frequencies;
  for (std::size_t i = 0; i < half; ++i) {
    const Wide frequency = std::pow(Wide(m.number("base", 10000)), -Wide(i) / Wide(half));
    if (floor == "drop" && given > 0 ? int(i) < given : floor != "drop" || frequency >= least)
      frequencies.push_back(frequency >= least || floor == "drop" || floor == "keep" ? frequency
                            : floor == "zero"                                        ? 0
                                                                                     : least);
  }
  const std::size_t inputs = frequencies.size();
  const std::vector<double>&cosine = m.parameters[0], &sine = m.parameters[m.flag("oneBasis", false) ? 0 : 1];
  const int wanted = m.whole("outputDim", 0);
  const std::size_t outputs = wanted ? std::size_t(wanted) : inputs;
  const Row before = row;
  for (std::size_t o = 0; o < half; ++o) {
    Wide c = m.number("cosinePad", 1), s = m.number("sinePad", 0);
    double size = double(std::abs(c) + std::abs(s));
    if (o < outputs) c = s = size = 0;
    for (std::size_t i = 0; o < outputs && i < inputs; ++i) {
      const std::size_t at = (head * inputs + i) * outputs + o;
      c += std::cos(position * frequencies[i]) * Wide(cosine[at]);
      s += std::sin(position * frequencies[i]) * Wide(sine[at]);
      size += std::abs(cosine[at]) + std::abs(sine[at]);
    }
    rotate_pair(row, o, o + half, c, s);
    sizes[o] = sizes[o + half] = size * double(std::abs(before[o]) + std::abs(before[o + half]));
  }
}

void liere(const Model& m, std::size_t head, double position, Row& row) {
  const std::size_t size = std::size_t(m.whole("blockDim", 8)), blocks = row.size() / size;
  const Row before = row;
  for (std::size_t block = 0; block < blocks; ++block) {
    Matrix a(size);
    const double* raw = m.parameters[0].data() + (head * blocks + block) * size * size;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = i + 1; j < size; ++j) a.at(j, i) = -(a.at(i, j) = position * Wide(raw[i * size + j]));
    const Matrix exponential_of_a = exponential(a);
    for (std::size_t i = 0; i < size; ++i) {
      Wide sum = 0;
      for (std::size_t j = 0; j < size; ++j) sum += exponential_of_a.at(i, j) * before[block * size + j];
      row[block * size + i] = sum;
    }
  }
}

// (I + S) y = (I - S) x
void cayley(const Model& m, std::size_t head, Row& row) {
  const std::size_t size = row.size();
  const double* raw = m.parameters[0].data() + head * size * size;
  const auto s = [&](std::size_t i, std::size_t j) -> Wide {
    return i < j ? raw[i * size + j] : i > j ? -raw[j * size + i] : 0;
  };
  Matrix a(size);
  Row y = row;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) a.at(i, j) = Wide(i == j) + s(i, j), y[i] -= s(i, j) * row[j];
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < size; ++i) {
      if (i == k) continue;
      const Wide factor = a.at(i, k) / a.at(k, k);
      for (std::size_t j = k; j < size; ++j) a.at(i, j) -= factor * a.at(k, j);
      y[i] -= factor * y[k];
    }
  for (std::size_t i = 0; i < size; ++i) row[i] = y[i] / a.at(i, i);
}

void circulant(const Model& m, std::size_t head, double position, Row& row) {
  const std::size_t size = row.size();
  const double* c = m.parameters[2].data() + head * size;
  const Row before = row;
  Matrix a(size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      a.at(i, j) = position * (Wide(c[(i + size - j) % size]) - Wide(c[(j + size - i) % size]));
  const Matrix exponential_of_a = exponential(a);
  for (std::size_t i = 0; i < size; ++i) {
    row[i] = 0;
    for (std::size_t j = 0; j < size; ++j) row[i] += exponential_of_a.at(i, j) * before[j];
  }
}

}  // namespace

bool maps_rows(const Model& m) {
  return m.kind() == "rope-mixed" || m.kind() == "grape-m" || m.kind() == "fope" || m.kind() == "liere" ||
         m.kind() == "string";
}

MappedRow mapped_row(const Model& m, int dim, const double* x, int key_head, double position) {
  Row row(x, x + dim);
  MappedRow out;
  double norm = 0;
  for (int i = 0; i < dim; ++i) norm += x[i] * x[i];
  out.sizes.assign(std::size_t(dim), std::sqrt(norm));
  const std::size_t head = m.whole("heads", 0) > 1 ? std::size_t(key_head) : 0;
  const bool is_string = m.kind() == "string", circular = is_string && m.text("form", "cayley") == "circulant";
  if (is_string && !circular) cayley(m, head, row);
  if (m.kind() == "rope-mixed" || (is_string && !circular)) {
    const std::vector<double>& frequencies = m.parameters[is_string ? 1 : 0];
    const int given = m.whole("rotaryDim", 0);
    const std::size_t pairs = std::size_t(given ? given : dim) / 2;
    Row angles;
    for (std::size_t k = 0; k < pairs; ++k) angles.push_back(position * Wide(frequencies[head * pairs + k]));
    rotate_pairs(m, "interleaved", angles, row, out.tolerance);
  }
  if (m.kind() == "grape-m") {
    Row angles;
    const std::size_t pairs = row.size() / 2;
    // Beyond that there is no room to multiply by a position.
    const Wide scale = m.number("logScale", 1), most = 600;
    for (std::size_t k = 0; k < pairs; ++k)
      angles.push_back(-position * std::exp(std::min(Wide(m.parameters[0][head * pairs + k]) / scale, most)));
    rotate_pairs(m, "half", angles, row, out.tolerance);
  }
  if (m.kind() == "fope") fope(m, head, position, row, out.sizes), out.tolerance = std::abs(position) * 0x1p-60;
  if (m.kind() == "liere") liere(m, head, position, row);
  if (circular) circulant(m, head, position, row);
  for (const Wide& number : row) out.row.push_back(double(number));
  return out;
}

}  // namespace posenc::fuzz
