// Calls of rotations.
#include "calls.hpp"

namespace posenc::fuzz {

namespace {

HeadLayout layout_from(Input& input) { return input.choice<HeadLayout>(2); }
Role role_from(Input& input) { return input.choice<Role>(3); }

Shape heads_shape(Input& input, HeadLayout layout, double width) {
  double batch = input.between(0, 3), heads = input.between(0, 4);
  const double positions = size_from(input);
  if (positions > 20) batch = std::min(batch, 2.0), heads = std::min(heads, 2.0);
  return layout == HeadLayout::bhtd ? Shape{batch, heads, positions, width} : Shape{batch, positions, heads, width};
}

// Positions as many as x has, of its own axes or of one for all.
RandomPositions positions_for(Input& input, const View& x, HeadLayout layout, const Rotation& rotation) {
  const bool whole = x.shape.rank == 4;
  return {input, whole ? x.shape[layout == HeadLayout::bhtd ? 2 : 1] : 1, whole ? x.shape[0] : 1,
          input.rarely(4) ? 1 : rotation.axes};
}

// What a pair is multiplied by.
struct Cis {
  Near cosine, sine;
};
Cis cis(const PairRotation& pair, Wide sign = 1) {
  const auto part = [&](Wide unit) {
    const double value = double(unit * pair.magnitude);
    return Near{value, std::abs(value) * 4 * kHalfUlp + (pair.tolerance + 1e-13) * double(pair.magnitude)};
  };
  return {part(std::cos(pair.angle)), part(sign * std::sin(pair.angle))};
}

void tables(Input& input, Subject& subject) {
  Rotation& rotation = *as<Rotation>(*subject.encoding);
  const RandomPositions random_positions(input, size_from(input), 1, input.rarely(4) ? 1 : rotation.axes);
  const double count = random_positions.positions().count;
  const Tensor cosine(input, {count, double(rotation.pairs)}), sine(input, {count, double(rotation.pairs)});
  const double length = sequence_length_from(input);
  const Role role = role_from(input);
  const Error error = rotation.tables(random_positions.positions(), length, cosine.view(), sine.view(), role);
  expect_same_bits("rotation.tables, cosine", error, cosine);
  expect_same_bits("rotation.tables, sine", error, sine);
  const Model* model = error || count == 0 ? nullptr : subject.formula();
  if (!model) return;
  const ReferenceRotation reference(*model, random_positions.positions(), count, length, role);
  for (std::size_t t = 0; t < std::size_t(count); t += step_over(std::size_t(count), 6)) {
    const auto rotations = reference.at(0, double(t));
    require(rotations.size() == std::size_t(rotation.pairs), "as many pairs as the formula has");
    for (std::size_t k = 0; k < rotations.size(); ++k) {
      const Cis wanted = cis(rotations[k]);
      const std::size_t at = t * rotations.size() + k;
      expect("rotation.tables, cosine", at, double(cosine.values()[at]), wanted.cosine);
      expect("rotation.tables, sine", at, double(sine.values()[at]), wanted.sine);
    }
  }
}

void angles(Input& input, Subject& subject) {
  Rotation& rotation = *as<Rotation>(*subject.encoding);
  const RandomPositions random_positions(input, size_from(input), 1, input.rarely(4) ? 1 : rotation.axes);
  const std::size_t pairs = std::size_t(rotation.pairs),
                    count = std::size_t(random_positions.positions().count) * pairs;
  const auto out = std::make_unique<double[]>(count);
  const double length = sequence_length_from(input);
  const Error error = rotation.angles(random_positions.positions(), length, {out.get(), count});
  expect_same_error("rotation.angles", error);
  if (error) return;
  twin::same_bits("rotation.angles", std::span<const double>(out.get(), count));
  const Model* model = count ? subject.formula() : nullptr;
  if (!model) return;
  const ReferenceRotation reference(*model, random_positions.positions(), random_positions.positions().count, length,
                                    Role::key);
  for (std::size_t at = 0; at < count; at += pairs * step_over(count / pairs, 4)) {
    const auto rotations = reference.at(0, double(at / pairs));
    for (std::size_t k = 0; k < pairs; ++k)
      expect(
          "rotation.angles", at + k, out[at + k],
          {double(rotations[k].angle), std::abs(double(rotations[k].angle)) * 1e-14 + rotations[k].tolerance + 1e-300});
  }
}

/// The place of a row of x.
struct RowIndex {
  double batch, position;
  std::size_t first;
};
double positions_of(const Tensor& x, HeadLayout layout) { return x.view().shape[layout == HeadLayout::bhtd ? 2 : 1]; }
/// use(place) for some of the rows.
template <class Use>
void for_some_rows(const Tensor& x, HeadLayout layout, const Use& use) {
  const Shape& shape = x.view().shape;
  const bool heads_first = layout == HeadLayout::bhtd;
  const double heads = shape[heads_first ? 1 : 2], positions = positions_of(x, layout), width = shape[3];
  const std::size_t count = std::size_t(shape[0] * heads * positions);
  for (std::size_t row = 0; row < count; row += step_over(count, 6)) {
    const double b = std::floor(double(row) / heads / positions), rest = double(row) - b * heads * positions;
    const double t = heads_first ? std::fmod(rest, positions) : std::floor(rest / heads);
    use(RowIndex{b, t, row * std::size_t(width)});
  }
}

// A row of x turned by `of` each pair; turned back it is read where a turn writes.
void check_row(const Model& model, const Tensor& x, std::size_t first, const std::vector<PairRotation>& rotations,
               Wide sign, bool is_back, bool stays_in_halves = false) {
  auto columns = pair_columns(model, int(rotations.size()));
  std::vector<bool> is_rotated(std::size_t(model.whole("dim", 64)));
  const auto before = [&](int c) { return double(x.before()[first + std::size_t(c)]); };
  const auto check = [&](int c, const Near& wanted) {
    is_rotated[std::size_t(c)] = true;
    expect("rotation", first + std::size_t(c), double(x.values()[first + std::size_t(c)]), wanted);
  };
  for (std::size_t k = 0; k < rotations.size(); ++k) {
    PairColumns at = columns[k];
    if (stays_in_halves) at.a = at.to_a, at.b = at.to_b;
    if (is_back) std::swap(at.a, at.to_a), std::swap(at.b, at.to_b);
    const Cis by = cis(rotations[k], sign);
    const double a = before(at.a), b = before(at.b), c = by.cosine.value, s = by.sine.value;
    const auto bound = [&](double p, double q) {
      return std::abs(p) * by.cosine.bound + std::abs(q) * by.sine.bound +
             3 * kHalfUlp * (std::abs(p * c) + std::abs(q * s)) + 1e-43;
    };
    // What is infinite, or nearly, becomes what IEEE makes of it; so do products that are.
    const double largest = std::max(std::abs(a), std::abs(b)), product = largest * std::max(std::abs(c), std::abs(s));
    if (!(largest < 1e30 && product < 1e38)) {
      is_rotated[std::size_t(at.to_a)] = is_rotated[std::size_t(at.to_b)] = true;
      continue;
    }
    check(at.to_a, {a * c - b * s, bound(a, b)});
    check(at.to_b, {a * s + b * c, bound(b, a)});
  }
  for (std::size_t c = 0; c < is_rotated.size(); ++c)
    if (!is_rotated[c])
      expect("a feature that does not turn", first + c, double(x.values()[first + c]), {before(int(c)), 0});
}

void apply(Input& input, Subject& subject) {
  Rotation& rotation = *as<Rotation>(*subject.encoding);
  const HeadLayout layout = layout_from(input);
  const Tensor x(input, heads_shape(input, layout, rotation.dim));
  const RandomPositions random_positions = positions_for(input, x.view(), layout, rotation);
  const double length = sequence_length_from(input);
  const auto direction = input.choice<Direction>(3);
  const Role role = role_from(input);
  const Error before = rotation.check(x.view(), layout, random_positions.positions(), length, role);
  const Error error = rotation.apply(x.view(), layout, random_positions.positions(), length, direction, role);
  require(bool(before) == bool(error), "check() and apply() do not agree");
  check_untouched(error, x);
  expect_same_bits("rotation.apply", error, x);
  const Model* model = error ? nullptr : subject.formula();
  if (!model || x.values().empty()) return;
  const ReferenceRotation reference(*model, random_positions.positions(), positions_of(x, layout), length, role);
  for_some_rows(x, layout, [&](const RowIndex& at) {
    auto rotations = reference.at(at.batch, at.position);
    for (PairRotation& pair : rotations)
      if (direction == Direction::inverse) pair.magnitude = 1 / pair.magnitude;
    check_row(*model, x, at.first, rotations, direction == Direction::forward ? 1 : -1,
              direction != Direction::forward);
  });
}

void backward(Input& input, Subject& subject) {
  Rotation& rotation = *as<Rotation>(*subject.encoding);
  const HeadLayout layout = layout_from(input);
  const Tensor x(input, heads_shape(input, layout, rotation.dim)), gradient(input, x.view().shape);
  const RandomPositions random_positions = positions_for(input, x.view(), layout, rotation);
  const double length = sequence_length_from(input);
  const Role role = role_from(input);
  const Error error = rotation.backward(x.view(), gradient.view(), layout, random_positions.positions(), length, role,
                                        subject.training);
  check_untouched(error, gradient);
  require(x.unchanged(), "backward() changed its input");
  expect_same_bits("rotation.backward", error, gradient);
  if (error) return;
  if (const Model* model = gradient.values().empty() ? nullptr : subject.formula()) {
    const ReferenceRotation reference(*model, random_positions.positions(), positions_of(x, layout), length, role);
    for_some_rows(gradient, layout, [&](const RowIndex& at) {
      check_row(*model, gradient, at.first, reference.at(at.batch, at.position), -1, true);
    });
  }
  subject.share_gradients(kInfinity);
}

void rerotate(Input& input, Subject& subject, Subject& second) {
  Rotation& rotation = *as<Rotation>(*subject.encoding);
  Rotation& other = *as<Rotation>(*second.encoding);
  const HeadLayout layout = layout_from(input);
  const Tensor x(input, heads_shape(input, layout, rotation.dim));
  const RandomPositions from = positions_for(input, x.view(), layout, other),
                        to = positions_for(input, x.view(), layout, rotation);
  const double from_length = sequence_length_from(input), to_length = sequence_length_from(input);
  const Error error = rotation.rerotate(x.view(), layout, {other, from.positions(), from_length},
                                        {rotation, to.positions(), to_length});
  check_untouched(error, x);
  expect_same_bits("rotation.rerotate", error, x);
  if (error || x.values().empty()) return;
  const Model *now = subject.formula(), *then = second.formula();
  if (!now || !then) return;
  const double per_row = positions_of(x, layout);
  const ReferenceRotation new_reference(*now, to.positions(), per_row, to_length, Role::key),
      old_reference(*then, from.positions(), per_row, from_length, Role::key);
  for_some_rows(x, layout, [&](const RowIndex& at) {
    auto rotations = new_reference.at(at.batch, at.position);
    const auto old = old_reference.at(at.batch, at.position);
    for (std::size_t k = 0; k < rotations.size(); ++k) {
      rotations[k].tolerance += old[k].tolerance + 4 * kHalfUlp;
      rotations[k].angle -= old[k].angle;
      rotations[k].magnitude /= old[k].magnitude;
    }
    check_row(*now, x, at.first, rotations, 1, false, true);
  });
}

// The binding refuses other lengths.
void list_frequencies(Input& input, Subject& subject) {
  Rotation& rotation = *as<Rotation>(*subject.encoding);
  const double length = input.number();
  if (!(length >= 1 && length <= kMaxPosition)) return;
  const auto list = rotation.inverse_frequencies(length);
  require(list.size() == std::size_t(rotation.pairs), "not a frequency a pair");
  twin::same_bits("rotation.frequencies", std::span<const double>(list));
  const Model* model = subject.formula();
  if (!model || model->is_float32() || model->flag("float16Frequencies", false) || model->flag("float16Angles", false))
    return;
  const auto wanted = frequencies(*model, length);
  const double top = list.empty() ? 0 : *std::max_element(list.begin(), list.end());
  for (std::size_t k = 0; k < list.size(); ++k)
    expect("rotation.frequencies", k, list[k], {double(wanted[k]), std::abs(list[k]) * 1e-15 + top * 1e-17});
}

}  // namespace

void call_rotation(Input& input, Subject& subject, Subject& other) {
  switch (input.below(6)) {
    case 0:
      return tables(input, subject);
    case 1:
      return angles(input, subject);
    case 2:
      return backward(input, subject);
    case 3:
      return rerotate(input, subject, as<Rotation>(*other.encoding) ? other : subject);
    case 4:
      return list_frequencies(input, subject);
  }
  apply(input, subject);
}

}  // namespace posenc::fuzz
