// What the core's numbers ought to be: the published formulas in long double or double, by the plainest loops, from the
// spec as it was sent. Nothing here calls the core's own arithmetic.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "specs.hpp"
#include "twin.hpp"

namespace posenc::fuzz {

using Wide = long double;  // 64 bits on x86

inline constexpr Wide kPi = 3.14159265358979323846264338327950288L;
/// Half the distance between 1 and the next float.
inline constexpr double kHalfUlp = 0x1p-24;

/// A number and how far from it a float may be.
struct Near {
  double value = 0, bound = 0;
};

/// A score's place: batch row, head, query, key.
using ScoreIndex = std::array<int, 4>;

/// A spec with its parameters as they are now.
class Model {
 public:
  Model() = default;
  explicit Model(const SpecText& spec);

  const std::string& kind() const { return kind_; }
  double number(std::string_view name, double fallback) const;
  int whole(std::string_view name, int fallback) const { return int(number(name, fallback)); }
  bool flag(std::string_view name, bool fallback) const { return number(name, fallback) != 0; }
  std::string_view text(std::string_view name, std::string_view fallback) const;
  const std::vector<double>& list(std::string_view name) const;
  bool is_float32() const { return text("precision", "exact") == "float32"; }

  /// Copies the parameters.
  void read(const Learned& encoding);
  std::vector<std::vector<double>> parameters;
  /// Are all of them numbers that sums in float32 can bear?
  bool tame() const;

 private:
  struct Value {
    std::string text;
    std::vector<double> numbers;
    bool is_null = false;
  };
  std::string kind_;
  std::map<std::string, Value, std::less<>> fields_;
};

/// One of Positions' numbers: of this row of the batch, at this index, on this axis.
double position_of(const Positions& positions, double per_row, double row, double index, int axis = 0);
/// How many places an axis has.
double extent_of(const Positions& positions, int axis);

/// The row of a place (a number for each axis); false: no opinion.
bool table_row(const Model& model, const double* coordinates, const Positions& call, std::vector<Near>& row);

/// What turns a pair: its angle, its magnitude, and how far the angle may be off.
struct PairRotation {
  Wide angle = 0, magnitude = 1;
  double tolerance = 0;
};
/// Turns of the places of a call, whose rows of the batch have `per_row` each.
class ReferenceRotation {
 public:
  ReferenceRotation(const Model& model, const Positions& positions, double per_row, double sequence_length, Role role);
  /// Of all pairs at index `index` of row `row`.
  std::vector<PairRotation> at(double row, double index) const {
    return rotations([&](int axis) { return position_of(positions_, per_row_, row, index, axis); });
  }
  /// Of all pairs at a place that is none of the call's, on the one axis that there is.
  std::vector<PairRotation> at_position(double position) const {
    return rotations([&](int) { return position; });
  }

 private:
  std::vector<PairRotation> rotations(const std::function<double(int)>& position) const;

  const Model& model_;
  Positions positions_;
  double per_row_, length_;
  Role role_;
  std::vector<Wide> frequencies_;
  std::vector<int> axes_;
  Wide magnitude_;
};
/// The rows' length as scaling rules see it.
double length_of(const Positions& positions, double sequence_length);
Wide attention_factor(const Model& model);
std::vector<Wide> frequencies(const Model& model, double length);
/// The features of each pair, and where the two of them are after a turn.
struct PairColumns {
  int a, b, to_a, to_b;
};
std::vector<PairColumns> pair_columns(const Model& model, int pairs);

/// Where the number for a score [batch, head, query, key] is in a tensor that broadcasts to all scores from the right.
std::size_t broadcast_index(const Shape& shape, const ScoreIndex& at);
/// Does this let query i, which is key `first_query` + i, see key j?
bool is_unmasked(const AttentionMasks& given, int first_query, const ScoreIndex& at);

/// What a head adds to the score of query and key; `factor`: what multiplies the score before.
/// `last_key`: the largest of the keys' positions.
bool bias_of(const Model& model, int head, double query, double key, double last_key, Near& added, Near& factor);
/// Which row of its table, or -1.
int bias_bucket(const Model& model, double query, double key);

/// Aborts unless |got - wanted| is within the bound; NaN and infinities must be the same.
void expect(std::string_view label, std::size_t index, double got, const Near& wanted);
/// Every so manieth index, so that not more than `most` of them are looked at.
inline std::size_t step_over(std::size_t count, std::size_t most) { return count <= most ? 1 : count / most | 1; }

}  // namespace posenc::fuzz
